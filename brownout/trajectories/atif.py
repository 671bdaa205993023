"""A run as a document of the Agent Trajectory Interchange Format, version 1.7, and back.

Nothing is lost: what the format has no field for stands under `extra.brownout` of the step, call or answer that it belongs to, so a
document of ours gives the same events again. What an agent never sees (other people's deeds, effects, outages) stands in
`extra` only. Timestamps are the world's time. Version 1.7 and not 1.8, because the stricter of two validators knows no later one.
Source: the models of Harbor 0.24, `harbor.models.trajectories`.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

import orjson

from brownout.core.errors import UsageError
from brownout.core.instants import Instant, from_datetime, iso
from brownout.core.trajectory import Event, ModelEvent, ResultEvent, dump_event, load_event
from brownout.core.values import Json, JsonObject, objects_in
from brownout.rollouts.recorder import RunResult
from brownout.trajectories.conversation import AgentTurn, Conversation, MadeCall, RequesterReply
from brownout.trajectories.foreign_runs import ForeignCall, ForeignRun, ForeignTurn, StoredEvents, text_of

__all__ = ["from_atif", "to_atif"]

_VERSION = "ATIF-v1.7"
_OURS = "brownout"


def to_atif(talk: Conversation, name: str) -> JsonObject:
    """The document of a run.

    Args:
        name: the run's, which becomes the document's `session_id`.
    """
    steps: list[JsonObject] = [_asked(talk)]
    for message in talk.messages:
        steps.append(_turn(message, talk.header.at) if isinstance(message, AgentTurn) else _reply(message))
    models = [turn.model for turn in talk.turns if turn.model is not None]
    return _without_none(
        {
            "schema_version": _VERSION,
            "session_id": name,
            "agent": _without_none(
                {
                    "name": talk.agent,
                    "version": models[0].policy_version or "unversioned" if models else "unversioned",
                    "model_name": models[0].model if models else None,
                    "tool_definitions": list(talk.tools) or None,
                }
            ),
            "steps": [{"step_id": number, **step} for number, step in enumerate(steps, start=1)],
            "final_metrics": _final_metrics(talk, models, len(steps)),
            "extra": {_OURS: {"result": talk.result.model_dump(mode="json") if talk.result is not None else None}},
        }
    )


def _asked(talk: Conversation) -> JsonObject:
    """The first step: what the agent was told."""
    header = _document(talk.header)
    return {
        "source": "user",
        "timestamp": iso(talk.header.at),
        "message": header.pop("instructions"),
        "extra": {_OURS: {"header": header, "events": [_document(event) for event in talk.before]}},
    }


def _turn(turn: AgentTurn, start: Instant) -> JsonObject:
    ours: JsonObject = {"events": [_document(event) for event in turn.meanwhile]}
    for name, event in (("model", turn.model), ("said", turn.said), ("handed_in", turn.handed_in)):
        if event is not None:
            ours[name] = _document(event)
    first = turn.model or (turn.calls[0].call if turn.calls else turn.said)
    return _without_none(
        {
            "source": "agent",
            "timestamp": iso(first.at if first is not None else start),
            "model_name": turn.model.model if turn.model is not None else None,
            "message": turn.text,
            "tool_calls": [_call(made) for made in turn.calls] or None,
            "observation": {"results": [_answer(made) for made in turn.calls]} if turn.calls else None,
            "metrics": _metrics(turn.model) if turn.model is not None else None,
            "llm_call_count": 1 if turn.model is not None else 0,
            "extra": {_OURS: ours},
        }
    )


def _reply(reply: RequesterReply) -> JsonObject:
    event = _document(reply.event)
    return {
        "source": "user",
        "timestamp": iso(reply.event.at),
        "message": event.pop("content"),
        "extra": {_OURS: {"reply": event, "events": [_document(each) for each in reply.meanwhile]}},
    }


def _call(made: MadeCall) -> JsonObject:
    event = _document(made.call)
    return {
        "tool_call_id": event.pop("call_id"),
        "function_name": event.pop("name"),
        "arguments": event.pop("arguments"),
        "extra": {_OURS: event},
    }


def _answer(made: MadeCall) -> JsonObject:
    if made.result is None:
        return {"source_call_id": made.call.call_id, "extra": {_OURS: None}}
    event = _document(made.result)
    del event["structured"]
    content = str(event.pop("content"))
    if content.startswith(made.result.body):
        event["body_characters"] = len(made.result.body)
    else:
        event["body"] = made.result.body
    return {"source_call_id": event.pop("call_id"), "content": content, "extra": {_OURS: event}}


def _metrics(model: ModelEvent) -> JsonObject:
    return _without_none(
        {
            "prompt_tokens": _count(model.usage, "prompt_tokens"),
            "completion_tokens": _count(model.usage, "completion_tokens"),
            "completion_token_ids": list(model.token_ids) or None,
            "logprobs": list(model.logprobs) or None,
        }
    )


def _final_metrics(talk: Conversation, models: list[ModelEvent], steps: int) -> JsonObject:
    result = talk.result
    extra: JsonObject = {}
    if result is not None:
        extra = {
            "reward": result.reward,
            "resolved": result.resolved,
            "complete": result.complete,
            "failure": result.failure,
            "failure_kind": result.failure_kind,
            "reward_components": {
                str(line["criterion"]): line.get("raw") for line in result.ledger if line.get("grader") != "rubric"
            },
        }
    return _without_none(
        {
            "total_prompt_tokens": _total(models, "prompt_tokens"),
            "total_completion_tokens": _total(models, "completion_tokens"),
            "total_steps": steps,
            "extra": extra or None,
        }
    )


def _total(models: Iterable[ModelEvent], name: str) -> int | None:
    counts = [count for model in models if (count := _count(model.usage, name)) is not None]
    return sum(counts) if counts else None


def _count(usage: Mapping[str, Json], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _document(event: Event) -> JsonObject:
    found: JsonObject = orjson.loads(dump_event(event))
    return found


def _without_none(document: Mapping[str, Json]) -> JsonObject:
    return {name: value for name, value in document.items() if value is not None}


# -- and back ---------------------------------------------------------------------------------------------


def from_atif(document: Json) -> StoredEvents | ForeignRun:
    """What a document says: the very events and result where it is one of ours, else what an agent and its tools said.

    Raises:
        UsageError: it is no such document; the message says what is missing where.
    """
    if not isinstance(document, dict) or not str(document.get("schema_version", "")).startswith("ATIF-"):
        raise UsageError("expected a document with schema_version ATIF-v…")
    steps = document.get("steps")
    if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
        raise UsageError("steps: expected a list of at least one step")
    checked = [step for step in steps if isinstance(step, dict)]
    own = _ours(document.get("extra"))
    if own is not None and _ours(checked[0].get("extra")) is not None:
        try:
            events = sorted(_events(checked), key=lambda event: event.seq)
            result = own.get("result")
            return StoredEvents(events, RunResult.model_validate(result) if result is not None else None)
        except (KeyError, ValueError, TypeError) as error:
            raise UsageError(f"the document was written here and has been changed since: {error}") from error
    return _foreign(document, checked)


def _events(steps: list[JsonObject]) -> Iterator[Event]:
    for step in steps:
        ours = _ours(step["extra"]) or {}
        if "header" in ours:
            yield _loaded(ours["header"], instructions=step["message"])
        if "reply" in ours:
            yield _loaded(ours["reply"], content=step["message"])
        for name in ("model", "said", "handed_in"):
            if name in ours:
                yield _loaded(ours[name])
        for event in objects_in(ours.get("events")):
            yield _loaded(event)
        for call in objects_in(step.get("tool_calls")):
            yield _loaded(
                _ours(call["extra"]),
                call_id=call["tool_call_id"],
                name=call["function_name"],
                arguments=call["arguments"],
            )
        observation = step.get("observation")
        for answer in objects_in(observation.get("results") if isinstance(observation, dict) else None):
            yield from _answered(answer)


def _answered(answer: JsonObject) -> Iterator[ResultEvent]:
    kept = _ours(answer["extra"])
    if kept is None:
        return
    content = str(answer["content"])
    length = kept.pop("body_characters", None)
    body = content[:length] if isinstance(length, int) else str(kept.pop("body"))
    event = _loaded(kept, call_id=answer["source_call_id"], content=content, structured=orjson.loads(body or "null"))
    assert isinstance(event, ResultEvent)
    yield event


def _loaded(document: Json, **more: Json) -> Event:
    if not isinstance(document, dict):
        raise ValueError("an event is missing")
    return load_event(orjson.dumps({**document, **more}))


def _ours(extra: Json) -> JsonObject | None:
    found = extra.get(_OURS) if isinstance(extra, dict) else None
    return dict(found) if isinstance(found, dict) else None


def _foreign(document: JsonObject, steps: list[JsonObject]) -> ForeignRun:
    agent = document.get("agent")
    metrics = document.get("final_metrics")
    extra = metrics.get("extra") if isinstance(metrics, dict) else None
    reward = extra.get("reward") if isinstance(extra, dict) else None
    begun = next((number for number, step in enumerate(steps) if step.get("source") == "agent"), len(steps))
    return ForeignRun(
        agent=str(agent.get("name", "unknown")) if isinstance(agent, dict) else "unknown",
        name=str(document.get("trajectory_id") or document.get("session_id") or ""),
        instructions="\n\n".join(text_of(step.get("message")) for step in steps[:begun]),
        turns=tuple(_foreign_turn(step, number) for number, step in enumerate(steps[begun:], start=begun + 1)),
        reward=float(reward) if isinstance(reward, int | float) else None,
    )


def _foreign_turn(step: JsonObject, number: int) -> ForeignTurn:
    observation = step.get("observation")
    results = objects_in(observation.get("results") if isinstance(observation, dict) else None)
    answers = {str(result.get("source_call_id")): text_of(result.get("content")) for result in results}
    loose = [text_of(result.get("content")) for result in results if result.get("source_call_id") is None]
    calls = []
    for call in objects_in(step.get("tool_calls")):
        name, given, key = call.get("function_name"), call.get("arguments"), str(call.get("tool_call_id", ""))
        if not isinstance(name, str) or not isinstance(given, dict):
            raise UsageError(f"steps[{number - 1}]: a tool call needs function_name and arguments")
        calls.append(ForeignCall(name, given, key, answers.get(key)))
    text = text_of(step.get("message"))
    is_agents = step.get("source") == "agent"
    return ForeignTurn(
        is_agents=is_agents,
        text=text if is_agents else "\n\n".join(part for part in (text, *loose) if part),
        calls=tuple(calls),
        model=str(step.get("model_name") or ""),
        at=_moment(step.get("timestamp"), number),
        shown="\n\n".join(loose) if is_agents else "",
    )


def _moment(stamp: Json, number: int) -> Instant | None:
    if stamp is None:
        return None
    try:
        return from_datetime(datetime.fromisoformat(str(stamp)))
    except ValueError as error:
        raise UsageError(f"steps[{number - 1}].timestamp: expected an ISO 8601 time, found {stamp!r}") from error
