"""`brownout new`: something whole to start from."""

import re
from importlib.resources import files
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Annotated

import typer

from brownout.cli.output import console
from brownout.core.errors import UsageError
from brownout.core.plugins import plugin_address, plugin_names

__all__ = ["new_app", "new_world"]

_NAME = re.compile(r"[a-z][a-z0-9]*")
_OTHERS = re.compile(r'\[project\.entry-points\."brownout\.(?:faults|graders)"\]\n.*?\n(?:\n|$)', re.DOTALL)


def new_world(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put it; an empty folder or none.")],
) -> None:
    """Write a small world that works: two people, one outage, one task. Its text is explained in docs/authoring.md."""
    _expect_room(folder)
    starter = Path(str(files("worlds"))) / "starter"
    copytree(starter, folder, dirs_exist_ok=True, ignore=ignore_patterns("__pycache__"))
    _show(folder, f"brownout validate {folder} && brownout qa {folder}")


def new_app(
    name: Annotated[str, typer.Argument(help="Its short name: lower-case letters and digits.")],
    out: Annotated[
        Path | None, typer.Option(help="Where to put it; a folder of that name where none is given.")
    ] = None,
) -> None:
    """Write an app that works, as a package for pip: shared lists, to be changed into yours. See docs/add-an-app.md."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"expected a name of lower-case letters and digits such as menu, found {name!r}")
    if name in plugin_names("apps"):
        raise UsageError(f"there is an app {name!r} already; it is {plugin_address('apps', name)}")
    folder = out or Path(name)
    _expect_room(folder)
    example = _example()
    package = folder / f"{name}_app"
    package.mkdir(parents=True)
    for source, target in (
        (example / "pyproject.toml", folder / "pyproject.toml"),
        (example / "todo_app" / "__init__.py", package / "__init__.py"),
    ):
        target.write_text(_renamed(source.read_text("utf-8"), name), "utf-8")
    _show(folder, f"pip install --editable {folder}, and name it in a world: apps: {{{name}: {{}}}}")


def _example() -> Path:
    """The app to start from: inside the package where that was installed from a wheel, in its own folder in a checkout."""
    installed = Path(str(files("brownout"))) / "starter_app"
    return installed if installed.is_dir() else installed.parent.parent / "examples" / "todo"


def _renamed(text: str, name: str) -> str:
    """The example under another name, without the fault mode and the grader beside it."""
    own = _OTHERS.sub("", text)
    return own.replace("To-do", name.title()).replace("todo", name)


def _expect_room(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"expected an empty folder or none at {folder}, found other files")


def _show(folder: Path, then: str) -> None:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        console.print(f"  {path}", markup=False, soft_wrap=True)
    console.print(f"now: {then}", markup=False, soft_wrap=True)
