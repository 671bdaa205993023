"""Two runs side by side: which criteria flipped, where they part, what each left behind in the world."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import orjson

from brownout.core.calls import Effect
from brownout.core.instants import Instant
from brownout.core.trajectory import Event, ResultEvent, SayEvent, ToolCallEvent, WorldEvent
from brownout.core.values import Json, JsonObject
from studio.episodes.replay_steps import ReplayStep

__all__ = ["AlignedStep", "CriterionPair", "StateDifference", "align", "criteria_of", "first_divergence", "left_behind"]


@dataclass(frozen=True, slots=True)
class CriterionPair:
    """A criterion as both runs met it.

    Attributes:
        first, second: points counted, `passed` or `failed` for a gate; `–` where the run was not judged by it.
        flipped: one met it and the other did not.
        reasons: why each is as it is.
    """

    name: str
    worth: int
    first: str
    second: str
    flipped: bool
    reasons: tuple[str, str]


@dataclass(frozen=True, slots=True)
class AlignedStep:
    """Steps of both runs that stand beside each other; None where a run has none there.

    Attributes:
        same: they ask or say the same.
    """

    first: ReplayStep | None
    second: ReplayStep | None
    same: bool

    @property
    def at(self) -> Instant:
        """World time of the earlier one."""
        return min(step.at for step in (self.first, self.second) if step is not None)


@dataclass(frozen=True, slots=True)
class StateDifference:
    """A row that the runs left in different states; None where a run left none there, or did not touch it."""

    table: str
    key: str
    fields: tuple[tuple[str, str | None, str | None], ...]
    by: tuple[str, ...]


def criteria_of(first: Sequence[JsonObject], second: Sequence[JsonObject]) -> list[CriterionPair]:
    """Every criterion of two ledgers, in the first one's order."""
    ours, theirs = ({str(line["criterion"]): line for line in ledger} for ledger in (first, second))
    found = []
    for name in dict.fromkeys((*ours, *theirs)):
        one, other = ours.get(name), theirs.get(name)
        line = one or other or {}
        flipped = one is not None and other is not None and one["passed"] != other["passed"]
        reasons = tuple(str(each["reason"]) if each else "" for each in (one, other))
        worth = line.get("worth", 0)
        found.append(
            CriterionPair(
                name,
                worth if isinstance(worth, int) else 0,
                _scored(one),
                _scored(other),
                flipped,
                (reasons[0], reasons[1]),
            )
        )
    return found


def _scored(line: Mapping[str, Json] | None) -> str:
    if line is None:
        return "–"
    if line.get("gate"):
        return "passed" if line["passed"] else "failed"
    return f"{line['counted']} / {line['worth']}"


def align(first: Sequence[ReplayStep], second: Sequence[ReplayStep]) -> list[AlignedStep]:
    """The agents' steps of two runs beside each other: equal calls in one row, the others in the order of world time."""
    ours, theirs = (
        [step for step in steps if isinstance(step.event, ToolCallEvent | SayEvent)] for steps in (first, second)
    )
    matcher = SequenceMatcher(None, [*map(_key, ours)], [*map(_key, theirs)], autojunk=False)
    rows: list[AlignedStep] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            rows += [AlignedStep(one, other, True) for one, other in zip(ours[a:b], theirs[c:d], strict=True)]
            continue
        rows += _beside(ours[a:b], theirs[c:d])
    return rows


def _beside(ours: Sequence[ReplayStep], theirs: Sequence[ReplayStep]) -> Iterable[AlignedStep]:
    """Steps that differ: a call of the same operation beside its counterpart, what is left in the order of time."""
    left = [*theirs]
    rows: list[AlignedStep] = []
    for step in ours:
        at = next((number for number, other in enumerate(left) if other.title == step.title), None)
        if at is None:
            rows.append(AlignedStep(step, None, False))
            continue
        rows += [AlignedStep(None, other, False) for other in left[:at]]
        rows.append(AlignedStep(step, left[at], False))
        left = left[at + 1 :]
    rows += [AlignedStep(None, other, False) for other in left]
    return rows


def first_divergence(rows: Sequence[AlignedStep]) -> int | None:
    """The number of the first row in which the runs do not do the same, from 0; None where they do to the end."""
    return next((number for number, row in enumerate(rows) if not row.same), None)


def _key(step: ReplayStep) -> str:
    event = step.event
    if isinstance(event, ToolCallEvent):
        return f"{event.name} {orjson.dumps(event.arguments, option=orjson.OPT_SORT_KEYS).decode()}"
    return f"said {event.text}" if isinstance(event, SayEvent) else ""


def left_behind(first: Iterable[Event], second: Iterable[Event]) -> list[StateDifference]:
    """The rows that two runs left in different states, harmless ones left out, by table and key.

    Ids that a session gives out (a message's number) may name other things in the other run.
    """
    ours, theirs = _last(first), _last(second)
    found = []
    for table, key in sorted({*ours, *theirs}):
        one, other = ours.get((table, key)), theirs.get((table, key))
        fields = _differing(one, other)
        if fields:
            by = tuple(name for name, each in (("first", one), ("second", other)) if each is not None)
            found.append(StateDifference(table, key, fields, by))
    return found


def _last(events: Iterable[Event]) -> dict[tuple[str, str], tuple[Effect, Effect]]:
    """The first and the last effect on each row."""
    found: dict[tuple[str, str], tuple[Effect, Effect]] = {}
    for event in events:
        for effect in event.effects if isinstance(event, ResultEvent | WorldEvent) else ():
            if not effect.harmless:
                place = (effect.table, str(effect.key))
                found[place] = (found.get(place, (effect, effect))[0], effect)
    return found


def _differing(
    one: tuple[Effect, Effect] | None, other: tuple[Effect, Effect] | None
) -> tuple[tuple[str, str | None, str | None], ...]:
    """What differs: who did not touch a row has it as it was before the other one did."""
    start = (one or other or (None, None))[0]
    before = dict(start.before or {}) if start is not None else {}
    ends = [dict(each[1].after or {}) if each is not None else before for each in (one, other)]
    names = [*dict.fromkeys((*ends[0], *ends[1]))]
    return tuple(
        (name, _text(ends[0].get(name)), _text(ends[1].get(name)))
        for name in names
        if ends[0].get(name) != ends[1].get(name)
    )


def _text(value: object) -> str | None:
    return None if value is None else f"{len(value)} bytes" if isinstance(value, bytes) else str(value)
