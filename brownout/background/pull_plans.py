"""Which changes are made of which lines: dealt by day, so that two that are open at once hardly ever want the same one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.code_bases import CodeBase, CodeLine, Lines, WrittenChange, WrittenEntry
from brownout.background.desk_hours import day_of, day_start
from brownout.background.integer_math import mixed
from brownout.background.landed_changes import Landed
from brownout.background.life_sources import Life
from brownout.background.packs import TicketCase
from brownout.background.remarks import WeekOfRemarks
from brownout.core.instants import Instant
from brownout.core.seeds import Stream

__all__ = ["COMPANY", "DealtLines", "PullPlan", "PullPlans"]

COMPANY: Final = ""
"""Who has said what is said once in a company."""
_TWO_LINES: Final = 32
"""Percent of changes of two lines, where the day has two of one file: what is said is true of both. Without a source."""
_ELSEWHERE: Final = 4
"""Other places that a change is made in at most."""
_TO_WEEKEND: Final = 5
_TO_CHOOSE: Final = 2
"""Values that a line must have left: one to open with, another for a push."""


@dataclass(frozen=True, slots=True)
class PullPlan:
    """A change that somebody will make: of which lines, to what.

    Attributes:
        words: what texts about it may say: `key`, `value`, `old`, `note`, `group`, `place`, `file`.
        values: what each line may come to say, in turn: first what is opened, then by push; nothing that it says before the change lands.
        remarks: what its week has to say of changes.
        landed: where its week notes what the lines say once it is merged.
        ticket: the one that asks for it, as it is written.
        change: what it is where no ticket asks for it and it is written whole.
    """

    key: str
    base: CodeBase
    place: str
    lines: tuple[CodeLine, ...]
    values: tuple[tuple[str, ...], ...]
    words: Mapping[str, str]
    remarks: WeekOfRemarks
    landed: Landed
    ticket: TicketCase | None = None
    change: WrittenChange | None = None

    def value(self, number: int, pushes: int) -> str:
        """What the line of that number says after as many pushes, which change the first line and those of the same entry."""
        values = self.values[number]
        return values[pushes % len(values)] if self.is_pushed(number) else values[0]

    def can_push(self, pushes: int) -> bool:
        """Whether there is one more value to push after as many pushes."""
        return pushes + 1 < len(self.values[0])

    def is_pushed(self, number: int) -> bool:
        """Whether the line of that number changes again with a push."""
        return self.lines[number].entry.name == self.lines[0].entry.name

    @property
    def written(self) -> WrittenEntry | None:
        """Its entry, where that is written whole."""
        return self.base.pack.written.get(self.lines[0].entry.name)


@dataclass(slots=True)
class DealtLines:
    """Which lines the changes of one day were given, what its week has to say of changes, and what lines came to say before."""

    turn: int
    start: Instant
    remarks: WeekOfRemarks
    landed: Landed
    given: set[tuple[str, str]] = field(default_factory=set)

    def now(self, base: CodeBase, line: CodeLine) -> str:
        """What a line says when the day begins."""
        return self.landed.said(base, line, self.start)[0]

    def values(self, base: CodeBase, line: CodeLine) -> tuple[str, ...]:
        """What a change may make of a line, in turn: nothing that the line says by the time it lands.

        Empty where the day has given the line already, or too few values are left for a push to be another one.
        """
        if (line.path, line.beginning) in self.given:
            return ()
        said = self.landed.said(base, line, self.start)
        if base.pack.order == "up":
            left = line.values[1 + max(map(line.values.index, said)) :]
        else:
            begin = line.values.index(said[0])
            left = tuple(one for one in line.values[begin:] + line.values[:begin] if one not in said)
        if len(left) < _TO_CHOOSE:
            return ()
        return left[1::-1] if base.pack.by == "bot" else left


class PullPlans:
    """All changes that may be made of a company's code bases of everyday life."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self.code = tuple(Lines(life.seed, base, life.taken) for base in life.code)
        self._places: dict[tuple[str, str], tuple[str, ...]] = {}
        self._first, last = (day_of(at, life.zone) for at in life.calendar)
        self._days = last - self._first

    def deal(self, day: int, remarks: WeekOfRemarks, landed: Landed) -> DealtLines:
        """What a day may give."""
        return DealtLines(day - self._first, day_start(day, self._life.zone), remarks, landed)

    def for_ticket(self, deal: DealtLines, key: str, people: Sequence[str]) -> PullPlan | None:
        """The change that a ticket of that key asks for, to a code base that one of the people works on.

        None where the day has none left that a ticket is written for.
        """
        stream = Stream(self._life.seed, key, "change")
        able = [one for one in self.code if one.base.pack.on_tickets and not {*people}.isdisjoint(one.base.reviewers)]
        while able:
            lines = able.pop(stream.weighted(range(len(able)), [one.base.pack.on_tickets for one in able]))
            for place in stream.shuffled(lines.base.places):
                for turn in self._turns(deal):
                    for line in _pair(turn, lines, place):
                        ticket = self._ticket(lines, place, line, turn)
                        if ticket is not None and deal.values(lines.base, line):
                            key = f"{key}/change"
                            values = _stepped(deal, lines.base, line, "", Stream(self._life.seed, key, "lines"))
                            return _plan(deal, key, lines.base, place, [(line, values)], ticket=ticket)
        return None

    def _turns(self, deal: DealtLines) -> tuple[int, ...]:
        """A day, and on the first two of a week one of its weekend's, which would hardly be used."""
        weekday = (deal.turn + self._first + 3) % 7
        return (deal.turn, deal.turn + _TO_WEEKEND) if weekday < 7 - _TO_WEEKEND else (deal.turn,)

    def _ticket(self, lines: Lines, place: str, line: CodeLine, turn: int) -> TicketCase | None:
        """The ticket that is written for a change of an entry in a place on a day; an entry's are spread over places and the calendar."""
        base = lines.base
        written = base.pack.written.get(line.entry.name)
        if written is None or not written.tickets:
            return None
        having, half = self._having(lines, line.entry.name), _half(lines.of(place))
        turns = max(self._days // half, 1)
        first = Stream(self._life.seed, "tickets", base.name, line.entry.name).bits()
        for number, ticket in enumerate(written.tickets):
            own = mixed(first, number)
            if having[(first + number) % len(having)] == place and own % turns == turn // half:
                return ticket
        return None

    def _having(self, lines: Lines, entry: str) -> tuple[str, ...]:
        """The places that have an entry."""
        base = lines.base
        found = self._places.get((base.name, entry))
        if found is None:
            found = self._places[base.name, entry] = tuple(
                one for one in base.places if any(line.entry.name == entry for line in lines.of(one))
            )
        return found

    def unasked(self, deal: DealtLines, key: str, lines: Lines, stream: Stream) -> PullPlan | None:
        """A change that no ticket asks for: one that is written whole, where the code base has such; None where none is left for the day."""
        base = lines.base
        places = stream.shuffled(base.places)
        if not base.pack.written:
            return self._put_together(deal, key, lines, places[0])
        for place in places:
            for line in _pair(deal.turn, lines, place):
                written = base.pack.written.get(line.entry.name)
                for change in stream.shuffled(written.changes) if written is not None else ():
                    if deal.landed.have_talked((COMPANY,), change.title) or not self._is_free(change):
                        continue
                    values = _stepped(deal, base, line, change.moves, stream)
                    if len(values) >= _TO_CHOOSE:
                        deal.landed.talk((COMPANY,), change.title)
                        also = [*self._elsewhere(lines, place, line, values, deal, stream)] if change.everywhere else []
                        return _plan(deal, key, base, place, [(line, values), *also], change=change)
        return None

    def _is_free(self, change: WrittenChange) -> bool:
        """Whether a change states no fact of a storyline."""
        return self._life.is_free(f"{change.title} {change.text} {change.says}")

    def _put_together(self, deal: DealtLines, key: str, lines: Lines, place: str) -> PullPlan | None:
        """A change of what a place has for the day, of which nothing is written whole."""
        base, stream = lines.base, Stream(self._life.seed, key, "lines")
        able = [(line, values) for line in _pair(deal.turn, lines, place) if (values := deal.values(base, line))]
        taken = able[:1]
        if base.pack.by == "people" and stream.chance(_TWO_LINES):
            taken += [one for one in able[1:2] if one[0].path == taken[0][0].path]
        return _plan(deal, key, base, place, taken) if taken else None

    def _elsewhere(
        self, lines: Lines, place: str, line: CodeLine, values: tuple[str, ...], deal: DealtLines, stream: Stream
    ) -> Iterator[tuple[CodeLine, tuple[str, ...]]]:
        """The same entry in some other places, which may come to say the same."""
        others = [one for one in self._having(lines, line.entry.name) if one != place]
        for other in stream.shuffled(others)[: stream.between(1, _ELSEWHERE)]:
            same = next(one for one in lines.of(other) if one.entry.name == line.entry.name)
            if {*values[:_TO_CHOOSE]} <= {*deal.values(lines.base, same)}:
                yield same, values[:_TO_CHOOSE]


def _plan(
    deal: DealtLines, key: str, base: CodeBase, place: str, taken: Sequence[tuple[CodeLine, tuple[str, ...]]],
    *, ticket: TicketCase | None = None, change: WrittenChange | None = None,
) -> PullPlan:  # fmt: skip
    """A change of lines to values, which the day now has given."""
    first, values = taken[0]
    deal.given.update((line.path, line.beginning) for line, _ in taken)
    words = {
        "key": first.entry.name, "value": values[0], "old": deal.now(base, first), "place": place,
        "note": first.entry.note, "group": base.pack.called.get(first.group, first.group), "file": first.path,
    }  # fmt: skip
    return PullPlan(
        key, base, place, tuple(line for line, _ in taken), tuple(values for _, values in taken),
        words, deal.remarks, deal.landed, ticket, change,
    )  # fmt: skip


def _pair(turn: int, lines: Lines, place: str) -> tuple[CodeLine, ...]:
    """The two entries of a place whose turn it is on a day of the calendar."""
    every = lines.of(place)
    half = _half(every)
    return every[turn % half :: half][:2] if half else ()


def _half(lines: Sequence[CodeLine]) -> int:
    """How many days it takes until all lines of a place had their turn, two a day."""
    return (len(lines) + 1) // 2


def _stepped(deal: DealtLines, base: CodeBase, line: CodeLine, moves: str, stream: Stream) -> tuple[str, ...]:
    """What a change may make of an entry that is written whole, in turn: the second next value, then the next, for who is asked for less.

    Args:
        moves: which way, `raise` or `lower`; either where it is empty, nothing comes back where none is on that way. Values of an
            entry that no change moves one way are taken as they come.
    """
    entry, values = base.pack.written[line.entry.name], deal.values(base, line)
    if not any(change.moves for change in entry.changes):
        return values
    place = {value: number for number, value in enumerate(entry.values)}
    now = place[deal.now(base, line)]
    ways = [
        [one for one in entry.values if one in values and place[one] > now],
        [one for one in reversed(entry.values) if one in values and place[one] < now],
    ]
    able = [way for way, name in zip(ways, ("raise", "lower"), strict=True) if way and moves in ("", name)]
    able = [way for way in able if len(way) >= _TO_CHOOSE] or able
    return (*reversed(stream.choice(able)[:_TO_CHOOSE]),) if able else ()
