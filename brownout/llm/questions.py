"""Lets somebody else do the asking: a question leaves the grader as an exception, and comes back with its answer.

Whoever drives the grading decides where the model runs: here and now, in a thread, or in a framework's own client.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from brownout.core.grading import Message
from brownout.core.values import JsonObject
from brownout.llm.cassette import prompt_key
from brownout.llm.client import ask
from brownout.llm.settings import Model
from brownout.llm.trouble import ModelFailure

__all__ = ["Asked", "Question", "Relay"]


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is to answer. Calling it asks the model through litellm.

    Attributes:
        schema: JSON schema of the answer.
    """

    model: Model
    messages: tuple[Message, ...]
    schema: JsonObject

    @property
    def key(self) -> str:
        """The digest by which its answer is known."""
        return prompt_key(self.model.name, self.messages, self.schema)

    def __call__(self) -> str:
        """The model's answer, a text.

        Raises:
            ModelFailure: it gave none.
        """
        return ask(self.model, self.messages, self.schema)


class Asked(Exception):
    """A question came up; do again what raised this when the relay has heard the answer."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.model.name)
        self.question = question


class Relay:
    """Answers what it has heard of, each answer once, and raises what it has not."""

    def __init__(self) -> None:
        self._heard: dict[str, str | ModelFailure] = {}

    def hear(self, question: Question, answer: str | ModelFailure) -> None:
        """Take in an answer."""
        self._heard[question.key] = answer

    def __call__(self, model: Model, messages: Sequence[Message], schema: JsonObject) -> str:
        """The answer.

        Raises:
            Asked: it was not heard yet.
            ModelFailure: the model gave none.
        """
        question = Question(model, tuple(messages), schema)
        answer = self._heard.pop(question.key, None)
        if answer is None:
            raise Asked(question)
        if isinstance(answer, ModelFailure):
            raise answer
        return answer
