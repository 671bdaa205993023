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
    draft_model: Annotated[
        str,
        typer.Option(
            help="Model that drafts people, storylines and tasks when you ask it, as litellm names it: openai/NAME."
        ),
    ] = "",
    draft_base_url: Annotated[str, typer.Option(help="Its endpoint; empty for the provider's own.")] = "",
    draft_key_env: Annotated[str, typer.Option(help="Environment variable that holds its key.")] = "",
) -> None:
    """Start the studio: make and change worlds, look at companies, replay and compare what agents did in them."""
    if not folder.is_dir():
        raise UsageError(
            f"expected the folder of your worlds, found none at {folder}; make it first, or give no folder"
        )
    need_extra("the studio", "studio")
    if draft_model:
        need_extra("drafting with a model", "llm")
    chosen = free_port(port)
    console.print(f"Brownout studio: [bold]http://{ADDRESS}:{chosen}[/]  (Ctrl-C stops it)")
    command = [sys.executable, "-P", "-m", "studio.__main__", "--port", str(chosen), "--runs", str(runs)]
    command += ["--worlds", str(folder)]
    drafter = {"--draft-model": draft_model, "--draft-base-url": draft_base_url, "--draft-key-env": draft_key_env}
    command += [word for option, value in drafter.items() if draft_model and value for word in (option, value)]
    os.execv(sys.executable, [*command, *(["--read-only"] if read_only else [])])
