"""A policy that answers each request by the number of answers it has given in that conversation before."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from brownout.core.values import JsonObject
from brownout.testing.fake_openai import FakeOpenAI, Reply

Step: TypeAlias = "str | Sequence[tuple[str, JsonObject | str]]"
"""What the policy says, or the calls of one message: name and arguments (as text where they are no JSON)."""


class ScriptedPolicy(FakeOpenAI):
    """An endpoint that plays a script; the script is chosen by a word that the conversation's first message holds.

    A conversation that goes on after its script ends is told so in plain text.

    Attributes:
        scripts: may be exchanged between conversations.
    """

    def __init__(self, scripts: Mapping[str, Sequence[Step]]) -> None:
        super().__init__("unused")
        self.scripts = scripts

    def next_reply(self, body: JsonObject) -> Reply:
        self.requests.append(body)
        messages = body["messages"]
        assert isinstance(messages, list)
        given = [message for message in messages if isinstance(message, dict)]
        asked = next(_text(message) for message in given if message["role"] == "user")
        script = next((script for word, script in self.scripts.items() if word in asked), None)
        if script is None:
            return Reply(f"no script for {asked[:100]}", status=400)
        number = [message["role"] for message in given].count("assistant")
        step = script[number] if number < len(script) else "The script is over."
        whole = completion_of(step, number)
        if body.get("stream"):
            return Reply(_streamed(whole), is_raw=True, headers={"content-type": "text/event-stream"})
        return Reply(json.dumps(whole), is_raw=True)


def _text(message: JsonObject) -> str:
    content = message["content"]
    parts = content if isinstance(content, list) else [content]
    return "".join(str(part["text"]) if isinstance(part, dict) else str(part) for part in parts)


def _streamed(whole: dict[str, Any]) -> str:
    """A completion as the stream that a client asked for: the message in one piece, the end, the usage."""
    kept = {**{name: whole[name] for name in ("id", "created", "model")}, "object": "chat.completion.chunk"}
    [choice] = whole["choices"]
    message = choice["message"]
    calls = [{**call, "index": at} for at, call in enumerate(message.get("tool_calls", []))]
    delta = {**message, **({"tool_calls": calls} if calls else {})}
    chunks = [
        {**kept, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**kept, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
        {**kept, "choices": [], "usage": whole["usage"]},
    ]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def completion_of(step: Step, number: int) -> dict[str, Any]:
    message: JsonObject = {"role": "assistant", "content": step if isinstance(step, str) else None}
    if not isinstance(step, str):
        message["tool_calls"] = [
            {
                "id": f"call-{number}-{at}",
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for at, (name, given) in enumerate(step)
        ]
    reason = "stop" if isinstance(step, str) else "tool_calls"
    return {
        "id": f"completion-{number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "scripted",
        "choices": [{"index": 0, "finish_reason": reason, "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
