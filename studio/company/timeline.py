"""A world's calendar as the scrubber shows it: how much happens when, and what stands out."""

from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import orjson

from brownout.core.instants import DAY, HOUR, MINUTE, Duration, Instant, duration_text
from brownout.engine.outages import words_of
from brownout.store import Base, Pool
from studio.app_titles import title_of_target
from studio.company.everyday_activity import EVERYDAY_BIN, everyday_counts
from worlds.package import Outage, Package, open_package

__all__ = ["CalendarBars", "TimelineMark", "spoken", "timeline_of"]

_BARS = 240
_BINS = (15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR)
_HAPPENS = """
    SELECT (at_us - :first) / :bin, count(*) FROM engine_schedule
    WHERE kind = 'intent' AND at_us >= :first AND at_us < :last GROUP BY 1
"""
_BEATS = "SELECT name, at_us FROM truth_calendar WHERE kind = 'beat' ORDER BY at_us, name"
_STORIES = """
    SELECT key, json_extract(payload, '$.subject'), json_array_length(payload, '$.facts') FROM engine_schedule
    WHERE kind = 'intent' AND substr(key, instr(key, '/') + 1) IN (SELECT value FROM json_each(:beats))
"""


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """Something on the calendar that people look for.

    Attributes:
        until: when it ends, None for what has no length.
        detail: what to say about it in a line.
        over: what to say when it has ended.
        lane: whose bar an outage is: the vendor, or the service, with its part.
    """

    kind: Literal["beat", "outage", "task"]
    name: str
    label: str
    at: Instant
    until: Instant | None = None
    detail: str = ""
    over: str = ""
    lane: str = ""


@dataclass(frozen=True, slots=True)
class CalendarBars:
    """The calendar.

    Attributes:
        start: the moment shown when none is asked for: the first task's start.
        bin: how much time a bar stands for.
        bars: how many things happen in each: what is written and, where that is counted, everyday life.
        is_whole: whether everyday life is counted, or there is none.
    """

    zone: str
    first: Instant
    last: Instant
    start: Instant
    bin: Duration
    bars: tuple[int, ...]
    marks: tuple[TimelineMark, ...]
    is_whole: bool = True


def timeline_of(package: Package) -> CalendarBars:
    """The calendar of a package."""
    return _timeline(package.folder, package.manifest.digest, everyday_counts(package))


@lru_cache(maxsize=32)
def _timeline(folder: Path, digest: str, everyday: tuple[int, ...] | None) -> CalendarBars:
    package = open_package(folder)
    first, last = package.manifest.calendar
    span = next((each for each in _BINS if (last - first) / each <= _BARS), DAY)
    marks = [mark for mark in (*_beats(package), *_outages(package), *_tasks(package)) if first <= mark.at <= last]
    return CalendarBars(
        zone=package.manifest.zone,
        first=first,
        last=last,
        start=min((task.start for task in package.tasks.values()), default=last),
        bin=span,
        bars=_bars(package, span, everyday or ()),
        marks=tuple(sorted(marks, key=lambda mark: (mark.at, mark.kind, mark.name))),
        is_whole=everyday is not None,
    )


def _bars(package: Package, span: Duration, everyday: tuple[int, ...]) -> tuple[int, ...]:
    first, last = package.manifest.calendar
    bars = [0] * -(-(last - first) // span)
    with closing(Base(package.origin)) as base:
        pool = Pool(base, hot=1)
        for number, count in pool.open().rows.execute(_HAPPENS, {"first": first, "last": last, "bin": span}):
            bars[int(str(number))] = int(str(count))
        pool.close()
    for number, count in enumerate(everyday):
        bars[number * EVERYDAY_BIN // span] += count
    return tuple(bars)


def _beats(package: Package) -> list[TimelineMark]:
    """The beats of storylines that are about something: those in which a fact comes to be or is stated."""
    with closing(Base(package.truth)) as base:
        pool = Pool(base, hot=1)
        beats = {str(name): int(str(at)) for name, at in pool.open().rows.execute(_BEATS)}
        pool.close()
    storyline_of: dict[str, str] = {}
    subjects: dict[str, str] = {}
    telling: set[str] = set()
    with closing(Base(package.origin)) as base:
        pool = Pool(base, hot=1)
        for key, subject, facts in pool.open().rows.execute(_STORIES, {"beats": orjson.dumps([*beats]).decode()}):
            storyline, _, name = str(key).partition("/")
            storyline_of[name] = storyline
            subjects[name] = str(subject or "")
            if facts:
                telling.add(storyline)
        pool.close()
    shown = [name for name in beats if not telling or storyline_of.get(name) in telling]
    return [TimelineMark("beat", name, subjects.get(name) or spoken(name), beats[name]) for name in shown]


def _outages(package: Package) -> list[TimelineMark]:
    marks = []
    for outage in package.outages:
        if outage.start is not None:
            title, until = title_of_target(outage.target, package), outage.start + outage.lasts
            label, over = f"{title} {words_of(outage.mode).said}", f"{title} works again"
            marks.append(TimelineMark("outage", outage.name, label, outage.start, until, _told(outage), over, title))
    return marks


def _told(outage: Outage) -> str:
    """How long an outage lasts, and when the status page says so."""
    lasts = f"for {duration_text(outage.lasts)}"
    if outage.announced is None:
        return f"{lasts}, never announced"
    return f"{lasts}, announced " + (f"{duration_text(outage.announced)} late" if outage.announced else "at once")


def _tasks(package: Package) -> list[TimelineMark]:
    return [TimelineMark("task", task.id, task.title, task.start) for task in package.tasks.values()]


def spoken(name: str) -> str:
    """An author's short name as a sentence's beginning."""
    return name.replace("-", " ").replace("_", " ").capitalize()
