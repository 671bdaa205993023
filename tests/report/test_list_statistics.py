from math import log

import pytest

from generators.report.list_statistics import (
    burstiness,
    clustering,
    correlation,
    gini,
    log_distance,
    quantile,
    reciprocity,
    share,
    top_share,
)


def test_a_quantile_lies_on_the_line_between_two_values() -> None:
    assert quantile([4, 1, 2], 50) == 2
    assert quantile([1, 2], 50) == 1.5
    assert quantile([7], 90) == 7


def test_a_share_is_of_what_is_true() -> None:
    assert share([True, False, True, True]) == 0.75
    assert share([]) == 0


def test_equal_counts_have_no_gini_and_one_who_has_all_nearly_one() -> None:
    assert gini([5, 5, 5, 5]) == pytest.approx(0)
    assert gini([0, 0, 0, 12]) == pytest.approx(0.75)
    assert gini([1, 2, 3]) == pytest.approx(2 / 9)


def test_the_top_tenth_is_one_at_least() -> None:
    assert top_share([6, 2, 2]) == 0.6


def test_even_gaps_are_the_opposite_of_bursts() -> None:
    assert burstiness([0, 10, 20, 30]) == -1
    assert burstiness([0, 1, 2, 3, 1_000, 1_001, 1_002, 1_003]) > 0.3


def test_a_correlation_follows_a_line() -> None:
    assert correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert correlation([1, 1, 1], [3, 2, 1]) == 0


def test_edges_that_come_back_are_reciprocal() -> None:
    assert reciprocity({("a", "b"): 1, ("b", "a"): 3, ("a", "c"): 1}) == pytest.approx(2 / 3)


def test_a_triangle_is_a_cluster_and_a_star_is_none() -> None:
    assert clustering({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1}) == 1
    assert clustering({("a", "b"): 1, ("a", "c"): 1, ("a", "d"): 1}) == 0


def test_a_distance_counts_from_the_nearer_edge() -> None:
    assert log_distance(3, 2, 4) == 0
    assert log_distance(8, 2, 4) == pytest.approx(log(2))
    assert log_distance(1, 2, 4) == pytest.approx(log(2))
    assert log_distance(0, 0.1, 0.3) == pytest.approx(0.5)
