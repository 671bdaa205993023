"""Dates as they are written in searches."""

import re

from brownout.core.calendar_days import Stretch, day_of

__all__ = ["MONTHS", "read_day"]

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip

_YEAR_FIRST = re.compile(r"([0-9]{4})([-/])([0-9]{1,2})\2([0-9]{1,2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/])([0-9]{1,2})\2([0-9]{4})")


def read_day(text: str, zone_name: str) -> Stretch | None:
    """The day written `2026-03-01`, `2026/3/1` or, as in the United States, `03/01/2026`; None for anything else."""
    if found := _YEAR_FIRST.fullmatch(text):
        year, month, day = found[1], found[3], found[4]
    elif found := _YEAR_LAST.fullmatch(text):
        month, day, year = found[1], found[3], found[4]
    else:
        return None
    return day_of(int(year), int(month), int(day), zone_name)
