"""A run as the messages of a chat model (OpenAI's form), and back: what the agent saw and did, nothing else.

`{"messages": [...], "tools": [...], "metadata": {...}}`: what supervised training reads. Each message list that a model was sent is a
prefix of it, to the byte (`brownout.trajectories.message_history`).
"""

from collections.abc import Sequence

from brownout.core.call_validation import UNREADABLE
from brownout.core.errors import UsageError
from brownout.core.values import Json, JsonObject
from brownout.rollouts.llm_agent import arguments_of
from brownout.trajectories.conversation import Conversation
from brownout.trajectories.foreign_runs import ForeignCall, ForeignRun, ForeignTurn, text_of
from brownout.trajectories.message_history import history_of

__all__ = ["from_messages", "to_messages"]


def to_messages(talk: Conversation, name: str) -> JsonObject:
    """The document of a run.

    Args:
        name: the run's; it stands in `metadata`.
    """
    result = talk.result
    return {
        "messages": list(history_of(talk).messages),
        "tools": list(talk.tools),
        "metadata": {
            "run": name,
            "world": talk.header.world,
            "task": talk.header.task,
            "seed": talk.header.seed,
            "agent": talk.agent,
            "reward": result.reward if result is not None else None,
        },
    }


def from_messages(document: Json) -> ForeignRun:
    """What a document or a bare list of messages says.

    Raises:
        UsageError: it is no such document; the message says what is missing where.
    """
    listed = document.get("messages") if isinstance(document, dict) else document
    if not isinstance(listed, list) or not listed:
        raise UsageError("messages: expected a list of at least one message")
    messages = [_checked(message, number) for number, message in enumerate(listed)]
    begun = next((n for n, message in enumerate(messages) if message["role"] == "assistant"), len(messages))
    about = document.get("metadata") if isinstance(document, dict) else None
    about = about if isinstance(about, dict) else {}
    reward = about.get("reward")
    return ForeignRun(
        agent=str(about.get("agent") or "unknown"),
        name=str(about.get("run") or about.get("task") or ""),
        instructions="\n\n".join(text_of(message.get("content")) for message in messages[:begun]),
        turns=tuple(_turns(messages, begun)),
        reward=float(reward) if isinstance(reward, int | float) else None,
    )


def _checked(message: Json, number: int) -> JsonObject:
    if not isinstance(message, dict) or message.get("role") not in ("system", "developer", "user", "assistant", "tool"):
        raise UsageError(
            f"messages[{number}].role: expected system, developer, user, assistant or tool, "
            f"found {message.get('role') if isinstance(message, dict) else message!r}"
        )
    return message


def _turns(messages: Sequence[JsonObject], begun: int) -> list[ForeignTurn]:
    answers: dict[str, list[str]] = {}
    for message in messages[begun:]:
        if message["role"] == "tool":
            answers.setdefault(str(message.get("tool_call_id", "")), []).append(text_of(message.get("content")))
    turns = []
    for number, message in enumerate(messages[begun:], start=begun):
        if message["role"] == "assistant":
            turns.append(
                ForeignTurn(
                    is_agents=True, text=text_of(message.get("content")), calls=_calls(message, number, answers)
                )
            )
        elif message["role"] != "tool":
            turns.append(ForeignTurn(is_agents=False, text=text_of(message.get("content"))))
    return turns


def _calls(message: JsonObject, number: int, answers: dict[str, list[str]]) -> tuple[ForeignCall, ...]:
    listed = message.get("tool_calls")
    calls = []
    for call in listed if isinstance(listed, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(call, dict) or not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise UsageError(f"messages[{number}].tool_calls: a call needs a function with a name")
        key = str(call.get("id", ""))
        given = answers.get(key)
        answer = given.pop(0) if given else None  # models number their calls anew each turn
        calls.append(ForeignCall(str(function["name"]), _arguments(function.get("arguments")), key, answer))
    return tuple(calls)


def _arguments(given: Json) -> JsonObject:
    """The arguments as sent; what is no JSON object is kept under `unreadable`."""
    found = arguments_of(given)
    return {"unreadable": given} if UNREADABLE in found and given != found else found
