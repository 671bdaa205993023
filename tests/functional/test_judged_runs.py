"""What only a reader can judge: recorded with the task or the run, else asked of a model, else no reward."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import brownout
from brownout.annotations import answered, keep_answers
from brownout.core.errors import AuthoringError, RunError
from brownout.core.grading import Grade
from brownout.engine.world import World
from brownout.llm import Model
from brownout.qa.played_episodes import Plays
from brownout.qa.rules import oracle
from brownout.rollouts.agent_options import AgentOptions, GradingOptions
from brownout.rollouts.recorder import RunResult, read_run
from brownout.rollouts.replay import regrade
from brownout.rollouts.runner import Episode, run_episodes
from brownout.testing.fake_openai import FakeOpenAI, Reply
from tests.functional.commands import Commands
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
    return GradingOptions(Model(name="openai/fake", base_url=endpoint.base_url, timeout_seconds=20, patience_seconds=0))


def evidence(grade: RunResult | Grade) -> str:
    """What the ledger says of the criterion that a judge reads."""
    lines = [line if isinstance(line, dict) else line.document() for line in grade.ledger]
    return str(next(line for line in lines if line["grader"] == "judge"))


def test_a_text_that_nobody_judged_is_left_out_by_name(unjudged: World, tmp_path: Path) -> None:
    result = play(unjudged, tmp_path / "run", TASK, "oracle")
    [left] = result.left_out

    assert (result.status, result.reward, result.complete, result.failure) == ("ok", 1.0, False, None)
    assert (left["criterion"], left["grader"], left["worth"], left["because"]) == ("useful", "judge", 1, "unread")
    assert "judge_unavailable" in str(left["why"])


def test_whoever_is_strict_has_no_reward_for_it(unjudged: World, tmp_path: Path) -> None:
    result = judged(unjudged, tmp_path / "run", GradingOptions(strict=True))

    assert (result.status, result.reward, result.complete) == ("ok", None, False)
    assert "useful: judge_unavailable" in str(result.failure)
    assert len(result.ledger) == 8  # what was judged before stands there
    assert regrade(unjudged, read_run(tmp_path / "run"), GradingOptions(strict=True)).reward is None
    assert regrade(unjudged, read_run(tmp_path / "run")).reward == 1.0


def test_the_judge_can_be_left_out_and_the_grade_says_so(unjudged: World, tmp_path: Path) -> None:
    result = judged(unjudged, tmp_path / "run", GradingOptions(skip=frozenset({"judge"})))

    assert (result.reward, result.complete) == (1.0, False)
    assert [(each["criterion"], each["because"]) for each in result.left_out] == [("useful", "skipped")]


def test_a_model_judges_once_and_its_word_is_kept_with_the_run(unjudged: World, tmp_path: Path) -> None:
    with FakeOpenAI(YES) as endpoint:
        result = judged(unjudged, tmp_path / "run", asking(endpoint))
        assert len(endpoint.requests) == 1

    again = regrade(unjudged, read_run(tmp_path / "run"))

    assert result.reward == again.reward == 1.0
    assert "judged by openai/fake" in evidence(result)
    assert "openai/fake, recorded" in evidence(again)
    assert result.models[0] == {
        "prompt": "judge/1", "model": "openai/fake", "by": "model", "answers": 1, "input_tokens": 1, "output_tokens": 1,
        "cost_usd": None,
    }  # fmt: skip
    assert again.uses[0].document() == {**result.models[0], "by": "recorded"}


def test_what_a_run_cost_and_what_it_lacks_is_printed(unjudged: World, tmp_path: Path, command: Commands) -> None:
    with FakeOpenAI(YES) as endpoint:
        judged(unjudged, tmp_path / "asked", asking(endpoint))
    judged(unjudged, tmp_path / "unread", GradingOptions())
    package = ("--package", unjudged.package.folder)

    asked = command("grade", tmp_path / "asked", *package)
    unread = command("grade", tmp_path / "unread", *package)
    strict = command("grade", tmp_path / "unread", *package, "--strict")
    document = command("grade", tmp_path / "unread", *package, "--json").document

    assert "judge/1 · openai/fake, recorded: 1 answer, 1 + 1 tokens" in asked.out
    assert (unread.code, strict.code) == (0, 1)
    assert "left out useful (1 points): judge_unavailable" in " ".join(unread.out.split())
    assert "--judge-model" in unread.err
    assert (document["complete"], document["reward"], document["left_out"][0]["criterion"]) == (False, 1.0, "useful")  # type: ignore[index]


def test_what_people_answered_counts_and_the_old_grade_stays(
    unjudged: World, tmp_path: Path, command: Commands
) -> None:
    given = judged(unjudged, tmp_path / "run", GradingOptions())
    keep_answers(tmp_path / "run", {"useful": (False, ("Ida", "Max"))})

    anew = answered(given, tmp_path / "run")
    package = ("--package", unjudged.package.folder)
    printed = command("grade", tmp_path / "run", *package)
    document = command("grade", tmp_path / "run", *package, "--json").document
    words = command("why", tmp_path / "run")

    assert given.reward == 1.0
    assert anew.reward is not None
    assert anew.reward < 1
    assert (anew.before, anew.answered_by, anew.complete, anew.left_out) == (1.0, ["Ida", "Max"], True, [])
    assert (document["reward"], document["answered_by"]) == (anew.reward, ["Ida", "Max"])
    assert "Answered by Ida, Max; without them it is 1" in " ".join(printed.out.split())
    assert "Ida and Max answered" in " ".join(words.out.split())
    assert read_run(tmp_path / "run").result == given, "run.json keeps the grade that was given"

    keep_answers(tmp_path / "run", {})
    assert answered(given, tmp_path / "run") == given


def test_answers_that_cannot_be_read_are_no_grade(unjudged: World, tmp_path: Path) -> None:
    given = judged(unjudged, tmp_path / "run", GradingOptions())
    (tmp_path / "run" / "answers.json").write_text("{")

    with pytest.raises(RunError, match=r"answers\.json cannot be read"):
        answered(given, tmp_path / "run")


def test_runs_that_were_recorded_before_are_read(unjudged: World, tmp_path: Path) -> None:
    judged(unjudged, tmp_path / "run", GradingOptions())
    path = tmp_path / "run" / "run.json"
    before = json.loads(path.read_text())
    for name in ("complete", "left_out", "models"):
        del before[name]
    path.write_text(json.dumps({**before, "notes": ["skipped: judge"]}))

    result = read_run(tmp_path / "run").result
    assert result is not None
    assert (result.reward, result.complete) == (1.0, False)


def test_a_judge_that_says_no_costs_its_points_alone(unjudged: World, tmp_path: Path) -> None:
    with FakeOpenAI(NO) as endpoint:
        assert judged(unjudged, tmp_path / "run", asking(endpoint)).reward == 0.9


def test_a_judge_that_quotes_what_is_not_there_is_not_believed(unjudged: World, tmp_path: Path) -> None:
    with FakeOpenAI(YES.replace("the show", "a cake")) as endpoint:
        result = judged(unjudged, tmp_path / "run", asking(endpoint))

    assert (result.reward, result.complete) == (0.9, True)
    assert "the text does not have what it quotes" in evidence(result)


@pytest.mark.parametrize("trouble", [Reply("no JSON"), Reply(status=400), Reply(trouble="cut")])
def test_a_judge_that_fails_leaves_no_reward(unjudged: World, tmp_path: Path, trouble: Reply) -> None:
    with FakeOpenAI(trouble) as endpoint:
        result = judged(unjudged, tmp_path / "run", asking(endpoint))

    assert (result.reward, result.left_out) == (None, [])
    assert "judge_failed" in str(result.failure)


def test_what_a_person_wrote_is_marked_so(tiny: World, tmp_path: Path) -> None:
    assert "judged by an answer written by hand" in evidence(play(tiny, tmp_path / "run", TASK, "oracle"))


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
    task.write_text(re.sub(r"only: \[[^]]*\]", "only: []", task.read_text(), count=1))
    with World(brownout.build(spec_folder, out=tmp_path / "package"), hot=2) as world, FakeOpenAI(YES) as endpoint:
        without = play(world, tmp_path / "without", TASK, "oracle")
        asked = judged(world, tmp_path / "asked", asking(endpoint))

        assert (without.reward, asked.reward, endpoint.requests) == (0.0, 0.0, [])
    assert "not judged: a gate failed" in evidence(asked)


def test_what_a_judge_says_of_a_tasks_scripts_is_recorded_with_it(spec_folder: Path, command: Commands) -> None:
    recording = spec_folder / "tasks" / TASK / "judged.jsonl"
    recording.unlink()
    to_record = ("record-judge", spec_folder, "--task", TASK)
    listed = command(*to_record, "--json")
    questions = listed.document["open"]
    assert isinstance(questions, list)

    assert (listed.code, recording.exists()) == (1, False)
    assert "oracle" in {one["script"] for one in questions}
    with FakeOpenAI(YES) as endpoint:
        asking_it = ("--judge-model", "openai/fake", "--judge-base-url", endpoint.base_url)
        first = command(*to_record, *asking_it, "--json")
        asked = len(endpoint.requests)
        second = command(*to_record, *asking_it)
        assert len(endpoint.requests) == asked == len(questions), "what is recorded is not asked again"

    assert (first.code, second.code) == (0, 0)
    assert first.document == {"recorded": {TASK: asked}, "open": []}
    with World(brownout.open_package(spec_folder), hot=2) as world:
        result = judged(world, spec_folder.parent / "run", GradingOptions(strict=True))
    assert (result.reward, result.complete) == (1.0, True)
    assert "openai/fake, recorded" in evidence(result)


def test_the_line_that_is_listed_is_what_a_person_fills_in(spec_folder: Path, command: Commands) -> None:
    recording = spec_folder / "tasks" / TASK / "judged.jsonl"
    recording.unlink()
    questions = command("record-judge", spec_folder, "--task", TASK, "--json").document["open"]
    assert isinstance(questions, list)
    lines = [json.dumps({**one["line"], "answer": json.loads(YES)}) for one in questions]
    recording.write_text("\n".join(lines) + "\n")

    assert command("record-judge", spec_folder, "--task", TASK).code == 0
    assert "Question: Does the section" in questions[0]["asked"]


def test_a_reference_solution_that_nobody_read_is_not_trusted(unjudged: World, tmp_path: Path) -> None:
    found = oracle(Plays(unjudged, TASK, tmp_path))
    skipped = oracle(Plays(unjudged, TASK, tmp_path / "skipped", GradingOptions(skip=frozenset({"judge"}))))

    assert (found.passed, skipped.passed) == (False, True)
    assert "1 without useful, which nobody has read" in found.detail
