"""What a task grades comes about before the task ends: with the values that the author's seed draws, and with all others.

A fact or a thing may come about while the task is played, by a beat or by what it waits for. What begins later, nobody can
find out, and the reference solution cannot either.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from brownout.core.errors import Mistake
from brownout.core.instants import Duration, Instant, clock_text
from brownout.core.values import Json
from generators.timetable import Timetable
from generators.written_times import AuthorsTimes, Beginning, DrawTimes, WrittenTimes
from worlds.expressions import Anchor, ExpressionError, parse_moment, parse_selector
from worlds.lint import Names
from worlds.spec import Criterion, Finding, Task, WorldSpec

__all__ = ["graded_mistakes"]

_TITLED: Final = ("open", "write", "merge")


def graded_mistakes(spec: WorldSpec, times: Timetable) -> Iterator[Mistake]:
    """Where what a task grades begins after the task's end, each told once, at what has the time or its drawn slot."""
    makers = _Makers(Names(spec))
    written = WrittenTimes(spec)
    settled = AuthorsTimes(spec, times)
    for name, task in spec.tasks.items():
        late: dict[tuple[str, int], _Late] = {}
        for graded in _graded(makers, name, task):
            found = _late(spec, settled, written, name, graded)
            if found is not None:
                known = late.setdefault((found.file, found.line), found)
                known.shown[graded.shown] = spec.line(f"tasks/{name}/task.yaml", *graded.place)
        yield from (one.mistake(spec, name) for one in late.values())


@dataclass(frozen=True)
class _Makers:
    """What brings facts and things about."""

    names: Names

    def of_fact(self, name: str) -> Beginning:
        """A fact, with the beats that make it."""
        return Beginning(name, self._of_facts.get(name, ()))

    def titled(self, title: str) -> tuple[str, ...]:
        """The beats that make something of a title, and the mails from outside that have it."""
        return self._titled.get(title.casefold(), ())

    @cached_property
    def _of_facts(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = defaultdict(tuple)
        for story in self.names.spec.storylines.values():
            for name, beat in story.beats.items():
                for fact in dict.fromkeys(beat.makes):
                    found[fact] += (name,)
        return found

    @cached_property
    def _titled(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = defaultdict(tuple)
        for story in self.names.spec.storylines.values():
            for name, beat in story.beats.items():
                for title in {action.subject.casefold() for action in beat.does if action.kind in _TITLED}:
                    found[title] += (name,)
            for name, mail in story.mails.items():
                if mail.who not in self.names.people:
                    found[mail.subject.casefold()] += (name,)
        return found


@dataclass(frozen=True, slots=True)
class _Graded:
    """Something that a task grades: any one of the alternatives is enough."""

    shown: str
    place: tuple[str, ...]
    alternatives: tuple[Beginning, ...]


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


def _late(spec: WorldSpec, settled: AuthorsTimes, written: WrittenTimes, task: str, graded: _Graded) -> _Late | None:
    """How something comes too late, with the author's draw if it does so there; None where it never does."""
    limits = spec.tasks[task].limits
    spent = limits.sim + limits.settle
    end, at, beginning = _lateness(spec, settled, task, spent, graded)
    drawn, slots = "", written.slots(task, graded.alternatives)
    if beginning is None:
        for seed, texts in written.draws(slots) if written.is_plain(task, graded.place) else ():
            end, at, beginning = _lateness(spec, written.times(texts), task, spent, graded)
            if beginning is not None:
                values = " and ".join(f"{{{{{slot}}}}} is {texts.values[slot].text}" for slot in sorted(slots))
                drawn = f" where {values}, as with seed {seed}"
                break
    if beginning is None or end is None or at is None:
        return None
    name, file, place = written.place(beginning)
    return _Late(file, spec.line(file, *place), name, at, end, drawn, {})


def _lateness(
    spec: WorldSpec, times: DrawTimes, task: str, spent: Duration, graded: _Graded
) -> tuple[Instant | None, Instant | None, Beginning | None]:
    """The task's end, and when the first of the alternatives comes and which that is, if all of them come after it."""
    start = times.start(task)
    found = [(_begins(times, beginning), beginning) for beginning in graded.alternatives]
    known = [(at, beginning) for at, beginning in found if at is not None]
    if start is None or not known or len(known) < len(found):
        return None, None, None
    at, beginning = min(known, key=lambda pair: pair[0])
    return (start + spent, at, beginning) if at >= start + spent else (None, None, None)


def _begins(times: DrawTimes, beginning: Beginning) -> Instant | None:
    """When a fact begins to be so, or a thing to be there; None where it always was, or nobody can know beforehand."""
    made = [times.moment(name) for name in beginning.entries]
    moments = [at for at in made if at is not None]
    first = min(moments) if moments and len(moments) == len(made) else None
    since = times.since(beginning.fact) if beginning.fact else None
    known = [at for at in (first, since) if at is not None]
    is_open = bool(made) and first is None
    return None if is_open or not known else max(known)


# -- what a task grades -------------------------------------------------------------------------------------


def _graded(makers: _Makers, task: str, written: Task) -> Iterator[_Graded]:
    facts = makers.names.facts
    for name, finding in written.findings.items():
        place: tuple[str, ...] = ("findings", name)
        beginnings = {
            right: beginning for right in finding.right if (beginning := _right(makers, task, finding, right))
        }
        if finding.many and not finding.least:
            yield from (_Graded(right, place, (beginning,)) for right, beginning in beginnings.items())
        elif len(beginnings) == len(finding.right):
            yield _Graded(" or ".join(beginnings), place, tuple(beginnings.values()))
    for part, criteria in (("gates", written.rubric.gates), ("points", written.rubric.points)):
        for name, criterion in criteria.items():
            place = ("rubric", part, name)
            for fact in _facts_in(criterion):
                if fact in facts:
                    yield _Graded(fact, place, (makers.of_fact(fact),))
            for text in _things_in(criterion):
                found = [(each, _thing(makers, task, each)) for each in text.split(" | ")]
                beginnings = {each: beginning for each, beginning in found if beginning}
                if len(beginnings) == len(found):
                    yield _Graded(text, place, tuple(beginnings.values()))


def _right(makers: _Makers, task: str, finding: Finding, right: str) -> Beginning | None:
    """What must have come about for a value to be right; None where that needs nothing."""
    if finding.kind == "fact":
        return makers.of_fact(right) if right in makers.names.facts else None
    if finding.kind == "artefact":
        return _thing(makers, task, right)
    if finding.kind in ("time", "date"):
        try:
            moment = parse_moment(right, makers.names.spec.world.clock.zone)
        except ExpressionError:
            return None
        return Beginning(entries=(moment.name,)) if isinstance(moment, Anchor) and moment.name != "start" else None
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


def _thing(makers: _Makers, task: str, text: str) -> Beginning | None:
    """What makes a thing: the beat of that name, or all that bear its title where the solution does not make such a one."""
    try:
        selector = parse_selector(text)
    except ExpressionError:
        return None
    thing = selector.thing
    if thing in makers.names.made_in(selector.app):
        return Beginning(entries=(thing.rpartition("/")[2],))
    titled = makers.titled(thing)
    return Beginning(entries=titled) if titled and not _is_written(makers.names, task, thing) else None


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
