"""Small statistics on plain lists; nothing here knows what the numbers are of."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import log, sqrt

__all__ = [
    "burstiness",
    "clustering",
    "correlation",
    "deviation",
    "gini",
    "log_distance",
    "mean",
    "quantile",
    "reciprocity",
    "share",
    "top_share",
]


def quantile(values: Sequence[float], percent: float) -> float:
    """The value below which `percent` of the values lie, between two of them by straight line: of 1, 2, 4 at 50 it is 2."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean."""
    return sum(values) / len(values)


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of the values themselves (divided by their number)."""
    middle = mean(values)
    return sqrt(sum((value - middle) ** 2 for value in values) / len(values))


def share(flags: Iterable[float]) -> float:
    """Which part is true; 0 of nothing."""
    found = [*flags]
    return sum(found) / len(found) if found else 0.0


def gini(counts: Sequence[float]) -> float:
    """How unequal counts are: 0 where all are the same, nearly 1 where one has everything."""
    ordered, total = sorted(counts), sum(counts)
    if not total:
        return 0.0
    weighted = sum(place * count for place, count in enumerate(ordered, 1))
    return 2 * weighted / (len(ordered) * total) - (len(ordered) + 1) / len(ordered)


def top_share(counts: Sequence[float], percent: float = 10) -> float:
    """What part of the whole the largest `percent` of them have, at least one."""
    ordered = sorted(counts, reverse=True)
    return sum(ordered[: max(1, round(len(ordered) * percent / 100))]) / sum(ordered)


def burstiness(moments: Sequence[float]) -> float:
    """(sd - mean) / (sd + mean) of the gaps between moments in order: 0 for a Poisson process, 1 for bursts alone."""
    gaps = [after - before for before, after in pairwise(moments)]
    spread, middle = deviation(gaps), mean(gaps)
    return (spread - middle) / (spread + middle) if spread + middle else 0.0


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Pearson's correlation; 0 where one of the two never changes."""
    a, b = mean(one), mean(other)
    top = sum((x - a) * (y - b) for x, y in zip(one, other, strict=True))
    bottom = deviation(one) * deviation(other) * len(one)
    return top / bottom if bottom else 0.0


def reciprocity(edges: Mapping[tuple[Hashable, Hashable], int]) -> float:
    """Which part of the directed edges has one back; an edge to oneself is none."""
    found = {edge for edge in edges if edge[0] != edge[1]}
    return sum((b, a) in found for a, b in found) / len(found) if found else 0.0


def clustering(edges: Mapping[tuple[Hashable, Hashable], int]) -> float:
    """How often two that know a third know each other: the mean over all with two acquaintances or more."""
    near: dict[Hashable, set[Hashable]] = {}
    for a, b in edges:
        if a != b:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    found = []
    for known in near.values():
        if len(known) > 1:
            pairs = sum(len(near[one] & known) for one in known)
            found.append(pairs / (len(known) * (len(known) - 1)))
    return mean(found) if found else 0.0


def log_distance(value: float, low: float, high: float) -> float:
    """How far a value is outside a band, as a natural logarithm: 0 inside, 0.69 for twice the upper edge.

    Bands and values that are not positive are compared by the band's width instead.
    """
    if low <= value <= high:
        return 0.0
    edge = low if value < low else high
    if value > 0 and edge > 0:
        return abs(log(value / edge))
    return abs(value - edge) / ((high - low) or abs(edge) or 1.0)
