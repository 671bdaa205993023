"""An export stands alone: its own names, its own runtime, the whole world, and the same answers as here."""

import ast
import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import orjson
import pytest

import brownout
from brownout.core.errors import ExportError, UnknownPlugin, UnknownTask
from brownout.core.trajectory import dump_event
from brownout.core.values import JsonObject
from brownout.engine.world import World
from brownout.exporters.exporter import export_world, load_exporter
from brownout.exporters.folder import foreign_files
from brownout.rollouts.recorder import read_run
from tests.functional.commands import Commands
from tests.functional.playing import play
from tests.todo import installed_todo, unpack_todo
from worlds.package import Package, open_package

GENERIC = {"brownout", "worlds", "tools", "graders", "generators", "studio"}
HEAVY = {"streamlit", "typer", "litellm", "rich", "numpy", "jinja2", "aiohttp"}
PLAY = """
import asyncio, json, sys
from brownout_tiny.opening import episodes
from brownout_tiny._runtime.brownout.rollouts.agents import OracleAgent
from brownout_tiny._runtime.brownout.rollouts.options import AgentOptions
played = {}
for task in episodes().tasks:
    episode = episodes().open(task, task, seed=3)
    asyncio.run(OracleAgent(AgentOptions()).play(episode.session))
    played[task] = [episode.finish().reward, episode.trajectory]
print(json.dumps([played, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


@dataclass(frozen=True)
class Played:
    """What came of every task's reference solution in the export: reward, and every event; and what was imported."""

    tasks: dict[str, tuple[float, list[JsonObject]]]
    modules: set[str]


@pytest.fixture(scope="module")
def played(in_export: Callable[[str], str]) -> Played:
    tasks, modules = json.loads(in_export(PLAY))
    return Played({task: (reward, events) for task, (reward, events) in tasks.items()}, set(modules))


def test_the_exported_runtime_answers_to_the_letter_as_this_one(played: Played, tiny: World, tmp_path: Path) -> None:
    assert set(played.tasks) == set(tiny.package.tasks)
    for task, (reward, trajectory) in played.tasks.items():
        result = play(tiny, tmp_path / task, task, "oracle", seed=3)
        here = [orjson.loads(dump_event(event)) for event in read_run(tmp_path / task).events if event.kind != "grade"]
        assert reward == result.reward == 1
        assert trajectory == here


def test_nothing_generic_and_nothing_heavy_is_imported(played: Played) -> None:
    assert GENERIC.isdisjoint(played.modules)
    assert HEAVY.isdisjoint(played.modules)


def test_every_module_of_the_export_can_be_imported(in_export: Callable[[str], str], exported: Path) -> None:
    runtime = exported / "brownout_tiny" / "_runtime"
    modules = [
        ".".join(path.relative_to(exported).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(runtime.rglob("*.py"))
        if path.parent.name != "inside"
    ]
    program = f"import importlib, sys\nfor name in {modules!r}: importlib.import_module(name)\nprint([m for m in sys.modules if m.partition('.')[0] in {GENERIC!r}])"

    assert in_export(program).strip() == "[]"


def test_no_import_of_a_generic_name_is_left(exported: Path) -> None:
    left = []
    for path in exported.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            left += [f"{path}:{name}" for name in names if name.partition(".")[0] in GENERIC]

    assert left == []


def test_only_what_a_session_needs_is_there(exported: Path) -> None:
    runtime = exported / "brownout_tiny" / "_runtime"
    rooms = {path.name for path in runtime.iterdir() if path.is_dir() and path.name != "__pycache__"}

    assert rooms == {"brownout", "worlds", "tools", "graders"}
    for absent in ("brownout/cli", "brownout/catalog.py", "brownout/testing", "worlds/catalog", "worlds/lint.py"):
        assert not (runtime / absent).exists(), absent
    assert (runtime / "brownout/sandbox/inside/shell.py").is_file()


def test_the_sandbox_hides_the_folder_that_holds_the_export(in_export: Callable[[str], str], exported: Path) -> None:
    program = "from brownout_tiny._runtime.brownout.sandbox import launch; print(launch.ROOM)"

    assert Path(in_export(program).strip()) == exported


def test_the_world_is_the_package_to_the_byte(exported: Path, tiny_package: Package) -> None:
    copied = exported / "brownout_tiny" / "world"
    files = [path.relative_to(tiny_package.folder) for path in tiny_package.folder.rglob("*") if path.is_file()]

    assert files
    assert all((copied / name).read_bytes() == (tiny_package.folder / name).read_bytes() for name in files)
    assert open_package(copied).manifest == tiny_package.manifest
    assert foreign_files(exported) == []


def test_the_project_names_what_it_needs_in_the_versions_tried(exported: Path, tiny_package: Package) -> None:
    project = tomllib.loads((exported / "pyproject.toml").read_text())["project"]
    names = {requirement.partition("==")[0].lower() for requirement in project["dependencies"] if "==" in requirement}

    assert project["version"].endswith(f"+{tiny_package.manifest.digest[:12]}")
    assert {"pydantic", "sqlalchemy", "apsw", "orjson", "tzdata", "pyyaml"} <= names
    assert HEAVY.isdisjoint(names)
    assert [r for r in project["dependencies"] if "==" not in r] == ["inspect-ai>=0.3.285"]


def test_the_same_world_is_exported_to_the_same_bytes(exported: Path, tiny_package: Package, tmp_path: Path) -> None:
    again = export_world("inspect", tiny_package, tmp_path / "again")

    assert (again / "export.json").read_bytes() == (exported / "export.json").read_bytes()


def test_the_mark_lists_what_was_exported(exported: Path, tiny_package: Package) -> None:
    mark = json.loads((exported / "export.json").read_text())

    assert mark["package"] == tiny_package.manifest.digest
    assert mark["tasks"] == list(tiny_package.tasks)
    assert json.loads((exported / "brownout_tiny/tasks.json").read_text()) == mark["tasks"]


def test_an_unknown_task_or_framework_says_what_there_is(tiny_package: Package, tmp_path: Path) -> None:
    with pytest.raises(UnknownTask, match="find-the-change"):
        export_world("inspect", tiny_package, tmp_path / "out", ["nothing"])
    with pytest.raises(UnknownPlugin, match=r"installed: .*inspect"):
        load_exporter("gymnasium")
    assert not (tmp_path / "out").exists()


def test_the_command_prints_one_document(command: Commands, tiny_package: Package, tmp_path: Path) -> None:
    arguments = ["--to", "inspect", "--out", tmp_path / "out", "--task", "find-the-change", "--json"]
    document = command("export", tiny_package.folder, *arguments).document

    assert document["export"] == str(tmp_path / "out")
    assert document["tasks"] == ["find-the-change"]
    assert document["package"] == tiny_package.manifest.digest
    assert isinstance(document["bytes"], int)
    assert document["bytes"] > 100_000
    assert set(document) == {"export", "to", "module", "world", "package", "seed", "tasks", "files", "bytes", "seconds"}


def test_a_refused_folder_is_one_sentence_and_exit_2(command: Commands, tiny_package: Package, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    done = command("export", tiny_package.folder, "--to", "inspect", "--out", tmp_path)

    assert done.code == 2
    assert done.out == ""
    assert "found other files; choose another --out" in done.err
    assert "Traceback" not in done.err


def test_every_world_that_is_shipped_can_be_exported(tmp_path: Path) -> None:
    for name in brownout.catalog.shipped_worlds():
        package = brownout.open_package(name)
        if package.tasks:
            folder = export_world("inspect", package, tmp_path / name)
            assert (folder / "README.md").is_file()
        else:
            with pytest.raises(ExportError, match=f"{name} has no tasks"):
                export_world("inspect", package, tmp_path / name)


def test_an_export_that_cannot_be_opened_is_not_kept(tiny_package: Package, tmp_path: Path) -> None:
    folder = copytree(tiny_package.folder, tmp_path / "package")
    package = open_package(folder)
    (folder / "world.sqlite").write_bytes(b"no database")

    with pytest.raises(ExportError, match=r"cannot be opened, so it was not kept: .*PackageError.* is damaged"):
        export_world("inspect", package, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["package"]


@pytest.fixture
def with_todo(spec_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    """`tiny` with a stranger's app."""
    path = spec_folder / "world.yaml"
    path.write_text(path.read_text().replace("  jira:\n", "  todo: {}\n  jira:\n", 1))
    with installed_todo(unpack_todo(tmp_path / "plugins"), monkeypatch):
        yield brownout.build(spec_folder, out=tmp_path / "package")


def test_a_strangers_app_is_carried_along(with_todo: Package, tmp_path: Path, in_export: Callable[..., str]) -> None:
    folder = export_world("inspect", with_todo, tmp_path / "out")
    program = """
import sys
from brownout_tiny.opening import episodes
task = next(task for task in episodes().world.package.tasks.values() if "todo" in task.apps)
session = episodes().open("a", task.id).session
print(session.call("todo_list_items", {}).is_error, [name for name in sys.modules if name.startswith("todo_app")])
"""

    assert (folder / "brownout_tiny/_runtime/todo_app/__init__.py").is_file()
    assert in_export(program, folder).strip() == "False []"
