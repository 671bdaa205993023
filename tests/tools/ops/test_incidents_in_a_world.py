"""Incidents in a built world: alerts and people open them, coworkers hear, and a rubric dates each field alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.core.grading import EndState, GradingContext
from brownout.engine.session import Session
from graders.world_state import world_state
from tests.calm import write_outages
from tests.tools.ops.test_company import OUTAGES, SYSTEMS, ask

OPS = """  ops:
    incidents: {opened_by: [high, critical], subscribers: [support, night]}
    teams: {night: [tomas]}
"""
STORY = """
incidents:
  slow-doors:
    at: 2026-03-12 09:00
    who: ida
    title: Door lists are slow
    severity: minor
    services: [doorlist]
    message: "Looking."
    next_update: 30m
  slow-doors-over: {at: slow-doors + 1h, of: slow-doors, who: ida, status: resolved, message: "Over."}
"""


@pytest.fixture
def folder(spec_folder: Path) -> Path:
    (spec_folder / "prose" / "systems.yaml").unlink()
    (spec_folder / "systems.yaml").write_text(SYSTEMS)
    write_outages(spec_folder, OUTAGES)
    world = spec_folder / "world.yaml"
    world.write_text(world.read_text().replace("  ops: {}\n", OPS, 1))
    (spec_folder / "storylines" / "incidents.yaml").write_text(STORY)
    return spec_folder


@pytest.fixture
def session(folder: Path, tmp_path: Path) -> Iterator[Session]:
    package = brownout.build(folder, out=tmp_path / "package")
    with brownout.open_session(package, task="find-the-change") as session:
        yield session


def holds(session: Session, asks: Any, *, by: str = "") -> bool:
    end = cast(EndState, session.end_state())
    return world_state.judge(end, asks, end.moment(by) if by else None, GradingContext()).passed


def test_people_and_alerts_open_incidents(session: Session) -> None:
    [alert] = ask(session, "ops_list_alerts", service="boxoffice")["alerts"]
    [new, old] = ask(session, "ops_list_incidents", status="all")["incidents"]
    whole = ask(session, "ops_get_incident", incident=new["id"])

    assert (alert["incident"], new["opened_by"], new["services"]) == (new["id"], "monitoring", ["boxoffice"])
    assert whole["updates"][0]["sent_to"] == ["wren", "marcus", "tomas"]
    assert (old["title"], old["status"], old["commander"]) == ("Door lists are slow", "resolved", "ida")
    assert session.end_state().find("ops", "slow-doors")[0].path == f"ops:incident/{old['id']}"


def test_each_field_is_dated_alone(session: Session) -> None:
    made = ask(session, "ops_open_incident", title="Selling fails", severity="major", services=["boxoffice"])
    session.call("wait", {"minutes": 30, "until_notice": False})
    ask(session, "ops_update_incident", incident=made["id"], message="Still slow.", tickets=["BOX-31"])

    name = f"ops:incident/{made['id']}"
    assert holds(session, {name: {"status": "investigating", "services": ["boxoffice"]}}, by="start + 15m")
    assert holds(session, {f"{name}.update/1": {"services": ["boxoffice"]}}, by="start + 15m")
    assert not holds(session, {name: {"tickets": ["BOX-31"]}}, by="start + 15m")
    assert holds(session, {name: {"tickets": ["BOX-31"], "updates": 2}}, by="start + 45m")
    assert holds(session, {"only": ["ops:incident*"], "strict": True})
    assert not holds(session, {"only": ["ops:boxoffice*"], "strict": True})


def test_a_fork_has_the_same_incidents_and_goes_its_own_way(session: Session) -> None:
    made = ask(session, "ops_open_incident", title="Selling fails", severity="major", services=["boxoffice"])
    twin = session.fork()
    assert twin.digest() == session.digest()
    ask(twin, "ops_update_incident", incident=made["id"], status="resolved")

    assert twin.digest() != session.digest()
    assert ask(session, "ops_get_incident", incident=made["id"])["status"] == "investigating"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("night: [tomas]", "night: [tomsa]", "apps.ops.teams.night: there is no person 'tomsa'"),
        ("support, night", "suport", "no person or team 'suport'"),
        ("[high, critical]", "[low]", "opened_by"),
        ("services: [doorlist]", "services: []", "expected a title and services"),
    ],
)
def test_a_mistake_of_the_author_is_named(folder: Path, tmp_path: Path, old: str, new: str, says: str) -> None:
    for file in (folder / "world.yaml", folder / "storylines" / "incidents.yaml"):
        file.write_text(file.read_text().replace(old, new))
    with pytest.raises(AuthoringError, match=says):
        brownout.build(folder, out=tmp_path / "package")
