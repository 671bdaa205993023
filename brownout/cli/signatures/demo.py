"""What `brownout demo` takes, and the world that it plays where none is named; `brownout.cli.demo` does it."""

from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.arguments import AsJson
from brownout.cli.commands import done_by

__all__ = ["demo"]


@done_by("brownout.cli.demo:demo")
def demo(
    package: Annotated[str, typer.Argument(help="A package's folder, or a world.")] = "larkspur",
    task: Annotated[str, typer.Option(help="The task; the world's flagship where none is given.")] = "",
    out: Annotated[Path, typer.Option(help="Folder for the runs.")] = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """Play a world's flagship task twice, with its reference solution and doing nothing, and replay the first."""
