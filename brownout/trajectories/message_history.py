"""A run as the messages of a chat model, and which of them the model was sent each time, to the byte.

What a model wrote stands in the run's folder as it came, so its calls keep the spelling that it gave them. Each request is put together
from the log again and held to the digest that was kept when it was sent.
"""

from dataclasses import dataclass

import orjson

from brownout.core.values import JsonObject
from brownout.rollouts.completions import ChatCompletion, RecordedAnswers
from brownout.rollouts.llm_agent import assistant_message, calls_of
from brownout.trajectories.conversation import AgentTurn, Conversation

__all__ = ["AskedModel", "MessageHistory", "history_of"]


@dataclass(frozen=True, slots=True)
class AskedModel:
    """One request of a model.

    Attributes:
        sent: how many of the history's messages were sent: always its first ones.
        answer: what came back; None where no request of these messages and tools was recorded.
    """

    sent: int
    answer: ChatCompletion | None


@dataclass(frozen=True, slots=True)
class MessageHistory:
    """All messages of a run, and its requests in their order.

    Attributes:
        is_recorded: whether the run's folder has what its model answered.
    """

    messages: tuple[JsonObject, ...]
    asked: tuple[AskedModel, ...]
    is_recorded: bool


def history_of(talk: Conversation) -> MessageHistory:
    """What passed between the agent and its world, and what was sent when."""
    recorded = RecordedAnswers(talk.folder)
    messages: list[JsonObject] = [{"role": "user", "content": talk.header.instructions}]
    asked: list[AskedModel] = []
    for each in talk.messages:
        if not isinstance(each, AgentTurn):
            messages.append({"role": "user", "content": each.event.content})
            continue
        said, ids = _said(each), [made.call.call_id for made in each.calls]
        if each.model is not None:
            _, document = recorded.take(each.model.model, messages, talk.tools)
            answer = ChatCompletion(document, 0) if document is not None else None
            asked.append(AskedModel(len(messages), answer))
            if answer is not None:
                said, ids = assistant_message(answer.message), [call.call_id for call in calls_of(answer.message)]
        messages.append(said)
        for call_id, made in zip(ids, each.calls, strict=False):  # a log may end within a turn
            if made.result is not None:
                messages.append({"role": "tool", "tool_call_id": call_id, "content": made.result.content})
    return MessageHistory(tuple(messages), tuple(asked), len(recorded) > 0)


def _said(turn: AgentTurn) -> JsonObject:
    """A turn of somebody of whom no message is kept."""
    said: JsonObject = {"role": "assistant", "content": turn.text}
    if turn.calls:
        said["tool_calls"] = [
            {
                "id": made.call.call_id,
                "type": "function",
                "function": {"name": made.call.name, "arguments": orjson.dumps(made.call.arguments).decode()},
            }
            for made in turn.calls
        ]
    return said
