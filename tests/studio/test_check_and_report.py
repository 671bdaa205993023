"""Check and Report: what they say before and after their work was done."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import copytree

import orjson
import pytest
from streamlit.testing.v1 import AppTest

from brownout.api import open_package
from brownout.catalog import find_spec
from generators.report import measure_company, read_company
from studio.authoring.earned_cases import cases_of
from studio.episodes.run_list import list_runs
from studio.known_worlds import find_world
from studio.qa_results import keeping_results
from studio.start_options import RUNS, choices
from tests.studio.shown_tables import shown_tables
from worlds.package import Package

Open = Callable[..., AppTest]


def texts(app: AppTest) -> str:
    found = [*app.markdown, *app.subheader, *app.code, *app.warning]
    return "\n".join(str(element.value) for element in found).replace("\\", "")


def _done(here: Path, kind: str, about: Mapping[str, str], result: object, *, state: str = "done") -> None:
    """A job as one that has ended left it; nothing is printed where the result is None."""
    folder = here / ".studio" / "jobs" / f"20261124-120000-{kind}-{state}"
    folder.mkdir(parents=True)
    document = {
        "kind": kind, "title": kind, "command": [kind], "about": dict(about), "made": time.time(), "began": time.time(),
        "ended": time.time(), "state": state, "code": 0,
    }  # fmt: skip
    (folder / "job.json").write_bytes(orjson.dumps(document))
    (folder / "result.json").write_bytes(b"" if result is None else orjson.dumps(result))


def test_check_links_every_problem_to_its_line(open_page: Open, tmp_path: Path) -> None:
    copytree(find_spec("tiny"), tmp_path / "acme")
    people = tmp_path / "acme" / "people.yaml"
    people.write_text(people.read_text().replace("manager: priya", "manager: priyq", 1))

    app = open_page("check", world="acme")

    assert not app.exception
    assert "there is no person 'priyq'" in texts(app)
    assert app.button(key="problems_check").label == "1 problem"
    assert "world=acme&file=people.yaml&line=17" in [one.proto.query_string for one in app.main.get("page_link")]


def test_check_shows_a_card_for_each_rule_and_how_a_failure_is_seen_again(
    open_page: Open, package: Package, tmp_path: Path
) -> None:
    results = [
        {"rule": "oracle", "passed": True, "detail": "exactly 1"},
        {"rule": "lazy", "passed": False, "detail": "hush earns 0.4"},
    ]
    result = {
        "digest": package.manifest.digest, "passed": False,
        "tasks": [{"task": "find-the-change", "passed": False, "skipped": None, "results": results}],
    }  # fmt: skip
    _done(tmp_path, "qa", {"folder": str(find_spec("tiny"))}, result)

    app = open_page("check", world="tiny")

    assert not app.exception
    assert "1 of 1 tasks fail" in texts(app)
    assert "hush earns 0.4" in texts(app)
    assert "--task find-the-change" in texts(app)


@pytest.mark.parametrize("page", ["check", "export"])
def test_what_a_check_found_stays_when_the_next_one_is_cancelled(
    open_page: Open, package: Package, tmp_path: Path, page: str
) -> None:
    results = [{"rule": "lazy", "passed": False, "detail": "hush earns 0.4"}]
    task = {"task": "find-the-change", "passed": False, "skipped": None, "results": results}
    result = {"digest": package.manifest.digest, "passed": False, "tasks": [task]}
    _done(tmp_path, "qa", {"folder": str(find_spec("tiny"))}, result)
    _done(tmp_path, "qa", {"folder": str(find_spec("tiny"))}, None, state="cancelled")

    app = open_page(page, world="tiny")

    assert not app.exception
    assert "hush earns 0.4" in texts(app)


def test_a_check_that_could_not_begin_says_why_and_not_that_all_is_well(open_page: Open, tmp_path: Path) -> None:
    error = {"error": {"kind": "UsageError", "message": "there is no room left"}}
    _done(tmp_path, "qa", {"folder": str(find_spec("tiny"))}, error, state="failed")

    app = open_page("check", world="tiny")

    assert not app.exception
    assert "there is no room left" in texts(app)
    assert "All tasks pass" not in texts(app)


def test_check_links_a_failed_rule_to_its_run_and_to_nothing_outside_the_folder_of_runs(
    open_page: Open, package: Package, tmp_path: Path
) -> None:
    run = choices().runs / ".checks" / "tiny-1" / "find-the-change-7"
    run.mkdir(parents=True)
    result = {"rule": "lazy", "passed": False, "detail": "hush earns 0.4", "failed": [str(run), str(tmp_path)]}
    task = {"task": "find-the-change", "passed": False, "skipped": None, "results": [result]}
    result = {"digest": package.manifest.digest, "passed": False, "tasks": [task]}
    _done(tmp_path, "qa", {"folder": str(find_spec("tiny"))}, result)

    app = open_page("check", world="tiny")

    assert not app.exception
    links = [element.proto for element in app.get("page_link") if "Replay " in element.proto.label]
    assert [link.label for link in links] == ["Replay find-the-change-7"]
    assert ".checks%2Ftiny-1%2Ffind-the-change-7" in links[0].query_string


def test_episodes_of_a_check_are_opened_by_their_link_and_counted_nowhere(
    open_page: Open, at_home: pytest.MonkeyPatch, recorded: Path, package: Package, tmp_path: Path
) -> None:
    at_home.setenv(RUNS, str(tmp_path / "runs"))
    copytree(recorded, tmp_path / "runs")
    before = [run.id for run in list_runs(choices().runs).runs]
    world = find_world("tiny")
    assert world is not None
    words = keeping_results(world, package, ["qa"])
    kept = Path(words[words.index("--keep") + 1])
    copytree(recorded / "halfway", kept / "find-the-change-7")

    assert [run.id for run in list_runs(choices().runs).runs] == before
    name = (kept / "find-the-change-7").relative_to(choices().runs).as_posix()
    app = open_page("replay", run=name)
    assert not app.exception
    assert "not found" not in texts(app)
    assert [one.value.replace("\\", "") for one in app.title] == [name]


def test_graders_show_what_scripts_earned_and_when_that_is_of_another_build(
    open_page: Open, package: Package, tmp_path: Path
) -> None:
    case = {"name": "", "reward": 1.0, "earned": {"cause": [2, 2]}, "met": ["cause"]}
    result = {"rule": "oracle", "passed": True, "detail": "", "cases": [case], "failed": []}
    task = {"task": "find-the-change", "passed": True, "skipped": None, "results": [result]}
    _done(tmp_path, "cases", {"folder": str(find_spec("tiny"))}, {"digest": "other", "tasks": [task]})

    app = open_page("graders", world="tiny")
    world = find_world("tiny")
    assert world is not None
    found = cases_of(world)

    assert not app.exception
    assert found["find-the-change"].rules == {"oracle": [case]}
    assert found["find-the-change"].is_stale


@pytest.mark.parametrize("is_same", [True, False])
def test_overview_says_whether_two_builds_are_the_same_and_in_which_table_they_are_not(
    open_page: Open, package: Package, tmp_path: Path, is_same: bool
) -> None:
    table = {"table": "gmail_message", "first": 1, "second": 2, "example": ['[1,"a"]', '[1,"b"]']}
    part = {"part": "world.sqlite", "detail": "1 table differs", "tables": [table], "example": []}
    result = {"digest": package.manifest.digest, "differs": [] if is_same else [part]}
    _done(tmp_path, "twice", {"folder": str(find_spec("tiny"))}, result)

    app = open_page("overview", world="tiny")

    assert not app.exception
    assert package.manifest.digest in texts(app)
    assert ("are the same, in every table and part" in texts(app)) is is_same
    if not is_same:
        row = shown_tables(app)["What differs between two builds"][0]
        assert (row["Part"], row["Table"]) == ("world.sqlite", "gmail_message")
        assert "2 only in the second" in str(row["How"])


def test_check_says_when_its_results_are_of_another_build(open_page: Open, tmp_path: Path) -> None:
    _done(tmp_path, "qa", {"folder": str(find_spec("tiny"))}, {"digest": "other", "passed": True, "tasks": []})

    app = open_page("check", world="tiny")

    assert "has changed since it was checked" in texts(app)


def test_report_counts_its_verdicts(open_page: Open, package: Package, tmp_path: Path) -> None:
    document = measure_company(read_company(open_package(package.folder))).document()
    _done(tmp_path, "report", {"package": package.manifest.digest}, document)

    app = open_page("report", world="tiny")

    assert not app.exception
    assert [metric.label for metric in app.metric][:2] == ["Does not hold", "Unusual"]
    assert sum(int(metric.value) for metric in app.metric) > 20


@pytest.mark.parametrize("page", ["check", "report"])
def test_both_can_be_opened_before_anything_was_done(open_page: Open, page: str) -> None:
    app = open_page(page, world="tiny")

    assert not app.exception
    assert "Not checked yet" in texts(app) or "Not measured yet" in texts(app)
