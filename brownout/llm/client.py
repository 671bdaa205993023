"""Asks a model through litellm, and says in one vocabulary what went wrong.

litellm takes seconds to import and would fetch a price list; it is imported when a model is first asked.
"""

import os
import time
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Final, Protocol, cast

from brownout.core.grading import Message
from brownout.core.values import JsonObject
from brownout.llm.settings import Model
from brownout.llm.trouble import FailureReason, ModelFailure

__all__ = ["ask"]

_TRANSIENT: Final = frozenset({"cut", "rate_limited", "server"})
_NO_KEY: Final = "none"
_IMPORTING = Lock()


class _Litellm(Protocol):
    completion: Callable[..., object]


def ask(model: Model, messages: Sequence[Message], schema: JsonObject) -> str:
    """The text that the model answers, which it was told must be JSON of the schema.

    Raises:
        ModelFailure: it gave none; passing troubles were tried again.
    """
    pause = model.pause_seconds
    for attempt in range(model.retries + 1):
        try:
            return _once(model, messages, schema)
        except ModelFailure as failure:
            if failure.reason not in _TRANSIENT or attempt == model.retries:
                raise
            time.sleep(pause)
            pause *= 2
    raise AssertionError("unreachable")


def _once(model: Model, messages: Sequence[Message], schema: JsonObject) -> str:
    """One attempt, in a thread that is given up at the deadline: an endpoint that trickles never times out by itself."""
    litellm = _litellm()
    request = _request(model, messages, schema)
    answers: Queue[str | ModelFailure] = Queue()

    def work() -> None:
        try:
            answers.put(_text_of(litellm.completion(**request)))
        except ModelFailure as failure:
            answers.put(failure)
        except Exception as error:
            answers.put(_failure_of(error))

    Thread(target=work, name="brownout-model", daemon=True).start()
    try:
        found = answers.get(timeout=model.timeout_seconds)
    except Empty:
        raise ModelFailure(
            "timeout", f"{model.name} gave no whole answer within {model.timeout_seconds:g} seconds"
        ) from None
    if isinstance(found, ModelFailure):
        raise found
    return found


def _request(model: Model, messages: Sequence[Message], schema: JsonObject) -> dict[str, object]:
    key = os.environ.get(model.api_key_env, "") if model.api_key_env else _NO_KEY
    if not key:
        raise ModelFailure("refused", f"expected a key in the environment variable {model.api_key_env}, found none")
    request: dict[str, object] = {
        "model": model.name,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "temperature": 0,
        "max_tokens": model.longest_tokens,
        "timeout": model.timeout_seconds,
        "max_retries": 0,
        "num_retries": 0,
        "api_key": key,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": schema, "strict": True},
        },
    }
    if model.base_url:
        request["api_base"] = model.base_url
    return request


def _litellm() -> _Litellm:
    with _IMPORTING:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its own dependencies, at import
            try:
                module = import_module("litellm")
            except ImportError as error:
                raise ModelFailure(
                    "unavailable", f"asking a model needs litellm: pip install 'brownout[llm]' ({error})"
                ) from error
        module.suppress_debug_info = True  # type: ignore[attr-defined]
        module.telemetry = False  # type: ignore[attr-defined]
    return cast("_Litellm", module)


def _text_of(response: object) -> str:
    try:
        choice = response.choices[0]  # type: ignore[attr-defined]
        content, finish = choice.message.content, choice.finish_reason
    except (AttributeError, IndexError, TypeError) as error:
        raise ModelFailure("malformed", f"the endpoint's answer holds no message: {str(response)[:200]!r}") from error
    if finish == "length":
        raise ModelFailure("malformed", f"the answer was cut at the longest that was allowed: {str(content)[-80:]!r}")
    if not isinstance(content, str) or not content.strip():
        raise ModelFailure("malformed", "the answer is empty")
    return content


_KINDS: Final[tuple[tuple[str, FailureReason], ...]] = (
    ("Timeout", "timeout"),
    ("APITimeoutError", "timeout"),
    ("RateLimitError", "rate_limited"),
    ("ServiceUnavailableError", "server"),
    ("BadGatewayError", "server"),
    ("APIResponseValidationError", "malformed"),
    ("JSONDecodeError", "malformed"),
    ("BadRequestError", "refused"),
    ("AuthenticationError", "refused"),
    ("PermissionDeniedError", "refused"),
    ("NotFoundError", "refused"),
    ("UnprocessableEntityError", "refused"),
    ("APIConnectionError", "cut"),
    ("RemoteProtocolError", "cut"),
    ("ConnectError", "cut"),
    ("ReadError", "cut"),
)


def _failure_of(error: Exception) -> ModelFailure:
    """What litellm raised in our words, by class name: it is not imported here.

    litellm calls a broken connection and an unreadable answer server errors too, so what they came from is asked first.
    """
    names: set[str] = set()
    link: BaseException | None = error
    while link is not None and len(names) < 100:
        names |= {kind.__name__ for kind in type(link).__mro__}
        link = link.__cause__ or link.__context__
    message = f"{type(error).__name__}: {str(error)[:500]}"
    if "invalid response from LLM endpoint" in message:
        return ModelFailure("malformed", message)
    return ModelFailure(next((reason for name, reason in _KINDS if name in names), "server"), message)
