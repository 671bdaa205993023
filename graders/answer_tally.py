"""Counts the model's answers that each verdict of a grade rests on, so that no grader has to."""

from typing import TypeVar

from pydantic import BaseModel

from brownout.core.errors import GradingError
from brownout.core.language_models import Completion, ModelClient, ModelUse, Prompt, uses_of

__all__ = ["Tally"]

T = TypeVar("T", bound=BaseModel)


class Tally:
    """A model's client that keeps count. What one answer took is counted where it is used first."""

    def __init__(self, client: ModelClient | None) -> None:
        self._door = client
        self._seen: dict[int, tuple[Prompt, Completion[BaseModel]]] = {}
        self._counted: dict[int, tuple[Prompt, Completion[BaseModel]]] = {}

    def begin(self) -> None:
        """Begin a verdict."""
        self._seen = {}

    def complete(self, prompt: Prompt, shape: type[T]) -> Completion[T]:
        """The client's answer.

        Raises:
            ModelError: as the client raises it.
        """
        if self._door is None:
            raise GradingError("there is no model to ask", "model_unavailable")
        found = self._door.complete(prompt, shape)
        self._seen[id(found)] = (prompt, found)  # type: ignore[assignment]
        return found

    def end(self) -> tuple[ModelUse, ...]:
        """What the verdict rests on."""
        uses = uses_of(
            ModelUse(prompt.name, found.model, found.by, 1, None if key in self._counted else found.usage)
            for key, (prompt, found) in self._seen.items()
        )
        self._counted |= self._seen
        return uses
