"""Krippendorff's alpha on the examples that were published with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brownout.annotations import krippendorff_alpha

# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), examples A, B and C.
BINARY = ["0100000010", "1110010000"]
NOMINAL = ["aabbdcccedda", "babbbccceddd"]
A = [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None]
B = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3]
C = [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None]
D = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]
MISSING = [[value for value in unit if value is not None] for unit in zip(A, B, C, D, strict=True)]


def test_two_coders_and_two_values() -> None:
    alpha = krippendorff_alpha([*zip(*BINARY, strict=True)])

    assert alpha == pytest.approx(0.095, abs=0.0005)


def test_two_coders_and_many_names() -> None:
    assert krippendorff_alpha([*zip(*NOMINAL, strict=True)]) == pytest.approx(0.692, abs=0.0005)


@pytest.mark.parametrize(("metric", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_four_coders_with_missing_values(metric: str, expected: float) -> None:
    assert krippendorff_alpha(MISSING, metric) == pytest.approx(expected, abs=0.0005)  # type: ignore[arg-type]


@pytest.mark.parametrize("units", [[], [["a"]], [["a"], ["b"]], [["a", "a"], ["a", "a"]]])
def test_nothing_is_said_where_there_is_nothing_to_compare(units: list[list[str]]) -> None:
    assert krippendorff_alpha(units) is None


units_of = st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=12)


@given(units_of)
def test_full_agreement_is_one_and_nothing_is_more(units: list[list[int]]) -> None:
    alpha = krippendorff_alpha(units)
    alike = krippendorff_alpha([[unit[0]] * len(unit) for unit in units if unit])

    assert alpha is None or alpha <= 1 + 1e-12
    assert alike is None or alike == pytest.approx(1)


@given(units_of)
def test_neither_the_order_of_coders_nor_of_units_matters(units: list[list[int]]) -> None:
    turned = [unit[::-1] for unit in units[::-1]]
    first, second = krippendorff_alpha(units), krippendorff_alpha(turned)

    assert first == second if first is None or second is None else first == pytest.approx(second)
