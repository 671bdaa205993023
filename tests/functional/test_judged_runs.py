"""What only a reader can judge: recorded with the task or the run, else asked of a model, else no reward."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.core.grading import Grade
from brownout.engine.world import World
from brownout.llm import Model
from brownout.rollouts.options import AgentOptions, GradingOptions
from brownout.rollouts.recorder import RunResult, read_run
from brownout.rollouts.replay import regrade
from brownout.rollouts.runner import Episode, run_episodes
from brownout.testing.fake_openai import FakeOpenAI
from tests.functional.playing import play
from worlds.package import Package

pytestmark = pytest.mark.filterwarnings("ignore")  # litellm's own

TASK = "mend-the-help-page"
YES = json.dumps({"verdict": True, "reason": "It says what to do.", "quote": "with the show and the seats"})
NO = json.dumps({"verdict": False, "reason": "It does not.", "quote": ""})


@pytest.fixture
def unjudged(spec_folder: Path, tmp_path: Path) -> Iterator[World]:
    """`tiny` without the answers that were recorded with its tasks."""
    (spec_folder / "tasks" / TASK / "judged.jsonl").unlink()
    with World(brownout.build(spec_folder, out=tmp_path / "package"), hot=2) as world:
        yield world


def judged(world: World, folder: Path, grading: GradingOptions) -> RunResult:
    episode = Episode(TASK, "oracle", 0, AgentOptions(), folder, grading)
    return asyncio.run(run_episodes(world, [episode]))[0]


def asking(endpoint: FakeOpenAI) -> GradingOptions:
    return GradingOptions(Model(name="openai/fake", base_url=endpoint.base_url, timeout_seconds=20, retries=0))


def evidence(grade: RunResult | Grade) -> str:
    return str(grade.ledger[-1])


def test_a_text_that_nobody_judged_has_no_reward(unjudged: World, tmp_path: Path) -> None:
    result = play(unjudged, tmp_path / "run", TASK, "oracle")

    assert (result.status, result.reward) == ("ok", None)
    assert "judge_unavailable" in str(result.failure)
    assert len(result.ledger) == 7  # what was judged before stands there


def test_the_judge_can_be_left_out_and_the_grade_says_so(unjudged: World, tmp_path: Path) -> None:
    result = judged(unjudged, tmp_path / "run", GradingOptions(skip=frozenset({"judge"})))

    assert (result.reward, result.notes) == (1.0, ["skipped: judge"])


def test_a_model_judges_once_and_its_word_is_kept_with_the_run(unjudged: World, tmp_path: Path) -> None:
    with FakeOpenAI(YES) as endpoint:
        result = judged(unjudged, tmp_path / "run", asking(endpoint))
        assert len(endpoint.requests) == 1

    again = regrade(unjudged, read_run(tmp_path / "run"))

    assert result.reward == again.reward == 1.0
    assert "judged by openai/fake" in evidence(result)
    assert "openai/fake, recorded" in evidence(again)


def test_a_judge_that_says_no_costs_its_points_alone(unjudged: World, tmp_path: Path) -> None:
    with FakeOpenAI(NO) as endpoint:
        assert judged(unjudged, tmp_path / "run", asking(endpoint)).reward == 0.9


def test_a_judge_that_lies_leaves_no_reward(unjudged: World, tmp_path: Path) -> None:
    with FakeOpenAI(YES.replace("the show", "a cake")) as endpoint:
        result = judged(unjudged, tmp_path / "run", asking(endpoint))

    assert result.reward is None
    assert "judge_failed" in str(result.failure)


def test_what_a_person_wrote_is_marked_so(tiny: World, tmp_path: Path) -> None:
    assert "judged by a person, by: hand" in evidence(play(tiny, tmp_path / "run", TASK, "oracle"))


def test_where_there_is_nothing_to_judge_nobody_is_asked(unjudged: World) -> None:
    with FakeOpenAI(YES) as endpoint, unjudged.open_session(TASK) as session:
        session.submit("Done, resolved.")
        grade = session.grade(judge=asking(endpoint).judge(None))

        assert (grade.reward, endpoint.requests) == (0.0, [])


def test_a_judge_carries_a_tenth_at_most(tiny_package: Package) -> None:
    for task in tiny_package.tasks:
        points = tiny_package.rubric(task).points.values()
        judged = sum(one.worth for one in points if one.grader == "judge")
        assert judged * 10 <= sum(one.worth for one in points)


def test_a_recorded_answer_that_is_none_is_a_mistake_of_the_author(spec_folder: Path, tmp_path: Path) -> None:
    (spec_folder / "tasks" / TASK / "judged.jsonl").write_text('{"format": 1}\n')

    with pytest.raises(AuthoringError, match=r"judged\.jsonl:1: key: Field required"):
        brownout.build(spec_folder, out=tmp_path / "package")


def test_a_failed_gate_is_nothing_earned_whatever_a_judge_would_say(spec_folder: Path, tmp_path: Path) -> None:
    (spec_folder / "tasks" / TASK / "judged.jsonl").unlink()
    task = spec_folder / "tasks" / TASK / "task.yaml"
    task.write_text(re.sub(r"only: \[[^]]*\]", "only: [harmless]", task.read_text(), count=1))
    with World(brownout.build(spec_folder, out=tmp_path / "package"), hot=2) as world, FakeOpenAI(YES) as endpoint:
        without = play(world, tmp_path / "without", TASK, "oracle")
        asked = judged(world, tmp_path / "asked", asking(endpoint))

        assert (without.reward, asked.reward, endpoint.requests) == (0.0, 0.0, [])
    assert "not judged: a gate failed" in evidence(asked)
