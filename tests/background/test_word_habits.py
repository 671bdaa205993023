"""Everybody has their own of the words that mean the same, and keeps to them."""

import pytest

from brownout.background.days import Days
from brownout.background.word_habits import habits_of, phrased
from generators.background.life import _manners
from tests.background.lives import life_of_people

SETS = (
    "somebody = someone",
    "don't, isn't > do not, is not | ! you, that | - why",
    "{n} minutes > {n} min",
    "only > just | + one",
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Somebody came", "Someone came"),
        ("someone came", "someone came"),
        ("don't go, it isn't late", "do not go, it is not late"),
        ("why don't we, don't you?", "why don't we, don't you?"),
        ("Why don't people say", "Why don't people say"),
        ("20 minutes, some minutes", "20 min, some minutes"),
        ("only one, only if", "just one, only if"),
        ('`somebody` said "somebody" in ```somebody```', '`somebody` said "somebody" in ```somebody```'),
        ("https://somebody.example/somebody", "https://somebody.example/somebody"),
        ("a somebody-else", "a somebody-else"),
    ],
)
def test_words_are_replaced_where_they_mean_the_same(text: str, told: str) -> None:
    assert phrased(text, (1,) * len(SETS), SETS) == told


def test_the_first_of_a_set_is_what_was_written() -> None:
    for text in ("Somebody came", "don't go, 20 minutes, only one"):
        assert phrased(text, (0,) * len(SETS), SETS) == text


def test_somebody_keeps_to_their_words_and_others_have_other_ones() -> None:
    sets = _manners()["alike"]
    habits = {habits_of(3, f"p{number}", sets) for number in range(20)}

    assert len(habits) == 20
    assert habits_of(3, "p1", sets) == habits_of(3, "p1", sets) != habits_of(4, "p1", sets)


def test_one_word_of_a_set_is_all_that_somebody_says() -> None:
    life = life_of_people(20, weeks=4)
    said: dict[str, set[str]] = {}
    for item in Days(life).between(None, life.calendar[1]):
        if item.intent.kind == "tell":
            words = {*item.intent.text.lower().replace('"', " ").split()}
            said.setdefault(item.intent.who, set()).update(words & {"perhaps", "maybe"})

    assert {frozenset(words) for words in said.values()} >= {frozenset({"maybe"}), frozenset({"perhaps"})}
    assert sum(len(words) == 2 for words in said.values()) <= len(said) // 4  # quoted, or within what is shown as code
