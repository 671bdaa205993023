"""A stranger's exporter uses the same door as ours: an entry point and a folder of templates."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.core.plugins import plugin_names
from brownout.exporters.lock import read_lock
from tests.functional.commands import Commands
from tests.todo import installed_todo, unpack_todo
from worlds.package import Package

STRANGER = Path(__file__).parent / "stranger"
FIRST = "find-the-change"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with installed_todo(unpack_todo(tmp_path / "plugins", STRANGER), monkeypatch):
        yield


@pytest.fixture
def export(installed: None, command: Commands, tiny_package: Package, tmp_path: Path) -> Path:
    done = command(
        "export", tiny_package.folder, "--to", "plain-gym", "--out", tmp_path / "out", "--tasks", FIRST, "--json"
    )
    assert done.code == 0, done.err
    return tmp_path / "out"


def test_it_is_found_by_name_and_brings_its_own_package_along(export: Path) -> None:
    [plugin] = read_lock(export).plugins

    assert "plain-gym" in plugin_names("exporters")
    assert plugin.distribution == "plain-gym"
    assert (export / "runtime" / plugin.file).is_file()
    assert f"plain-gym=={plugin.version}" in (export / "pyproject.toml").read_text("utf-8")


def test_its_readmes_check_passes_with_what_it_brought(export: Path, tmp_path: Path) -> None:
    [plugin] = read_lock(export).plugins
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(export / "runtime" / plugin.file)], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "brownout_tiny.smoke"],
        env={"PYTHONPATH": f"{site}:{export}"}, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.stdout.splitlines() == [
        f"{FIRST}@0: the reference solution earns 1.0", f"{FIRST}@0: doing nothing earns 0.0",
    ], done.stderr  # fmt: skip
