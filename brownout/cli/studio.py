"""The command that starts the studio."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.output import console
from brownout.cli.ports import ADDRESS, free_port
from brownout.core.extras import need_extra

__all__ = ["studio"]


def studio(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port on 127.0.0.1; the first free one from 8501 on where none is given."),
    ] = None,
    runs: Annotated[Path, typer.Option(help="Folder of the runs to show.")] = Path("runs"),
    read_only: Annotated[bool, typer.Option("--read-only", help="Look at worlds and runs; build nothing.")] = False,
) -> None:
    """Start the studio: look at companies, replay and compare what agents did in them."""
    need_extra("the studio", "studio")
    chosen = free_port(port)
    console.print(f"Brownout studio: [bold]http://{ADDRESS}:{chosen}[/]  (Ctrl-C stops it)")
    command = [sys.executable, "-P", "-m", "studio", "--port", str(chosen), "--runs", str(runs)]
    os.execv(sys.executable, [*command, *(["--read-only"] if read_only else [])])
