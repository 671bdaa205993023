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


def unpack_todo(folder: Path) -> Path:
    """A folder for sys.path with the package and what its pyproject says of it."""
    copytree(TODO / "todo_app", folder / "todo_app", ignore=ignore_patterns("__pycache__"))
    project = tomllib.loads((TODO / "pyproject.toml").read_text("utf-8"))["project"]
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
    monkeypatch.syspath_prepend(str(folder))
    _forget()
    yield
    _forget()
    for name in [name for name in sys.modules if name.startswith("todo_app")]:
        del sys.modules[name]


def _forget() -> None:
    for cached in (plugins._targets, plugins._packages, load_plugin):
        cached.cache_clear()
