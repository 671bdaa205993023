"""Schedules that people make, replace and stand in for while the company lives; whoever has the turn is paged."""

from pathlib import Path
from typing import Any, cast

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.core.instants import DAY, HOUR
from brownout.core.values import JsonObject
from brownout.store import StoreRows as StoredRows
from tests.calm import write_outages
from tests.tools.ops.desk import Desk, raise_alert
from tools.ops import app
from worlds.package import Package

SYSTEMS = """
boxoffice:
  on_call: wren
  needs: {database: {is: aws-rds/eu-central-1, can_be: [aws-rds/eu-west-1]}}
  shows: {alert: "error_rate > 5% for 3m -> page on_call", posts: {"#ops": slack}}
doorlist: {}
"""
OUTAGES = "broken: {on: boxoffice, from: 2026-03-20 18:40, for: 1h, mode: errors, share: 40%}\n"
STORY = """
rotas:
  evenings: {at: 2026-03-19 10:00, who: ida, schedule: evenings, covers: [boxoffice], rotation: [owen], starts: 2026-03-18 17:00,
    every: 1d, lasts: 6h, replaces: [boxes]}
stand_ins:
  toothache: {at: 2026-03-19 11:00, who: owen, schedule: evenings, person: tomas, from: 2026-03-20 17:00, until: 2026-03-20 20:00}
standbys:
  in-sync: {at: 2026-03-19 12:00, who: ida, standby: aws-rds/eu-west-1, state: ready}
"""


def schedule(desk: Desk, name: str, replaces: tuple[str, ...] = (), **turns: Any) -> str:
    """The path of a schedule that somebody makes; boxoffice's, of a week, from 2 March."""
    given: JsonObject = {"covers": ["boxoffice"], "starts": "2026-03-02 09:00", **turns}
    return desk.carry("write", details={"schedule": name, "turns": given, "replaces": [*replaces]})


def on_call(desk: Desk) -> str:
    return str(desk.ask("get_on_call", service="boxoffice")["oncalls"][0]["on_call"]["user"])


def test_of_two_schedules_the_one_made_last_goes_first_where_it_has_somebody(desk: Desk) -> None:
    schedule(desk, "week", rotation=["tomas"])
    schedule(desk, "evenings", rotation=["wren"], starts="2026-03-02 17:00", every="1d", lasts="6h")

    assert [on_call(desk.at("wren", later=hours * HOUR)) for hours in (0, 7, 12, 13)] == [
        "tomas",
        "wren",
        "wren",
        "tomas",
    ]


def test_without_a_turn_the_catalogue_says_who_is_on_call(desk: Desk) -> None:
    schedule(desk, "evenings", rotation=["wren"], starts="2026-03-02 17:00", every="1d", lasts="6h")

    assert on_call(desk) == "ida"


def test_a_schedule_that_is_replaced_ends_when_the_other_begins(desk: Desk) -> None:
    schedule(desk, "old", rotation=["tomas"])
    schedule(desk, "new", rotation=["wren"], starts="2026-03-26 09:00", replaces=("old",))
    later = desk.at("ida", later=2 * DAY)

    assert (on_call(desk), on_call(later)) == ("tomas", "wren")
    assert [each["until"] for each in desk.ask("list_schedules")["schedules"]] == ["2026-03-26T09:00:00Z", None]
    assert [each["name"] for each in later.ask("list_schedules")["schedules"]] == ["new"]
    assert [shift["until"] for shift in desk.ask("get_schedule", schedule="old")["shifts"]] == ["2026-03-26T09:00:00Z"]


def test_an_alert_of_the_evening_is_handed_on_to_whoever_has_the_week(desk: Desk) -> None:
    schedule(desk, "week", rotation=["tomas", "ida"])
    schedule(desk, "evenings", rotation=["wren"], starts="2026-03-02 17:00", every="1d", lasts="6h")
    evening = desk.at("wren", later=8 * HOUR)
    alert = raise_alert(evening, to=())

    assert evening.ask("get_alert", alert=alert)["assigned_to"] == "wren"
    assert evening.ask("escalate_alert", alert=alert)["assigned_to"] == "ida"


def test_a_note_on_an_alert_is_read_by_whoever_is_on_call_by_the_schedule(desk: Desk) -> None:
    schedule(desk, "week", rotation=["tomas"])
    alert = raise_alert(desk, to=("wren",))
    assert isinstance(desk.rows, StoredRows)
    desk.rows.take_effects()
    desk.ask("add_alert_note", alert=alert, text="It was the database.")
    [said] = [found for effect in desk.rows.take_effects() if (found := app.utterance(desk.rows, effect))]

    assert said.to == {"wren", "tomas"}


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({"schedule": "week", "turns": {"covers": ["boxofice"], "rotation": ["ida"], "starts": "2026-03-02"}}, "boxofice"),
        ({"schedule": "week", "turns": {"covers": ["boxoffice"], "rotation": ["idah"], "starts": "2026-03-02"}}, "idah"),
        ({"schedule": "week", "turns": {"covers": ["boxoffice"], "rotation": ["ida"], "starts": "soon"}}, "soon"),
        ({"standby": "aws-rds/eu-north-1", "state": "ready"}, "nothing could be served by"),
    ],
)  # fmt: skip
def test_what_nobody_could_do_is_said(desk: Desk, details: JsonObject, message: str) -> None:
    with pytest.raises(LookupError, match=message):
        desk.carry("write", details=details)


def build(folder: Path, story: str) -> Package:
    """The company in which boxoffice breaks on an evening, after what the story says of who is on call."""
    write_outages(folder, OUTAGES)
    (folder / "prose" / "systems.yaml").unlink()
    (folder / "systems.yaml").write_text(SYSTEMS)
    world = folder / "world.yaml"
    settings = "  ops:\n    schedules: {boxes: {covers: [boxoffice], rotation: [ida], starts: 2026-03-02 09:00}}\n"
    settings += "    standbys: {aws-rds/eu-west-1: empty}\n"
    world.write_text(world.read_text().replace("  ops: {}\n", settings, 1))
    (folder / "storylines" / "on-call.yaml").write_text(story)
    return brownout.build(folder, out=folder.parent / "package")


def test_storylines_change_who_is_paged_and_what_a_standby_has(spec_folder: Path) -> None:
    with brownout.open_session(build(spec_folder, STORY), task="find-the-change") as session:
        [alert] = cast(Any, session.call("ops_list_alerts", {"status": "all", "service": "boxoffice"}).structured)[
            "alerts"
        ]
        said = cast(Any, session.call("slack_search_messages", {"query": "rotating_light"}).structured)
        standbys = cast(Any, session.call("ops_list_standbys", {"service": "boxoffice"}).structured)["standbys"]

    assert alert["assigned_to"] == "tomas"
    assert "Tomás Herrera was paged." in str(said)
    assert [each["state"] for each in standbys] == ["ready", "ready"]


def test_mistakes_in_a_storylines_rota_are_said_with_their_line(spec_folder: Path) -> None:
    with pytest.raises(AuthoringError, match=r"on-call.yaml:6: toothache: owen could not assign: there is no schedule"):
        build(spec_folder, STORY.replace("schedule: evenings, person", "schedule: nights, person"))


def test_shifts_of_part_of_a_turn_are_listed(desk: Desk) -> None:
    schedule(desk, "evenings", rotation=["wren"], starts="2026-03-02 17:00", every="1d", lasts="6h")
    shifts = desk.ask("get_schedule", schedule="evenings", days=2)["shifts"]

    assert [(shift["from"][11:16], shift["until"][11:16]) for shift in shifts] == [("17:00", "23:00")] * 2
    assert desk.ask("list_schedules")["schedules"][0]["shift"] == "6h"
