"""`brownout new`: something whole to start from."""

from importlib.resources import files
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Annotated

import typer

from brownout.cli.output import complain, console

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    made = typer.Typer(help="Make something whole to start from.")
    made.command("world")(new_world)
    app.add_typer(made, name="new")


def new_world(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put it; an empty folder or none.")],
) -> None:
    """Write a small world that works: two people, one outage, one task. Its text is explained in docs/authoring.md."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        complain(f"expected an empty folder or none at {folder}, found other files")
        raise typer.Exit(2)
    starter = Path(str(files("worlds"))) / "starter"
    copytree(starter, folder, dirs_exist_ok=True, ignore=ignore_patterns("__pycache__"))
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        console.print(f"  {path}", markup=False)
    console.print(f"now: brownout validate {folder} && brownout qa {folder}", markup=False)
