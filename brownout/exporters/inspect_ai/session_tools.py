"""The session's tools as Inspect sees them, and the calls of one message as one turn."""
# mypy: disable-error-code="import-not-found"

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any

from inspect_ai.event import ApprovalEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageAssistant, execute_tools
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolDef, ToolParams

from brownout.core.call_validation import NO_OBJECT, unreadable
from brownout.core.calls import ToolCall
from brownout.core.errors import SessionError
from brownout.core.values import Json, JsonObject
from brownout.exporters.inside.episodes import ExportedEpisode

__all__ = ["make_turn", "shown_tools"]

_WHOLE = 0
"""As `max_output`: an answer is never cut, for it would be another answer."""


def shown_tools(episode: ExportedEpisode) -> list[ToolDef]:
    """What a model is told of the tools. Called one by one, by another solver, each call is a turn of its own."""
    return [
        ToolDef(
            tool=_alone(episode, str(tool["name"])),
            name=str(tool["name"]),
            description=str(tool["description"]),
            parameters=_parameters(tool["input_schema"]),
            max_output=_WHOLE,
        )
        for tool in episode.session.tools
    ]


async def make_turn(
    episode: ExportedEpisode, history: Sequence[ChatMessage], message: ChatMessageAssistant
) -> list[Any]:
    """The answers to a message's calls, which are made in their order as one turn.

    What the session would refuse reaches it all the same (a tool that is not there, arguments that are no JSON): it
    costs what it costs everywhere and is answered as the world answers.
    """
    calls = [_readable(call) for call in message.tool_calls or ()]
    turn = _Turn(episode, calls)
    tools = [
        ToolDef(
            tool=turn.taker(name),
            name=name,
            description=name,
            parameters=ToolParams(additionalProperties=True),
            max_output=_WHOLE,
        )
        for name in dict.fromkeys(call.function for call in calls)
    ]
    asked = message.model_copy(update={"tool_calls": calls})
    return list((await execute_tools([*history, asked], tools)).messages)


class _Turn:
    """Makes the calls when Inspect asks for the first one, and hands the answers out in their order.

    Where somebody has to approve each call, calls are made one by one as they are approved, each a turn of its own.
    """

    def __init__(self, episode: ExportedEpisode, calls: Sequence[InspectCall]) -> None:
        self._episode = episode
        self._calls = calls
        self._answers: list[str] | None = None
        self._next = 0

    def taker(self, name: str) -> Callable[..., Coroutine[Any, Any, str]]:
        async def call(**kwargs: Any) -> str:
            at, self._next = self._next, self._next + 1
            if self._is_approved():
                return await _one(self._episode, name, kwargs)
            if self._answers is None:
                turn = [ToolCall(each.function, each.arguments, each.id) for each in self._calls]
                self._answers = await _made(self._episode, turn)
            return self._answers[at]

        return call

    def _is_approved(self) -> bool:
        ids = {call.id for call in self._calls}
        return any(isinstance(event, ApprovalEvent) and event.call.id in ids for event in transcript().events)


def _alone(episode: ExportedEpisode, name: str) -> Callable[..., Coroutine[Any, Any, str]]:
    async def call(**kwargs: Any) -> str:
        return await _one(episode, name, kwargs)

    return call


async def _one(episode: ExportedEpisode, name: str, arguments: JsonObject) -> str:
    return (await _made(episode, [ToolCall(name, arguments, "")]))[0]


async def _made(episode: ExportedEpisode, turn: Sequence[ToolCall]) -> list[str]:
    """What a model reads of a turn's answers.

    Raises:
        SessionError: the machine failed. Inspect would show some of Python's own errors to the model as a tool's.
    """
    try:
        return [answer.content for answer in await episode.turn(turn)]
    except (OSError, UnicodeError, RecursionError) as error:
        raise SessionError(f"the simulation failed: {type(error).__name__}: {error}") from error


def _readable(call: InspectCall) -> InspectCall:
    """The call as the session gets it: arguments that could not be read become an argument it will refuse."""
    if not call.parse_error:
        return call
    return replace(call, parse_error=None, arguments=unreadable(NO_OBJECT))


def _parameters(schema: Json) -> ToolParams:
    """The schema as Inspect holds it: it has no field for shared definitions, and wants a description everywhere."""
    assert isinstance(schema, dict)
    found = ToolParams.model_validate(_inlined(schema, schema.get("$defs", {})))
    for name, parameter in found.properties.items():
        parameter.description = parameter.description or name
    return found


def _inlined(schema: Json, shared: Json) -> Json:
    """The schema with every `$ref` replaced by what it stands for."""
    if isinstance(schema, list):
        return [_inlined(each, shared) for each in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    target = shared.get(name, {}) if isinstance(shared, dict) and name else {}
    assert isinstance(target, dict)
    kept = {key: value for key, value in {**target, **schema}.items() if key not in ("$ref", "$defs")}
    return {key: _inlined(value, shared) for key, value in kept.items()}
