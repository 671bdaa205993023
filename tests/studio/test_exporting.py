"""Export: the command that a page starts, what it wrote, and what can be taken along."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from brownout.catalog import code_digest
from brownout.core.errors import ExportError
from brownout.core.plugins import plugin_names
from brownout.exporters.exporter import export_world
from brownout.exporters.smoke_test import Tried, try_export
from brownout.qa import RuleResult, TaskReport
from brownout.qa.kept_results import KeptResults
from studio.jobs import latest_job
from studio.known_worlds import find_world
from studio.qa_results import results_file
from studio.start_options import choices
from studio.wanted_export import ExportedFile, WantedExport, archive_of, export_targets, files_of, folded, shown_file
from tests.studio.shown_tables import shown_tables
from tests.studio.test_jobs import until
from worlds.package import Package

Open = Callable[..., AppTest]


@pytest.fixture(scope="module")
def written(package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_world("trl", package, tmp_path_factory.mktemp("dist") / "tiny-trl")


def test_every_exporter_is_a_target_by_the_name_its_users_write() -> None:
    assert {*export_targets()} == {*plugin_names("exporters")}
    assert export_targets()["trl"] == "TRL"


def test_the_command_says_only_what_differs_from_what_it_does_anyway(at_home: pytest.MonkeyPatch) -> None:
    tiny = find_world("tiny")
    assert tiny is not None
    plain = WantedExport("trl", smoke=False).arguments(tiny)
    more = WantedExport("trl", ("a", "b"), "0-3", "train=0.5,test=0.5").arguments(tiny)

    assert plain[2:] == ["--to", "trl", "--out", str(Path.cwd() / "dist" / "tiny-trl"), "--json"]
    assert more[6:] == ["--tasks", "a,b", "--seeds", "0-3", "--split", "train=0.5,test=0.5", "--smoke", "--json"]


def test_what_cannot_be_exported_is_said_at_its_field() -> None:
    wrong = WantedExport("trl", ("a",), "three", "train=0.5,test=0.5").mistakes(["a", "b"])

    assert "expected seeds such as" in wrong["seeds"]
    assert "expected at least 2 tasks" in wrong["split"]
    assert WantedExport("trl").mistakes(["a"]) == {}


def test_a_folder_with_many_files_is_one_row() -> None:
    sizes = {"README.md": 5} | {f"repos/objects/{number:02d}": 10 for number in range(90)}

    assert folded(sizes) == [ExportedFile("README.md", 5, 1), ExportedFile("repos/objects/", 900, 90)]


def test_the_tree_counts_every_file_and_the_archive_has_them(written: Path) -> None:
    files = files_of(written)
    (written / "notes-of-mine.txt").write_text("mine")
    with zipfile.ZipFile(archive_of(written)) as archive:
        names = archive.namelist()
        readme = archive.read("tiny-trl/README.md")

    assert sum(one.files for one in files) == len(names)
    assert "tiny-trl/notes-of-mine.txt" not in names
    assert readme.decode() == shown_file(written, "README.md")


@pytest.mark.parametrize("name", ["../run.json", "/etc/hostname", "brownout_tiny", "nothing.md"])
def test_only_files_of_the_export_are_shown(written: Path, name: str) -> None:
    with pytest.raises(ExportError, match="not found"):
        shown_file(written, name)


def test_a_solution_earns_everything_in_the_package_and_nothing_earns_nothing(written: Path) -> None:
    shares: list[float] = []
    plays = try_export(written, shares.append)

    assert {(one.script, one.reward) for one in plays} == {("the reference solution", 1.0), ("doing nothing", 0.0)}
    assert all(one.is_right for one in plays)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_what_could_not_be_played_is_not_right() -> None:
    one = Tried(task="t", seed=0, script="doing nothing", reward=None, expected=0.0, why="there is no sandbox")

    assert not one.is_right


def test_a_package_is_exported_from_the_page_and_its_rewards_are_shown(open_page: Open, tmp_path: Path) -> None:
    app = open_page("export", world="tiny", to="trl")
    assert not app.exception
    assert "brownout export" in app.code[0].value

    app.multiselect(key="export_tasks").set_value(["find-the-change"]).run()
    app.button(key="export_package").click().run()
    job = latest_job("export", to="trl")
    assert job is not None
    assert until(job, "done", "failed").state == "done", job.log
    app.run()

    assert not app.exception
    tables = shown_tables(app)
    assert [row["Reward"] for row in tables["Rewards of the smoke run"]] == ["1", "0"]
    assert "brownout.lock" in [row["File"] for row in tables["Files of the package"]]
    assert (tmp_path / "dist" / "tiny-trl" / "README.md").read_text().strip() in [one.value for one in app.code]


def test_an_export_is_asked_for_by_the_pages_address(open_page: Open) -> None:
    link = {"to": "trl", "export_seeds": "0-2", "export_split": "train=0.8,test=0.2", "export_smoke": "false"}
    app = open_page("export", world="tiny", **link)

    assert not app.exception
    assert "--to trl" in app.code[0].value
    assert "--seeds 0-2 --split train=0.8,test=0.2" in app.code[0].value
    assert "--smoke" not in app.code[0].value


def test_the_answers_of_an_export_stay_when_another_page_is_looked_at(open_page: Open) -> None:
    app = open_page("export", world="tiny", to="trl")
    app.text_input(key="export_seeds").set_value("0-2").run()

    app.switch_page("views/check.py").run()
    app.switch_page("views/export.py").run()

    assert not app.exception
    assert app.text_input(key="export_seeds").value == "0-2"


def test_a_mistaken_split_cannot_be_exported(open_page: Open) -> None:
    app = open_page("export", world="tiny")
    app.text_input(key="export_split").set_value("train=0.5").run()

    assert not app.exception
    assert app.button(key="export_package").disabled


def test_a_failed_preflight_leads_on_by_the_tasks_that_pass_and_by_rules_that_are_allowed(
    open_page: Open, package: Package, tmp_path: Path
) -> None:
    first, *others = [*package.tasks]
    run = choices().runs / ".checks" / "export-1" / f"{first}-7"
    run.mkdir(parents=True)
    kept = KeptResults(results_file(package), package.manifest.digest, code_digest())
    broken = RuleResult("lazy", False, 'hush: reads http://127.0.0.1:1/{"a": 1} and earns 0.4', failed=(str(run),))
    kept.keep([TaskReport(first, (broken,)), *(TaskReport(one, (RuleResult("lazy", True, "0"),)) for one in others)])

    app = open_page("export", world="tiny", to="trl")

    assert not app.exception
    assert broken.detail in [one.value for one in app.code]  # as code: Markdown makes links of what looks like one
    said = " ".join(one.value for one in app.markdown).replace("\\", "")
    assert package.task(first).title in said
    assert f"1 of {len(package.tasks)} tasks fail" in said
    assert [
        one.proto.page.endswith("replay") for one in app.get("page_link") if one.proto.label == f"Replay {run.name}"
    ] == [True]
    assert app.button(key="export_passing").label.startswith(f"Export the {len(others)} task")

    app.checkbox(key="allow_lazy").check().run()
    assert "--allow lazy" in app.code[-1].value or any("--allow lazy" in one.value for one in app.code)
    assert "export_passing" not in [one.key for one in app.button]

    app.checkbox(key="allow_lazy").uncheck().run()
    app.button(key="export_passing").click().run()
    job = latest_job("export", to="trl")
    assert job is not None
    assert job.command[job.command.index("--tasks") + 1] == ",".join(others)
    assert until(job, "done", "failed").state == "done", job.log
    assert [stage.title for stage in job.stages] == [
        "Check the rewards",
        "Write the package",
        "Play it without a model",
    ]
    assert not (choices().runs / ".checks").joinpath("export-1", others[0]).exists()
