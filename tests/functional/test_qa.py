"""`brownout qa`: a world that keeps the rules passes, and one that breaks any is told which."""

import json
import sys
from pathlib import Path

import pytest

import brownout
from brownout.cli.main import main
from brownout.core.errors import SandboxUnavailable, UnknownTask
from brownout.engine.world import World
from brownout.qa import check_package, check_task
from brownout.qa.played_episodes import Plays
from brownout.qa.rule_results import RuleResult
from brownout.qa.rules import SMOKE

TASK = "tasks/find-the-change/task.yaml"


def spoil(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def failing(folder: Path, tmp_path: Path, rule: str) -> str:
    """What a rule says of the first task of a spoiled world."""
    with World(brownout.build(folder, out=tmp_path / "package"), hot=4) as world:
        result = SMOKE[rule](Plays(world, "find-the-change", tmp_path / "runs"))
    assert result.passed is False
    assert result.rule == rule
    return result.detail


def test_a_shipped_task_keeps_every_rule(tiny: World) -> None:
    report = check_task(tiny, "find-the-change")

    assert report.passed
    assert [result.rule for result in report.results] == [*SMOKE]
    assert all(result.passed for result in report.results if result.rule != "transfer"), report.document()


def test_an_oracle_that_does_not_earn_everything_is_found(spec_folder: Path, tmp_path: Path) -> None:
    spoil(spec_folder, TASK, "{priority: High}", "{priority: Highest}")

    assert "urgent" in failing(spec_folder, tmp_path, "oracle")


def test_pay_for_nothing_is_found(spec_folder: Path, tmp_path: Path) -> None:
    spoil(spec_folder, TASK, "  points:\n", "  points:\n    calm: {worth: 1, trajectory: {never: [slack_join*]}}\n")

    assert failing(spec_folder, tmp_path, "nothing").startswith("doing nothing: 0.0")


def test_a_reward_that_falls_on_the_way_is_found(spec_folder: Path, tmp_path: Path) -> None:
    spoil(
        spec_folder,
        TASK,
        "  points:\n",
        '  points:\n    unread: {worth: 9, world_state: {"jira:second-complaint": {status: To Do}}}\n',
    )

    assert "after" in failing(spec_folder, tmp_path, "stopped")


def test_a_script_that_is_paid_is_found(spec_folder: Path, tmp_path: Path) -> None:
    spoil(spec_folder, TASK, "duplicate: {worth: 1", "duplicate: {worth: 10")
    (spec_folder / "tasks/find-the-change/lazy/close-one.yaml").write_text(
        "- jira_transition_issue: {issue: BOX-33, transition: Done, resolution: Duplicate}\n- submit: Done.\n"
    )

    assert failing(spec_folder, tmp_path, "lazy").startswith("close-one: 0.")


def test_honest_work_that_is_not_paid_in_full_is_found(spec_folder: Path, tmp_path: Path) -> None:
    (spec_folder / "tasks/find-the-change/good/raised.yaml").write_text(
        "like: oracle\nafter: {jira_update_issue: [jira_update_issue: {issue: $main, priority: Low}]}\n"
    )

    assert failing(spec_folder, tmp_path, "good").startswith("raised: 0.909 (urgent: ")


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("jira_add_comment: {issue: BOX-99, body: Hm}", "jira_add_comment failed"),
        ("jira_add_comment: {issue: BOX-32, body: Hm, fails: true}", "jira_add_comment was to be refused, and was not"),
    ],
)
def test_a_good_script_that_goes_otherwise_than_it_says_is_found(
    spec_folder: Path, tmp_path: Path, step: str, why: str
) -> None:
    (spec_folder / "tasks/find-the-change/good/slip.yaml").write_text(f"like: oracle\nbefore: {{1: [{step}]}}\n")

    assert why in failing(spec_folder, tmp_path, "good")


def test_a_name_out_of_thin_air_is_found(spec_folder: Path, tmp_path: Path) -> None:
    search = "- jira_search_issues: {jql: 'text ~ \"zanzibar\"'}\n"
    spoil(spec_folder, "tasks/find-the-change/oracle.yaml", "- submit", f"{search}- submit")

    assert "'zanzibar' in jira_search_issues" in failing(spec_folder, tmp_path, "known")


def test_a_task_that_needs_a_sandbox_is_skipped_where_there_is_none(
    tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def probe() -> None:
        raise SandboxUnavailable("the sandbox needs bubblewrap: apt-get install bubblewrap")

    monkeypatch.setattr("brownout.rollouts.sandbox_needs.probe", probe)
    report = check_task(tiny, "release-the-seats")

    assert (report.passed, report.results) == (True, ())
    assert "apt-get install bubblewrap" in report.skipped


@pytest.mark.parametrize("tier", ["full", "soak"])
def test_a_tier_that_is_not_there_is_refused(
    tier: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["brownout", "qa", "tiny", "--tier", tier])
    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 2
    assert f"there is no tier '{tier}' yet; there is smoke" in capsys.readouterr().err


def test_the_command_prints_one_document_and_fails_with_what_it_found(
    spec_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for task in ("mend-the-help-page", "release-the-seats"):
        for path in sorted((spec_folder / "tasks" / task).rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        (spec_folder / "tasks" / task).rmdir()
    spoil(spec_folder, TASK, "{priority: High}", "{priority: Highest}")
    brownout.build(spec_folder, out=tmp_path / "package")
    monkeypatch.setattr(sys, "argv", ["brownout", "qa", str(tmp_path / "package"), "--json"])
    with pytest.raises(SystemExit) as stop:
        main()

    document = json.loads(capsys.readouterr().out)
    assert stop.value.code == 1
    assert (document["tier"], document["passed"]) == ("smoke", False)
    rules = {each["rule"]: each["passed"] for each in document["tasks"][0]["results"]}
    assert rules["nothing"] is True
    assert rules["oracle"] is False


def test_every_task_is_reported_on(tiny: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brownout.qa.package_check.TIERS", {"smoke": {"nothing": SMOKE["nothing"]}})

    assert [report.task for report in check_package(tiny)] == [*tiny.package.tasks]


def test_one_task_can_be_asked_for(tiny: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brownout.qa.package_check.TIERS", {"smoke": {"nothing": SMOKE["nothing"]}})

    assert [report.task for report in check_package(tiny, tasks=["find-the-change"])] == ["find-the-change"]
    with pytest.raises(UnknownTask, match="find-the-chance"):
        check_package(tiny, tasks=["find-the-chance"])


def test_a_run_by_which_a_rule_is_broken_is_kept_and_no_other(spec_folder: Path, tmp_path: Path) -> None:
    spoil(spec_folder, TASK, "{priority: High}", "{priority: Highest}")
    kept = tmp_path / "kept"
    with World(brownout.build(spec_folder, out=tmp_path / "package"), hot=4) as world:
        report = check_task(world, "find-the-change", rules=["oracle", "lazy"], keep=kept)

    assert [result.rule for result in report.results] == ["oracle", "lazy"]
    failed = [Path(run) for result in report.results for run in result.failed]
    assert failed
    assert sorted(kept.iterdir()) == sorted(failed)
    assert all((run / "run.json").is_file() for run in failed)


def test_what_each_script_earns_is_told_criterion_by_criterion(tiny: World) -> None:
    report = check_task(tiny, "find-the-change", rules=["oracle", "good", "lazy"])

    found = {result.rule: result for result in report.results}
    assert all(got == worth for got, worth in found["oracle"].cases[0].earned.values() if worth > 0)
    assert [case.name for case in found["lazy"].cases] == [*tiny.package.cases("find-the-change", "lazy")]
    assert [case.name for case in found["good"].cases] == [*tiny.package.cases("find-the-change", "good")]
    assert all(result.failed == () for result in report.results)


def test_runs_are_kept_in_no_folder_that_has_something_in_it(
    tiny: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    monkeypatch.setattr(sys, "argv", ["brownout", "qa", str(tiny.package.folder), "--keep", str(tmp_path)])

    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 2
    assert (tmp_path / "mine.txt").read_text() == "kept"


def test_a_check_that_is_ended_before_its_end_keeps_no_runs(tiny: World, tmp_path: Path) -> None:
    kept = tmp_path / "kept"

    def interrupt(task: str, result: RuleResult) -> None:
        assert [*kept.iterdir()]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_package(tiny, tasks=["find-the-change"], rules=["nothing"], keep=kept, progress=interrupt)

    assert not kept.exists()
