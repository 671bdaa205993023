"""What evidence weighs: learned, whole numbers, the same on every machine.

`stance_weights.json` is written by `python -m benchmarks.stances` (`make train-readers`) from the texts in the repository, and by nobody's hand.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

__all__ = ["WEIGHTS", "StanceWeights", "stance_weights"]

WEIGHTS: Final = Path(__file__).with_name("stance_weights.json")


@dataclass(frozen=True, slots=True)
class StanceWeights:
    """A linear score over evidence.

    Attributes:
        known: the words that are told from each other.
        weights: in thousandths, by the evidence's name.
        bias: what is added to each sum.
        least: the score from which on a value is said.
    """

    known: frozenset[str]
    weights: Mapping[str, int]
    bias: int
    least: int

    def score(self, evidence: Iterable[str]) -> int:
        """How far the evidence stands for the value being said; from `least` on it is."""
        return self.bias + sum(self.weights.get(each, 0) for each in evidence)

    def against(self, evidence: Iterable[str]) -> str:
        """The evidence that weighs most against it, empty where none does."""
        found = min(((self.weights.get(each, 0), each) for each in evidence), default=(0, ""))
        return found[1] if found[0] < 0 else ""


@lru_cache(maxsize=1)
def stance_weights() -> StanceWeights:
    """What was learned last."""
    document = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return StanceWeights(frozenset(document["known"]), document["weights"], document["bias"], document["least"])
