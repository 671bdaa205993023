"""A run as the replay pane shows it: the steps in short, and one step with everything about it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import orjson

from brownout.core.calls import Effect
from brownout.core.instants import Instant
from brownout.core.rows import Row, Value
from brownout.core.trajectory import (
    Event,
    GapEvent,
    OutageEvent,
    ReplyEvent,
    SayEvent,
    StopEvent,
    ToolCallEvent,
    WorldEvent,
)
from brownout.core.values import Json
from studio.app_titles import app_title
from studio.episodes.replay_steps import Actor, ReplayStep
from studio.episodes.stale_read import Seen

__all__ = ["Changed", "ChangedField", "NoticeShown", "StepInShort", "StepShown", "in_short", "shown"]

_SIGNS = {"insert": "+", "update": "~", "delete": "-"}
_SHORT = 140
_BEAT = re.compile(r"[a-z][a-z0-9-]*/[a-z][a-z0-9-]*")
"""The key of a storyline's beat; whatever else people do has longer ones."""
_LONGEST = 60_000
"""Characters of an answer that are shown; the rest is in the run's file."""


@dataclass(frozen=True, slots=True)
class StepInShort:
    """A step in the list.

    Attributes:
        seq: number of its event in the run's log; what annotations name it by.
        about: what a call was called with, or what somebody wrote, in short.
    """

    n: int
    seq: int
    at: Instant
    actor: Actor
    title: str
    calls: int
    changes: int
    error: bool
    badge: str
    about: str


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A column that was written."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Changed:
    """Something in the world that a step made, changed or removed.

    Attributes:
        declared: `harmless` or `addition`, where the app declares it so; empty where it may be damage.
    """

    sign: str
    path: str
    declared: str
    fields: tuple[ChangedField, ...]


@dataclass(frozen=True, slots=True)
class NoticeShown:
    """Something that reached the agent with an answer."""

    at: Instant
    app: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepShown:
    """A step, whole.

    Attributes:
        arguments, result: JSON, indented; a result may be plain text.
        cut: how many characters of the result are left out.
        prose: what was said, where the step is no call.
        named: what it changed is called as the world calls it; else by table and key, until that is found out.
    """

    n: int
    title: str
    subtitle: str
    at: Instant
    actor: Actor
    badge: str
    thought: str = ""
    arguments: str = ""
    result: str = ""
    cut: int = 0
    prose: str = ""
    fault: str = ""
    notices: tuple[NoticeShown, ...] = ()
    changes: tuple[Changed, ...] = ()
    saw: tuple[Seen, ...] = ()
    named: bool = True


def in_short(step: ReplayStep) -> StepInShort:
    """A step for the list."""
    return StepInShort(
        n=step.number,
        seq=step.event.seq,
        at=step.at,
        actor=step.actor,
        title=step.title,
        calls=step.calls,
        changes=step.changes,
        error=step.is_error,
        badge=step.badge,
        about=_about(step.event),
    )


def _about(event: Event) -> str:
    """What a call was called with, the most telling argument first; what somebody wrote; empty where neither."""
    if isinstance(event, ToolCallEvent):
        given = sorted(event.arguments.items(), key=lambda item: isinstance(item[1], dict | list))
        said = " · ".join(_shortly(value) for _, value in given if value not in (None, "", [], {}))
    else:
        said = _prose(event)
    return " ".join(said.split())[:_SHORT]


def _shortly(value: Json) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def shown(step: ReplayStep, saw: list[Seen], path_of: Callable[[Effect], str]) -> StepShown:
    """A step with everything about it."""
    event, result = step.event, step.result
    effects = event.effects if isinstance(event, WorldEvent) else result.effects if result else ()
    answer = (
        _indented(result.structured) if result and result.structured is not None else result.content if result else ""
    )
    return StepShown(
        n=step.number,
        title=step.title,
        subtitle=_subtitle(step),
        at=step.at,
        actor=step.actor,
        badge=step.badge,
        thought=step.thought,
        arguments=_indented(event.arguments) if isinstance(event, ToolCallEvent) else "",
        result=answer[:_LONGEST],
        cut=max(0, len(answer) - _LONGEST),
        prose=_prose(event),
        fault=result.fault if result else "",
        notices=tuple(NoticeShown(n.at, n.app, n.kind, n.text) for n in step.notices),
        changes=tuple(_changed(effect, path_of(effect)) for effect in effects),
        saw=tuple(saw),
    )


def _subtitle(step: ReplayStep) -> str:
    event = step.event
    if isinstance(event, ToolCallEvent):
        took = step.result.at - event.at if step.result else 0
        return f"call {step.calls}, turn {event.turn}" + (
            f", took {took / 1_000_000:g} s of world time" if took else ""
        )
    if isinstance(event, WorldEvent):
        storyline, _, beat = event.key.partition("/")
        parts = [app_title(event.app) if event.app else "no product"]
        parts += [f"storyline {storyline}, {beat}"] if _BEAT.fullmatch(event.key) else []
        return " · ".join([*parts, *([] if event.outcome == "done" else [event.outcome])])
    return {"outage": "environment", "say": "agent", "stop": "task", "clock": "environment"}.get(event.kind, event.kind)


def _prose(event: Event) -> str:
    match event:
        case SayEvent():
            return event.text
        case ReplyEvent():
            return event.content
        case OutageEvent():
            return _why_well_or_not(event)
        case StopEvent():
            return event.detail
        case GapEvent():
            return event.reason
        case WorldEvent():
            written = [_spoken(effect.after) for effect in event.effects if effect.kind == "insert" and effect.after]
            return "\n\n".join(dict.fromkeys(text for text in written if text)) or _what_it_did(event)
        case _:
            return ""


def _why_well_or_not(event: OutageEvent) -> str:
    """An outage by its author's name, or why a service is as it is."""
    if event.edge in ("began", "ended"):
        return f"{event.name} of outages.yaml, on {event.target}."
    return "It has recovered." if event.edge == "ok" else f"Because of {event.name}."


def _what_it_did(event: WorldEvent) -> str:
    """A deed without words: a sentence of what it was, so that no step is blank."""
    if event.outcome != "done":
        return f"They wanted to {event.act} and could not: {event.outcome}."
    where = f" of {event.path}" if event.path else ""
    return f"No words: {event.act}{where}."


def _spoken(row: Row) -> str:
    """What somebody wrote with a row: the text of a message, a comment, an issue."""
    return next((row.text(name) for name in ("text", "body", "description") if row.get(name)), "")


def _changed(effect: Effect, path: str) -> Changed:
    before, after = effect.before or Row(), effect.after or Row()
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    hidden = {"id"} if effect.kind != "update" else set()
    fields = tuple(
        ChangedField(name, _value(before, name), _value(after, name)) for name in names if name not in hidden
    )
    declared = "harmless" if effect.harmless else "addition" if effect.addition else ""
    return Changed(_SIGNS[effect.kind], path, declared, fields)


def _value(row: Row, name: str) -> str | None:
    if name not in row:
        return None
    value: Value = row[name]
    return "null" if value is None else f"{len(value)} bytes" if isinstance(value, bytes) else str(value)


def _indented(value: Json) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
