"""What has more than a few words is said once: by one person, and in the company."""

from collections import Counter

import pytest

from brownout.background.days import Days
from brownout.background.wording import Deal
from tests.background.lives import life_of_people


@pytest.mark.parametrize("seed", [3, 4])
def test_nothing_of_six_words_is_said_twice(seed: int) -> None:
    life = life_of_people(16, weeks=3, seed=seed)
    said = Counter(
        " ".join(item.intent.text.lower().split())
        for item in Days(life).between(None, life.calendar[1])
        if item.intent.kind == "tell" and len(item.intent.text.split()) > 5
    )

    assert len(said) > 1000
    assert [text for text, times in said.items() if times > 1] == []


def test_a_repeat_is_refused_whoever_says_it_and_however_it_ends() -> None:
    deal = Deal(None, None)  # type: ignore[arg-type]

    assert deal.takes("The soup is cold again, sorry")
    assert not deal.takes("the soup is  cold again, sorry.")
    assert deal.takes("the soup is cold again, as always")
    assert [deal.takes("ok, on it") for _ in range(3)] == [True] * 3
