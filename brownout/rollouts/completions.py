"""Chat completions from an OpenAI-compatible endpoint, each recorded so that a killed run can go on.

The record is keyed by the digest of the request and its occurrence: an episode played again after a crash gets
the very answers it got before, without asking the model twice.
"""

import asyncio
from collections import Counter
from pathlib import Path

import aiohttp
import orjson

from brownout.core.errors import ModelError
from brownout.core.values import JsonObject, canonical, digest_of
from brownout.llm.appending import append_line
from brownout.rollouts.options import ModelOptions

__all__ = ["Completion", "Completions"]

_RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504})


class Completion:
    """One answer of a model: `message` as the API gives it, `usage`, `attempts` it took."""

    def __init__(self, document: JsonObject, attempts: int) -> None:
        """Check the shape.

        Raises:
            ModelError: the endpoint answered something that is not a completion.
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


class Completions:
    """The door to one model for one episode."""

    def __init__(self, options: ModelOptions, folder: Path | None) -> None:
        self._options = options
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

    async def ask(self, messages: list[JsonObject], tools: list[JsonObject]) -> Completion:
        """The model's next message.

        Raises:
            ModelError: the endpoint hangs, cuts, refuses, or answers nonsense, also after the retries.
        """
        request: JsonObject = {
            "model": self._options.model,
            "messages": [*messages],
            "tools": [*tools],
            "temperature": self._options.temperature,
        }
        digest = digest_of(canonical(request))
        self._asked[digest] += 1
        key = f"{digest}/{self._asked[digest]}"
        if key in self._known:
            return Completion(self._known[key], 0)
        document, attempts = await self._fetch(request)
        completion = Completion(document, attempts)
        if self._file is not None:
            append_line(self._file, orjson.dumps({"key": key, "response": document}))
        return completion

    async def _fetch(self, request: JsonObject) -> tuple[JsonObject, int]:
        problem = ""
        for attempt in range(self._options.retries + 1):
            if attempt:
                await asyncio.sleep(min(8.0, 0.25 * 2**attempt))
            try:
                return await self._post(request), attempt + 1
            except _TryAgain as error:
                problem = str(error)
        tries = self._options.retries + 1
        raise ModelError(f"{self._options.base_url}: {problem} (tried {tries} time{'s' * (tries != 1)})")

    async def _post(self, request: JsonObject) -> JsonObject:
        headers = {"Content-Type": "application/json"}
        if self._options.api_key:
            headers["Authorization"] = f"Bearer {self._options.api_key}"
        timeout = aiohttp.ClientTimeout(total=self._options.timeout_seconds)
        url = f"{self._options.base_url.rstrip('/')}/chat/completions"
        body_sent = orjson.dumps(request)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as client,
                client.post(url, data=body_sent, headers=headers) as response,
            ):
                body = await response.read()
                if response.status in _RETRIED:
                    raise _TryAgain(f"HTTP {response.status}: {body[:200].decode(errors='replace')}")
                if response.status >= 400:
                    raise ModelError(f"{url}: HTTP {response.status}: {body[:300].decode(errors='replace')}")
        except TimeoutError as error:
            raise _TryAgain(f"no answer within {self._options.timeout_seconds:g} s") from error
        except aiohttp.ClientError as error:
            raise _TryAgain(f"{type(error).__name__}: {error}") from error
        try:
            document = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise _TryAgain(f"the answer is not JSON: {body[:120]!r}") from error
        if not isinstance(document, dict):
            raise _TryAgain("the answer is not a JSON object")
        return document


class _TryAgain(Exception):
    """A failure that may pass."""
