"""Lets somebody else do the asking: questions leave the grader as an exception, and come back with their answers.

Whoever drives the grading decides where the model runs: here and now, in threads, or in a framework's own client.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from brownout.core.language_models import Prompt, Usage
from brownout.core.values import JsonObject
from brownout.llm.cassette import prompt_key
from brownout.llm.failures import ModelFailure
from brownout.llm.model_settings import Model

__all__ = ["Asking", "ModelAnswer", "Question", "QuestionRelay", "Questions", "QuestionsAsked", "together"]

T = TypeVar("T")
_AT_ONCE: Final = 8
"""Requests to an endpoint at a time; a grade has some dozens at most."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model said.

    Attributes:
        usage: None where nobody counted.
    """

    text: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is to answer.

    Attributes:
        schema: JSON schema of the answer.
    """

    model: Model
    prompt: Prompt
    schema: JsonObject

    @property
    def key(self) -> tuple[str, int]:
        """The digest by which its answer is known, and which of the answers to the same it is."""
        return prompt_key(self.model.name, self.prompt.messages, self.schema), self.prompt.repeat


Asking: TypeAlias = Callable[[Question], ModelAnswer]
"""Gives the model's answer, or raises `ModelFailure`."""


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions that may be asked at once. Calling it asks them through litellm, a few at a time.

    Who asks them in another way sends back as many answers, in their order; a `ModelFailure` in place of one that failed.
    """

    asked: tuple[Question, ...]
    ask: Asking

    def __call__(self) -> list[ModelAnswer | ModelFailure]:
        """The answers, in the order of the questions."""
        if len(self.asked) == 1:
            return [self._one(self.asked[0])]
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="brownout-questions") as pool:
            return list(pool.map(self._one, self.asked))

    def _one(self, question: Question) -> ModelAnswer | ModelFailure:
        try:
            return self.ask(question)
        except ModelFailure as failure:
            return failure


class QuestionsAsked(Exception):
    """Questions came up; do again what raised this when the relay has heard the answers."""

    def __init__(self, questions: Sequence[Question]) -> None:
        super().__init__(f"{len(questions)} questions")
        self.questions = tuple(questions)


def together(calls: Iterable[Callable[[], T]]) -> list[T]:
    """What the calls return. Where some ask a model, all their questions leave at once.

    Raises:
        QuestionsAsked: with the questions of all of them.
    """
    found: list[T] = []
    questions: dict[tuple[str, int], Question] = {}
    for call in calls:
        try:
            found.append(call())
        except QuestionsAsked as asked:
            questions |= {question.key: question for question in asked.questions}
    if questions:
        raise QuestionsAsked(tuple(questions.values()))
    return found


class QuestionRelay:
    """Answers what it has heard of, and raises what it has not."""

    def __init__(self) -> None:
        self._heard: dict[tuple[str, int], ModelAnswer | ModelFailure] = {}

    def hear(self, question: Question, answer: ModelAnswer | ModelFailure) -> None:
        """Take in an answer."""
        self._heard[question.key] = answer

    def __call__(self, question: Question) -> ModelAnswer:
        """The answer.

        Raises:
            QuestionsAsked: it was not heard yet.
            ModelFailure: the model gave none.
        """
        answer = self._heard.get(question.key)
        if answer is None:
            raise QuestionsAsked([question])
        if isinstance(answer, ModelFailure):
            raise answer
        return answer
