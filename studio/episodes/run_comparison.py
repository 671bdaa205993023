"""Two runs side by side: which criteria flipped, where they part, what each left behind in the world."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import orjson

from brownout.core.calls import Effect
from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.core.trajectory import Event, ResultEvent, SayEvent, ToolCallEvent, WorldEvent
from brownout.core.values import Json, JsonObject
from studio.episodes.changed_things import spoken_words, thing_name
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
    """A row that the runs left in different states.

    Attributes:
        place: where the world has it (`jira:PLAT.issue/PLAT-236`), or its table and key.
        name: what it is called.
        fields: what differs, with how the first and the second run left it; None where a run left nothing there.
        made_by: the run in which alone it is there, `first` or `second`; empty where both have it.
        by_agent: an agent changed it, not the world around it alone.
    """

    place: str
    name: str
    fields: tuple[tuple[str, str | None, str | None], ...]
    by: tuple[str, ...]
    made_by: str = ""
    by_agent: bool = False


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


def left_behind(
    first: Iterable[Event],
    second: Iterable[Event],
    paths: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> list[StateDifference]:
    """The rows that two runs left in different states, harmless ones left out; what the agents changed stands first, then by place.

    Args:
        paths: what the world of each run calls what it changed, by table and key. Without them rows are the same by their keys, though an id that
            a session gave out (a message's number) may name another thing in the other run.
    """
    ours, theirs = (_last(events, known) for events, known in zip((first, second), paths, strict=True))
    rows = {left.row: left.latest for each in (ours, theirs) for left in each.values()}
    found = []
    for place in sorted({*ours, *theirs}):
        one, other = ours.get(place), theirs.get(place)
        fields = _differing(one, other)
        if fields:
            left = [(name, each) for name, each in (("first", one), ("second", other)) if each is not None]
            made = left[0][0] if len(left) == 1 and left[0][1].start.before is None else ""
            by_agent = any(each.by_agent for _, each in left)
            name = thing_name(place[0], _words(left[-1][1], rows))
            found.append(StateDifference(place[0], name, fields, tuple(run for run, _ in left), made, by_agent))
    return sorted(found, key=lambda one: not one.by_agent)


@dataclass(frozen=True, slots=True)
class _Left:
    """What became of a row: the first and the last effect on it, and whether one of them was the agent's."""

    start: Effect
    end: Effect
    by_agent: bool

    @property
    def row(self) -> str:
        """Its table and key: `jira_issue/12`."""
        return f"{self.end.table}/{self.end.key}"

    @property
    def latest(self) -> Row | None:
        """The row as it is, or was where it is gone."""
        return self.end.after or self.end.before


def _words(left: _Left, rows: Mapping[str, Row | None]) -> str:
    """What a row says; where it says nothing, what the row says that it is of: a copy of a mail has the mail's subject."""
    own = spoken_words(left.latest)
    if own or left.latest is None:
        return own
    app = left.end.table.partition("_")[0]
    owners = (rows.get(f"{app}_{column}/{value}") for column, value in left.latest.items() if isinstance(value, int))
    return next(filter(None, map(spoken_words, owners)), "")


def _last(events: Iterable[Event], paths: Mapping[str, str]) -> dict[tuple[str, str], _Left]:
    """What became of each row, by its place and table."""
    found: dict[tuple[str, str], _Left] = {}
    for event in events:
        by_agent = isinstance(event, ResultEvent)
        for effect in event.effects if isinstance(event, ResultEvent | WorldEvent) else ():
            if not effect.harmless:
                row = f"{effect.table}/{effect.key}"
                place = (paths.get(row, row), effect.table)
                before = found.get(place)
                found[place] = (
                    _Left(before.start, effect, before.by_agent or by_agent)
                    if before
                    else _Left(effect, effect, by_agent)
                )
    return found


def _differing(one: _Left | None, other: _Left | None) -> tuple[tuple[str, str | None, str | None], ...]:
    """What differs: who did not touch a row has it as it was before the other one did."""
    left = one or other
    before = dict(left.start.before or {}) if left is not None else {}
    ends = [dict(each.end.after or {}) if each is not None else before for each in (one, other)]
    names = [*dict.fromkeys((*ends[0], *ends[1]))]
    return tuple(
        (name, _text(ends[0].get(name)), _text(ends[1].get(name)))
        for name in names
        if name != "id" and ends[0].get(name) != ends[1].get(name)
    )


def _text(value: object) -> str | None:
    return None if value is None else f"{len(value)} bytes" if isinstance(value, bytes) else str(value)
