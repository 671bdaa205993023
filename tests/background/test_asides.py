"""What is said in a script only sometimes: by somebody more where one is wanted, and by the same people where more messages are."""

from pathlib import Path

import pytest

from brownout.background.dealer import Dealer
from brownout.background.dialogues import Dialogues, Wanted
from brownout.background.scripts import ways_of, without_asides
from brownout.core.errors import AuthoringError
from generators.background.pack_files import read_dialogues

SCRIPT = "A: is it up?\nA?: the new one\nB: no\nC?: not here either\nB?: {c} since when\nB: red since nine\nD?: same\nA: ok\n"


def test_a_script_is_held_by_the_fewest_people_and_by_one_more_each() -> None:
    two, three, four = ways_of("all", 0, SCRIPT)

    assert [way.people for way in (two, three, four)] == [2, 3, 4]
    assert two.texts == ("is it up?", "no", "red since nine", "ok")
    assert three.texts == ("is it up?", "no", "not here either", "{c} since when", "red since nine", "ok")
    assert four.speakers == (0, 1, 2, 1, 1, 3, 0)
    assert [len(way.parts) for way in (two, three, four)] == [2, 3, 4]


def test_an_aside_of_the_same_people_is_said_where_there_is_room_for_it() -> None:
    two = ways_of("all", 0, SCRIPT)[0]

    assert (two.fewest, two.most) == (3, 5)
    assert two.in_messages(4, 1).texts == two.texts
    assert two.in_messages(5, 1).texts == ("is it up?", "the new one", "no", "red since nine", "ok")
    assert two.in_messages(3, 1).texts == ("is it up?", "no\nred since nine", "ok")
    assert two.all_texts == two.in_messages(9, 1).texts


def test_lines_of_an_aside_are_said_together_or_not_at_all() -> None:
    only = ways_of("all", 0, "A: one\nB?: two\nA?: three\nB: four\nA?: five\n")[0]

    assert only.in_messages(2, 1).texts == ("one", "four")
    assert {only.in_messages(3, bits).texts for bits in range(30)} == {("one", "four", "five")}
    assert {only.in_messages(4, bits).texts for bits in range(30)} == {
        ("one", "two", "three", "four"),
        ("one", "four", "five"),
    }


@pytest.mark.parametrize(
    "script",
    [
        "A?: one\nB: two",  # nothing begins it
        "A: one\nB?: two\nC: three",  # who may be missing is not last
        "A: one\nC?: two\nB: three",  # not in the order in which they first speak
        "A: one\nB?: two\nC?: three\nA: four",  # without C, B says nothing
        "(new B)\nA: one\nB?: two",  # who is new may be missing
    ],
)
def test_asides_that_cannot_be_left_out_are_refused(script: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        ways_of("all", 0, script)


def test_a_script_is_dealt_once_in_the_way_that_as_many_people_hold_it() -> None:
    dealt = Dialogues(1, {"all": (SCRIPT,)}).dealt(Dealer(1, 20_000, 20_000, 20_001))

    def held(*conversations: tuple[int, ...]) -> list[tuple[int, ...]]:
        wanted = [Wanted(str(number), 7, ("all",), speakers) for number, speakers in enumerate(conversations)]
        return [one.speakers for one in dealt.among(wanted).values()]

    assert held((0, 1, 0, 1)) == [(0, 1, 1, 0)]
    assert held((0, 1, 2, 0, 1, 1)) == [(0, 1, 2, 1, 1, 0)]
    assert held((0, 1, 2, 3, 0, 1, 2), (0, 1, 1, 0)) == [(0, 1, 2, 1, 1, 3, 0)]


def test_every_shipped_script_can_be_held_without_its_asides() -> None:
    for area, scripts in read_dialogues().items():
        for number, script in enumerate(scripts):
            [way] = ways_of(area, number, without_asides(script))
            assert not way.asides
            assert way.texts == ways_of(area, number, script)[0].texts


def test_an_aside_names_only_who_speaks_with_it(tmp_path: Path) -> None:
    pack = tmp_path / "all.yaml"
    pack.write_text("area: general\ndialogues:\n  - |\n    A: ask {c}\n    B: ok\n    C?: ask me what?\n")
    with pytest.raises(AuthoringError, match="no slot 'c'"):
        read_dialogues(tmp_path)

    pack.write_text(
        "area: general\ndialogues:\n  - |\n    A: who knows?\n    B: not me\n    C?: me\n    A?: then {c} it is\n"
    )
    assert read_dialogues(tmp_path)
