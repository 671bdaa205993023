"""Krippendorff's alpha: how far coders agree beyond chance, whatever their number, with values missing.

K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): 1 - observed / expected disagreement, over coincidences.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Literal, TypeAlias

__all__ = ["Metric", "krippendorff_alpha"]

Metric: TypeAlias = Literal["nominal", "ordinal", "interval"]
_Value: TypeAlias = str | int | float | bool


def krippendorff_alpha(units: Sequence[Sequence[_Value]], metric: Metric = "nominal") -> float | None:
    """The agreement: 1 where all agree, 0 where chance would do as well, below where they disagree systematically.

    Example: `krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"]])` is 0.4444.

    Args:
        units: for each unit the values that coders gave it, in any order; a missing one is left out. A unit with fewer than
            two says nothing of agreement.
        metric: `nominal` for names; `ordinal` and `interval` for numbers.

    Returns:
        None where nothing can be said: fewer than two comparable values, or all of them alike.
    """
    weights: dict[tuple[_Value, _Value], float] = {}
    for values in units:
        if len(values) > 1:
            for pair in permutations(values, 2):
                weights[pair] = weights.get(pair, 0.0) + 1 / (len(values) - 1)
    totals: dict[_Value, float] = {}
    for (value, _), weight in weights.items():
        totals[value] = totals.get(value, 0.0) + weight
    whole = sum(totals.values())
    if whole < 2 or len(totals) < 2:
        return None
    distance = _distance(metric, totals)
    observed = sum(weight * distance(*pair) for pair, weight in weights.items())
    expected = sum(a * b * distance(one, other) for one, a in totals.items() for other, b in totals.items())
    return 1 - (whole - 1) * observed / expected


def _distance(metric: Metric, totals: Mapping[_Value, float]) -> Callable[[_Value, _Value], float]:
    if metric == "nominal":
        return lambda one, other: float(one != other)
    if metric == "interval":
        return lambda one, other: (float(one) - float(other)) ** 2
    ranks = sorted(totals, key=float)

    def ordinal(one: _Value, other: _Value) -> float:
        low, high = sorted((ranks.index(one), ranks.index(other)))
        between = sum(totals[each] for each in ranks[low : high + 1])
        return float((between - (totals[one] + totals[other]) / 2) ** 2)

    return ordinal
