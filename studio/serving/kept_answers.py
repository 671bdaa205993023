"""Answers that were given, for whoever asks the same: what was not asked for longest goes first."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

__all__ = ["KeptAnswers"]

K = TypeVar("K", bound=Hashable)


class KeptAnswers(Generic[K]):
    """Answers by what was asked.

    Args:
        most: bytes of all answers together.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._answers: OrderedDict[K, bytes] = OrderedDict()

    def find(self, key: K) -> bytes | None:
        """The answer, None where it is not known."""
        found = self._answers.get(key)
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def keep(self, key: K, answer: bytes) -> None:
        """Keep an answer."""
        self._held += len(answer) - len(self._answers.get(key, b""))
        self._answers[key] = answer
        self._answers.move_to_end(key)
        while self._held > self._most:
            self._held -= len(self._answers.popitem(last=False)[1])
