"""What a spec could do better: nothing wrong, but somebody would be paid for nothing, or go unpaid for honest words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, cast

from brownout.core.errors import Mistake
from brownout.core.grading import Reads
from brownout.core.plugins import load_plugin
from worlds.spec import Criterion, FactSpec, Rubric, WorldSpec
from worlds.spec.slots import BRACES

__all__ = ["reads_of", "shares_of", "warnings_of"]

_MOST_PROSE: Final = 20
_MOST_JUDGED: Final = 10
_MOST_JUDGED_OF_A_DOCUMENT: Final = 30
"""Per cent of a task's points."""

_OPEN: Final = ("time", "date", "duration", "quantity", "person", "artefact")
"""Kinds of which every other value that is said competes."""

_BEGUN: Final = "Say here why it is worth running"
"""How the `hard_because` of a task begins that nobody has thought about yet."""
_FEWEST_GOOD: Final = 6
_SEEDS_TRIED: Final = 200


def warnings_of(spec: WorldSpec) -> list[Mistake]:
    """What could be better in the tasks' rubrics; none of it keeps a world from being built."""
    return [
        *_begun(spec),
        *_lone_facts(spec),
        *_words(spec),
        *_with_few_good_cases(spec),
        *_never_drawn(spec),
        *_drawn_alike(spec),
    ]


def _begun(spec: WorldSpec) -> Iterator[Mistake]:
    """What a scaffold put there for the author to replace."""
    for task, text in spec.tasks.items():
        if text.hard_because.startswith(_BEGUN):
            file = f"tasks/{task}/task.yaml"
            message = "hard_because: expected why this task is worth running, found what it was begun with"
            yield Mistake(file, spec.line(file, "hard_because"), message)


def reads_of(criterion: Criterion) -> Reads:
    """What a criterion's verdict rests on, as its grader says.

    Raises:
        PluginError: there is no such grader.
    """
    reads = getattr(load_plugin("graders", criterion.grader), "reads", "state")
    return cast(Reads, reads(criterion.asks) if callable(reads) else reads)


def shares_of(rubric: Rubric) -> Mapping[Reads, int]:
    """How many points rest on what."""
    found: Counter[Reads] = Counter()
    for criterion in rubric.points.values():
        found[reads_of(criterion)] += criterion.worth
    return found


def _words(spec: WorldSpec) -> Iterator[Mistake]:
    """Where points, gates and penalties rest on what readers and judges make of words."""
    for task, text in spec.tasks.items():
        file, rubric = f"tasks/{task}/task.yaml", text.rubric
        for problem in _heavy(rubric):
            yield Mistake(file, spec.line(file, "rubric", "points"), f"rubric: {problem}")
        for part, one, criteria in (("gates", "a gate", rubric.gates), ("penalties", "a penalty", rubric.penalties)):
            for name, criterion in criteria.items():
                if reads_of(criterion) in ("prose", "judge"):
                    message = (
                        f"rubric.{part}.{name}: {one} that rests on words can take honest work's reward; let it rest on "
                        "effects, calls, typed fields, or on a distinctive mention of what is private"
                    )
                    yield Mistake(file, spec.line(file, "rubric", part, name), message)


def _heavy(rubric: Rubric) -> Iterator[str]:
    shares = shares_of(rubric)
    total = sum(shares.values())
    is_document = bool(shares.get("document")) and any(
        criterion.lines for criterion in rubric.points.values() if reads_of(criterion) == "judge"
    )
    most_judged = _MOST_JUDGED_OF_A_DOCUMENT if is_document else _MOST_JUDGED
    limits: tuple[tuple[Reads, int, str, str], ...] = (
        (
            "prose",
            _MOST_PROSE,
            "what readers find in sentences",
            "ask for typed fields, the state of the world or documents",
        ),
        ("judge", most_judged, "a judge", "check what code can check"),
    )
    for reads, most, whom, instead in limits:
        points = shares.get(reads, 0)
        if 100 * points > most * total:
            names = ", ".join(name for name, one in rubric.points.items() if reads_of(one) == reads)
            yield (
                f"{points} of {total} points rest on {whom} ({names}), {100 * points / total:.0f} % where {most} % is the most "
                f"that holds; {instead} instead"
            )


def _with_few_good_cases(spec: WorldSpec) -> Iterator[Mistake]:
    """Tasks with fewer than six good cases."""
    for task in spec.tasks:
        count = len(spec.cases[task]["good"])
        if count < _FEWEST_GOOD:
            message = f"{count or 'no'} good case{'' if count == 1 else 's'}; write {_FEWEST_GOOD} honest ways to do it that are not the oracle into good/"
            yield Mistake(f"tasks/{task}/task.yaml", 0, message)


def _lone_facts(spec: WorldSpec) -> list[Mistake]:
    """Facts that a rubric wants stated and that nothing competes with: one value of the slot, and no source of rivals."""
    facts = {name: fact for story in spec.storylines.values() for name, fact in story.facts.items()}
    found = []
    for task, criterion, name in _stated(spec):
        fact = facts.get(name)
        if fact is not None and not _has_rivals(fact, facts.values()):
            file = f"tasks/{task}/task.yaml"
            message = (
                f"rubric.{criterion}: {fact.slot} has one value only, so whoever states everything states {name}; give it "
                "another value, or `rivals: commits`; where nobody could guess, `rivals: none`"
            )
            found.append(Mistake(file, spec.line(file, "rubric", "points", criterion), message))
    return found


def _stated(spec: WorldSpec) -> Iterator[tuple[str, str, str]]:
    """Task, criterion and fact."""
    for task, text in spec.tasks.items():
        for name, criterion in text.rubric.points.items():
            asks = criterion.asks
            named = asks.get({"told": "facts"}.get(criterion.grader, "")) if isinstance(asks, dict) else []
            for fact in named if isinstance(named, list) else []:
                yield task, name, str(fact)


def _has_rivals(fact: FactSpec, facts: Iterable[FactSpec]) -> bool:
    others = any(other.slot == fact.slot and other.value != fact.value for other in facts)
    return others or bool(fact.rivals) or fact.kind in _OPEN


def _never_drawn(spec: WorldSpec) -> Iterator[Mistake]:
    """Slots that have one value only, whatever the seed."""
    for line, story in spec.storylines.items():
        for name in story.drawn:
            options = spec.drawing.options(f"{line}.{name}")
            if len(options) == 1:
                file = f"storylines/{line}.yaml"
                message = f"drawn.{name}: {options[0]!r} is all that it can be, so nothing is drawn; give it more to choose from"
                yield Mistake(file, spec.line(file, "drawn", name), message)


def _drawn_alike(spec: WorldSpec) -> Iterator[Mistake]:
    """Facts of one slot that a seed draws the same value for: who states the wrong one has stated the right one."""
    texts = [fact for line in spec.storylines for fact in _written_facts(spec, line)]
    pairs = [
        (one, other)
        for one, other in combinations(texts, 2)
        if one.slot == other.slot and one.text != other.text and (BRACES in one.text or BRACES in other.text)
    ]
    for seed in range(_SEEDS_TRIED) if pairs else ():
        drawn, _ = spec.drawing.drawn(seed)
        for one, other in [*pairs]:
            value = drawn.filled(one.text, one.line).value
            if value == drawn.filled(other.text, other.line).value:
                pairs.remove((one, other))
                file = f"storylines/{other.line}.yaml"
                message = (
                    f"facts.{other.name}: {one.name} and {other.name} are both {str(value)!r} with seed {seed}, so the wrong "
                    f"one is right; let a slot avoid the other's value with `not`"
                )
                yield Mistake(file, spec.line(file, "facts", other.name), message)


@dataclass(frozen=True, slots=True)
class _WrittenFact:
    line: str
    name: str
    slot: str
    text: str


def _written_facts(spec: WorldSpec, line: str) -> Iterator[_WrittenFact]:
    """The facts of a storyline with their values as the author wrote them; those that are not always there are left out."""
    tree = spec.source.tree_or_none(f"storylines/{line}.yaml") if spec.source else None
    written = tree.get("facts") if isinstance(tree, Mapping) else None
    for name, fact in written.items() if isinstance(written, Mapping) else ():
        known = spec.storylines[line].facts.get(str(name))
        if known is None or not isinstance(fact, Mapping) or "when" in fact:
            continue
        value = fact.get("is")
        text = next(iter(value.values()), "") if isinstance(value, Mapping) else value
        yield _WrittenFact(line, str(name), known.slot, str(text))
