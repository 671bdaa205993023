"""The classifier two-sample test: how well small trees tell the rows of two tables apart, as an area under the ROC curve.

0.5 is a coin's, 1 is never wrong. Gradient-boosted trees of depth 3 on quantile bins, five folds, each row judged by trees that
never saw it; the larger table is thinned to the smaller one's size. Plain Python, the same figure on every machine.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import exp

__all__ = ["separability"]

ROUNDS, DEPTH, BINS, FOLDS = 60, 3, 32, 5
RATE, SHRINK, SMALLEST = 0.1, 1.0, 20
"""Learning rate, the leaves' ridge, and the fewest rows of a leaf."""

Row = Sequence[float]


def separability(one: Sequence[Row], other: Sequence[Row]) -> float:
    """The area under the ROC curve of a classifier that is to tell the tables' rows apart."""
    size = min(len(one), len(other))
    rows = [*_thinned(one, size, "one"), *_thinned(other, size, "other")]
    labels = [0] * size + [1] * size
    columns = [_binned([row[column] for row in rows]) for column in range(len(rows[0]))]
    folds = [place % FOLDS for place in range(size)] * 2
    scores = [0.0] * len(rows)
    for fold in range(FOLDS):
        learn = [place for place, part in enumerate(folds) if part != fold]
        test = [place for place, part in enumerate(folds) if part == fold]
        for tree in _boosted(columns, labels, learn):
            for place in test:
                scores[place] += tree.value(columns, place)
    return _area(scores, labels)


def _thinned(rows: Sequence[Row], size: int, salt: str) -> list[Row]:
    """So many of the rows, in an order that has nothing to do with them."""
    order = sorted(range(len(rows)), key=lambda place: blake2b(f"{salt}/{place}".encode(), digest_size=8).digest())
    return [rows[place] for place in order[:size]]


def _binned(values: list[float]) -> list[int]:
    ordered = sorted(values)
    edges = sorted({ordered[len(ordered) * step // BINS] for step in range(1, BINS)})
    return [bisect_left(edges, value) for value in values]


@dataclass(frozen=True, slots=True)
class _Tree:
    """A node: rows of its column below or at the bin go left; a leaf has no sides."""

    leaf: float
    column: int = 0
    bin: int = 0
    left: "_Tree | None" = None
    right: "_Tree | None" = None

    def value(self, columns: list[list[int]], place: int) -> float:
        node = self
        while node.left is not None and node.right is not None:
            node = node.left if columns[node.column][place] <= node.bin else node.right
        return node.leaf


def _boosted(columns: list[list[int]], labels: list[int], learn: list[int]) -> list[_Tree]:
    margin, trees = [0.0] * len(labels), []
    for _ in range(ROUNDS):
        slope, bend = [0.0] * len(labels), [0.0] * len(labels)
        for place in learn:
            chance = 1 / (1 + exp(-margin[place]))
            slope[place], bend[place] = labels[place] - chance, chance * (1 - chance)
        tree = _grown(columns, slope, bend, learn, DEPTH)
        trees.append(tree)
        for place in learn:
            margin[place] += tree.value(columns, place)
    return trees


def _grown(columns: list[list[int]], slope: list[float], bend: list[float], places: list[int], depth: int) -> _Tree:
    total, curve = sum(slope[place] for place in places), sum(bend[place] for place in places)
    leaf = _Tree(RATE * total / (curve + SHRINK))
    if depth == 0 or len(places) < 2 * SMALLEST:
        return leaf
    best, where = total * total / (curve + SHRINK) + 1e-9, None
    for number, column in enumerate(columns):
        slopes, bends, counts = [0.0] * (BINS + 1), [0.0] * (BINS + 1), [0] * (BINS + 1)
        for place in places:
            found = column[place]
            slopes[found] += slope[place]
            bends[found] += bend[place]
            counts[found] += 1
        s, b, n = 0.0, 0.0, 0
        for step in range(BINS):
            s, b, n = s + slopes[step], b + bends[step], n + counts[step]
            if SMALLEST <= n <= len(places) - SMALLEST:
                gain = s * s / (b + SHRINK) + (total - s) ** 2 / (curve - b + SHRINK)
                if gain > best:
                    best, where = gain, (number, step)
    if where is None:
        return leaf
    chosen, edge = where
    left = [place for place in places if columns[chosen][place] <= edge]
    right = [place for place in places if columns[chosen][place] > edge]
    grown = [_grown(columns, slope, bend, side, depth - 1) for side in (left, right)]
    return _Tree(leaf.leaf, chosen, edge, *grown)


def _area(scores: list[float], labels: list[int]) -> float:
    """How often a row of the second table has the higher score than one of the first; ties are half."""
    order = sorted(range(len(scores)), key=lambda place: scores[place])
    ranks, start = 0.0, 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        ranks += (start + 1 + end) / 2 * sum(labels[place] for place in order[start:end])
        start = end
    positives = sum(labels)
    return (ranks - positives * (positives + 1) / 2) / (positives * (len(labels) - positives))
