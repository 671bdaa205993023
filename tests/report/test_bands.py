import re

import pytest
from pydantic import ValidationError

from generators.report.report import judge
from generators.report.statistic import STATISTICS, Band, Measured, bands, patterns


def test_every_figure_has_a_band_and_every_band_a_figure() -> None:
    assert [*sorted(bands())] == [*sorted(STATISTICS)]


@pytest.mark.parametrize("name", bands())
def test_a_band_says_where_it_is_from(name: str) -> None:
    band = bands()[name]

    assert len(band.source) > 10
    assert band.mark in "MPU"
    assert band.band is None or not band.bands


@pytest.mark.parametrize("name", patterns())
def test_an_expression_can_be_read(name: str) -> None:
    re.compile(patterns()[name])


def test_a_band_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValidationError, match="ends before it begins"):
        Band(family="text", title="t", band=(2, 1), source="nobody at all", mark="U")


@pytest.mark.parametrize(
    ("value", "of", "verdict"),
    [
        (3, 50, "usual"),
        (4.8, 50, "near"),
        (9, 50, "unusual"),
        (3, 5, "too few"),
        (None, 0, "nothing"),
        (None, 4, "too few"),
    ],
)
def test_a_verdict_takes_a_band_and_enough_to_see(value: float | None, of: int, verdict: str) -> None:
    band = Band(family="text", title="t", band=(2, 4), needs=10, source="measured", mark="M")

    assert judge("t", band, Measured(value, of)).verdict == verdict


def test_a_band_by_size_says_nothing_of_other_sizes() -> None:
    band = Band(family="text", title="t", bands={1000: (2, 4)}, needs=10, source="measured", mark="M")

    assert judge("t", band, Measured(3, 1000)).verdict == "usual"
    assert judge("t", band, Measured(3, 2000)).verdict == "no band"
