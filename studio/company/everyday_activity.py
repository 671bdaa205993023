"""How much of everyday life happens when. It is drawn and not written, so it is counted once for a package and kept beside it."""

from functools import lru_cache
from pathlib import Path

import orjson
from pydantic import TypeAdapter

from brownout.background.days import Days
from brownout.background.life_sources import read_life
from brownout.core.instants import MINUTE
from studio.company.company_view import moments_of
from worlds.package import Package

__all__ = ["EVERYDAY_BIN", "count_everyday", "everyday_counts"]

EVERYDAY_BIN = 15 * MINUTE
"""How much time a count stands for."""
_NAME = "everyday.json"
_COUNTS: TypeAdapter[tuple[int, ...]] = TypeAdapter(tuple[int, ...])


def everyday_counts(package: Package) -> tuple[int, ...] | None:
    """How many things happen in each bin of the calendar; none where the company has no everyday life, None where it is not counted yet."""
    if not package.has_life:
        return ()
    place = moments_of(package) / _NAME
    return _read(place) if place.is_file() else None


def count_everyday(package: Package) -> None:
    """Count it and keep the counts; this takes seconds, for every day is drawn."""
    if everyday_counts(package) is not None:
        return
    first, last = package.manifest.calendar
    counts = [0] * -(-(last - first) // EVERYDAY_BIN)
    for item in Days(read_life(package.life)).between(None, last):
        if first <= item.at < last:
            counts[(item.at - first) // EVERYDAY_BIN] += 1
    place = moments_of(package) / _NAME
    place.parent.mkdir(parents=True, exist_ok=True)
    written = place.with_suffix(".new")
    written.write_bytes(orjson.dumps(counts))
    written.replace(place)


@lru_cache(maxsize=32)
def _read(place: Path) -> tuple[int, ...]:
    return _COUNTS.validate_json(place.read_bytes())
