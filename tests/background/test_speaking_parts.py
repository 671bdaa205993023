"""Who says what is written whole: those whose work it is, of one place where it is about a place, and where others hear it."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from brownout.background.life_sources import Colleague, Life
from brownout.background.scripts import ways_of
from brownout.background.talks import DrawnTalk, Talks
from brownout.core.errors import AuthoringError
from generators.background.disciplines import Employed, callings
from generators.background.pack_files import read_dialogues, read_packs
from tests.background.lives import FIRST, LAST, life_of_people


def _held(
    script: str, area: str, *, people: int = 14, changed: Mapping[str, Mapping[str, object]] | None = None
) -> tuple[list[DrawnTalk], dict[str, Colleague]]:
    """The conversations that are this script in two weeks, and the people, some of them changed."""
    life: Life = life_of_people(people)
    everyone = tuple(one.model_copy(update=dict((changed or {}).get(one.name, {}))) for one in life.people)
    life = life.model_copy(update={"people": everyone, "dialogues": {area: (script,) * 300}})
    talks = Talks(life)
    held = [talk for day in range(FIRST, LAST) for talk in talks.opened(day) if talk.dialogue is not None]
    return held, {one.name: one for one in everyone}


def test_a_part_is_had_by_whoever_does_what_it_names() -> None:
    held, people = _held(
        "(A finance)\nA: the invoice?\nB: paid", "commercial",
        changed={
            "p02": {"area": "commercial", "does": ("finance",)},
            "p03": {"area": "commercial", "does": ("sales",)},
            "p05": {"area": "commercial", "does": ("sales",)},
        },
    )  # fmt: skip

    assert held
    assert {talk.people[0] for talk in held} == {"p02"}
    assert {people[talk.people[1]].area for talk in held} == {"commercial"}


@pytest.mark.parametrize("script", ["(by legal)\nA: the annex?\nB: signed", "(B legal)\nA: the annex?\nB: signed"])
def test_what_is_the_work_of_nobody_in_the_company_is_not_said(script: str) -> None:
    held, _ = _held(
        script, "commercial", changed={name: {"area": "commercial", "does": ("sales",)} for name in ("p02", "p03")}
    )

    assert held == []


def test_who_leads_the_company_only_says_what_names_their_work() -> None:
    heads = {name: {"area": "commercial", "does": ("management",), "leads": True} for name in ("p00", "p01", "p02")}
    errands, _ = _held("A: who takes the parcels down?\nB: me", "general", changed=heads)
    boards, _ = _held("(by management)\nA: the board?\nB: at ten", "commercial", changed=heads)

    assert errands
    assert all(heads.keys().isdisjoint(talk.people) for talk in errands)
    assert boards
    assert all(heads.keys() >= {*talk.people} for talk in boards)


def test_what_is_about_a_place_is_said_by_people_of_one_zone_and_in_rooms_of_the_companys_own() -> None:
    held, people = _held("(here)\nA: the lift is stuck\nB: again?", "general", people=24)
    zones = [{people[name].zone for name in talk.people} for talk in held]

    assert all(len(found) == 1 for found in zones)
    assert {zone for talk, found in zip(held, zones, strict=True) if talk.room for zone in found} == {"Europe/Berlin"}
    assert len({zone for found in zones for zone in found}) > 1


ALONE = {"p02": {"area": "people", "does": ("it",)}}
"""There is one person who does such work."""


def test_what_nobody_answers_is_told_to_all_in_the_room_by_the_only_one_who_does_such_work() -> None:
    held, _ = _held("(A it)\n(public)\nA: the printer is off at noon", "people", changed=ALONE)

    assert {talk.people[0] for talk in held} == {"p02"}
    assert {one.who for talk in held for one in talk.reactions} - {"p02"}


def test_what_nobody_could_be_told_in_private_takes_no_conversation_from_anybody() -> None:
    life = life_of_people(14)
    people = tuple(one.model_copy(update=dict(ALONE.get(one.name, {}))) for one in life.people)

    def opened(scripts: Mapping[str, tuple[str, ...]]) -> list[DrawnTalk]:
        talks = Talks(life.model_copy(update={"people": people, "dialogues": scripts}))
        return [talk for day in range(FIRST, LAST) for talk in talks.opened(day)]

    told = opened({"people": ("(A it)\n(private)\nA: the red line is mine",) * 300})
    assert len(told) == len(opened({}))
    assert not any(talk.dialogue for talk in told)


def test_what_more_than_two_are_asked_is_asked_in_a_room() -> None:
    held, _ = _held("(public)\nA: could everyone check?\nB: done", "general")

    assert held
    assert all(talk.room for talk in held)


def test_the_company_is_led_by_the_one_above_all_others_and_by_whoever_does_such_work() -> None:
    found = callings(
        [
            Employed("ada", "managing director", "board", ""),
            Employed("bo", "COO", "board", "ada"),
            Employed("eve", "CTO", "board", "ada"),
            Employed("flo", "platform engineer", "platform", "eve"),
            Employed("cem", "engineering lead", "core", "ada"),
            Employed("dee", "backend engineer", "core", "cem"),
        ],
        read_packs(),
    )

    assert {name for name, calling in found.items() if calling.leads} == {"ada", "bo", "eve"}
    assert "code" in found["eve"].disciplines
    assert found["ada"].disciplines == ("management",)


@pytest.mark.parametrize(
    ("area", "script", "told"),
    [
        ("people", "A: the drill is at ten\nB: ok", "expected whose this is, as (by it) or (A it)"),
        ("people", "(asked)\nA: my pay?\nB: higher", "or (B it)"),
        ("general", "(by ofice)\nA: keys?\nB: here", "there is no discipline 'ofice'"),
        ("general", "(private)\n(public)\nA: keys?\nB: here", "private or public"),
        ("general", "(C office)\nA: keys?\nB: here", "somebody who says something"),
    ],
)
def test_a_script_of_an_area_of_several_jobs_says_whose_it_is(
    tmp_path: Path, area: str, script: str, told: str
) -> None:
    lines = "\n".join(f"    {line}" for line in script.split("\n"))
    (tmp_path / f"{area}.yaml").write_text(f"area: {area}\ndialogues:\n  - |\n{lines}\n")
    with pytest.raises(AuthoringError) as caught:
        read_dialogues(tmp_path)

    assert any(told in mistake.message for mistake in caught.value.mistakes), caught.value.mistakes


def test_marks_above_a_script_say_who_speaks_where() -> None:
    read = ways_of("people", 0, "(asked)\n(public)\n(here)\n(B it, office)\nA: keys?\nB: here\nC: no")[0]

    assert (read.is_asked, read.is_public, read.is_here) == (True, True, True)
    assert [sorted(part.disciplines) for part in read.parts] == [[], ["it", "office"], []]
