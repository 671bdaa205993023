"""The command that starts the studio."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.output import console
from brownout.cli.ports import ADDRESS, free_port
from brownout.core.errors import UsageError
from brownout.core.extras import need_extra

__all__ = ["studio"]


def studio(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="Folder of your worlds; they are made and changed in there.")
    ] = Path(),
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port on 127.0.0.1; the first free one from 8501 on where none is given."),
    ] = None,
    runs: Annotated[Path, typer.Option(help="Folder of the runs to show.")] = Path("runs"),
    read_only: Annotated[bool, typer.Option("--read-only", help="Look at worlds and runs; change nothing.")] = False,
) -> None:
    """Start the studio: make and change worlds, look at companies, replay and compare what agents did in them."""
    if not folder.is_dir():
        raise UsageError(
            f"expected the folder of your worlds, found none at {folder}; make it first, or give no folder"
        )
    need_extra("the studio", "studio")
    chosen = free_port(port)
    console.print(f"Brownout studio: [bold]http://{ADDRESS}:{chosen}[/]  (Ctrl-C stops it)")
    command = [sys.executable, "-P", "-m", "studio.__main__", "--port", str(chosen), "--runs", str(runs)]
    command += ["--worlds", str(folder)]
    os.execv(sys.executable, [*command, *(["--read-only"] if read_only else [])])
