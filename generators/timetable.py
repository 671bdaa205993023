"""Gives every beat, outage and task its time: anchors are followed until each has a moment.

Outages and tasks begin on the minute that is written. What people do gets its seconds here; a time that is relative to
what somebody does stays exactly as far from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from brownout.core.errors import AuthoringError, Mistake
from brownout.core.instants import Instant
from generators.seconds import into_the_minute
from worlds.expressions import Anchor, ExpressionError, Moment, parse_moment
from worlds.spec import WorldSpec

__all__ = ["Timetable", "make_timetable"]


@dataclass(frozen=True, slots=True)
class Timetable:
    """Resolved times. What waits for a condition has none.

    Attributes:
        calendar: first and last instant of the world.
        moments: by the name that an author would write: a beat's, an outage's.
        ends: of outages.
        starts: of tasks.
    """

    calendar: tuple[Instant, Instant]
    moments: Mapping[str, Instant]
    ends: Mapping[str, Instant]
    starts: Mapping[str, Instant]


def make_timetable(spec: WorldSpec) -> Timetable:
    """The times of everything in the spec.

    Raises:
        AuthoringError: a time is not in the grammar, names nothing, hangs on itself, or lies outside the calendar.
    """
    return _Resolver(spec).resolve()


class _Resolver:
    def __init__(self, spec: WorldSpec) -> None:
        self._spec = spec
        self._zone = spec.world.clock.zone
        self._mistakes: list[Mistake] = []
        self._open: dict[str, tuple[Moment, str]] = {}
        self._moments: dict[str, Instant] = {}

    def resolve(self) -> Timetable:
        clock = self._spec.world.clock
        first = self._absolute("world.yaml", clock.start)
        last = self._absolute("world.yaml", clock.until)
        if first is not None and last is not None and last <= first:
            self._mistakes.append(
                Mistake("world.yaml", 0, f"clock: until {clock.until} is not after from {clock.start}")
            )
        for name, outage in self._spec.outages.items():
            if outage.start:
                self._note(name, outage.start, "outages.yaml")
        for line, story in self._spec.storylines.items():
            for name, beat in story.beats.items():
                if beat.at:
                    self._note(name, beat.at, f"storylines/{line}.yaml")
            for name, talk in story.talks.items():
                self._note(name, talk.at, f"storylines/{line}.yaml")
            for name, mail in story.mails.items():
                self._note(name, mail.at, f"storylines/{line}.yaml")
        for name in list(self._open):
            self._follow(name, [])
        starts = self._starts()
        ends = {
            name: self._moments[name] + outage.lasts
            for name, outage in self._spec.outages.items()
            if name in self._moments
        }
        self._check_calendar(first, last, starts)
        if self._mistakes:
            raise AuthoringError(self._mistakes)
        assert first is not None and last is not None
        return Timetable((first, last), self._moments, ends, starts)

    def _absolute(self, file: str, text: str) -> Instant | None:
        moment = self._parse(text, file)
        if isinstance(moment, Anchor):
            self._mistakes.append(Mistake(file, 0, f"expected a date, found {text!r}"))
            return None
        return moment

    def _parse(self, text: str, file: str, name: str = "") -> Moment | None:
        try:
            return parse_moment(text, self._zone)
        except (ExpressionError, KeyError) as error:
            self._mistakes.append(Mistake(file, self._line(file, name), f"{name}: {error}".removeprefix(": ")))
            return None

    def _note(self, name: str, text: str, file: str) -> None:
        moment = self._parse(text, file, name)
        if moment is not None:
            self._open[name] = (moment, file)

    def _starts(self) -> dict[str, Instant]:
        starts = {}
        for name, task in self._spec.tasks.items():
            file = f"tasks/{name}/task.yaml"
            moment = self._parse(task.start, file)
            if isinstance(moment, Anchor):
                moment = self._anchored(moment, file, [])
            if moment is not None:
                starts[name] = moment
        return starts

    def _follow(self, name: str, path: list[str]) -> Instant | None:
        if name in self._moments:
            return self._moments[name]
        moment, file = self._open[name]
        if name in path:
            circle = " -> ".join([*path[path.index(name) :], name])
            if not any(circle in mistake.message for mistake in self._mistakes):
                self._mistakes.append(Mistake(file, self._line(file, name), f"this time hangs on itself: {circle}"))
            return None
        at = self._anchored(moment, file, [*path, name]) if isinstance(moment, Anchor) else moment
        if at is not None and self._is_of_a_minute(name, moment):
            at += into_the_minute(self._spec.world.generation.seed, name)
        if at is not None:
            self._moments[name] = at
        return at

    def _is_of_a_minute(self, name: str, moment: Moment) -> bool:
        """Whether only the minute of it was written: what people do, unless it hangs on what somebody did."""
        if name in self._spec.outages:
            return False
        return not isinstance(moment, Anchor) or moment.name in self._spec.outages

    def _anchored(self, anchor: Anchor, file: str, path: list[str]) -> Instant | None:
        if anchor.name not in self._open:
            near = get_close_matches(anchor.name, list(self._open), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            name = path[-1] if path else ""
            message = f"{name}: nothing called {anchor.name!r} has a time{hint}".removeprefix(": ")
            self._mistakes.append(Mistake(file, self._line(file, name), message))
            return None
        at = self._follow(anchor.name, path)
        if at is None:
            return None
        outage = self._spec.outages.get(anchor.name)
        lasts = outage.lasts if outage is not None and anchor.edge == "until" else 0
        return at + lasts + anchor.offset

    def _check_calendar(self, first: Instant | None, last: Instant | None, starts: Mapping[str, Instant]) -> None:
        if first is None or last is None:
            return
        for name, at in starts.items():
            if not first < at < last:
                message = f"start: {self._spec.tasks[name].start} is outside the world's calendar"
                self._mistakes.append(Mistake(f"tasks/{name}/task.yaml", 0, message))
        for name, at in self._moments.items():
            if at >= last:
                file = self._open[name][1]
                self._mistakes.append(
                    Mistake(file, self._line(file, name), f"{name}: its time is after the calendar's end")
                )

    def _line(self, file: str, name: str) -> int:
        return self._spec.lines.get((file, name), 0)
