"""The example app, installed as pip would install it, for as long as a test needs it."""

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from brownout.core import plugins
from brownout.core.plugins import load_plugin

__all__ = ["TODO", "installed_todo", "unpack_todo"]

TODO = Path(__file__).parent.parent / "examples" / "todo"


def unpack_todo(folder: Path, source: Path = TODO) -> Path:
    """A folder for sys.path with a project's package and what its pyproject says of it."""
    whole = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))
    project, [package] = whole["project"], whole["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    copytree(source / package, folder / package, ignore=ignore_patterns("__pycache__"))
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", "utf-8"
    )
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {address}" for name, address in points.items())])
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n\n".join(groups) + "\n", "utf-8")
    return folder


@contextmanager
def installed_todo(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Find what `unpack_todo` put into the folder."""
    packages = {path.name for path in folder.iterdir()}
    monkeypatch.syspath_prepend(str(folder))
    _forget()
    yield
    _forget()
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]


def _forget() -> None:
    for cached in (plugins._targets, plugins._packages, load_plugin):
        cached.cache_clear()
