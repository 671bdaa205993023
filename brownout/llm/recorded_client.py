"""Answers from a recording where there is one, else from the model, which is then recorded."""

import json
from collections.abc import Sequence
from typing import Literal, TypeVar, cast

from pydantic import BaseModel, ValidationError

from brownout.core.language_models import Completion, Message, Prompt
from brownout.core.values import JsonObject
from brownout.llm.cassette import HAND, Cassette, Recorded, prompt_key
from brownout.llm.client import ask
from brownout.llm.failures import ModelFailure
from brownout.llm.model_settings import JudgeSettings, Model
from brownout.llm.question_relay import Asking, Question

__all__ = ["RecordedClient", "open_client"]

T = TypeVar("T", bound=BaseModel)


class RecordedClient:
    """A model and its recording. What was answered once is not asked again."""

    def __init__(self, model: Model | None, cassette: Cassette, ask: Asking = ask) -> None:
        """Open it.

        Args:
            ask: how the model is asked; a `Relay` leaves it to others.
        """
        self._model = model
        self._ask = ask
        self._cassette = cassette
        self._answered: dict[tuple[str, int], Completion[BaseModel]] = {}

    def complete(self, prompt: Prompt, shape: type[T]) -> Completion[T]:
        """The answer in the shape asked for.

        Raises:
            ModelFailure: there is none; its reason says why.
            Asked: through a relay; complete again when it has the answer.
        """
        schema: JsonObject = shape.model_json_schema()
        by_hand = prompt_key(HAND, prompt.messages, schema)
        known = self._answered.get((by_hand, prompt.repeat))
        if known is None:
            known = self._recorded(prompt, schema, shape) or self._asked(prompt, schema, shape, by_hand)
            self._answered[by_hand, prompt.repeat] = known
        return cast("Completion[T]", known)

    def _recorded(self, prompt: Prompt, schema: JsonObject, shape: type[T]) -> Completion[T] | None:
        for name in self._names():
            found = self._cassette.find(prompt_key(name, prompt.messages, schema), prompt.repeat)
            if found is not None:
                by: Literal["recorded", "hand"] = "hand" if found.by == "hand" else "recorded"
                return Completion(_shaped(json.dumps(found.answer), shape), by, found.model or name, found.usage)
        return None

    def _asked(self, prompt: Prompt, schema: JsonObject, shape: type[T], by_hand: str) -> Completion[T]:
        if self._model is None:
            where = f"{self._cassette.path} has" if self._cassette.path else "no recording is given that has"
            raise ModelFailure(
                "unavailable",
                f"no model is configured, and {where} {'no' if self._cassette.path else 'an'} answer to this; "
                f"configure one, or write the answer by hand under the key {by_hand}, occurrence {prompt.repeat}",
            )
        answer = self._ask(Question(self._model, prompt, schema))
        value = _shaped(answer.text, shape)
        self._cassette.add(
            Recorded(
                key=prompt_key(self._model.name, prompt.messages, schema),
                occurrence=prompt.repeat,
                model=self._model.name,
                answer=value.model_dump(mode="json"),
                prompt=prompt.name,
                messages=_documents(prompt.messages),
                usage=answer.usage,
            )
        )
        return Completion(value, "model", self._model.name, answer.usage)

    def _names(self) -> list[str]:
        """The models whose recorded answers count: the configured one, or whichever there are; then what people wrote."""
        if self._model is None or self._model.name == HAND:
            return [*self._cassette.models, HAND]
        return [self._model.name, HAND]


def _documents(messages: Sequence[Message]) -> list[JsonObject]:
    return [{"role": message.role, "content": message.content} for message in messages]


def open_client(settings: JudgeSettings, ask: Asking = ask) -> RecordedClient:
    """The client that the settings describe.

    Args:
        ask: how its model is asked.

    Raises:
        ModelFailure: the recording cannot be read.
    """
    return RecordedClient(settings.model, Cassette(settings.cassette, settings.given), ask)


def _shaped(text: str, shape: type[T]) -> T:
    """The answer as a value: one JSON object, no key twice, no NaN, nothing missing, nothing more."""
    try:
        tree = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelFailure("malformed", f"expected one JSON object, found {text[:200]!r}: {error}") from error
    try:
        return shape.model_validate(tree)
    except ValidationError as error:
        why = error.errors()[0]
        place = ".".join(str(part) for part in why["loc"]) or "the answer"
        raise ModelFailure("schema", f"{place}: {why['msg']}; found {text[:200]!r}") from error


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
