"""The timing of talks: when each line is written, given who writes it, how much it is and when they are at work.

Gaps are those of real conversations, by the tables that everyday talk has its pace from: the longer a conversation, the
quicker its turns, and one of quick people is quick throughout. Nobody is quicker than reading what was said and typing, and
nobody writes outside their hours, during their lunch or on a day off.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

from brownout.background.conversation_shapes import paced
from brownout.background.typing_times import fitted_gaps
from brownout.core.instants import MINUTE, SECOND, Duration, Instant, from_datetime, local
from brownout.core.seeds import Stream
from generators.measured_tables import measured_tables
from worlds.attendance import Attendance
from worlds.spec import Line

__all__ = ["TalkOverrun", "line_times"]

_TYPED, _READ = 45, 240
"""Words a minute."""
_PRESENT = 20 * MINUTE
"""Who wrote so lately is there, whatever the time."""
_IN_ONE_GO = 4 * MINUTE
"""What is said in several messages is said within that beyond typing: of real turns by whoever spoke last three of four are."""
_FITS = (100, 75, 55, 40, 28, 20, 14, 9, 5, 2, 0)
"""Percent of the time beyond reading and typing that is left, where a talk has to end by some moment."""
_TRIES = 3
"""So often a pace is drawn until all are there at all their moments; else the pace at which they have to be waited for least."""
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
    goes_on: bool


@dataclass(frozen=True, slots=True)
class _Talk:
    lines: Sequence[_Said]
    opens: Instant
    people: Mapping[str, Attendance]
    seed: int
    name: str


class _Drawn(NamedTuple):
    """Times of all lines, and how long people had to be waited for who were not there."""

    times: list[Instant]
    waited: Duration


def line_times(
    lines: Sequence[Line],
    opens: Instant,
    people: Mapping[str, Attendance],
    *,
    seed: int,
    name: str,
    until: Instant | None = None,
    going_on: Collection[int] = (),
) -> list[Instant]:
    """When each line of a talk is written.

    Args:
        name: the talk's; draws are keyed by it.
        going_on: numbers of those that go on with what the line before began to say, and come minutes after it at most.
        until: by when all of it was said; people hurry for it, and to have said it before their last day ends.

    Raises:
        TalkOverrun: they could not.
    """
    said = tuple(_Said(line.who, line.text, line.after, number in going_on) for number, line in enumerate(lines))
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
    """The first draw in which nobody who is not there is waited for, or the one in which least is."""
    found = _drawn_times(talk, share, 0)
    for attempt in range(1, _TRIES if share != _AT_ONCE else 1):
        if not found.waited:
            break
        found = min(found, _drawn_times(talk, share, attempt), key=lambda one: one.waited)
    return found.times


def _drawn_times(talk: _Talk, share: int, attempt: int) -> _Drawn:
    stream = Stream(talk.seed, "talk", talk.name, attempt)
    gaps = _gaps(talk, stream)
    times, waited = [talk.opens], 0
    wrote = {talk.lines[0].who: talk.opens}
    for number in range(1, len(talk.lines)):
        line, before = talk.lines[number], talk.lines[number - 1]
        if line.after is not None:
            at = times[-1] + line.after + (stream.below(line.after // 8 + SECOND) if share != _AT_ONCE else 0)
        elif share == _AT_ONCE:
            at = times[-1] + _effort(line, before)
            at = talk.people[line.who].next_working(at) or at
        else:
            least = _effort(line, before)
            least += stream.below(least // 2 + SECOND)
            waits = max(gaps[number - 1] - least, 0)
            if line.goes_on and waits > _IN_ONE_GO:
                waits = stream.below(_IN_ONE_GO)
            ready = times[-1] + least + waits * share // 100
            at = _there(talk, line.who, ready, wrote, stream)
            waited += at - ready
        times.append(at)
        wrote[line.who] = at
    return _Drawn(times, waited)


def _gaps(talk: _Talk, stream: Stream) -> Sequence[Duration]:
    """What passes before each line after the first, as in a real conversation of these turns."""
    names = [*dict.fromkeys(line.who for line in talk.lines)]
    speakers = tuple(names.index(line.who) for line in talk.lines)
    shape = paced(speakers, measured_tables(), stream)
    return fitted_gaps(shape.gaps, speakers, [line.text for line in talk.lines])


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
