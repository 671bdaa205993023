"""Why there is no reward is told by a kind, whatever the message begins with."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree, rmtree
from typing import get_args

import pytest

from brownout.client import SessionClient
from brownout.client.answers import GradeAnswer
from brownout.client.errors import EnvironmentFailed, SessionLost, refusal_of
from brownout.core.errors import FailureKind, GradingError, SandboxError, SandboxUnavailable, StoreLost
from brownout.core.grading import EndState, GradingContext, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json
from brownout.engine.world import World
from brownout.llm import Model
from brownout.rollouts.agent_options import GradingOptions
from brownout.sandbox import HiddenRun
from brownout.serve.host import Host
from brownout.testing.fake_openai import FakeOpenAI, Reply
from graders.grader_lookup import load_grader
from tests.serve.scripts import TASK
from worlds.package import Package, open_package
from worlds.spec.models import Rubric

Patch = pytest.MonkeyPatch
DOCS = Path(__file__).parents[2] / "docs" / "serve.md"
HIDDEN: Json = {"unit_tests": {"repo": "boxoffice", "at": "main", "run": "hidden/"}}
JUDGED: Json = {"judge": {"reads": "answer", "asks": "Is it polite?"}}
STRICT = GradingOptions(strict=True)
STRANGE: Json = {"strange": "anything"}


class Strange:
    """A stranger's grader, which fails."""

    name = "strange"
    version = 1

    def __init__(self, error: Exception) -> None:
        self.error = error

    def check(self, asks: Json) -> list[str]:
        return []

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        raise self.error


def sandbox(outcome: HiddenRun | Exception) -> Callable[[Patch], None]:
    def run(*_: object, **__: object) -> HiddenRun:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return lambda patch: patch.setattr("graders.suite_runs.kept_hidden_run", run)


def strange(error: Exception) -> Callable[[Patch], None]:
    found = Strange(error)
    return lambda patch: patch.setattr(
        "graders.rubric.load_grader", lambda name: found if name == "strange" else load_grader(name)
    )


def nothing(patch: Patch) -> None:
    """Everything is as it is."""


@pytest.mark.parametrize(
    ("kind", "begins", "asks", "trouble"),
    [
        ("sandbox_unavailable", "sandbox_unavailable: ", HIDDEN, sandbox(SandboxUnavailable("install it"))),
        ("sandbox_failed", "sandbox_failed: ", HIDDEN, sandbox(SandboxError("it broke"))),
        ("hidden_tests_broken", "hidden_tests_broken: ", HIDDEN, sandbox(HiddenRun(()))),
        ("model_unavailable", "judge_unavailable: ", JUDGED, nothing),
        ("rubric_broken", "the rubric names a fact", {"told": {"facts": ["none"], "whom": ["marcus"]}}, nothing),
        ("plugin_failed", "no graders named 'guess'", {"guess": 1}, nothing),
        ("grader_failed", "grader_failed: strange raised KeyError", STRANGE, strange(KeyError("x"))),
        ("grader_failed", "it is unclear", STRANGE, strange(GradingError("it is unclear"))),
        ("storage_failed", "grader_failed: strange raised StoreLost", STRANGE, strange(StoreLost("gone"))),
        ("storage_failed", "grader_failed: strange raised OSError", STRANGE, strange(OSError(28, "no space"))),
        ("machine_failed", "grader_failed: strange raised MemoryError", STRANGE, strange(MemoryError())),
    ],
)
def test_the_kind_of_a_failure_does_not_hang_on_the_criterions_name_before_it(
    tiny: World, monkeypatch: Patch, kind: str, begins: str, asks: dict[str, Json], trouble: Callable[[Patch], None]
) -> None:
    trouble(monkeypatch)
    grade = graded(tiny, monkeypatch, asks)

    assert grade.reward is None
    assert re.match(rf"defect: {re.escape(begins)}", grade.failure), grade.failure
    assert grade.failure_kind == kind


@pytest.mark.parametrize("reply", [Reply(status=400), Reply("no JSON"), Reply(trouble="cut")])
def test_a_judge_that_is_there_and_fails_is_another_kind_than_none(
    tiny: World, monkeypatch: Patch, reply: Reply
) -> None:
    with FakeOpenAI(reply) as endpoint:
        options = GradingOptions(Model(name="openai/judge", base_url=endpoint.base_url, patience_seconds=0))
        grade = graded(tiny, monkeypatch, JUDGED, options)

    assert grade.failure.startswith("defect: judge_failed: ")
    assert (grade.reward, grade.failure_kind) == (None, "model_failed")


def test_a_grade_as_json_has_null_where_there_is_no_failure(tiny: World, monkeypatch: Patch) -> None:
    with closing(Host(tiny)) as host:
        client = SessionClient(host)
        client.create("a", "find-the-change")
        client.submit("a", "Nothing found.")
        fine = client.grade("a").document()
    failed = graded(tiny, monkeypatch, JUDGED, GradingOptions(skip=frozenset({"judge"}))).document()

    assert (fine["reward"], fine["failure"], fine["failure_kind"]) == (0.0, None, None)
    assert (failed["reward"], failed["failure_kind"]) == (None, "left_out")
    assert failed["failure"]


def test_what_was_left_out_on_purpose_is_no_failure_of_anybodys(tiny: World, monkeypatch: Patch) -> None:
    grade = graded(tiny, monkeypatch, JUDGED, GradingOptions(skip=frozenset({"judge"})))

    assert (grade.reward, grade.failure_kind) == (None, "left_out")


def test_a_grade_has_no_kind_where_it_has_a_reward(tiny: World, monkeypatch: Patch) -> None:
    grade = graded(tiny, monkeypatch, {"world_state": {"jira:first-complaint": {"priority": "High"}}})

    assert (grade.reward, grade.failure, grade.failure_kind) == (0.0, "", "")


def test_a_refusal_carries_its_kind_over_the_wire() -> None:
    for error in (EnvironmentFailed("sandbox_error: broke", "sandbox_failed"), SessionLost("gone")):
        told = error.document()["error"]
        assert isinstance(told, dict)
        again = refusal_of(told)

        assert (type(again), str(again), again.failure_kind) == (type(error), str(error), error.failure_kind)


def test_a_server_that_tells_no_kind_or_an_unknown_one_is_understood() -> None:
    told: dict[str, Json] = {"code": "session_lost", "message": "gone", "retryable": False}

    assert refusal_of(told).failure_kind == "session_lost"
    assert refusal_of({**told, "failure_kind": "flooded"}).failure_kind == "session_lost"


def test_every_kind_stands_in_the_table_of_the_docs() -> None:
    _, _, table = DOCS.read_text("utf-8").partition("| `failure_kind` |")
    rows = re.findall(r"^\| `([a-z_]+)` \|", table.partition("\n\n")[0], re.MULTILINE)

    assert sorted(rows) == sorted(get_args(FailureKind))


def graded(world: World, patch: Patch, asks: Json, options: GradingOptions = STRICT) -> GradeAnswer:
    """The server's grade of an episode that did nothing, by one criterion, called as another kind of failure is."""
    assert isinstance(asks, dict)
    rubric = Rubric.model_validate({"gates": {}, "points": {"defect": {"worth": 1, **asks}}})
    host = Host(world, grading=options)
    client = SessionClient(host)
    client.create("a", TASK)
    client.submit("a", "The seats are free again, and all who wrote to us have been told so.")
    patch.setattr(Package, "rubric", lambda self, task: rubric)
    try:
        return client.grade("a")
    finally:
        host.close()


def test_a_package_that_is_removed_while_it_is_served_is_the_storages_failure(
    tiny_package: Package, tmp_path: Path
) -> None:
    folder = copytree(tiny_package.folder, tmp_path / "package")
    with World(open_package(folder)) as world:
        client = SessionClient(Host(world))
        client.create("a", TASK)
        rmtree(folder)
        assert not client.call("a", "slack_list_channels", {}).is_error
        client.submit("a", "Nothing found.")

        grade = client.grade("a")
        with pytest.raises(EnvironmentFailed) as refused:
            client.create("b", TASK)

    assert (grade.reward, grade.failure_kind) == (None, "storage_failed")
    assert refused.value.failure_kind == "storage_failed"
