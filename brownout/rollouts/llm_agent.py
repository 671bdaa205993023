"""An agent played by a language model."""

import orjson

from brownout.core.call_validation import NO_OBJECT, unreadable
from brownout.core.calls import CallIds, ToolCall
from brownout.core.errors import ModelError, UsageError
from brownout.core.tool_schemas import function_tool
from brownout.core.trajectory import ModelEvent
from brownout.core.values import Json, JsonObject
from brownout.engine.session import Session
from brownout.llm import ModelFailure
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.agent_session import AgentSession, LocalSession
from brownout.rollouts.completions import ChatCompletion, Completions

__all__ = ["LlmAgent", "arguments_of", "assistant_message", "calls_of"]


class LlmAgent:
    """Asks the model for each turn: tool calls are made in their order, plain text goes to the requester."""

    def __init__(self, options: AgentOptions) -> None:
        """Take the model's settings.

        Raises:
            UsageError: no model was named.
        """
        if options.model is None:
            raise UsageError("the llm agent needs --model NAME, and --base-url URL where it is not the provider's own")
        self._model = options.model
        self._folder = options.folder
        self._ids = CallIds()

    async def play(self, session: Session) -> None:
        """Play until the episode ends.

        Raises:
            ModelError: the endpoint failed for good.
        """
        await self.play_anywhere(LocalSession(session))

    async def play_anywhere(self, play: AgentSession) -> None:
        """Play until the episode ends, wherever it is.

        An agent that has filled its model's context, or whose answer its endpoint withheld, does not go on: what it did is graded.

        Raises:
            ModelError: the endpoint failed for good.
        """
        model = Completions(self._model, self._folder)
        tools = [function_tool(tool) for tool in play.tools]
        messages: list[JsonObject] = [{"role": "user", "content": play.instructions}]
        while not play.ended:
            try:
                completion = await model.ask(messages, tools)
            except ModelFailure as failure:
                if (
                    failure.reason != "context" or len(messages) == 1
                ):  # what is too long at first is not the agent's doing
                    raise
                await play.stop("context", "the conversation no longer fits the model")
                return
            await _log(play, self._model.name, messages, completion)
            if completion.finish_reason == "content_filter":
                await play.stop("content_filter", "the endpoint withheld the model's answer")
                return
            messages.append(assistant_message(completion.message))
            calls = calls_of(completion.message)
            if calls:
                for call, answer in zip(calls, await play.turn([self._ids.own(call) for call in calls]), strict=True):
                    messages.append({"role": "tool", "tool_call_id": call.call_id, "content": answer})
            else:
                answer = await play.say(str(completion.message.get("content") or ""))
                if not play.ended:
                    messages.append({"role": "user", "content": answer})


def calls_of(message: JsonObject) -> list[ToolCall]:
    """The calls of a model's message under the ids that it gave them, which may come again.

    Raises:
        ModelError: something that is no call stands among them.
    """
    listed = message.get("tool_calls")
    calls = []
    for number, call in enumerate(listed if isinstance(listed, list) else ()):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(call, dict) or not isinstance(function, dict):
            raise ModelError(f"the model's endpoint sent a tool call without a function: {str(call)[:200]}")
        name, given = str(function.get("name")), function.get("arguments")
        calls.append(ToolCall(name, arguments_of(given), str(call.get("id") or f"unnamed-{number}")))
    return calls


def arguments_of(given: Json) -> JsonObject:
    """The arguments as sent, none where there are none; of what is no JSON object the agent is told so."""
    if isinstance(given, dict):
        return given
    try:
        found = orjson.loads(str(given or "{}"))
    except orjson.JSONDecodeError:
        return unreadable(NO_OBJECT)
    return found if isinstance(found, dict) else unreadable(NO_OBJECT)


def assistant_message(message: JsonObject) -> JsonObject:
    """What the model is shown of its own message from then on: its text and its calls, as it wrote them."""
    kept: JsonObject = {"role": "assistant", "content": message.get("content") or ""}
    if message.get("tool_calls"):
        kept["tool_calls"] = message["tool_calls"]
    return kept


async def _log(play: AgentSession, model: str, messages: list[JsonObject], completion: ChatCompletion) -> None:
    text = str(completion.message.get("content") or "")
    await play.log(
        lambda seq: ModelEvent(
            seq=seq,
            at=play.now,
            model=model,
            messages=len(messages),
            finish_reason=completion.finish_reason,
            usage=completion.usage,
            text=text,
            attempts=completion.attempts,
            policy_version=completion.policy_version,
            token_ids=completion.token_ids,
        )
    )
