"""What a model that plays says next, each answer recorded so that a killed run can go on.

The record is keyed by the digest of the request and its occurrence: an episode played again after a crash gets
the very answers it got before, without asking the model twice.
"""

import asyncio
from collections import Counter
from pathlib import Path

import orjson

from brownout.core.errors import ModelError
from brownout.core.values import JsonObject, canonical, digest_of
from brownout.llm import Model, chat
from brownout.llm.appending import append_line

__all__ = ["ChatCompletion", "Completions"]

_TEMPERATURE = 1.0


class ChatCompletion:
    """One answer of a model: `message` as OpenAI's API gives it, `usage`, `attempts` it took.

    Attributes:
        policy_version: which weights answered: what the endpoint calls `policy_version`, else its `system_fingerprint`, else the
            model it names; empty where it names nothing.
    """

    def __init__(self, document: JsonObject, attempts: int) -> None:
        """Check the shape.

        Raises:
            ModelError: the answer is no completion.
        """
        choices = document.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        if not isinstance(first, dict) or not isinstance(message, dict):
            raise ModelError(f"the model's endpoint answered something that is no completion: {str(document)[:200]}")
        usage = document.get("usage")
        self.message: JsonObject = message
        self.finish_reason = str(first.get("finish_reason") or "")
        self.usage: JsonObject = usage if isinstance(usage, dict) else {}
        self.attempts = attempts
        named = (document.get(name) for name in ("policy_version", "system_fingerprint", "model"))
        self.policy_version = next((str(name) for name in named if name), "")


class Completions:
    """The conversation with one model in one episode."""

    def __init__(self, model: Model, folder: Path | None) -> None:
        self._model = model
        self._file = folder / "model.jsonl" if folder is not None else None
        self._asked: Counter[str] = Counter()
        self._known = self._recorded()

    def _recorded(self) -> dict[str, JsonObject]:
        known: dict[str, JsonObject] = {}
        if self._file is not None and self._file.is_file():
            for line in self._file.read_bytes().split(b"\n"):
                try:
                    entry = orjson.loads(line)
                    known[entry["key"]] = entry["response"]
                except (orjson.JSONDecodeError, KeyError, TypeError):
                    continue
        return known

    async def ask(self, messages: list[JsonObject], tools: list[JsonObject]) -> ChatCompletion:
        """The model's next message.

        Raises:
            ModelError: the endpoint hangs, cuts, refuses, or answers nonsense, also after the retries.
        """
        request: JsonObject = {"model": self._model.name, "messages": [*messages], "tools": [*tools]}
        digest = digest_of(canonical({**request, "temperature": _TEMPERATURE}))
        self._asked[digest] += 1
        key = f"{digest}/{self._asked[digest]}"
        if key in self._known:
            return ChatCompletion(self._known[key], 0)
        document, attempts = await asyncio.to_thread(chat, self._model, [*messages], [*tools], _TEMPERATURE)
        completion = ChatCompletion(document, attempts)
        if self._file is not None:
            append_line(self._file, orjson.dumps({"key": key, "response": document}))
        return completion
