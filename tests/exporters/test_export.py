"""What every export has, whichever framework it is for: the world, its lock, its runtime, and the same answers as here."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from zipfile import Path as ZipPath
from zipfile import ZipFile

import pytest

import brownout
from brownout.core.errors import ExportError, PackageError, UnknownPlugin, UnknownTask, UsageError
from brownout.core.plugins import plugin_names
from brownout.core.values import JsonObject, digest_of
from brownout.engine.world import World
from brownout.exporters.export_folder import foreign_files
from brownout.exporters.export_request import ExportRequest, parse_seeds, parse_split, placed
from brownout.exporters.exporter import export_world, load_exporter
from brownout.exporters.inside.opened_export import open_export
from brownout.exporters.lock import file_digest, read_lock
from brownout.exporters.smoke_test import Script, smoke_test, solution
from brownout.exporters.wheels import runtime_wheel
from brownout.qa import RuleResult, TaskReport
from brownout.qa.kept_results import KeptResults
from brownout.rollouts.recorder import read_run
from tests.exporters.imported_names import is_there, names_used, programs_in
from tests.functional.commands import Commands
from tests.functional.playing import play
from tests.todo import installed_todo, unpack_todo
from worlds.package import Package

FIRST = "find-the-change"
ARCHIVE = "brownout_tiny-evaluation.zip"


def test_the_world_is_the_package_to_the_byte_and_its_solutions_lie_apart(
    exported: Path, tiny_package: Package
) -> None:
    files = [path.relative_to(tiny_package.folder) for path in tiny_package.folder.rglob("*") if path.is_file()]

    with ZipFile(exported / ARCHIVE) as archive:
        for name in files:
            apart = name.parts[0] in ("oracle", "cases")
            there = (ZipPath(archive) if apart else exported / "brownout_tiny/world") / str(name)
            assert there.read_bytes() == (tiny_package.folder / name).read_bytes()
    assert read_lock(exported).files[ARCHIVE] == file_digest((exported / ARCHIVE).read_bytes())
    assert not (exported / "brownout_tiny/world/oracle").exists()
    assert foreign_files(exported) == []


def test_a_reference_solution_makes_the_same_calls_as_here(exported: Path, tiny: World, tmp_path: Path) -> None:
    with open_export(exported / "brownout_tiny") as world:
        for row in world.rows:
            play(tiny, tmp_path / row.task, row.task, "oracle", seed=row.seed)
            here = [event for event in read_run(tmp_path / row.task).events if event.kind == "call"]
            script = solution(world, row)
            assert [(call.name, call.arguments) for call in script.calls] == [(c.name, c.arguments) for c in here]


def test_a_machine_that_trains_needs_no_solutions(exported: Path, tmp_path: Path) -> None:
    folder = copytree(exported, tmp_path / "out")
    (folder / ARCHIVE).unlink()

    with open_export(folder / "brownout_tiny") as world:
        assert world.open("a", FIRST).finish().reward == 0
        with pytest.raises(PackageError, match=f"expected the archive {ARCHIVE} at"):
            solution(world, world.rows[0])


def test_without_solutions_the_check_still_sees_that_idling_earns_nothing(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copytree(exported, tmp_path / "out")
    (folder / ARCHIVE).unlink()

    async def idle(script: Script) -> JsonObject:
        return {"reward": float(bool(script.calls))}

    assert smoke_test(folder / "brownout_tiny", idle, []) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2] for line in told[:-1]] == ["doing nothing earns 0.0"] * 3
    assert told[-1] == f"the reference solutions were not played: no {ARCHIVE} at {folder / ARCHIVE}"


def test_solutions_of_another_export_are_refused(exported: Path, tmp_path: Path) -> None:
    folder = copytree(exported, tmp_path / "out")
    (folder / ARCHIVE).write_bytes((folder / ARCHIVE).read_bytes() + b" ")

    with open_export(folder / "brownout_tiny") as world, pytest.raises(ExportError, match=r"is not the archive that"):
        solution(world, world.rows[0])


@pytest.mark.parametrize("name", ["world/graders/find-the-change.json", "rows.jsonl", "world/world.sqlite"])
def test_a_package_that_was_changed_after_its_lock_is_refused(exported: Path, tmp_path: Path, name: str) -> None:
    folder = copytree(exported, tmp_path / "out")
    path = folder / "brownout_tiny" / name
    path.write_bytes(path.read_bytes() + b" ")

    with pytest.raises(ExportError, match=f"changed after its brownout.lock: brownout_tiny/{name}"):
        open_export(folder / "brownout_tiny")


def test_a_hidden_test_that_was_put_beside_the_others_is_refused(exported: Path, tmp_path: Path) -> None:
    folder = copytree(exported, tmp_path / "out")
    name = "world/graders/release-the-seats/boxoffice/test_easy.py"
    (path := folder / "brownout_tiny" / name).parent.mkdir(parents=True, exist_ok=True)
    path.write_text("def test_nothing(): ...")

    with pytest.raises(ExportError, match=f"changed after its brownout.lock: brownout_tiny/{name} is not in it"):
        open_export(folder / "brownout_tiny")


def test_a_lock_of_another_package_is_refused(exported: Path, tmp_path: Path) -> None:
    folder = copytree(exported, tmp_path / "out")
    lock = json.loads((folder / "brownout.lock").read_text())
    (folder / "brownout.lock").write_text(json.dumps({**lock, "package": "0" * 32}))

    with pytest.raises(ExportError, match=r"has the package [0-9a-f]+, its brownout.lock names 0+; export the world"):
        open_export(folder / "brownout_tiny")


def test_another_runtime_is_refused_and_the_right_one_named(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brownout.exporters.inside.opened_export.installed_runtime", lambda: "0.0.9+other")

    with pytest.raises(ExportError, match=r"needs the runtime .*, found 0\.0\.9\+other: python -m pip install .*\.whl"):
        open_export(exported / "brownout_tiny")


def test_a_package_without_its_lock_is_refused(exported: Path, tmp_path: Path) -> None:
    folder = copytree(exported, tmp_path / "out")
    (folder / "brownout.lock").unlink()
    with pytest.raises(ExportError, match=r"found no readable brownout\.lock"):
        open_export(folder / "brownout_tiny")

    (folder / "brownout.lock").write_text('{"format": 99}')
    with pytest.raises(ExportError, match="has format 99, expected 1; export the world again"):
        open_export(folder / "brownout_tiny")


def test_the_lock_ties_everything_to_digests(exported: Path, tiny_package: Package) -> None:
    lock = read_lock(exported)
    runtime = exported / "runtime" / lock.runtime.file

    assert lock.package == tiny_package.manifest.digest
    assert [*lock.tasks] == [*tiny_package.tasks]
    assert [*lock.tools] == tiny_package.manifest.apps
    assert lock.runtime.sha256 == runtime_wheel().sha256
    assert runtime.read_bytes() == runtime_wheel().data


def test_the_project_asks_for_its_very_runtime(exported: Path, tiny_package: Package) -> None:
    project = tomllib.loads((exported / "pyproject.toml").read_text())["project"]

    assert project["version"].endswith(f"+{tiny_package.manifest.digest[:12]}")
    assert f"brownout=={read_lock(exported).runtime.version}" in project["dependencies"]
    assert "trl==1.16.0" in project["dependencies"]


def test_the_same_world_is_exported_to_the_same_bytes(exported: Path, tiny_package: Package, tmp_path: Path) -> None:
    again = export_world("trl", tiny_package, tmp_path / "again")

    assert (again / "brownout.lock").read_bytes() == (exported / "brownout.lock").read_bytes()


@pytest.mark.parametrize("name", plugin_names("exporters"))
def test_every_exporter_writes_what_python_can_read(name: str, tiny_package: Package, tmp_path: Path) -> None:
    folder = export_world(name, tiny_package, tmp_path / "out")

    for path in folder.rglob("*.py"):
        if "world" not in path.relative_to(folder).parts:
            compile(path.read_text("utf-8"), str(path), "exec")
    assert "{{" not in (folder / "README.md").read_text("utf-8")
    assert (folder / "constraints.txt").is_file()
    assert read_lock(folder).requires


@pytest.mark.parametrize("name", plugin_names("exporters"))
def test_what_every_exporters_package_imports_of_ours_is_there(
    name: str, tiny_package: Package, tmp_path: Path
) -> None:
    folder = export_world(name, tiny_package, tmp_path / "out")
    written = [path for path in folder.rglob("*.py") if "world" not in path.relative_to(folder).parts]
    used = {path.relative_to(folder): names_used(path.read_text("utf-8")) for path in written}

    assert any(used.values())
    assert [f"{path}: {each}" for path, names in used.items() for each in sorted(names) if not is_there(each)] == []


def test_what_the_frameworks_tests_import_of_ours_is_there() -> None:
    folder = Path(__file__).parents[1] / "frameworks"
    used = {path.name: set().union(*map(names_used, programs_in(path))) for path in folder.glob("*.py")}

    assert any("nemo_gym.smoke_play" in name for name in used["test_nemo_gym.py"])
    assert [f"{file}: {each}" for file, names in used.items() for each in sorted(names) if not is_there(each)] == []


def test_a_name_that_is_not_there_would_be_noticed() -> None:
    program = (
        "import json, worlds.package\n"
        "from brownout.exporters.inspect_ai import playing, scorer as judging, task\n"
        "from brownout.core.errors import ExportError, NoSuchError\n"
        "judging.graded(task.make_task, judging.no_such_thing)\n"
    )

    assert [each for each in sorted(names_used(program)) if not is_there(each)] == [
        "brownout.core.errors.NoSuchError",
        "brownout.exporters.inspect_ai.playing",
        "brownout.exporters.inspect_ai.scorer.no_such_thing",
    ]


def test_tasks_seeds_and_splits_become_rows(tiny_package: Package, tmp_path: Path) -> None:
    request = ExportRequest([], parse_seeds("0-2,7"), parse_split("train=2/3,test=1/3"))
    with open_export(export_world("trl", tiny_package, tmp_path / "out", request) / "brownout_tiny") as world:
        rows = world.rows

    assert len(rows) == 3 * 4
    assert {row.seed for row in rows} == {0, 1, 2, 7}
    assert len({(row.task, row.split) for row in rows}) == 3
    assert sorted(row.split for row in rows) == ["test"] * 4 + ["train"] * 8


def test_a_task_more_moves_no_other_far() -> None:
    split = parse_split("train=0.8,test=0.2")
    before = placed([f"task-{n}" for n in range(20)], split)
    after = placed([f"task-{n}" for n in range(21)], split)

    assert sum(before[name] != after[name] for name in before) <= 1
    assert sorted(before.values()).count("test") == 4


@pytest.mark.parametrize("text", ["", "x", "3-1", "1,,2", "0-999999999999"])
def test_seeds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        parse_seeds(text)


@pytest.mark.parametrize("text", ["", "train", "train=x", "train=0.5", "train=1.5,test=-0.5", "a b=1", "train=1/0"])
def test_splits_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected shares that add up to 1"):
        parse_split(text)


def test_more_splits_than_tasks_are_refused() -> None:
    with pytest.raises(UsageError, match="expected at least 2 tasks"):
        placed(["one"], parse_split("train=0.5,test=0.5"))


def test_an_unknown_task_or_framework_says_what_there_is(tiny_package: Package, tmp_path: Path) -> None:
    with pytest.raises(UnknownTask, match=FIRST):
        export_world("trl", tiny_package, tmp_path / "out", ExportRequest(["nothing"]))
    with pytest.raises(UnknownPlugin, match=r"installed: .*inspect"):
        load_exporter("gymnasium")
    assert not (tmp_path / "out").exists()


def test_the_command_checks_writes_and_prints_one_document(
    command: Commands, tiny_package: Package, tmp_path: Path
) -> None:
    arguments = ["--to", "inspect", "--out", tmp_path / "out", "--tasks", FIRST, "--json"]
    document = command("export", tiny_package.folder, *arguments).document

    assert document["export"] == str(tmp_path / "out")
    assert document["tasks"] == [FIRST]
    assert document["package"] == tiny_package.manifest.digest
    assert set(document) == {
        "export", "to", "requires", "module", "world", "package", "seed", "tasks", "runtime", "files", "bytes", "seconds",
    }  # fmt: skip


def test_a_world_whose_rewards_do_not_hold_is_not_exported(
    command: Commands, tiny_package: Package, tmp_path: Path
) -> None:
    folder = copytree(tiny_package.folder, tmp_path / "package")
    oracle = folder / "oracle" / f"{FIRST}.json"
    manifest = json.loads((folder / "manifest.json").read_text())
    steps = json.loads(oracle.read_text())
    oracle.write_text(json.dumps(steps[:4]))
    manifest["digests"][f"oracle/{FIRST}.json"] = digest_of(oracle.read_bytes())
    (folder / "manifest.json").write_text(json.dumps(manifest))
    kept = ["--results", tmp_path / "found.json", "--keep", tmp_path / "runs"]
    words = ["export", folder, "--to", "trl", "--out", tmp_path / "out", "--tasks", FIRST]
    done = command(*words, *kept)

    assert done.code == 1
    assert f"{FIRST}: oracle: seed 0: " in done.err
    assert "override a rule: --allow RULE" in done.err
    assert not (tmp_path / "out").exists()
    assert [*(tmp_path / "runs").iterdir()]
    again = command(*words, *kept)  # into a folder that is not empty: nothing is played
    assert (again.code, again.err) == (1, done.err)
    allowed = command(*words, *kept, "--allow", "oracle", "--allow", "stopped")
    assert (allowed.code, (tmp_path / "out").is_dir()) == (0, True), allowed.err
    assert command(*words, "--allow", "nonsense").code == 2


def test_results_of_another_package_or_other_code_are_not_believed(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path / "found.json", "a", "code")
    kept.keep([TaskReport("t", (RuleResult("oracle", False, "earns 0.4"),)), TaskReport("s", (), skipped="no sandbox")])

    assert kept.known() == {"t": TaskReport("t", (RuleResult("oracle", False, "earns 0.4"),))}
    assert KeptResults(kept.path, "b", "code").documents() == {}
    assert KeptResults(kept.path, "a", "other").documents() == {}
    kept.path.write_text("{")
    assert kept.documents() == {}


def test_a_refused_folder_is_one_sentence_and_exit_2(command: Commands, tiny_package: Package, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    done = command("export", tiny_package.folder, "--to", "trl", "--out", tmp_path, "--tasks", FIRST)

    assert done.code == 2
    assert done.out == ""
    assert "found other files; choose another --out" in done.err
    assert "Traceback" not in done.err


def test_every_world_that_is_shipped_can_be_exported(tmp_path: Path) -> None:
    for name in brownout.catalog.shipped_worlds():
        package = brownout.open_package(name)
        if package.tasks:
            folder = export_world("trl", package, tmp_path / name)
            assert (folder / "README.md").is_file()
        else:
            with pytest.raises(ExportError, match=f"{name} has no tasks"):
                export_world("trl", package, tmp_path / name)


def test_an_export_that_cannot_be_opened_is_not_kept(tiny_package: Package, tmp_path: Path) -> None:
    folder = copytree(tiny_package.folder, tmp_path / "package")
    package = brownout.open_package(folder)
    (folder / "world.sqlite").write_bytes(b"no database")

    with pytest.raises(PackageError, match="is damaged"):
        export_world("trl", package, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["package"]


@pytest.fixture
def with_todo(spec_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    """`tiny` with a stranger's app."""
    path = spec_folder / "world.yaml"
    path.write_text(path.read_text().replace("  jira:\n", "  todo: {}\n  jira:\n", 1))
    with installed_todo(unpack_todo(tmp_path / "plugins"), monkeypatch):
        yield brownout.build(spec_folder, out=tmp_path / "package")


def test_a_strangers_app_is_carried_along(with_todo: Package, tmp_path: Path) -> None:
    folder = export_world("trl", with_todo, tmp_path / "out")
    lock = read_lock(folder)
    [plugin] = lock.plugins
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(folder / "runtime" / plugin.file)], check=True)
    program = "import sys, todo_app; from importlib.metadata import entry_points; print(todo_app.__file__, [*entry_points(group='brownout.apps')])"
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(site)}, capture_output=True, text=True, check=True
    )

    assert done.stdout.startswith(str(site))
    assert "name='todo'" in done.stdout
    assert f"{plugin.distribution}=={plugin.version}" in (folder / "pyproject.toml").read_text()
