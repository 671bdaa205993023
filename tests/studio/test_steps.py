"""A run as steps: what they show, what they were worth, what the agent could not know."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import orjson
import pytest

from brownout.core.entities import Entities
from brownout.core.trajectory import GapEvent, HeaderEvent, ReplyEvent, ResultEvent, SayEvent, WorldEvent
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import StoredRun, read_run
from brownout.rollouts.runner import Episode, run_episodes
from studio.app_titles import title_of_target
from studio.company.people import faces_of
from studio.episodes.replay_steps import ReplayStep, bands_of, steps_of
from studio.episodes.replayer import Replayer
from studio.episodes.run_list import find_run, list_runs
from studio.episodes.shown_steps import shown
from studio.episodes.stale_read import _Fact, _stated_values, seen_in
from worlds.package import Package


@pytest.fixture
def run(recorded: Path) -> StoredRun:
    return read_run(recorded / "solved")


@pytest.fixture
def tape(package: Package, run: StoredRun) -> Iterator[Replayer]:
    with closing(Replayer(package, run)) as opened:
        yield opened


def steps(package: Package, run: StoredRun) -> list[ReplayStep]:
    return steps_of(run.events, {face.person: face.name for face in faces_of(package)})


def test_every_call_of_the_agent_is_a_step_of_its_own(package: Package, run: StoredRun) -> None:
    calls = [step for step in steps(package, run) if step.event.kind == "call"]

    assert run.result is not None
    assert len(calls) == run.result.steps
    assert [step.calls for step in calls] == list(range(1, len(calls) + 1))


def test_the_first_error_is_named_once(package: Package, run: StoredRun) -> None:
    badges = [step.badge for step in steps(package, run) if step.is_error]

    assert badges[0] == "first error"
    assert set(badges[1:]) <= {"error"}


def test_an_outage_is_a_band_from_its_begin_to_its_end(package: Package, run: StoredRun) -> None:
    found = steps(package, run)
    bands = bands_of(found)

    assert bands
    for first, last in bands:
        assert found[first - 1].title.endswith("begins")
        assert found[last - 1].title.endswith("is over") or last == len(found)


@pytest.mark.parametrize(
    ("app", "key", "outcome", "told"),
    [
        ("slack", "fourteenth/phones", "done", "Slack · storyline fourteenth, phones"),
        ("ops", "acknowledge/viktor/ops:reminders.alert/5", "done", "Ops console"),
        ("jira", "retries/closed-it", "refused: outage", "Jira · storyline retries, closed-it · refused: outage"),
        ("", "work/12/3", "done", "no product"),
    ],
)
def test_what_people_do_is_told_by_its_product_and_storyline(app: str, key: str, outcome: str, told: str) -> None:
    deed = WorldEvent(
        seq=1, at=0, key=key, who="yuki", act="post", app=app, outcome=outcome, path="", facts=(), effects=(), state="",
    )  # fmt: skip

    assert shown(steps_of([deed], {})[0], [], str).subtitle == told


def test_an_outage_is_called_by_what_breaks_and_told_with_its_name(package: Package, run: StoredRun) -> None:
    named = steps_of(run.events, {}, partial(title_of_target, world=package))
    first = next(step for step in named if step.badge == "outage")

    assert first.title == "Outage of Slack begins"
    assert re.fullmatch(r"[a-z-]+ of outages\.yaml, on slack\.", shown(first, [], str).prose)


def test_a_gap_is_never_silent(run: StoredRun) -> None:
    gap = GapEvent(seq=99, at=run.events[-1].at, reason="the log ends in the middle of a line")
    last = steps_of([*run.events, gap], {})[-1]

    assert (last.is_error, last.badge) == (True, "gap")


def test_a_change_is_shown_with_its_path_and_both_values(package: Package, run: StoredRun, tape: Replayer) -> None:
    step = next(step for step in steps(package, run) if step.title == "jira_update_issue")
    changes = shown(step, [], tape.path_of).changes

    changed = next(change for change in changes if change.sign == "~" and change.path.endswith("issue/BOX-32"))
    assert any(
        field.name == "priority" and (field.before, field.after) == ("Medium", "High") for field in changed.fields
    )


def test_the_grade_of_a_prefix_is_that_of_a_run_that_stopped_there(
    package: Package, run: StoredRun, tape: Replayer, tmp_path: Path
) -> None:
    assert run.result is not None
    for calls in (run.result.steps, 0, 9):
        expected = run.result.reward
        if calls < run.result.steps:
            episode = Episode("find-the-change", "oracle", 0, AgentOptions(stop_after=calls), tmp_path / str(calls))
            with World(package, hot=2) as world:
                expected = asyncio.run(run_episodes(world, [episode]))[0].reward
        assert tape.grade_after(calls)["reward"] == expected


def test_stepping_back_begins_at_a_kept_place_and_says_the_same(
    package: Package, run: StoredRun, tape: Replayer
) -> None:
    assert run.result is not None
    last = run.result.steps
    told: list[str] = []
    forwards = [tape.grade_after(calls) for calls in (14, last)]
    backwards = [tape.grade_after(calls, lambda what, done: told.append(what)) for calls in (last, 14)]

    assert forwards == backwards[::-1]
    assert "Playing call 1 of 14" not in told
    assert "Judging every criterion" in told


def test_work_that_is_given_up_keeps_what_was_played(tape: Replayer) -> None:
    def stop(what: str, done: float) -> None:
        if what.startswith("Playing call 7 "):
            raise InterruptedError

    with pytest.raises(InterruptedError):
        tape.grade_after(9, stop)
    told: list[str] = []
    tape.grade_after(9, lambda what, done: told.append(what))

    assert told[0] == "Playing call 7 of 9"


def test_a_silent_outage_is_told_from_what_the_agent_was_shown(package: Package, run: StoredRun) -> None:
    faults = [event for event in run.events if isinstance(event, ResultEvent) and event.fault]

    seen = seen_in(package, faults[0], run.events)[0]

    assert (seen.what, seen.truth, seen.differs) == ("Slack", "is down", True)
    assert "status page is green" in seen.saw


def test_a_stale_value_is_set_against_the_one_that_holds(package: Package, run: StoredRun) -> None:
    read = next(event for event in run.events if isinstance(event, ResultEvent))
    stale = ResultEvent(
        seq=0, at=read.at, call_id="x", is_error=False, content="", effects=(), notices=(), fault="", state="",
        body='{"body":"We hold seats for 15 minutes while someone pays."}',
    )  # fmt: skip

    seen = [one for one in seen_in(package, stale, []) if one.what == "boxoffice.hold_minutes"]

    assert [(one.saw, one.truth, one.differs) for one in seen] == [("15 minutes", "10 minutes", True)]


@pytest.mark.parametrize(
    "text",
    [
        "A hold can be 5, 10 or 15 minutes.",
        "Is a seat held for 15 minutes?",
        "Seats are not held for 15 minutes while someone pays.",
        "We could hold seats for 15 minutes while someone pays.",
        "15 minutes",
    ],
)
def test_a_value_that_an_answer_merely_mentions_is_not_stale(package: Package, run: StoredRun, text: str) -> None:
    read = next(event for event in run.events if isinstance(event, ResultEvent))
    answer = replace(read, body=orjson.dumps({"body": text}).decode())

    assert [one for one in seen_in(package, answer, []) if one.what == "boxoffice.hold_minutes"] == []


HOUR = 3_600_000_000
STANDBY = ("standby", "replica", "failover", "fail over", "region", "where")
DATABASE = ("database", "db", "where", "region", "moved", "runs", "failover", "fail over", "primary")


def _fact(
    slot: str, value: str, about: tuple[str, ...], says: str, since: int | None = None, until: int | None = None
) -> _Fact:
    return _Fact(f"{slot}={value}", slot, value, since, until, "part", (), about, says)


FACTS = [
    _fact("bookings.standby", "aws-rds/eu-south-1", STANDBY, "the standby of bookings is eu-south-1", None, 5 * HOUR),
    _fact("bookings.standby", "aws-rds/eu-west-1", STANDBY, "the standby of bookings is eu-west-1", 5 * HOUR),
    _fact("bookings.database", "aws-rds/eu-west-1", DATABASE, "the database of bookings runs in eu-west-1", 90 * HOUR),
    _fact("bookings.database", "aws-rds/eu-central-1", DATABASE, "the database of bookings runs in eu-central-1"),
    _fact("bookings.home", "aws-rds/eu-south-1", DATABASE, "the database of bookings runs in eu-south-1", None, -HOUR),
]


@pytest.mark.parametrize(
    ("text", "differs"),
    [
        ("The standby replica of bookings is eu-south-1.", {"bookings.standby"}),
        ("The standby replica of bookings is eu-west-1.", set()),
        ("From today eu-west-1 is where we fail over to with the bookings database.", set()),
        ("Failover of the database is possible to eu-west-1 only.", set()),
        ("We could move the database to eu-west-1 or eu-south-1.", set()),
        ("The database of bookings runs in eu-west-1.", set()),
        ("The database of bookings runs in eu-south-1.", set()),
    ],
)
def test_an_answer_is_compared_by_what_it_says_of_a_slot(text: str, differs: set[str]) -> None:
    names = Entities({}, {}, lambda text: (), date(2026, 4, 14), "UTC")

    seen = [*_stated_values([text], FACTS, 10 * HOUR, 0, names)]

    assert {one.what for one in seen if one.differs} == differs


def test_a_run_outside_the_folder_is_never_found(recorded: Path) -> None:
    assert find_run(recorded, "solved") is not None
    for name in ("", ".", "..", "../runs0", "/etc", "solved/..", "nothing"):
        assert find_run(recorded, name) is None


def test_runs_in_folders_of_folders_are_listed(recorded: Path) -> None:
    listed = list_runs(recorded.parent)

    assert {run.id.rpartition("/")[2] for run in listed.runs} >= {"solved", "halfway", "idle"}


def test_what_the_requester_replied_is_a_step_with_their_words() -> None:
    said = SayEvent(seq=1, at=0, text="Which page?", final=False)
    replied = ReplyEvent(seq=2, at=60, content="Yuki Tanabe: the one on refunds.", notices=())
    steps = steps_of([said, replied], {})
    assert [step.title for step in steps] == ["Said to the requester", "The requester replied"]
    assert shown(steps[1], [], lambda effect: "").prose == replied.content


def test_what_a_call_leads_to_later_is_no_coworkers_step(recorded: Path) -> None:
    begin = next(event for event in read_run(recorded / "solved").events if isinstance(event, HeaderEvent))
    deed = partial(
        WorldEvent, seq=9, at=begin.at, key="", act="deploy", app="ops", outcome="done", path="", facts=(), effects=(), state="",
    )  # fmt: skip
    steps = steps_of([begin, deed(who=begin.actor), deed(who="somebody")], {"somebody": "Some Body"})

    assert [(step.actor, step.title) for step in steps[-2:]] == [
        ("environment", "Follows from a call: deployed in Ops console"), ("coworker", "Some Body deployed in Ops console"),
    ]  # fmt: skip
