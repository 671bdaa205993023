"""What a week begins: as many conversations as a company of that size has, the author's among them."""

from collections import Counter

from brownout.background.acquaintances import Acquaintances
from brownout.background.desk_hours import Desk
from brownout.background.life_sources import Life
from brownout.background.openings import Opening, Openings
from brownout.core.apps import Intent
from brownout.core.instants import HOUR
from generators.background.authored_talk import authored_talk
from generators.planned_intents import Planned
from tests.background.lives import FIRST, START, life_of_people

TOLD: dict[int, tuple[tuple[int, ...], ...]] = {FIRST: ((0, 1), (0, 1, 0, 1), (0, 1, 2, 0, 1)) * 4}


def _openings(life: Life) -> list[Opening]:
    desks = {person.name: Desk(life.seed, person) for person in life.people}
    week = Openings(life, desks, Acquaintances(life)).of_week(FIRST)
    assert len(week) == 7
    return [one for of_day in week for one in of_day]


def _left_out(told: dict[int, tuple[tuple[int, ...], ...]], volume: int) -> list[Opening]:
    life = life_of_people(60).model_copy(update={"volumes": {"people": volume}})
    all_of_them, rest = _openings(life), _openings(life.model_copy(update={"told": told}))
    kept = {one.key for one in rest}
    assert [one for one in all_of_them if one.key in kept] == rest
    return [one for one in all_of_them if one.key not in kept]


def test_for_each_conversation_of_the_author_one_about_as_long_is_not_begun() -> None:
    lengths = Counter(len(one.speakers) for one in _left_out(TOLD, 1000))

    assert lengths.total() == 12
    assert all(lengths[length] >= 3 for length in (2, 4, 5))


def test_the_authors_talk_counts_as_much_as_the_volume_is() -> None:
    assert 0 < len(_left_out({FIRST: TOLD[FIRST] * 4}, 250)) < 24
    assert _left_out(TOLD, 0) == []


def test_another_weeks_talk_and_what_nothing_is_about_as_long_as_leave_all_begun() -> None:
    assert _left_out({FIRST + 7: TOLD[FIRST]}, 1000) == []
    assert _left_out({FIRST: ((0, 1) * 400,)}, 1000) == []


def test_the_authors_conversations_are_who_speaks_each_message_by_week() -> None:
    def said(key: str, who: str, hours: int, kind: str = "tell", via: str = "") -> Planned:
        return Planned(START + hours * HOUR, Intent(kind, key, who, via=via))  # type: ignore[arg-type]

    story = [
        said("line/talk/2", "ada", 11),
        said("line/talk/1", "ben", 10),
        said("line/talk/3", "ben", 12, via="chat"),
        said("line/alone", "ada", 24),
        said("line/next/1", "ada", 24 * 7 + 9),
        said("line/mail", "ada", 9, via="post"),
        said("line/ticket", "ada", 9, kind="open"),
        said("line/alert", "robot", 9),
    ]

    found = authored_talk(story, "chat", {"ada", "ben"}, "Europe/Berlin")
    assert found == {FIRST: ((0, 1, 0), (0,)), FIRST + 7: ((0,),)}
    assert authored_talk([], "chat", {"ada"}, "Europe/Berlin") == {}
