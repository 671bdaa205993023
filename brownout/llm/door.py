"""Answers from a recording where there is one, else from the model, which is then recorded."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from brownout.core.grading import Completion, Message
from brownout.core.values import JsonObject
from brownout.llm.cassette import HAND, Cassette, Recorded, prompt_key
from brownout.llm.client import ask
from brownout.llm.settings import JudgeSettings, Model
from brownout.llm.trouble import ModelFailure

__all__ = ["Door", "open_door"]

T = TypeVar("T", bound=BaseModel)
Asking: TypeAlias = Callable[[Model, Sequence[Message], JsonObject], str]
"""Sends messages to a model, with the JSON schema of the answer, and returns the answer's text."""


class Door:
    """A model and its recording; open one for each grade or episode, so that occurrences count from 0."""

    def __init__(self, model: Model | None, cassette: Cassette, ask: Asking = ask) -> None:
        """Open it.

        Args:
            ask: how the model is asked; a `Relay` leaves it to others.
        """
        self._model = model
        self._ask = ask
        self._cassette = cassette
        self._asked: Counter[str] = Counter()

    def complete(self, messages: Sequence[Message], shape: type[T]) -> Completion[T]:
        """The answer in the shape asked for.

        Raises:
            ModelFailure: there is none; its reason says why.
            Asked: through a relay; complete again when it has the answer.
        """
        schema: JsonObject = shape.model_json_schema()
        by_hand = prompt_key(HAND, messages, schema)
        occurrence = self._asked[by_hand]
        answer = self._answer(messages, schema, shape, by_hand, occurrence)
        self._asked[by_hand] += 1
        return answer

    def _answer(
        self, messages: Sequence[Message], schema: JsonObject, shape: type[T], by_hand: str, occurrence: int
    ) -> Completion[T]:
        for name in self._names():
            found = self._cassette.find(prompt_key(name, messages, schema), occurrence)
            if found is not None:
                by: Literal["recorded", "hand"] = "hand" if found.by == "hand" else "recorded"
                return Completion(_shaped(json.dumps(found.answer), shape), by, found.model or name)
        if self._model is None:
            where = f"{self._cassette.path} has" if self._cassette.path else "no recording is given that has"
            raise ModelFailure(
                "unavailable",
                f"no model is configured, and {where} {'no' if self._cassette.path else 'an'} answer to this; "
                f"configure one, or write the answer by hand under the key {by_hand}, occurrence {occurrence}",
            )
        value = _shaped(self._ask(self._model, messages, schema), shape)
        self._keep(self._model.name, messages, schema, occurrence, value)
        return Completion(value, "model", self._model.name)

    def _names(self) -> list[str]:
        """The models whose recorded answers count: the configured one, or whichever there are; then what people wrote."""
        return [self._model.name, HAND] if self._model else [*self._cassette.models, HAND]

    def _keep(
        self, name: str, messages: Sequence[Message], schema: JsonObject, occurrence: int, value: BaseModel
    ) -> None:
        asked: list[JsonObject] = [{"role": message.role, "content": message.content} for message in messages]
        key = prompt_key(name, messages, schema)
        answer = value.model_dump(mode="json")
        self._cassette.add(Recorded(key=key, occurrence=occurrence, model=name, answer=answer, messages=asked))


def open_door(settings: JudgeSettings, ask: Asking = ask) -> Door:
    """The door that the settings describe.

    Args:
        ask: how its model is asked.

    Raises:
        ModelFailure: the recording cannot be read.
    """
    return Door(settings.model, Cassette(settings.cassette, settings.given), ask)


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
