"""Values that stand in a list of candidates."""

import re

import pytest

from worlds.facts.lists import listed_in


def listed(text: str, *, is_moment: bool = False) -> list[str]:
    places = [(hit.start(), hit.end(), hit[0]) for hit in re.finditer(r"\d+(?::\d\d)?", text)]
    return [places[number][2] for number in sorted(listed_in(text, places, is_moment=is_moment))]


@pytest.mark.parametrize(
    "text", ["5, 10 or 15", "10 to 15", "10/15", "- 5\n- 10\n- 15", "5 oder 10", "5, 10, 15", "5, talvez 10, e 15"]
)
def test_candidates_are_a_list(text: str) -> None:
    assert listed(text) == re.findall(r"\d+", text)


@pytest.mark.parametrize(
    "text", ["10 minutes, 15 of them paid", "from 15 to 10", "15 -> 10", "10, and 10 again", "10", "", "10: 15 seats"]
)
def test_values_of_several_things_are_none(text: str) -> None:
    assert listed(text) == []


def test_two_moments_are_a_stretch_and_three_a_list() -> None:
    assert listed("19:10 to 21:30", is_moment=True) == []
    assert listed("19:10–21:30", is_moment=True) == []
    assert listed("19:10 or 19:35", is_moment=True) == ["19:10", "19:35"]
    assert listed("19:10, 19:35, 20:00", is_moment=True) == ["19:10", "19:35", "20:00"]


def test_only_the_values_of_the_list_are_listed() -> None:
    assert listed("10 minutes; before that 5, 15 or 20") == ["5", "15", "20"]
