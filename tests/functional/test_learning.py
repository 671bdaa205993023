"""Who knows what, and since when: those who read it, were told of it or found it out, in their hours; nobody else."""

from pathlib import Path

import brownout
from brownout.core.instants import local
from worlds.expressions import parse_moment

ZONE = "Europe/Lisbon"
STORY = """
facts:
  tank: {slot: kitchen.tank, is: cracked, says: ["the tank is cracked"], about: [tank]}
  lid: {slot: kitchen.lid, is: lost, says: ["the lid is lost"], about: [lid]}
  cup: {slot: kitchen.cup, is: chipped, says: ["a cup is chipped"], about: [cup]}
beats:
  ticket: {at: 2026-03-13 17:10, who: marcus, opens: {issue: "Tank", project: BOX, type: Bug, assignee: tomas}}
  found: {at: 2026-03-13 18:20, who: ida, comments: {on: ticket}, makes: [tank], learns: [lid]}
  said: {at: 2026-03-13 17:25, who: ida, told: {"#ops": slack}, makes: [cup]}
"""


def learned(folder: Path, out: Path, fact: str) -> dict[str, str]:
    """When everybody who knows a fact in the end learned it, in local time."""
    (folder / "storylines/kitchen.yaml").write_text(STORY)
    (folder / "prose/kitchen.yaml").write_text('found: "The tank is cracked."\nsaid: "A cup is chipped."\n')
    with brownout.open_world(brownout.build(folder, out=out)) as world:
        preview = world.preview()
        until = parse_moment("2026-03-23 12:00", ZONE)
        assert isinstance(until, int)
        preview.go(until)
        rows = preview.rows.execute("SELECT person, learned_us FROM engine_belief WHERE fact = ?", (fact,))
        return {str(who): f"{local(int(str(at)), ZONE):%d %H:%M}" for who, at in rows}


def test_a_ticket_reaches_those_it_concerns_and_those_who_read_tickets(spec_folder: Path, tmp_path: Path) -> None:
    people = spec_folder / "people.yaml"
    text = people.read_text()
    people.write_text(text.replace(", jira]", "]").replace("reads: [slack, gmail]", "reads: [slack, gmail, jira]", 1))
    known = learned(spec_folder, tmp_path / "package", "tank")

    assert set(known) == {"ida", "marcus", "tomas", "priya"}, "reporter, assignee, and Priya who reads Jira"
    assert known["tomas"] > "17 09:30", "he was away on Monday"
    assert known["marcus"][:2] == "16"


def test_what_is_said_in_a_channel_reaches_its_people_and_no_machine(spec_folder: Path, tmp_path: Path) -> None:
    known = learned(spec_folder, tmp_path / "package", "cup")

    assert set(known) == {"ida", "tomas", "owen", "marcus", "priya"}
    assert known["tomas"][:2] == "13" or known["tomas"] > "17 09:30"


def test_what_somebody_finds_out_and_does_not_say_stays_with_them(spec_folder: Path, tmp_path: Path) -> None:
    assert set(learned(spec_folder, tmp_path / "package", "lid")) == {"ida"}
