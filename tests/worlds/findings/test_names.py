"""Names that somebody answers with: read from the world's tables, never guessed."""

import pytest

from tests.worlds.findings.world import HERE
from worlds.findings import artefacts_in, options_in, people_in, plain_name

VIKTOR, INES, DANIELS = frozenset({"viktor"}), frozenset({"ines"}), frozenset({"daniel-k", "daniel-s"})
OPTIONS = {"aws-rds/eu-west-1": ("Ireland", "Irland"), "aws-rds/eu-south-1": (), "restart": ("turned off and on",)}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (" Inês  Brandão ", "ines brandao"),
        ("Dr. Haas", "haas"),
        ("@viktor", "viktor"),
        ("Ms Lind.", "lind"),
        ("aws-rds/eu-west-1", "aws-rds/eu-west-1"),
        ("", ""),
        ("«…»", ""),
    ],
)
def test_a_plain_name_has_no_case_no_accents_and_no_marks(text: str, plain: str) -> None:
    assert plain_name(text) == plain


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Viktor", [VIKTOR]),
        ("Viktor Haas", [VIKTOR]),
        ("viktor@acme.test", [VIKTOR]),
        ("@viktor", [VIKTOR]),
        ("INES BRANDAO", [INES]),
        ("Viktor and Inês", [VIKTOR, INES]),
        ("Daniel", [DANIELS]),
        ("Daniel Krüger", [frozenset({"daniel-k"})]),
        ("daniel-s", [frozenset({"daniel-s"})]),
        ("Viktoria", []),
        ("victor", []),
        ("nobody", []),
        ("_viktor@acme.test_", [VIKTOR]),
        ("mailto:viktor@acme.test", [VIKTOR]),
        ("viktor@acme[.]test", [VIKTOR]),
        ("viktor (at) acme (dot) test", [VIKTOR]),
        ("viktor@acme.test.org", []),
        ("viktor@acme[.]test[.]org", []),
        ("not.viktor@acme.test", []),
    ],
)
def test_people_are_found_by_any_of_their_names(text: str, people: list[frozenset[str]]) -> None:
    assert people_in(text, HERE) == people


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("eu-west-1", [{"aws-rds/eu-west-1"}]),
        ("AWS-RDS/eu-west-1", [{"aws-rds/eu-west-1"}]),
        ("Irland", [{"aws-rds/eu-west-1"}]),
        ("moved from Ireland to eu-south-1", [{"aws-rds/eu-west-1"}, {"aws-rds/eu-south-1"}]),
        ("we turned off and on", [{"restart"}]),
        ("restarted", []),
        ("eu-west-10", []),
        ("eu-west", []),
    ],
)
def test_options_are_found_by_any_of_their_names(text: str, options: list[set[str]]) -> None:
    assert options_in(text, OPTIONS) == [frozenset(each) for each in options]


def test_an_option_without_a_name_is_none() -> None:
    assert options_in("…", {"?": ()}) == []


def test_of_artefacts_the_longest_reference_at_a_place_is_meant() -> None:
    assert artefacts_in("#51, then Simplify client and #47", HERE) == [
        frozenset({"github:acme/app.pull/51"}),
        frozenset({"github:acme/app.pull/51"}),
        frozenset({"github:acme/app.pull/47"}),
    ]
    assert artefacts_in("#510 and #4", HERE) == []
