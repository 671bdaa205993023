"""What is pushed is judged while the agent goes on: once, as the grade would judge it, and not when it is in vain."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event as Signal

import pytest

from brownout.core.cancel_token import CancelToken
from brownout.core.instants import Instant
from brownout.core.trajectory import Event
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.grade_preparation import Anticipation
from brownout.sandbox import HiddenRun
from graders import unit_tests

TASK = "release-the-seats"
REPOSITORY = "pennywhistle/boxoffice"


@dataclass(frozen=True)
class AskedRun:
    tests: tuple[str, ...]
    source: bytes
    seed: int
    token: CancelToken


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[AskedRun]:
    """The runs of hidden tests that were begun; each lasts until it is cancelled."""
    runs: list[AskedRun] = []

    def run(
        tree: Mapping[str, bytes],
        tests: Mapping[str, str],
        seed: int,
        at: Instant,
        harness: Sequence[str],
        *,
        known: Mapping[str, bytes],
        quick: bool,
        token: CancelToken,
    ) -> HiddenRun:
        runs.append(AskedRun(tuple(sorted(tests)), tree["boxoffice/holds.py"], seed, token))
        cancelled = Signal()
        with token.ending(cancelled.set):
            cancelled.wait()
        raise AssertionError("it is ended by being cancelled")

    monkeypatch.setattr(unit_tests, "hidden_run", run)
    return runs


@contextmanager
def followed(world: World, seed: int = 0) -> Iterator[Session]:
    events: list[Event] = []
    anticipation = Anticipation(events.append, world.package.rubric(TASK))
    with world.open_session(TASK, seed=seed, sink=anticipation) as session, anticipation.following(session):
        yield session
    assert any(event.kind == "result" for event in events)


def branch(session: Session, name: str) -> None:
    answer = session.call("github_create_branch", {"repo": REPOSITORY, "branch": name})
    assert not answer.is_error, answer.content


def push(session: Session, content: str, branch: str = "release-seats") -> None:
    file: JsonObject = {"path": "boxoffice/holds.py", "content": content}
    answer = session.call(
        "github_push_files", {"repo": REPOSITORY, "branch": branch, "message": "Try", "files": [file]}
    )
    assert not answer.is_error, answer.content


def wait_for(asked: list[AskedRun], count: int) -> None:
    """Until another thread, which has nothing else to do, has begun so many runs."""
    pause = Signal()
    for _ in range(20_000):
        if len(asked) >= count:
            return
        pause.wait(0.001)
    raise AssertionError(f"{len(asked)} runs were begun, not {count}")


def test_what_is_pushed_is_judged_with_the_seed_of_the_grade(tiny: World, asked: list[AskedRun]) -> None:
    with followed(tiny, seed=3) as session:
        branch(session, "release-seats")
        assert not asked  # a branch that is what main was
        push(session, "SEATS = 1\n")
        wait_for(asked, 1)

    assert [(run.source, run.seed) for run in asked] == [(b"SEATS = 1\n", 3)]
    assert asked[0].token.is_cancelled


def test_a_later_push_cancels_what_was_begun_for_an_earlier_one(tiny: World, asked: list[AskedRun]) -> None:
    with followed(tiny) as session:
        branch(session, "release-seats")
        push(session, "SEATS = 1\n")
        wait_for(asked, 1)
        push(session, "SEATS = 2\n")
        wait_for(asked, 2)
        assert asked[0].token.is_cancelled
        assert not asked[1].token.is_cancelled

    assert [run.source for run in asked] == [b"SEATS = 1\n", b"SEATS = 2\n"]


def test_the_same_files_on_another_branch_are_not_begun_again(tiny: World, asked: list[AskedRun]) -> None:
    with followed(tiny) as session:
        branch(session, "release-seats")
        push(session, "SEATS = 1\n")
        wait_for(asked, 1)
        branch(session, "again")
        push(session, "SEATS = 1\n", "again")
        assert not asked[0].token.is_cancelled

    assert len(asked) == 1


def test_pushes_without_end_are_not_all_judged(tiny: World, asked: list[AskedRun]) -> None:
    with followed(tiny) as session:
        branch(session, "release-seats")
        for number in range(5):
            push(session, f"SEATS = {number}\n")
            wait_for(asked, min(number + 1, 3))
        assert all(run.token.is_cancelled for run in asked)

    assert len(asked) == 3


def test_what_is_not_left_to_be_judged_is_cancelled_when_the_agent_ends(tiny: World, asked: list[AskedRun]) -> None:
    with followed(tiny) as session:
        branch(session, "aside")
        push(session, "SEATS = 1\n", "aside")
        wait_for(asked, 1)
        session.submit("Done.")
        assert asked[0].token.is_cancelled


def test_what_is_left_to_be_judged_goes_on_when_the_agent_ends(tiny: World, asked: list[AskedRun]) -> None:
    with followed(tiny) as session:
        branch(session, "release-seats")
        push(session, "SEATS = 1\n")
        wait_for(asked, 1)
        session.submit("Done.")
        assert not asked[0].token.is_cancelled
