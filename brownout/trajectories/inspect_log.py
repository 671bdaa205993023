"""A run as a log of Inspect (`.eval`), which its viewer opens. Inspect writes the file, so it must be installed beside.

The document is the one of inspect-ai 0.3.285 (`inspect log schema`): one sample with its messages, an event for each tool call and
for whatever happened in the world, and a score for the reward and each criterion. Times are the world's.
"""

from pathlib import Path

import orjson

from brownout.core.call_validation import UNREADABLE
from brownout.core.calls import Effect
from brownout.core.errors import MissingExtra, RunError
from brownout.core.instants import MINUTE, SECOND, Instant, iso
from brownout.core.trajectory import Event, NoticeEvent, OutageEvent, WorldEvent
from brownout.core.values import JsonObject, objects_in
from brownout.rollouts.llm_agent import arguments_of
from brownout.trajectories.conversation import AgentTurn, Conversation, MadeCall
from brownout.trajectories.message_history import history_of

__all__ = ["to_inspect", "write_inspect_log"]


def write_inspect_log(document: JsonObject, place: Path) -> None:
    """Write the log of a run's document.

    Args:
        document: as `to_inspect` makes it.
        place: a file whose name ends in `.eval`.

    Raises:
        MissingExtra: Inspect is not installed.
        RunError: the file cannot be written.
    """
    try:
        from inspect_ai.log import EvalLog, write_eval_log
    except ImportError as error:
        raise MissingExtra("a log of Inspect is written by Inspect: pip install inspect-ai") from error
    try:
        write_eval_log(EvalLog.model_validate(document), str(place))
    except OSError as error:
        raise RunError(f"cannot write {place}: {error.strerror}") from error


def to_inspect(talk: Conversation, name: str) -> JsonObject:
    """The document of a run's log.

    Args:
        name: the run's; it becomes the sample's `uuid`.
    """
    header, result = talk.header, talk.result
    model = next((turn.model.model for turn in talk.turns if turn.model is not None), "") or f"none/{talk.agent}"
    scores = _scores(talk)
    sample: JsonObject = {
        "id": header.task,
        "epoch": 1,
        "uuid": name,
        "input": header.instructions,
        "target": "",
        "messages": [_message(message) for message in history_of(talk).messages],
        "output": {"model": model, "completion": _last_words(talk)},
        "scores": scores,
        "events": [*_events(talk)],
        "metadata": {
            "world": header.world,
            "package": header.package,
            "seed": header.seed,
            "agent": talk.agent,
            "stop": talk.stop.reason if talk.stop is not None else None,
            "failure": result.failure if result is not None else None,
            "failure_kind": result.failure_kind if result is not None else None,
        },
        "started_at": iso(header.at),
        "total_time": (result.sim_minutes * MINUTE / SECOND) if result is not None else 0.0,
    }
    return {
        "version": 2,
        "status": "success" if talk.stop is not None else "started",
        "eval": {
            "created": iso(header.at),
            "task": f"{header.world or 'imported'}/{header.task}",
            "dataset": {"name": header.world or "imported", "samples": 1, "sample_ids": [header.task]},
            "model": model,
            "config": {},
            "metadata": {"package": header.package},
        },
        "plan": {"name": talk.agent},
        "stats": {"started_at": iso(header.at), "completed_at": iso(_end(talk))},
        "results": {
            "total_samples": 1,
            "completed_samples": 1,
            "scores": [
                {"name": each, "scorer": "brownout", "metrics": {"mean": {"name": "mean", "value": score["value"]}}}
                for each, score in scores.items()
                if isinstance(score, dict)
            ],
        },
        "samples": [sample],
    }


def _scores(talk: Conversation) -> JsonObject:
    """The reward and what each criterion earned of it; none where the episode was not judged."""
    result = talk.result
    if result is None or result.reward is None:
        return {}
    scores: JsonObject = {"reward": {"value": result.reward, "explanation": f"{result.agent}: {result.stop}"}}
    for line in result.ledger:
        if line.get("grader") != "rubric":
            scores[str(line["criterion"])] = {"value": line.get("raw", 0.0), "explanation": str(line.get("reason", ""))}
    return scores


def _message(message: JsonObject) -> JsonObject:
    """A chat message in Inspect's form, whose arguments are values and not text."""
    if "tool_calls" not in message:
        return message
    return {**message, "tool_calls": [_tool_call(call) for call in objects_in(message["tool_calls"])]}


def _tool_call(call: JsonObject) -> JsonObject:
    """A call as Inspect itself keeps one: arguments that nobody can read stand, as they were written, in `parse_error`."""
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    found: JsonObject = {"id": str(call.get("id") or ""), "type": "function", "function": str(function.get("name"))}
    written = function.get("arguments")
    arguments = arguments_of(written)
    if UNREADABLE not in arguments:
        return {**found, "arguments": arguments}
    told = written if isinstance(written, str) else orjson.dumps(written).decode()
    error = f"Error parsing the following tool call arguments:\n\n{told}\n\nError details: {arguments[UNREADABLE]}"
    return {**found, "arguments": {}, "parse_error": error}


def _events(talk: Conversation) -> list[JsonObject]:
    found = [_happened(event) for event in talk.before]
    for message in talk.messages:
        if isinstance(message, AgentTurn):
            found.extend(_tool(made) for made in message.calls)
        found.extend(_happened(event) for event in message.meanwhile)
    return [event for event in found if event]


def _tool(made: MadeCall) -> JsonObject:
    result = made.result
    event: JsonObject = {
        "event": "tool",
        "timestamp": iso(made.call.at),
        "working_start": 0,
        "id": made.call.call_id,
        "function": made.call.name,
        "arguments": made.call.arguments,
        "result": result.content if result is not None else "",
    }
    if result is not None:
        event["completed"] = iso(result.at)
        if result.is_error:
            event["error"] = {"type": "unknown", "message": result.content}
    return event


def _happened(event: Event) -> JsonObject:
    """What happened in the world, as an event of Inspect; empty where its viewer's readers need not see it."""
    match event:
        case WorldEvent():
            data: JsonObject = {
                "who": event.who,
                "act": event.act,
                "where": event.path or event.app,
                "outcome": event.outcome,
                "rows": [_row(effect) for effect in event.effects],
            }
        case OutageEvent():
            data = {"outage": event.name, "target": event.target, "edge": event.edge}
        case NoticeEvent():
            data = {"notice": event.notice.text, "app": event.notice.app, "kind": event.notice.kind}
        case _:
            return {}
    return {
        "event": "info",
        "timestamp": iso(event.at),
        "working_start": 0,
        "source": "world",
        "data": data,
    }


def _row(effect: Effect) -> str:
    return f"{effect.kind} {effect.table}/{effect.key}"


def _end(talk: Conversation) -> Instant:
    stop = talk.stop
    return stop.at if stop is not None else talk.header.at


def _last_words(talk: Conversation) -> str:
    said = [turn.handed_in or turn.said for turn in talk.turns if turn.handed_in or turn.said]
    return said[-1].text if said and said[-1] is not None else ""
