"""Times as the author wrote them: with the values that the author's seed draws, with those of any other draw, and where they stand."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from brownout.core.instants import Duration, Instant
from generators.timetable import Timetable
from worlds.expressions import Anchor, ExpressionError, parse_duration, parse_moment
from worlds.spec import WorldSpec
from worlds.spec.slots import BRACES, DrawnTexts, uses_in

__all__ = ["AuthorsTimes", "Beginning", "DrawTimes", "WrittenTimes"]

_MOST_DRAWS: Final = 1_000
_NOT_ENTRIES: Final = ("drawn", "facts", "says")


@dataclass(frozen=True, slots=True)
class Beginning:
    """Something that begins to be so: a fact, where it is one, and the entries of storylines and the outages that bring it about."""

    fact: str = ""
    entries: tuple[str, ...] = ()


class DrawTimes(Protocol):
    """When things are with one draw; None where that is not known beforehand."""

    def moment(self, name: str) -> Instant | None: ...

    def since(self, fact: str) -> Instant | None: ...

    def start(self, task: str) -> Instant | None: ...


@dataclass(frozen=True)
class AuthorsTimes:
    """The times of the author's draw; of a name that two have, which is told elsewhere, nobody knows whose it is."""

    spec: WorldSpec
    times: Timetable

    def moment(self, name: str) -> Instant | None:
        return None if name in self._twice_given else self.times.moments.get(name)

    def since(self, fact: str) -> Instant | None:
        if fact in self._twice_given:
            return None
        waits = any(turn.fact == fact and turn.edge == "since" for turn in self.times.turns)
        return None if waits else self.times.windows.get(fact, (None, None))[0]

    def start(self, task: str) -> Instant | None:
        return self.times.starts.get(task)

    @cached_property
    def _twice_given(self) -> frozenset[str]:
        """Names of facts and of what happens that are given more than once."""
        moments, facts = Counter([*self.spec.outages]), Counter[str]()
        for line, story in self.spec.storylines.items():
            moments.update([*story.beats, *story.talks, *story.mails])
            moments.update(name for entries in self.spec.sections.get(line, {}).values() for name in entries)
            facts.update([*story.facts])
        return frozenset(name for given in (moments, facts) for name, count in given.items() if count > 1)


@dataclass(frozen=True, slots=True)
class _WrittenTime:
    """A time as the author wrote it, with the place of its entry and the storyline whose slots it may use."""

    text: str
    file: str
    place: tuple[str, ...]
    line: str = ""


@dataclass(frozen=True)
class WrittenTimes:
    """The times of a world's text before any slot has its value."""

    spec: WorldSpec

    @cached_property
    def _entries(self) -> dict[str, _WrittenTime]:
        """By name, what happens; what is there with some draws only is left out."""
        found: dict[str, _WrittenTime] = {}
        for name, outage in _parts(self._tree("outages.yaml")):
            found |= _written(name, outage, "outages.yaml", (name, "from"))
        return found | self._told("at", lambda word: word not in _NOT_ENTRIES)

    @cached_property
    def _facts(self) -> dict[str, _WrittenTime]:
        return self._told("since", lambda word: word == "facts")

    def _told(self, timed: str, counts: Callable[[str], bool]) -> dict[str, _WrittenTime]:
        """What storylines have under the words that count, with the time that stands behind `timed`."""
        found: dict[str, _WrittenTime] = {}
        for line in self.spec.storylines:
            file = f"storylines/{line}.yaml"
            for word, entries in _parts(self._tree(file)):
                for name, entry in _parts(entries) if counts(word) else ():
                    found |= _written(name, entry, file, (word, name, timed), line)
        return found

    @cached_property
    def _starts(self) -> dict[str, _WrittenTime]:
        found: dict[str, _WrittenTime] = {}
        for task in self.spec.tasks:
            file = f"tasks/{task}/task.yaml"
            found |= _written(task, self._tree(file), file, ("start",))
        return found

    @cached_property
    def _draws(self) -> list[DrawnTexts]:
        """What the seeds from 0 on draw, as far as somebody has asked."""
        return []

    def _tree(self, file: str) -> object:
        return self.spec.source.tree_or_none(file) if self.spec.source is not None else None

    def is_plain(self, task: str, place: Iterable[str]) -> bool:
        """Whether a part of a task is the same with every draw: it has no slot and no condition."""
        part = self._tree(f"tasks/{task}/task.yaml")
        for name in place:
            part = dict(_parts(part)).get(name)
        return part is not None and "when" not in dict(_parts(part)) and BRACES not in str(part)

    def slots(self, task: str, beginnings: Iterable[Beginning]) -> frozenset[str]:
        """The slots that the start of a task, and the times of what begins to be so, hang on."""
        chains = [self._chain(self._starts.get(task))]
        for beginning in beginnings:
            chains += [self._chain(self._entries.get(name)) for name in beginning.entries]
            chains += [self._chain(self._facts.get(beginning.fact))]
        known = self.spec.drawing.slots
        return frozenset(
            use.slot
            for chain in chains
            for written in chain
            for use in uses_in(written.text, written.line)
            if use.slot in known
        )

    def draws(self, slots: Iterable[str]) -> Iterator[tuple[int, DrawnTexts]]:
        """Seeds with their values, until each value of each of these slots has been there."""
        drawing = self.spec.drawing
        wanted = {slot: {*drawing.options(slot)} for slot in slots}
        for seed in range(_MOST_DRAWS if wanted else 0):
            if seed == len(self._draws):
                self._draws.append(drawing.drawn(seed)[0])
            texts = self._draws[seed]
            if not all(slot in texts.values for slot in wanted):
                return
            yield seed, texts
            for slot, left in wanted.items():
                left.discard(texts.values[slot].text)
            if not any(wanted.values()) and any(drawing.options(slot) for slot in wanted):
                return

    def times(self, texts: DrawnTexts) -> DrawTimes:
        """The times with other values."""
        return _DrawnTimes(self.spec, self._entries, self._facts, self._starts, texts)

    def place(self, beginning: Beginning) -> tuple[str, str, tuple[str, ...]]:
        """What has the time of a beginning: its name, and where that stands; the drawn slot that it hangs on where there is one."""
        timed_by = [self._facts.get(beginning.fact), *map(self._entries.get, beginning.entries)]
        chain = [each for written in timed_by for each in self._chain(written)]
        for written in chain:
            for use in uses_in(written.text, written.line):
                line, _, slot = use.slot.partition(".")
                if use.slot in self.spec.drawing.slots:
                    return f"drawn.{slot}", f"storylines/{line}.yaml", ("drawn", slot)
        timed = next((each for each in chain if self._anchored(each) not in self._entries), None)
        if timed is None:
            return beginning.fact or beginning.entries[0], "", ()
        return ".".join(timed.place[-2:]), timed.file, timed.place

    def _chain(self, written: _WrittenTime | None) -> list[_WrittenTime]:
        """A time and those that it hangs on, one after the other."""
        found: list[_WrittenTime] = []
        while written is not None and written not in found:
            found.append(written)
            written = self._entries.get(self._anchored(written))
        return found

    def _anchored(self, written: _WrittenTime) -> str:
        """What a time hangs on; empty where that is nothing."""
        try:
            moment = parse_moment(written.text, self.spec.world.clock.zone)
        except ExpressionError:
            return written.text.partition(" ")[0].partition(".")[0]
        return moment.name if isinstance(moment, Anchor) else ""


@dataclass(frozen=True, slots=True)
class _DrawnTimes:
    """The times with the values of one draw."""

    spec: WorldSpec
    entries: Mapping[str, _WrittenTime]
    facts: Mapping[str, _WrittenTime]
    starts: Mapping[str, _WrittenTime]
    texts: DrawnTexts

    def moment(self, name: str) -> Instant | None:
        return self._at(self.entries.get(name), ())

    def since(self, fact: str) -> Instant | None:
        return self._at(self.facts.get(fact), ())

    def start(self, task: str) -> Instant | None:
        return self._at(self.starts.get(task), ())

    def _at(self, written: _WrittenTime | None, above: tuple[_WrittenTime, ...]) -> Instant | None:
        if written is None or written in above:
            return None
        filled = self.texts.filled(written.text, written.line)
        try:
            moment = parse_moment(str(filled.value), self.spec.world.clock.zone)
        except ExpressionError:
            return None
        if not isinstance(moment, Anchor):
            return moment
        at = self._at(self.entries.get(moment.name), (*above, written))
        lasts = self._lasts(moment.name) if moment.edge == "until" else 0
        return None if at is None or lasts is None else at + lasts + moment.offset

    def _lasts(self, outage: str) -> Duration | None:
        tree = self.spec.source.tree_or_none("outages.yaml") if self.spec.source is not None else None
        text = dict(_parts(dict(_parts(tree)).get(outage))).get("for")
        try:
            return parse_duration(str(self.texts.filled(str(text)).value)) if text is not None else 0
        except ExpressionError:
            return None


def _parts(tree: object) -> Iterator[tuple[str, object]]:
    yield from ((str(name), part) for name, part in tree.items()) if isinstance(tree, Mapping) else ()


def _written(name: str, entry: object, file: str, place: tuple[str, ...], line: str = "") -> dict[str, _WrittenTime]:
    """The time of an entry by its name; nothing where it has none, or is there with some draws only."""
    word = place[-1]
    if BRACES in name or not isinstance(entry, Mapping) or isinstance(entry.get("when"), Mapping) or word not in entry:
        return {}
    return {name: _WrittenTime(str(entry[word]), file, place, line)}
