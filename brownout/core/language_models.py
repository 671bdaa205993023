"""What a language model is asked, and what it answered: plain values that name no library and no endpoint."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel

from brownout.core.values import JsonObject

__all__ = ["AnsweredBy", "Completion", "Message", "ModelClient", "ModelUse", "Prompt", "Usage", "uses_of"]

T = TypeVar("T", bound=BaseModel)
AnsweredBy: TypeAlias = Literal["model", "recorded", "hand"]
"""`model` where it was asked now, `recorded` where it had been asked before, `hand` where a person wrote the answer."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a language model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked once.

    Attributes:
        name: which of our prompts it is, with its version: `judge/1`. It stands in the grade.
        repeat: 0, and 1, 2 … where the same is asked again for another verdict.
        temperature: of the answer; 0 is the likeliest one.
    """

    name: str
    messages: tuple[Message, ...]
    repeat: int = 0
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers took, as the endpoint counted it.

    Attributes:
        cost_usd: by litellm's price list; None where it does not know the model.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None

    def __add__(self, other: "Usage") -> "Usage":
        known = [each.cost_usd for each in (self, other) if each.cost_usd is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            sum(known) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Completion(Generic[T]):
    """What a language model answered.

    Attributes:
        by: who answered.
        model: the name of the model that was meant.
        usage: what the answer took, when it was asked; None where a person wrote it or nobody counted.
    """

    value: T
    by: AnsweredBy
    model: str
    usage: Usage | None = None


class ModelClient(Protocol):
    """A language model, or what one said earlier."""

    def complete(self, prompt: Prompt, shape: type[T]) -> Completion[T]:
        """The answer in the shape asked for. The same prompt and repeat have one answer.

        Raises:
            ModelError: there is none, or it has another shape.
        """
        ...


@dataclass(frozen=True, slots=True)
class ModelUse:
    """The answers of one model to one of our prompts that a verdict rests on.

    Attributes:
        prompt: its name and version.
        answers: how many.
        usage: of those that were counted, together; None where none was.
    """

    prompt: str
    model: str
    by: AnsweredBy
    answers: int
    usage: Usage | None = None

    def document(self) -> JsonObject:
        """The use as JSON."""
        usage = self.usage
        return {
            "prompt": self.prompt,
            "model": self.model,
            "by": self.by,
            "answers": self.answers,
            "input_tokens": usage.input_tokens if usage else None,
            "output_tokens": usage.output_tokens if usage else None,
            "cost_usd": usage.cost_usd if usage else None,
        }


def uses_of(uses: Iterable[ModelUse]) -> tuple[ModelUse, ...]:
    """The uses with those of one prompt, model and kind of answer together, in order of first use."""
    found: dict[tuple[str, str, AnsweredBy], ModelUse] = {}
    for use in uses:
        key = (use.prompt, use.model, use.by)
        before = found.get(key)
        found[key] = use if before is None else _both(before, use)
    return tuple(found.values())


def _both(first: ModelUse, second: ModelUse) -> ModelUse:
    counted: Sequence[Usage] = [each.usage for each in (first, second) if each.usage is not None]
    usage = sum(counted[1:], counted[0]) if counted else None
    return ModelUse(first.prompt, first.model, first.by, first.answers + second.answers, usage)
