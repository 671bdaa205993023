"""What a task grades comes about before the task ends: with the values that the author's seed draws, and with all others.

A fact or a thing may come about while the task is played, by a beat or by what it waits for. What begins later, nobody can
find out, and the reference solution cannot either.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from brownout.core.errors import Mistake
from brownout.core.instants import Duration, Instant, clock_text
from brownout.core.values import Json
from generators.timetable import Timetable
from worlds.expressions import Anchor, ExpressionError, parse_duration, parse_moment, parse_selector
from worlds.lint import Names
from worlds.spec import Criterion, Finding, Task, WorldSpec
from worlds.spec.slots import BRACES, DrawnTexts, uses_in

__all__ = ["graded_mistakes"]

_MOST_DRAWS: Final = 1_000
_TITLED: Final = ("open", "write", "merge")
_NOT_ENTRIES: Final = ("drawn", "facts", "says")


def graded_mistakes(spec: WorldSpec, times: Timetable) -> Iterator[Mistake]:
    """Where what a task grades begins after the task's end, each told once, at what has the time or its drawn slot."""
    names = Names(spec)
    written = _WrittenTimes(spec)
    settled = _AuthorsTimes(times, _twice_given(spec))
    for name, task in spec.tasks.items():
        late: dict[tuple[str, int], _Late] = {}
        for graded in _graded(names, name, task):
            found = _late(spec, settled, written, name, graded)
            if found is not None:
                known = late.setdefault((found.file, found.line), found)
                known.shown[graded.shown] = spec.line(f"tasks/{name}/task.yaml", *graded.place)
        yield from (one.mistake(spec, name) for one in late.values())


@dataclass(frozen=True, slots=True)
class _Truth:
    """A fact, or what makes a thing: an entry of a storyline or an outage."""

    fact: str = ""
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Graded:
    """Something that a task grades: any one of the alternatives is enough."""

    shown: str
    place: tuple[str, ...]
    alternatives: tuple[_Truth, ...]


@dataclass(frozen=True, slots=True)
class _Late:
    file: str
    line: int
    name: str
    at: Instant
    end: Instant
    drawn: str
    shown: dict[str, int]

    def mistake(self, spec: WorldSpec, task: str) -> Mistake:
        """The mistake, with all that comes too late for one reason."""
        file, zone = f"tasks/{task}/task.yaml", spec.world.clock.zone
        graded = [f"{each} ({file}:{line})" for each, line in self.shown.items()]
        listed = " and ".join([*([", ".join(graded[:-1])] if graded[1:] else []), graded[-1]])
        message = (
            f"{self.name}: expected a time before the task {task} ends, {clock_text(self.end, zone)}, for it grades {listed}; "
            f"found {clock_text(self.at, zone)}{self.drawn}; let that be earlier, or the task start later "
            f"({file}:{spec.line(file, 'start')})"
        )
        return Mistake(self.file, self.line, message)


class _Times(Protocol):
    """When things are with one draw; None where that is not known beforehand."""

    def moment(self, name: str) -> Instant | None: ...

    def since(self, fact: str) -> Instant | None: ...

    def start(self, task: str) -> Instant | None: ...


@dataclass(frozen=True, slots=True)
class _AuthorsTimes:
    """The times of the author's draw; of a name that two have, which is told elsewhere, nobody knows whose it is."""

    times: Timetable
    twice: frozenset[str]

    def moment(self, name: str) -> Instant | None:
        return None if name in self.twice else self.times.moments.get(name)

    def since(self, fact: str) -> Instant | None:
        if fact in self.twice:
            return None
        waits = any(turn.fact == fact and turn.edge == "since" for turn in self.times.turns)
        return None if waits else self.times.windows.get(fact, (None, None))[0]

    def start(self, task: str) -> Instant | None:
        return self.times.starts.get(task)


def _twice_given(spec: WorldSpec) -> frozenset[str]:
    """Names of facts and of what happens that are given more than once."""
    moments, facts = Counter([*spec.outages]), Counter[str]()
    for line, story in spec.storylines.items():
        moments.update([*story.beats, *story.talks, *story.mails])
        moments.update(name for entries in spec.sections.get(line, {}).values() for name in entries)
        facts.update([*story.facts])
    return frozenset(name for given in (moments, facts) for name, count in given.items() if count > 1)


def _late(
    spec: WorldSpec, settled: _AuthorsTimes, written: "_WrittenTimes", task: str, graded: _Graded
) -> _Late | None:
    """How something comes too late, with the author's draw if it does so there; None where it never does."""
    limits = spec.tasks[task].limits
    spent = limits.sim + limits.settle
    end, at, truth = _lateness(spec, settled, task, spent, graded)
    drawn, slots = "", written.slots(task, graded)
    if truth is None:
        for seed, texts in written.draws(slots) if written.is_plain(task, graded) else ():
            end, at, truth = _lateness(spec, written.times(texts), task, spent, graded)
            if truth is not None:
                values = " and ".join(f"{{{{{slot}}}}} is {texts.values[slot].text}" for slot in sorted(slots))
                drawn = f" where {values}, as with seed {seed}"
                break
    if truth is None or end is None or at is None:
        return None
    name, file, place = written.place(truth)
    return _Late(file, spec.line(file, *place), name, at, end, drawn, {})


def _lateness(
    spec: WorldSpec, times: _Times, task: str, spent: Duration, graded: _Graded
) -> tuple[Instant | None, Instant | None, _Truth | None]:
    """The task's end, and when the first of the alternatives comes and which that is, if all of them come after it."""
    start = times.start(task)
    found = [(_begins(spec, times, truth), truth) for truth in graded.alternatives]
    known = [(at, truth) for at, truth in found if at is not None]
    if start is None or not known or len(known) < len(found):
        return None, None, None
    at, truth = min(known, key=lambda pair: pair[0])
    return (start + spent, at, truth) if at >= start + spent else (None, None, None)


def _begins(spec: WorldSpec, times: _Times, truth: _Truth) -> Instant | None:
    """When a fact begins to be so, or a thing to be there; None where it always was, or nobody can know beforehand."""
    makers = truth.entries or _makers(spec, truth.fact)
    made = [times.moment(name) for name in makers]
    moments = [at for at in made if at is not None]
    first = min(moments) if moments and len(moments) == len(made) else None
    since = times.since(truth.fact) if truth.fact else None
    known = [at for at in (first, since) if at is not None]
    is_open = bool(made) and first is None
    return None if is_open or not known else max(known)


def _makers(spec: WorldSpec, fact: str) -> tuple[str, ...]:
    beats = (pair for story in spec.storylines.values() for pair in story.beats.items())
    return tuple(name for name, beat in beats if fact in beat.makes)


# -- what a task grades -------------------------------------------------------------------------------------


def _graded(names: Names, task: str, written: Task) -> Iterator[_Graded]:
    facts = names.facts
    for name, finding in written.findings.items():
        place: tuple[str, ...] = ("findings", name)
        truths = {right: truth for right in finding.right if (truth := _right(names, task, finding, right))}
        if finding.many and not finding.least:
            yield from (_Graded(right, place, (truth,)) for right, truth in truths.items())
        elif len(truths) == len(finding.right):
            yield _Graded(" or ".join(truths), place, tuple(truths.values()))
    for part, criteria in (("gates", written.rubric.gates), ("points", written.rubric.points)):
        for name, criterion in criteria.items():
            place = ("rubric", part, name)
            for fact in _facts_in(criterion):
                if fact in facts:
                    yield _Graded(fact, place, (_Truth(fact=fact),))
            for text in _things_in(criterion):
                found = [(each, _thing(names, task, each)) for each in text.split(" | ")]
                truths = {each: truth for each, truth in found if truth}
                if len(truths) == len(found):
                    yield _Graded(text, place, tuple(truths.values()))


def _right(names: Names, task: str, finding: Finding, right: str) -> _Truth | None:
    """What must have come about for a value to be right; None where that needs nothing."""
    if finding.kind == "fact":
        return _Truth(fact=right) if right in names.facts else None
    if finding.kind == "artefact":
        return _thing(names, task, right)
    if finding.kind in ("time", "date"):
        try:
            moment = parse_moment(right, names.spec.world.clock.zone)
        except ExpressionError:
            return None
        return _Truth(entries=(moment.name,)) if isinstance(moment, Anchor) and moment.name != "start" else None
    return None


def _facts_in(criterion: Criterion) -> Iterator[str]:
    """The facts whose values a criterion wants said, seen or so."""
    asks = criterion.asks
    if criterion.grader == "seen":
        yield from _listed(asks)
    elif isinstance(asks, dict) and criterion.grader == "told":
        yield from _listed(asks.get("facts"))
    elif isinstance(asks, dict) and criterion.grader == "world_state":
        yield from _listed(asks.get("after"))
    elif isinstance(asks, dict) and criterion.grader == "document":
        holds = asks.get("holds")
        yield from (fact for facts in (holds.values() if isinstance(holds, dict) else ()) for fact in _listed(facts))


def _things_in(criterion: Criterion) -> Iterator[str]:
    """The selectors of things that a criterion looks at."""
    asks = criterion.asks
    if not isinstance(asks, dict):
        return
    if criterion.grader == "world_state" and "only" not in asks and "some" not in asks:
        yield from (text for text in asks if text != "after")
    elif criterion.grader == "findings":
        yield from (text for text in _listed(asks.get("in")) if ":" in text)
    elif criterion.grader == "document":
        yield from (text for text in _listed(asks.get("find")) if ":" in text)
        sections = asks.get("cites_in")
        yield from (str(text) for text in sections.values()) if isinstance(sections, dict) else ()
    elif criterion.grader == "judge":
        yield from (text for text in _listed(asks.get("reads")) if ":" in text)
    elif criterion.grader == "trajectory":
        yield from _listed(asks.get("read"))


def _thing(names: Names, task: str, text: str) -> _Truth | None:
    """What makes a thing: the beat of that name, or all that bear its title where the solution does not make such a one."""
    try:
        selector = parse_selector(text)
    except ExpressionError:
        return None
    thing = selector.thing
    if thing in names.made_in(selector.app):
        return _Truth(entries=(thing.rpartition("/")[2],))
    stories = names.spec.storylines.values()
    titled = [
        name
        for story in stories
        for name, beat in story.beats.items()
        if any(action.kind in _TITLED and action.subject.casefold() == thing.casefold() for action in beat.does)
    ]
    titled += [
        name
        for story in stories
        for name, mail in story.mails.items()
        if mail.subject.casefold() == thing.casefold() and mail.who not in names.people
    ]
    return _Truth(entries=tuple(titled)) if titled and not _is_written(names, task, thing) else None


def _is_written(names: Names, task: str, title: str) -> bool:
    """Whether the reference solution may make something of that title itself."""
    operations = names.operations
    writing = (
        step for step in names.spec.oracles.get(task, ()) if step.call not in operations or operations[step.call].writes
    )
    return any(
        isinstance(text, str) and title.casefold() in text.casefold()
        for step in writing
        for text in step.arguments.values()
    )


def _listed(value: Json) -> list[str]:
    return [] if value is None else [str(item) for item in value] if isinstance(value, list) else [str(value)]


# -- what other seeds draw ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _WrittenTime:
    """A time as the author wrote it, with the place of its entry and the storyline whose slots it may use."""

    text: str
    file: str
    place: tuple[str, ...]
    line: str = ""


@dataclass(frozen=True)
class _WrittenTimes:
    """The times of a world's text before any slot has its value."""

    spec: WorldSpec

    @cached_property
    def _entries(self) -> dict[str, _WrittenTime]:
        """By name, what happens; what is there with some draws only is left out."""
        found: dict[str, _WrittenTime] = {}
        for name, outage in _parts(self._tree("outages.yaml")):
            found |= _written(name, outage, "from", "outages.yaml", (name, "from"))
        for line in self.spec.storylines:
            file = f"storylines/{line}.yaml"
            for word, entries in _parts(self._tree(file)):
                for name, entry in _parts(entries) if word not in _NOT_ENTRIES else ():
                    found |= _written(name, entry, "at", file, (word, name, "at"), line)
        return found

    @cached_property
    def _facts(self) -> dict[str, _WrittenTime]:
        found: dict[str, _WrittenTime] = {}
        for line in self.spec.storylines:
            file = f"storylines/{line}.yaml"
            for name, fact in _parts(dict(_parts(self._tree(file))).get("facts")):
                found |= _written(name, fact, "since", file, ("facts", name, "since"), line)
        return found

    @cached_property
    def _starts(self) -> dict[str, _WrittenTime]:
        found: dict[str, _WrittenTime] = {}
        for task in self.spec.tasks:
            file = f"tasks/{task}/task.yaml"
            found |= _written(task, self._tree(file), "start", file, ("start",))
        return found

    @cached_property
    def _draws(self) -> list[DrawnTexts]:
        """What the seeds from 0 on draw, as far as somebody has asked."""
        return []

    def _tree(self, file: str) -> object:
        return self.spec.source.tree_or_none(file) if self.spec.source is not None else None

    def is_plain(self, task: str, graded: _Graded) -> bool:
        """Whether a task grades this with every draw: what grades it has no slot and no condition."""
        part = self._tree(f"tasks/{task}/task.yaml")
        for name in graded.place:
            part = dict(_parts(part)).get(name)
        return part is not None and "when" not in dict(_parts(part)) and BRACES not in str(part)

    def slots(self, task: str, graded: _Graded) -> frozenset[str]:
        """The slots that the times in question hang on."""
        chains = [self._chain(self._starts.get(task))]
        for truth in graded.alternatives:
            chains += [self._chain(self._entries.get(name)) for name in truth.entries or _makers(self.spec, truth.fact)]
            chains += [self._chain(self._facts.get(truth.fact))]
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

    def times(self, texts: DrawnTexts) -> "_DrawnTimes":
        """The times with other values."""
        return _DrawnTimes(self.spec, self._entries, self._facts, self._starts, texts)

    def place(self, truth: _Truth) -> tuple[str, str, tuple[str, ...]]:
        """What has the time of a truth: its name, and where that stands; the drawn slot that it hangs on where there is one."""
        makers = truth.entries or _makers(self.spec, truth.fact)
        chain = [*self._chain(self._facts.get(truth.fact)), *(each for name in makers for each in self._chain(self._entries.get(name)))]  # fmt: skip
        for written in chain:
            for use in uses_in(written.text, written.line):
                line, _, slot = use.slot.partition(".")
                if use.slot in self.spec.drawing.slots:
                    return f"drawn.{slot}", f"storylines/{line}.yaml", ("drawn", slot)
        timed = next((each for each in chain if self._anchored(each) not in self._entries), None)
        if timed is None:
            return truth.fact or makers[0], "", ()
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


def _written(
    name: str, entry: object, word: str, file: str, place: tuple[str, ...], line: str = ""
) -> dict[str, _WrittenTime]:
    """The time of an entry by its name; nothing where it has none, or is there with some draws only."""
    if BRACES in name or not isinstance(entry, Mapping) or isinstance(entry.get("when"), Mapping) or word not in entry:
        return {}
    return {name: _WrittenTime(str(entry[word]), file, place, line)}
