"""Asks a model through litellm, and says in one vocabulary what went wrong.

litellm takes seconds to import and would fetch a price list; it is imported when a model is first asked.
"""

import logging
import os
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from importlib import import_module
from itertools import count
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Final, Protocol, TypeVar, cast

from pydantic import BaseModel

from brownout.core.language_models import Usage
from brownout.core.values import JsonObject
from brownout.llm.failures import FailureReason, ModelFailure
from brownout.llm.model_settings import Model
from brownout.llm.question_relay import ModelAnswer, Question

__all__ = ["ask", "chat"]

T = TypeVar("T")
_LOG = logging.getLogger(__name__)

_TRANSIENT: Final = frozenset({"cut", "rate_limited", "server"})
_LONGEST_PAUSE: Final = 30.0
_NO_KEY: Final = "none"
_NO_MCP: Final = "_skip_mcp_handler"
"""With it litellm takes tools for what they are, and does not look for MCP servers among them, for which it would need `mcp`."""
_IMPORTING = Lock()


class _Litellm(Protocol):
    completion: Callable[..., object]
    completion_cost: Callable[..., float]


def ask(question: Question) -> ModelAnswer:
    """What the model answers, which it was told must be JSON of the schema.

    Raises:
        ModelFailure: it gave none; passing troubles were tried again.
    """
    name = question.model.name

    def read(litellm: _Litellm, response: object) -> ModelAnswer:
        return ModelAnswer(_text_of(response), _usage_of(litellm, name, response))

    return _patiently(question.model, partial(_question_request, question), read)[0]


def chat(
    model: Model, messages: list[JsonObject], tools: list[JsonObject], temperature: float
) -> tuple[JsonObject, int]:
    """The next message of a conversation with tools, as OpenAI's chat completions have it, and how many attempts it took.

    Raises:
        ModelFailure: there is none; passing troubles were tried again.
    """

    def request() -> dict[str, object]:
        return {**_base_request(model), "messages": messages, "tools": tools, "temperature": temperature, _NO_MCP: True}

    return _patiently(model, request, lambda _, response: _document_of(response))


def _patiently(
    model: Model, request: Callable[[], dict[str, object]], read: Callable[[_Litellm, object], T]
) -> tuple[T, int]:
    """What is read of the answer, and how many attempts it took."""
    pause, until = model.pause_seconds, 0.0
    for attempt in count(1):
        try:
            return _once(model, request(), read), attempt
        except ModelFailure as failure:
            now = time.monotonic()
            until = until or now + model.patience_seconds
            if failure.reason not in _TRANSIENT or now >= until or now + (failure.retry_after or 0) > until:
                raise _after_all(failure, attempt, model) from failure
            if attempt == 1:
                _LOG.warning("%s is asked again for %g seconds: %s", model.name, model.patience_seconds, failure)
            time.sleep(min(max(pause, failure.retry_after or 0), until - now))
            pause = min(2 * pause, _LONGEST_PAUSE)
    raise AssertionError("unreachable")


def _after_all(failure: ModelFailure, attempts: int, model: Model) -> ModelFailure:
    """The failure, with what was tried and why not more."""
    if failure.reason not in _TRANSIENT:
        return failure
    times = "once" if attempts == 1 else f"{attempts} times"
    tried = f"asked {times}, with a patience of {model.patience_seconds:g} seconds"
    asked = f"; the endpoint wants {failure.retry_after:g} seconds to pass" if failure.retry_after else ""
    return ModelFailure(failure.reason, f"{failure.told} ({tried}{asked})", failure.retry_after)


def _once(model: Model, request: dict[str, object], read: Callable[[_Litellm, object], T]) -> T:
    """One attempt, in a thread that is given up at the deadline: an endpoint that trickles never times out by itself."""
    litellm = _litellm()
    answers: Queue[T | ModelFailure] = Queue()

    def work() -> None:
        try:
            answers.put(read(litellm, litellm.completion(**request)))
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


def _base_request(model: Model) -> dict[str, object]:
    """What every request to a model has."""
    key = os.environ.get(model.api_key_env, "") if model.api_key_env else _NO_KEY
    if not key:
        raise ModelFailure("refused", f"expected a key in the environment variable {model.api_key_env}, found none")
    request: dict[str, object] = {
        "model": model.name,
        "timeout": model.timeout_seconds,
        "max_retries": 0,
        "num_retries": 0,
        "api_key": key,
    }
    return {**request, "api_base": model.base_url} if model.base_url else request


def _question_request(question: Question) -> dict[str, object]:
    return {
        **_base_request(question.model),
        "messages": [{"role": message.role, "content": message.content} for message in question.prompt.messages],
        "temperature": question.prompt.temperature,
        "max_tokens": question.model.longest_tokens,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": question.schema, "strict": True},
        },
    }


def _litellm() -> _Litellm:
    with _IMPORTING:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its own dependencies, at import
            try:
                module = import_module("litellm")
            except ImportError as error:
                raise ModelFailure(
                    "uninstalled", f"asking a model needs litellm: pip install 'brownout[llm]' ({error})"
                ) from error
        module.suppress_debug_info = True  # type: ignore[attr-defined]
        module.telemetry = False  # type: ignore[attr-defined]
    return cast("_Litellm", module)


def _document_of(response: object) -> JsonObject:
    """The answer as plain values, with a message in it."""
    document = response.model_dump(mode="json", exclude_none=True) if isinstance(response, BaseModel) else None
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not choices or not isinstance(choices[0].get("message"), dict):
        raise ModelFailure("malformed", f"the endpoint's answer holds no message: {str(response)[:200]!r}")
    return document


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


def _usage_of(litellm: _Litellm, name: str, response: object) -> Usage | None:
    """What the answer took; the price is None where litellm's list does not have the model."""
    counted = getattr(response, "usage", None)
    tokens = [getattr(counted, word, None) for word in ("prompt_tokens", "completion_tokens")]
    if not all(isinstance(count, int) for count in tokens):
        return None
    try:
        cost: float | None = litellm.completion_cost(completion_response=response, model=name)
    except Exception:  # litellm raises what it likes for a model that has no price
        cost = None
    return Usage(int(tokens[0] or 0), int(tokens[1] or 0), cost)


_KINDS: Final[tuple[tuple[str, FailureReason], ...]] = (
    ("Timeout", "timeout"),
    ("APITimeoutError", "timeout"),
    ("RateLimitError", "rate_limited"),
    ("ServiceUnavailableError", "server"),
    ("BadGatewayError", "server"),
    ("APIResponseValidationError", "malformed"),
    ("JSONDecodeError", "malformed"),
    ("ContextWindowExceededError", "context"),
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
    retry_after: float | None = None
    link: BaseException | None = error
    while link is not None and len(names) < 100:
        names |= {kind.__name__ for kind in type(link).__mro__}
        if getattr(link, "code", None) == "context_length_exceeded":  # litellm knows only the words of some endpoints
            names.add("ContextWindowExceededError")
        retry_after = retry_after if retry_after is not None else _retry_after(link)
        link = link.__cause__ or link.__context__
    message = f"{type(error).__name__}: {str(error).partition(chr(10))[0][:500]}"  # litellm puts a traceback below
    if "invalid response from LLM endpoint" in message:
        return ModelFailure("malformed", message)
    return ModelFailure(next((reason for name, reason in _KINDS if name in names), "server"), message, retry_after)


def _retry_after(error: BaseException) -> float | None:
    """The seconds that an answer wants to pass (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after: a number or a date)."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    told = str(headers.get("retry-after") or "").strip() if headers is not None else ""
    try:
        if told.isascii() and told.replace(".", "", 1).isdigit():
            return float(told)
        return max(0.0, (parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):  # none, or one that nobody can read
        return None
