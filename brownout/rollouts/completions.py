"""What a model that plays says next, each answer recorded so that a killed run can go on.

The record is keyed by the digest of the request and its occurrence: an episode played again after a crash gets
the very answers it got before, without asking the model twice.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import orjson

from brownout.core.blocking_steps import run_apart
from brownout.core.errors import ModelError
from brownout.core.values import Json, JsonObject, canonical, digest_of
from brownout.llm import Model, chat
from brownout.llm.line_append import append_line

__all__ = ["ChatCompletion", "Completions", "RecordedAnswers"]

_TEMPERATURE = 1.0


class ChatCompletion:
    """One answer of a model: `message` as OpenAI's API gives it, `usage`, `attempts` it took.

    Attributes:
        policy_version: which weights answered: what the endpoint calls `policy_version`, else its `system_fingerprint`, else the
            model it names; empty where it names nothing.
        prompt_ids, token_ids: the tokens of the prompt and of the answer, where the endpoint gives them (vLLM's `prompt_token_ids`
            and `token_ids`).
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
        self.prompt_ids, self.token_ids = _ids(document.get("prompt_token_ids")), _ids(_own(first, "token_ids"))
        named = (document.get(name) for name in ("policy_version", "system_fingerprint", "model"))
        self.policy_version = next((str(name) for name in named if name), "")


def _own(choice: JsonObject, name: str) -> Json:
    """What a choice has of its endpoint's own; litellm puts it into a field of its own."""
    apart = choice.get("provider_specific_fields")
    return choice.get(name) or (apart.get(name) if isinstance(apart, dict) else None)


def _ids(given: Json) -> tuple[int, ...]:
    """Token ids; none where there are none, or something else stands there."""
    found = given if isinstance(given, list) else []
    return tuple(each for each in found if isinstance(each, int)) if all(isinstance(e, int) for e in found) else ()


class RecordedAnswers:
    """What a model answered in an episode, as its run's folder has it."""

    def __init__(self, folder: Path | None) -> None:
        """Read them; there are none where the run has no folder, or no model played it."""
        self._file = folder / "model.jsonl" if folder is not None else None
        self._asked: Counter[str] = Counter()
        self._known: dict[str, JsonObject] = {}
        if self._file is not None and self._file.is_file():
            for line in self._file.read_bytes().split(b"\n"):
                try:
                    entry = orjson.loads(line)
                    self._known[entry["key"]] = entry["response"]
                except (orjson.JSONDecodeError, KeyError, TypeError):
                    continue

    def __len__(self) -> int:
        """How many there are."""
        return len(self._known)

    def take(
        self, model: str, messages: Sequence[JsonObject], tools: Sequence[JsonObject]
    ) -> tuple[str, JsonObject | None]:
        """The key of a request and what was answered to it, None where that is not recorded. Asking again is another request."""
        request: JsonObject = {"model": model, "messages": [*messages], "tools": [*tools], "temperature": _TEMPERATURE}
        digest = digest_of(canonical(request))
        self._asked[digest] += 1
        key = f"{digest}/{self._asked[digest]}"
        return key, self._known.get(key)

    def add(self, key: str, response: JsonObject) -> None:
        """Record an answer."""
        if self._file is not None:
            append_line(self._file, orjson.dumps({"key": key, "response": response}))


class Completions:
    """The conversation with one model in one episode."""

    def __init__(self, model: Model, folder: Path | None) -> None:
        self._model = model
        self._recorded = RecordedAnswers(folder)

    async def ask(self, messages: list[JsonObject], tools: list[JsonObject]) -> ChatCompletion:
        """The model's next message.

        Raises:
            ModelError: the endpoint hangs, cuts, refuses, or answers nonsense, also after it was asked again.
        """
        key, known = self._recorded.take(self._model.name, messages, tools)
        if known is not None:
            return ChatCompletion(known, 0)
        document, attempts = await run_apart(partial(chat, self._model, [*messages], [*tools], _TEMPERATURE))
        completion = ChatCompletion(document, attempts)
        self._recorded.add(key, document)
        return completion
