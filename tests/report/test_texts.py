import pytest

from generators.report.text_variety import (
    distinct,
    exact_duplicates,
    hapax,
    heaps,
    near_duplicates,
    skeleton,
    skeletons,
    tokens,
    xz_ratio,
)


def test_words_are_without_case_and_marks() -> None:
    assert tokens("Don't push, it's RED!") == ["don't", "push", "it's", "red"]


def test_the_same_again_compresses() -> None:
    assert xz_ratio(["the release goes out on Monday"] * 500) > 50
    assert xz_ratio([f"{number * 7_919:x}" for number in range(500)]) < 5


def test_a_vocabulary_that_never_ends_grows_in_step() -> None:
    assert heaps([f"word{number}" for number in range(5_000)]) == pytest.approx(1)
    assert heaps(["yes"] * 5_000) == pytest.approx(0)


def test_words_that_occur_once_and_runs_that_differ_are_counted() -> None:
    assert hapax(["a b b"]) == 0.5
    assert distinct(["a b a b a"], 2) == 0.5


def test_only_composed_texts_are_duplicates() -> None:
    long = "one two three four five six"

    assert exact_duplicates([long, "yes", "yes", long.upper(), "one two  three four five six"]) == [3, 4]


def test_near_duplicates_share_six_tenths_of_their_words() -> None:
    texts = [
        "the import for the north site failed again",
        "the import for the south site failed again",
        "somebody moved my desk over the weekend, why",
        "yes",
    ]

    assert near_duplicates(texts) == {0: 1, 1: 0}


def test_near_duplicates_are_all_found() -> None:
    """The index leaves out nothing that comparing every pair finds."""
    words = ["ash", "bay", "cod", "dew", "elm", "fig", "gum", "hop", "ivy", "jay"]
    texts = [" ".join(words[(n * k) % 10] for k in range(1, 7)) + f" {words[n % 7]} {words[n % 3]}" for n in range(60)]
    sets = [set(tokens(text)) for text in texts]
    alike = {
        place
        for place, one in enumerate(sets)
        if any(place != other and len(one & two) >= 0.6 * len(one | two) for other, two in enumerate(sets))
    }

    assert set(near_duplicates(texts)) == alike


def test_a_skeleton_hides_names_and_numbers() -> None:
    assert skeleton("Moved BOX-41 to `main` for Ann") == skeleton("Moved BOX-7 to `dev` for Bob")
    value, again = skeletons(["Build 12 of shop failed on main again", "Build 13 of shop failed on main again", "no"])

    assert value == 1
    assert [place for place, _ in again] == [0, 1]
