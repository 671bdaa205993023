"""Grades at any call: made elsewhere, kept on disk, given up when nobody wants them."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brownout.core.values import JsonObject
from brownout.rollouts.recorder import read_run
from studio.serving.grading_processes import GradeFailed, GradeRequest, Grading, Working
from worlds.package import Package

_PATIENCE_SECONDS = 90.0


@pytest.fixture
def pool(at_home: pytest.MonkeyPatch) -> Iterator[Grading]:
    with closing(Grading(processes=1)) as opened:
        yield opened


@pytest.fixture
def asked(package: Package, recorded: Path) -> GradeRequest:
    return GradeRequest(recorded / "solved", package.folder, package.manifest.digest, 9)


def answer(pool: Grading, asked: GradeRequest, seen: list[Working] | None = None) -> JsonObject:
    """The answer, asked for until it is there."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while isinstance(found := pool.ask(asked), Working):
        assert time.monotonic() < until, found
        if seen is not None:
            seen.append(found)
        time.sleep(0.02)
    return found


def test_a_grade_says_what_it_does_and_is_kept_for_the_next_studio(
    pool: Grading, asked: GradeRequest, at_home: pytest.MonkeyPatch
) -> None:
    seen: list[Working] = []
    grade = answer(pool, asked, seen)

    assert grade["possible"]
    assert all(one.doing for one in seen)
    with closing(Grading(processes=0)) as nobody_there:
        assert nobody_there.ask(asked) == grade


def test_the_grade_of_a_whole_run_is_the_recorded_one(pool: Grading, asked: GradeRequest, package: Package) -> None:
    stored = read_run(asked.run)
    assert stored.result is not None

    whole = answer(pool, GradeRequest(asked.run, package.folder, asked.digest, stored.result.steps))

    assert whole["reward"] == stored.result.reward


def test_what_a_run_changed_is_called_as_the_world_calls_it(pool: Grading, asked: GradeRequest) -> None:
    paths = answer(pool, GradeRequest(asked.run, asked.package, asked.digest, None))

    assert "jira:BOX.issue/BOX-32" in paths.values()


def test_a_process_that_dies_fails_its_grade_and_the_next_is_made(pool: Grading, asked: GradeRequest) -> None:
    assert isinstance(pool.ask(asked), Working)
    process = pool._processes[0]
    assert process.child is not None
    process.child.kill()
    with pytest.raises(GradeFailed, match="ended without an answer"):
        answer(pool, asked)

    assert answer(pool, asked)["possible"]


def test_nobody_waits_for_a_grade_that_was_cancelled(pool: Grading, asked: GradeRequest, package: Package) -> None:
    other = GradeRequest(asked.run.with_name("idle"), package.folder, asked.digest, 0)
    assert isinstance(pool.ask(asked), Working)
    queued = pool.ask(other)
    assert isinstance(queued, Working)
    assert queued.state == "queued"

    pool.cancel(asked)

    assert answer(pool, other)["reward"] == 0


def test_a_run_that_cannot_be_played_says_why(
    pool: Grading, asked: GradeRequest, package: Package, tmp_path: Path
) -> None:
    spoiled = tmp_path / "spoiled"
    spoiled.mkdir()
    (spoiled / "trajectory.jsonl").write_text("{}\n{}\n")

    with pytest.raises(GradeFailed, match="is damaged"):
        answer(pool, GradeRequest(spoiled, package.folder, asked.digest, 1))
