"""What a spec could do better: nothing wrong, but somebody who tries everything would be paid for it."""

from collections.abc import Iterable, Iterator

from brownout.core.errors import Mistake
from worlds.facts import has_candidates
from worlds.spec import FactSpec, WorldSpec

__all__ = ["warnings_of"]


def warnings_of(spec: WorldSpec) -> list[Mistake]:
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
            named = (
                asks.get({"told": "facts", "document": "states"}.get(criterion.grader, ""))
                if isinstance(asks, dict)
                else []
            )
            for fact in named if isinstance(named, list) else []:
                yield task, name, str(fact)


def _has_rivals(fact: FactSpec, facts: Iterable[FactSpec]) -> bool:
    others = any(other.slot == fact.slot and other.value != fact.value for other in facts)
    return others or bool(fact.rivals) or has_candidates(fact.value)
