"""The command that starts the studio."""

import os
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.output import console
from brownout.core.errors import UsageError
from brownout.core.extras import need_extra

__all__ = ["studio"]

_ADDRESS = "127.0.0.1"


def studio(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on 127.0.0.1.")] = 8501,
    runs: Annotated[Path, typer.Option(help="Folder of the runs to show.")] = Path("runs"),
    read_only: Annotated[bool, typer.Option("--read-only", help="Look at worlds and runs; build nothing.")] = False,
) -> None:
    """Start the studio: look at companies, replay and compare what agents did in them."""
    need_extra("the studio", "studio")
    if _is_taken(port):
        raise UsageError(
            f"port {port} is in use; stop what listens there, or choose another: brownout studio --port {port + 1}"
        )
    console.print(f"Brownout studio: [bold]http://{_ADDRESS}:{port}[/]  (Ctrl-C stops it)")
    command = [sys.executable, "-P", "-m", "studio", "--port", str(port), "--runs", str(runs)]
    os.execv(sys.executable, [*command, *(["--read-only"] if read_only else [])])


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_ADDRESS, port))
        except OSError:
            return True
    return False
