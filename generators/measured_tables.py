"""The figures of real conversations (lengths, who speaks, gaps), from which everyday talk and the talks of authors have their pace."""

from functools import cache

import orjson

from brownout.background.life_sources import Tables
from generators.data_files import data_path

__all__ = ["measured_tables"]


@cache
def measured_tables() -> Tables:
    """The measured tables, as they stand in `generators/background/tables.json`."""
    return Tables.model_validate(orjson.loads(data_path("background", "tables.json").read_bytes()))
