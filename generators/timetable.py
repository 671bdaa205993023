"""Gives every beat, outage and task its time: anchors are followed until each has a moment.

Outages and tasks begin on the minute that is written. What people do gets its seconds here; a time that is relative to
what somebody does stays exactly as far from it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from brownout.core.errors import AfterTheEnd, AuthoringError, Mistake, Unknown, under
from brownout.core.instants import Duration, Instant, clock_text
from brownout.core.vocabulary import near
from generators.drawn_seconds import into_the_minute
from generators.talk_messages import TalkMessage, messages_of, whole_lines
from generators.talk_timing import TalkOverrun, line_times
from worlds.attendance import Attendance, attendance_of
from worlds.expressions import Anchor, ExpressionError, Moment, parse_moment
from worlds.spec import Talk, WorldSpec

__all__ = ["TimedMessage", "Timetable", "TurningFact", "make_timetable"]


@dataclass(frozen=True, slots=True)
class TurningFact:
    """A fact that begins or ceases to be so when something comes true, which has no time beforehand.

    Attributes:
        when: the condition, as a beat waits for it.
        after: how long after that.
    """

    fact: str
    edge: Literal["since", "until"]
    when: str
    after: Duration


class TimedMessage(NamedTuple):
    """A message of a talk and when it is written."""

    message: TalkMessage
    at: Instant


@dataclass(frozen=True, slots=True)
class Timetable:
    """Resolved times. What waits for a condition has none.

    Attributes:
        calendar: first and last instant of the world.
        moments: by the name that an author would write: a beat's, an outage's.
        ends: of outages.
        starts: of tasks.
        messages: those that the lines of a talk are sent in, with when each is written, by the talk's name.
        windows: from when and until when each fact is so; None where it always was, or still is. One that waits for its
            turn begins when the calendar ends.
        again: from when on a fact is so once more.
        turns: the edges of facts that hang on a beat that waits for a condition.
    """

    calendar: tuple[Instant, Instant]
    moments: Mapping[str, Instant]
    ends: Mapping[str, Instant]
    starts: Mapping[str, Instant]
    messages: Mapping[str, Sequence[TimedMessage]]
    windows: Mapping[str, tuple[Instant | None, Instant | None]]
    again: Mapping[str, Instant]
    turns: Sequence[TurningFact]


def make_timetable(spec: WorldSpec) -> Timetable:
    """The times of everything in the spec.

    Raises:
        AuthoringError: a time is not in the grammar, names nothing, hangs on itself, or lies outside the calendar;
            a talk cannot end in time; somebody writes on a day off.
    """
    return _Resolver(spec).resolve()


class _Resolver:
    def __init__(self, spec: WorldSpec) -> None:
        self._spec = spec
        self._zone = spec.world.clock.zone
        self._mistakes: list[Mistake] = []
        self._open: dict[str, tuple[Moment, str]] = {}
        self._moments: dict[str, Instant] = {}
        self._places: dict[str, tuple[str, ...]] = {}
        self._waiting = {
            name: beat.when for story in spec.storylines.values() for name, beat in story.beats.items() if beat.when
        }
        # what has no time, which is said elsewhere
        self._untimed = {name for name, one in spec.outages.items() if not one.start and not one.when}
        self._untimed |= {
            name
            for story in spec.storylines.values()
            for name, beat in story.beats.items()
            if not beat.at and not beat.when
        }
        self._turns: list[TurningFact] = []

    def resolve(self) -> Timetable:
        clock = self._spec.world.clock
        first = self._absolute("world.yaml", clock.start)
        last = self._absolute("world.yaml", clock.until)
        if first is not None and last is not None and last <= first:
            self._mistakes.append(
                Mistake(
                    "world.yaml",
                    self._line("world.yaml"),
                    f"clock: until {clock.until} is not after from {clock.start}",
                )
            )
        for name, outage in self._spec.outages.items():
            if outage.start:
                self._note(name, outage.start, "outages.yaml", (name, "from"))
        for line, story in self._spec.storylines.items():
            for name, beat in story.beats.items():
                if beat.at:
                    self._note(name, beat.at, f"storylines/{line}.yaml", ("beats", name, "at"))
            for name, talk in story.talks.items():
                self._note(name, talk.at, f"storylines/{line}.yaml", ("talks", name, "at"))
            for name, mail in story.mails.items():
                self._note(name, mail.at, f"storylines/{line}.yaml", ("mails", name, "at"))
        for line, words in self._spec.sections.items():
            for word, entries in words.items():
                for name, entry in entries.items():
                    self._note(name, entry.at, f"storylines/{line}.yaml", (word, name, "at"))
        for name in list(self._open):
            self._follow(name, [])
        starts = self._starts()
        ends = {
            name: self._moments[name] + outage.lasts
            for name, outage in self._spec.outages.items()
            if name in self._moments
        }
        self._check_calendar(first, last, starts)
        windows, again = self._windows(last), self._again()
        messages = self._talked()
        self._mistakes += self._absences(messages)
        if self._mistakes:
            raise AuthoringError(self._mistakes)
        assert first is not None and last is not None
        return Timetable((first, last), self._moments, ends, starts, messages, windows, again, self._turns)

    def _absolute(self, file: str, text: str) -> Instant | None:
        moment = self._parse(text, file)
        if isinstance(moment, Anchor):
            self._mistakes.append(Mistake(file, self._line(file), f"expected a date, found {text!r}"))
            return None
        return moment

    def _parse(self, text: str, file: str, name: str = "") -> Moment | None:
        try:
            return parse_moment(text, self._zone)
        except (ExpressionError, KeyError) as error:
            word = (self._places.get(name) or ("start",))[-1]
            shown = f"{name}.{word}" if name and not name.endswith(f".{word}") else name or word
            self._mistakes.append(Mistake(file, self._line(file, name), f"{shown}: {error}"))
            return None

    def _note(self, name: str, text: str, file: str, place: tuple[str, ...]) -> None:
        self._places[name] = place
        moment = self._parse(text, file, name)
        if moment is not None:
            self._open[name] = (moment, file)
        else:
            self._untimed.add(name)

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
        if anchor.name in self._untimed:
            return None
        if anchor.name not in self._open:
            hint = near(anchor.name, [*self._open, *self._waiting])
            name = path[-1] if path else ""
            missing = Unknown(f"nothing called {anchor.name!r} has a time{hint}", name=anchor.name, kind="beat")
            self._mistakes.append(Mistake(file, self._line(file, name), under(name, missing)))
            return None
        at = self._follow(anchor.name, path)
        if at is None:
            return None
        outage = self._spec.outages.get(anchor.name)
        lasts = outage.lasts if outage is not None and anchor.edge == "until" else 0
        return at + lasts + anchor.offset

    def _windows(self, last: Instant | None) -> dict[str, tuple[Instant | None, Instant | None]]:
        """From when and until when each fact is so."""
        found = {}
        for line, story in self._spec.storylines.items():
            for name, fact in story.facts.items():
                since = self._edge(name, "since", fact.since, f"storylines/{line}.yaml")
                until = self._edge(name, "until", fact.until, f"storylines/{line}.yaml")
                waits = any(turn.fact == name and turn.edge == "since" for turn in self._turns)
                found[name] = (last if waits else since, until)
        return found

    def _again(self) -> dict[str, Instant]:
        """From when on facts are so once more."""
        found = {}
        for line, story in self._spec.storylines.items():
            for name, fact in story.facts.items():
                place, file = f"{name}.again", f"storylines/{line}.yaml"
                self._places[place] = ("facts", name, "again")
                moment = self._parse(fact.again, file, place) if fact.again else None
                at = self._anchored(moment, file, [place]) if isinstance(moment, Anchor) else moment
                if at is not None:
                    found[name] = at
        return found

    def _edge(self, fact: str, edge: Literal["since", "until"], text: str, file: str) -> Instant | None:
        """When a fact begins or ceases to be so; None where that is not said, or has its turn."""
        place = f"{fact}.{edge}"
        self._places[place] = ("facts", fact, edge)
        moment = self._parse(text, file, place) if text else None
        if not isinstance(moment, Anchor):
            return moment
        if moment.name not in self._waiting:
            return self._anchored(moment, file, [place])
        if moment.offset < 0:
            message = f"{place}: expected a time after {moment.name}, for nobody knows beforehand when that comes; found {text!r}"
            self._mistakes.append(Mistake(file, self._line(file, place), message))
        self._turns.append(TurningFact(fact, edge, self._waiting[moment.name], moment.offset))
        return None

    def _talked(self) -> dict[str, list[TimedMessage]]:
        """The messages of every talk; one that is not threaded ends before the next begins in its place."""
        try:
            people = {name: attendance_of(person, self._zone) for name, person in self._spec.people.items()}
        except (ExpressionError, KeyError):
            return {}  # lint has said so, with its line
        talks = [
            (name, talk, f"storylines/{line}.yaml")
            for line, story in self._spec.storylines.items()
            for name, talk in story.talks.items()
            if name in self._moments and all(said.who in people for said in talk.lines)
        ]
        openings = self._openings()
        found = {}
        for name, talk, file in talks:
            limit = self._limit(name, talk, file)
            following = min((at for at in openings[_place(talk)] if at > self._moments[name]), default=None)
            until = limit if following is None or _is_threaded(talk) else min(limit or following, following)
            try:
                found[name] = self._messages(name, talk, people, until, following)
            except TalkOverrun as unsaid:
                if limit is not None and unsaid.at >= limit:
                    ends = clock_text(unsaid.at, self._zone)
                    message = f"{name}.until: expected all of it said by {talk.until}, but it takes until {ends}"
                    self._mistakes.append(Mistake(file, self._line(file, name), message))
                found[name] = self._messages(name, talk, people, None, None)
        return found

    def _messages(
        self,
        name: str,
        talk: Talk,
        people: Mapping[str, Attendance],
        until: Instant | None,
        following: Instant | None,
    ) -> list[TimedMessage]:
        """What a talk is sent in; whole lines where more could not be said in time, or not its first before the next talk begins there."""
        seed, opens = self._spec.world.generation.seed, self._moments[name]

        def timed(messages: Sequence[TalkMessage]) -> list[TimedMessage]:
            parts = [number for number, one in enumerate(messages) if one.part]
            said = [one.said for one in messages]
            times = line_times(said, opens, people, seed=seed, name=name, until=until, going_on=parts)
            return [TimedMessage(message, at) for message, at in zip(messages, times, strict=True)]

        try:
            found = timed(messages_of(talk, self._spec.people, seed=seed, name=name))
        except TalkOverrun:
            return timed(whole_lines(talk))
        begun = max(one.at for one in found if one.message.line == 0)
        return found if following is None or begun < following else timed(whole_lines(talk))

    def _limit(self, name: str, talk: Talk, file: str) -> Instant | None:
        if not talk.until:
            return None
        moment = self._parse(talk.until, file, name)
        return self._anchored(moment, file, [name]) if isinstance(moment, Anchor) else moment

    def _openings(self) -> dict[object, list[Instant]]:
        """When something new begins in each channel and between each two people."""
        found: dict[object, list[Instant]] = defaultdict(list)
        for story in self._spec.storylines.values():
            for name, talk in story.talks.items():
                if name in self._moments:
                    found[_place(talk)].append(self._moments[name])
            for name, beat in story.beats.items():
                if name in self._moments:
                    for target in [to for action in beat.does if action.kind == "tell" for to in action.to]:
                        found[target].append(self._moments[name])
        return found

    def _absences(self, messages: Mapping[str, Sequence[TimedMessage]]) -> Iterator[Mistake]:
        """What people do while they are away."""
        for line, story in self._spec.storylines.items():
            file = f"storylines/{line}.yaml"
            done = [(name, beat.who, self._moments.get(name)) for name, beat in story.beats.items()]
            done += [
                (name, mail.who, self._moments.get(name)) for name, mail in story.mails.items() if not mail.automatic
            ]
            for name in story.talks:
                done += [(name, message.said.who, at) for message, at in messages.get(name, ())]
            for entries in self._spec.sections.get(line, {}).values():
                for name, entry in entries.items():
                    at = self._moments.get(name)
                    done.append((name, entry.who, at - entry.ahead if at is not None else None))
            for name, who, at in done:
                person = self._spec.people.get(who)
                if at is None or person is None:
                    continue
                there = attendance_of(person, self._zone)
                if there.is_away(at):
                    has_left = there.leaves is not None and at >= there.leaves
                    is_new = there.joins is not None and at < there.joins
                    how = "has left by" if has_left else "has not joined by" if is_new else "is away on"
                    message = f"{name}: {who} {how} {clock_text(at, self._zone)}; see people.yaml"
                    yield Mistake(file, self._line(file, name), message)

    def _check_calendar(self, first: Instant | None, last: Instant | None, starts: Mapping[str, Instant]) -> None:
        if first is None or last is None:
            return
        for name, at in starts.items():
            if not first < at < last:
                file = f"tasks/{name}/task.yaml"
                ends = f"{clock_text(first, self._zone)} to {clock_text(last, self._zone)} ({self._calendar_line})"
                message = f"start: {self._spec.tasks[name].start} is outside the world's calendar, {ends}"
                told = AfterTheEnd(message) if at >= last else message
                self._mistakes.append(Mistake(file, self._line(file), told))
        ahead = {
            name: entry.ahead
            for words in self._spec.sections.values()
            for entries in words.values()
            for name, entry in entries.items()
        }
        late = {name: at for name, at in self._moments.items() if at - ahead.get(name, 0) >= last}
        self._mistakes += self._after_the_end(late, last)

    @property
    def _calendar_line(self) -> str:
        """Where the calendar's end stands."""
        return f"world.yaml:{self._spec.line('world.yaml', 'clock', 'until')}"

    def _after_the_end(self, late: Mapping[str, Instant], last: Instant) -> Iterator[Mistake]:
        """What comes after the calendar's end; not what hangs on it."""
        ends = clock_text(last, self._zone)
        for name in late:
            if self._hangs_on(name, late):
                continue
            file = self._open[name][1]
            message = (
                f"{name}: its time is after the calendar's end, {ends} ({self._calendar_line}); "
                f"found {clock_text(late[name], self._zone)}"
            )
            yield Mistake(file, self._line(file, name), AfterTheEnd(message))

    def _hangs_on(self, name: str, late: Mapping[str, Instant]) -> bool:
        moment = self._open[name][0]
        return isinstance(moment, Anchor) and moment.name in late

    def _line(self, file: str, name: str = "") -> int:
        place = self._places.get(name, ("clock",) if file == "world.yaml" else ("start",))
        return self._spec.line(file, *place)


def _is_threaded(talk: Talk) -> bool:
    """Whether all that answers does so in the thread of the first line."""
    return all(said.in_thread for said in talk.lines[1:])


def _place(talk: Talk) -> object:
    """Where a talk takes place: its channel, or between whom."""
    if talk.where.startswith("#"):
        return talk.where
    return frozenset({talk.where, *(line.who for line in talk.lines)})
