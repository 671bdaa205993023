"""The whole history of Pennywhistle's box office, lived through by its people."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.core.app_roles import RunsServices
from brownout.core.calls import Account
from brownout.core.trajectory import Event, WorldEvent
from brownout.core.values import JsonObject
from brownout.engine.company_assembly import company
from brownout.engine.outages import FaultPlan
from brownout.engine.scheduled_intents import intent_document
from brownout.engine.session_state import State
from brownout.engine.simulation import Simulation
from brownout.engine.simulation_setting import Setting, read_people
from brownout.store import Base, Pool, create_world
from brownout.store.git import File, apply_patch
from generators.accounts import write_accounts
from generators.repositories import RepositoryPlan, plan_repositories
from generators.timetable import make_timetable
from tests.unit.test_repositories import spec_with_github
from tools.github import app, tree_of
from tools.ops import app as ops
from worlds.package import engine_tables
from worlds.spec import WorldSpec


@pytest.fixture
def spec(spec_folder: Path) -> WorldSpec:
    return spec_with_github(spec_folder)


@pytest.fixture
def plan(spec: WorldSpec, tmp_path: Path) -> RepositoryPlan:
    return plan_repositories(spec, tmp_path)


@pytest.fixture
def lived(spec: WorldSpec, plan: RepositoryPlan, tmp_path: Path) -> Iterator[tuple[Simulation, list[Event]]]:
    """The company at the end of its calendar, and all that happened."""
    first, last = make_timetable(spec).calendar
    events: list[Event] = []
    with create_world(tmp_path / "world.sqlite", [engine_tables.metadata, app.tables, ops.tables]) as world:
        accounts = write_accounts(world.rows, spec)
        setting = Setting(
            world="tiny",
            folder=tmp_path,
            seed=7,
            zone=spec.world.clock.zone,
            turn_cost=0,
            apps={"github": app, "ops": ops},
            people=read_people(world.rows),
            outages=(),
            services={},
            phrases={},
        )
        there = [world.rows]
        simulation = company(setting, lambda: there[0], State(now=first), events.append, plan=FaultPlan(()))
        call = simulation.acting(Account("brownout", "Brownout", "", "system"))
        services: JsonObject = {"services": {"boxoffice": {"repo": "boxoffice"}}}
        for one, settings in ((ops, services), (app, plan.settings)):
            for account in accounts:
                one.open_account(call, account)
            one.prepare(call, settings)
        for planned in plan.intents:
            simulation.schedule.push(planned.at, "intent", planned.intent.key, intent_document(planned.intent))
        simulation.advance(last - 1)
    base = Base(tmp_path / "world.sqlite")
    pool = Pool(base, hot=1)
    there[0] = pool.open().rows
    yield simulation, events
    pool.close()
    base.close()


def test_everybody_did_what_the_series_says(lived: tuple[Simulation, list[Event]], plan: RepositoryPlan) -> None:
    _, events = lived
    carried = [event for event in events if isinstance(event, WorldEvent)]
    deploys = [event for event in carried if event.act == "deploy"]

    assert [event.outcome for event in carried if event.outcome != "done"] == []
    assert {event.key for event in carried} - {event.key for event in deploys} == {p.intent.key for p in plan.intents}
    landed = [event for event in carried if event.act in ("merge", "push") and "/push-" not in event.key]
    assert len(deploys) == len(landed) == 20


def test_main_holds_what_the_patches_make_of_it(
    lived: tuple[Simulation, list[Event]], spec: WorldSpec, tmp_path: Path
) -> None:
    simulation, _ = lived
    files: dict[str, File | None] = {}
    for patch in sorted((spec.root / "repos" / "boxoffice" / "patches").glob("*.patch")):
        there = {path: file for path, file in files.items() if file is not None}
        files.update(apply_patch(there, patch.read_text("utf-8")))
    expected = {path: file.data for path, file in files.items() if file is not None}

    assert (
        tree_of(simulation.rows(), tmp_path / "repos" / "boxoffice.git", "pennywhistle/boxoffice", "main") == expected
    )


def test_pulls_are_merged_approved_and_checked(lived: tuple[Simulation, list[Event]]) -> None:
    simulation, _ = lived
    pulls = [thing.fields for thing in app.find(simulation.rows(), "boxoffice.pull/*")]

    assert [pull["number"] for pull in pulls] == list(range(1, 17))
    assert {(pull["state"], pull["checks"]) for pull in pulls} == {("merged", "success")}
    assert all(pull["approved_by"] for pull in pulls)
    assert [thing.fields["name"] for thing in app.find(simulation.rows(), "boxoffice.branch/*")] == ["main"]


def test_a_beat_names_the_commit_that_it_made_and_that_runs(lived: tuple[Simulation, list[Event]]) -> None:
    simulation, _ = lived
    path = simulation.acting(Account("brownout", "Brownout", "", "system")).bound("simplify-hold-store")
    assert path is not None
    [pull] = app.find(simulation.rows(), path.removeprefix("github:"))
    sha = path.rpartition("/")[2]
    [(version, note)] = simulation.rows().execute('SELECT version, note FROM ops_release WHERE "commit" = ?', (sha,))

    assert (pull.fields["title"], pull.fields["merge_sha"]) == ("Simplify hold store", sha)
    assert (version, note) == ("2026.3.19-2", "Simplify hold store (#14)")
    running = ops.role(RunsServices)
    assert running is not None
    assert running.states(simulation.rows())["boxoffice"].version == "2026.3.25-1"


def test_a_pull_turns_green_by_what_is_pushed_to_it(lived: tuple[Simulation, list[Event]]) -> None:
    simulation, _ = lived
    runs = simulation.rows().execute(
        "SELECT c.conclusion, c.failed FROM github_check c JOIN github_pull p ON p.id = c.pull "
        "WHERE p.title = 'Refund endpoint in the API' ORDER BY c.id"
    )
    reviews = simulation.rows().execute(
        "SELECT r.state FROM github_review r JOIN github_pull p ON p.id = r.pull "
        "WHERE p.title = 'Refund endpoint in the API' ORDER BY r.id"
    )

    assert [tuple(row) for row in runs] == [("failure", 1), ("success", 0), ("success", 0)]
    assert [row[0] for row in reviews] == ["CHANGES_REQUESTED", "APPROVED"]
