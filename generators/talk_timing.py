"""The timing of talks: when each line is written, given who writes it, how much it is and when they are at work.

The tables are measured in chats of communities (seconds, evenly spaced quantiles): the longer a conversation, the
quicker its turns, and the first answer takes longest. Nobody is quicker than reading what was said and typing, and
nobody writes outside their hours, during their lunch or on a day off.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

from brownout.core.instants import MINUTE, SECOND, Duration, Instant, from_datetime, local
from brownout.core.seeds import Stream
from worlds.attendance import Attendance
from worlds.spec import Line

__all__ = ["TalkOverrun", "line_times"]

_FIRST = {
    2: (20, 120, 283, 560, 1099, 2500, 5789, 11800, 26000),
    3: (20, 95, 200, 400, 750, 1600, 3400, 9500, 24000),
    5: (15, 85, 170, 310, 580, 1250, 2700, 8500, 22000),
    9: (12, 60, 125, 215, 360, 700, 1400, 5600, 17000),
    99: (8, 35, 66, 105, 165, 290, 610, 1900, 9000),
}
_OTHER = {
    5: (12, 50, 107, 210, 447, 1100, 2783, 8000, 20000),
    9: (9, 30, 60, 115, 239, 500, 1130, 5200, 15000),
    19: (6, 17, 32, 55, 97, 180, 373, 1200, 5000),
    99: (4, 9, 15, 25, 40, 65, 114, 280, 1500),
}
_SAME = {
    5: (4, 13, 27, 42, 63, 110, 219, 800, 4000),
    9: (4, 11, 22, 35, 54, 90, 173, 700, 3600),
    19: (4, 9, 18, 27, 41, 62, 104, 280, 1500),
    99: (3, 8, 14, 20, 29, 42, 64, 130, 600),
}
"""Gaps by the number of lines, up to: to the first answer, later to somebody else's line, to one's own next line."""

_TYPED, _READ = 45, 240
"""Words a minute."""
_PRESENT = 20 * MINUTE
"""Who wrote so lately is there, whatever the time."""
_FITS = (100, 75, 55, 40, 28, 20, 14, 9, 5, 2, 0)
"""Percent of the time beyond reading and typing that is left, where a talk has to end by some moment."""
_KEPT = 4_000
"""Talks, of a few large worlds, whose times are known."""
_AT_ONCE = -1
"""Behind those: nobody is at lunch or late, and nothing takes longer than it must. What does not fit then fits with no seed."""


class TalkOverrun(ValueError):
    """A talk that cannot end in time, however quick its people are; `at` is when it would."""

    def __init__(self, at: Instant) -> None:
        super().__init__(at)
        self.at = at


class _Said(NamedTuple):
    """Of a line, what its time depends on."""

    who: str
    text: str
    after: Duration | None


@dataclass(frozen=True, slots=True)
class _Talk:
    lines: Sequence[_Said]
    opens: Instant
    people: Mapping[str, Attendance]
    seed: int
    name: str


def line_times(
    lines: Sequence[Line],
    opens: Instant,
    people: Mapping[str, Attendance],
    *,
    seed: int,
    name: str,
    until: Instant | None = None,
) -> list[Instant]:
    """When each line of a talk is written.

    Args:
        name: the talk's; draws are keyed by it.
        until: by when all of it was said; people hurry for it, and to have said it before their last day ends.

    Raises:
        TalkOverrun: they could not.
    """
    said = tuple(_Said(line.who, line.text, line.after) for line in lines)
    there = tuple((who, people[who]) for who in dict.fromkeys(line.who for line in said))
    return [*_line_times(said, opens, there, seed, name, until)]


@lru_cache(_KEPT)
def _line_times(
    said: tuple[_Said, ...],
    opens: Instant,
    people: tuple[tuple[str, Attendance], ...],
    seed: int,
    name: str,
    until: Instant | None,
) -> tuple[Instant, ...]:
    """The same for a talk by all that its times depend on: a world is read again and again while it is written."""
    talk = _Talk(said, opens, dict(people), seed, name)
    for share in (*_FITS, _AT_ONCE):
        times = _times(talk, share)
        if (until is None or times[-1] < until) and _are_all_here(talk, times):
            return tuple(times)
    if until is None or times[-1] < until:
        return tuple(times)
    raise TalkOverrun(times[-1])


def _are_all_here(talk: _Talk, times: Sequence[Instant]) -> bool:
    """Whether nobody says anything after their last day."""
    last = [(talk.people[line.who].leaves, at) for line, at in zip(talk.lines, times, strict=True)]
    return all(leaves is None or at < leaves for leaves, at in last)


def _times(talk: _Talk, share: int) -> list[Instant]:
    times = [talk.opens]
    wrote = {talk.lines[0].who: talk.opens}
    for number in range(1, len(talk.lines)):
        line, before = talk.lines[number], talk.lines[number - 1]
        stream = Stream(talk.seed, "talk", talk.name, number)
        if line.after is not None:
            at = times[-1] + line.after + (stream.below(line.after // 8 + SECOND) if share != _AT_ONCE else 0)
        elif share == _AT_ONCE:
            at = times[-1] + _effort(line, before)
            at = talk.people[line.who].next_working(at) or at
        else:
            least = _effort(line, before)
            least += stream.below(least // 2 + SECOND)
            drawn = stream.quantile(_table(talk, number)) * SECOND + stream.below(SECOND)
            at = times[-1] + least + max(drawn - least, 0) * share // 100
            at = _there(talk, line.who, at, wrote, stream)
        times.append(at)
        wrote[line.who] = at
    return times


def _table(talk: _Talk, number: int) -> Sequence[int]:
    is_same = talk.lines[number].who == talk.lines[number - 1].who
    is_first = not is_same and all(line.who == talk.lines[0].who for line in talk.lines[:number])
    tables = _SAME if is_same else _FIRST if is_first else _OTHER
    return next(table for most, table in tables.items() if len(talk.lines) <= most or most == 99)


def _effort(line: _Said, before: _Said) -> Duration:
    """Reading what was said, unless they said it themselves, and typing; what stands in a code block is pasted."""
    effort = _words(line.text) * MINUTE // _TYPED
    if before.who != line.who:
        effort += _words(before.text) * MINUTE // _READ
    return max(effort, 2 * SECOND)


def _words(text: str) -> int:
    return len(re.sub(r"```.*?```", " code ", text, flags=re.DOTALL).split())


def _there(talk: _Talk, who: str, at: Instant, wrote: Mapping[str, Instant], stream: Stream) -> Instant:
    """The moment from then on at which somebody is at their desk."""
    attendance = talk.people[who]
    last = wrote.get(who)
    is_present = last is not None and at - last < _PRESENT
    if is_present and not attendance.is_working(last or at) and not attendance.is_away(at):
        return at
    for _ in range(3):
        there = attendance.next_working(at)
        if there is not None and there > at:
            at = there + stream.between(2 * MINUTE, 25 * MINUTE)
        back = None if is_present else _lunch_end(talk.seed, who, attendance, at)
        if back is None:
            break
        at = back + stream.below(6 * MINUTE)
    return at


def _lunch_end(seed: int, who: str, attendance: Attendance, at: Instant) -> Instant | None:
    """When they are back from lunch, None where they are not at lunch."""
    here = local(at, attendance.zone)
    noon = here.replace(hour=12, minute=20, second=0, microsecond=0)
    if not noon <= here < noon + timedelta(hours=2, minutes=10):
        return None
    drawn = Stream(seed, "lunch", who, here.toordinal())
    begins = from_datetime(noon) + drawn.below(65 * MINUTE)
    ends = begins + drawn.between(35 * MINUTE, 65 * MINUTE)
    return ends if begins <= at < ends else None
