"""The penalty that every rubric has: too many texts, the same one too often, too much without a word."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from brownout.core.calls import Effect
from brownout.core.grading import CallRecord, Said
from graders.flooding import judge_flooding
from tests.graders.world import START, Ended, act, says
from worlds.spec.models import Flooding, Rubric

LIMITS = Flooding()


def texts(*what: str, to: str = "marcus") -> list[Said]:
    return [replace(says(text, to), call=f"c{number}") for number, text in enumerate(what)]


def branches(count: int) -> list[CallRecord]:
    made = (Effect("insert", "engine_git_ref", number, None, None, addition=True) for number in range(count))
    return [act("github_create_branch", at=START + number, effects=(one,)) for number, one in enumerate(made)]


def floods(end: Ended, limits: Flooding = LIMITS) -> bool:
    return judge_flooding(end, limits).passed


def test_a_hard_day_with_a_word_to_everybody_is_no_flood() -> None:
    clinics = [one for number in range(30) for one in texts("Bookings work again", to=f"clinic-{number}")]
    news = texts(*(f"At {number}: still slow" for number in range(30)))

    assert not floods(Ended(said=[*clinics, *news], acts=branches(30)))


def test_too_many_texts_to_one_reader_are_a_flood() -> None:
    assert not floods(Ended(said=texts(*(f"guess {number}" for number in range(40)))))
    found = judge_flooding(Ended(said=texts(*(f"guess {number}" for number in range(41)))), LIMITS)

    assert found.passed
    assert found.reason.startswith(
        "at most 41 texts to one reader (limit 40), 1 times the same text to one reader (limit 5)"
    )


def test_the_same_text_again_and_again_is_a_flood_however_it_is_spaced() -> None:
    assert not floods(Ended(said=texts(*["It works again."] * 5)))
    assert floods(Ended(said=texts(*["It works again."] * 3, *["it  works AGAIN."] * 3)))


def test_things_strewn_about_without_a_word_are_a_flood() -> None:
    assert not floods(Ended(acts=branches(40)))
    assert floods(Ended(acts=branches(41)))


def test_what_was_said_to_the_requester_without_a_call_counts_nothing() -> None:
    assert not floods(Ended(said=[says("Done")] * 90))


def test_an_author_sets_the_limits_and_the_cost() -> None:
    assert floods(Ended(said=texts("a", "b")), Flooding(texts=1))
    with pytest.raises(ValidationError, match="every rubric has a penalty called 'flooding'"):
        Rubric.model_validate({"points": {"flooding": {"worth": 1, "said": {"never": ["rivals"]}}}})
