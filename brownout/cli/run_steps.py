"""A recorded run as a list that can be read: what the agent did, what it got, and what reached it meanwhile."""

import orjson
from rich.markup import escape

from brownout.cli.output import console
from brownout.core.instants import clock_text, local
from brownout.core.reward_words import reward_text
from brownout.core.trajectory import (
    Event,
    GapEvent,
    GradeEvent,
    NoticeEvent,
    OutageEvent,
    ReplyEvent,
    ResultEvent,
    SayEvent,
    StopEvent,
    ToolCallEvent,
)
from brownout.core.values import Json, JsonObject
from brownout.rollouts.recorded_packages import recorded_package
from brownout.rollouts.recorder import StoredRun
from brownout.rollouts.replay import header_of

__all__ = ["list_steps", "show_steps"]

_SHOWN = 160
_COLOURS = {"call": "cyan", "outage": "red", "notice": "magenta", "gap": "red"}


def list_steps(run: StoredRun) -> list[JsonObject]:
    """The steps: `{"step", "at", "kind", "what", "result", "is_error"}`; only calls have a number and a result."""
    header_of(run)
    answers = {event.call_id: event for event in run.events if isinstance(event, ResultEvent)}
    steps: list[JsonObject] = []
    number = 0
    for event in run.events:
        what = _what(event)
        if not what:
            continue
        is_call = isinstance(event, ToolCallEvent)
        number += is_call
        answer = answers.get(event.call_id) if isinstance(event, ToolCallEvent) else None
        steps.append(
            {
                "step": number if is_call else None,
                "at": event.at,
                "kind": event.kind,
                "what": what,
                "result": answer.content if answer else None,
                "is_error": answer.is_error if answer else None,
            }
        )
    return steps


def show_steps(run: StoredRun, steps: list[JsonObject]) -> None:
    """Print the steps, each with the world's time, in the world's zone where its package is at hand."""
    package, header = recorded_package(run), header_of(run)
    zone = package.manifest.zone if package else "UTC"
    console.print(f"{header.task} · seed {header.seed} · {clock_text(header.at, zone)}", markup=False)
    for step in steps:
        when = local(_instant(step["at"]), zone).strftime("%a %H:%M")
        colour = _COLOURS.get(str(step["kind"]), "default")
        _line(f"{step['step'] or '':>3}  [dim]{when}[/]  [{colour}]{escape(_short(str(step['what'])))}[/]")
        if step["result"] is not None:
            _line(f"{'':>16}[{'red' if step['is_error'] else 'dim'}]{escape(_short(str(step['result'])))}[/]")


def _line(text: str) -> None:
    """Print one line, cut where the terminal ends."""
    console.print(text, no_wrap=True, overflow="ellipsis", crop=True)


def _instant(value: Json) -> int:
    assert isinstance(value, int)
    return value


def _what(event: Event) -> str:
    """What happened, empty where the list leaves it out."""
    match event:
        case ToolCallEvent():
            given = ", ".join(f"{name}={orjson.dumps(value).decode()}" for name, value in event.arguments.items())
            return f"{event.name}({given})"
        case SayEvent():
            return f"says: {event.text}"
        case ReplyEvent():
            return f"is told: {event.content}"
        case NoticeEvent():
            return f"notice from {event.notice.app}: {event.notice.text}"
        case OutageEvent():
            return f"{event.target}: {event.name}, {event.edge}"
        case StopEvent():
            return f"stop: {event.reason}" + (f", {event.detail}" if event.detail else "")
        case GapEvent():
            return event.reason
        case GradeEvent():
            reward = event.grade.get("reward")
            text = f"graded: reward {reward_text(reward if isinstance(reward, int | float) else None)}"
            left = event.grade.get("left_out")
            names = [str(one["criterion"]) for one in left if isinstance(one, dict)] if isinstance(left, list) else []
            return f"{text}, without {', '.join(names)}" if names else text
        case _:
            return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
