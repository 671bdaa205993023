"""What `brownout dev` takes; `brownout.cli.dev` does it."""

from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.commands import done_by

__all__ = ["dev"]


@done_by("brownout.cli.dev:dev")
def dev(
    world: Annotated[str, typer.Argument(help="The folder of the world.")],
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port on 127.0.0.1; the first free one from 8501 on where none is given."),
    ] = None,
    runs: Annotated[Path, typer.Option(help="Folder of the runs to show.")] = Path("runs"),
) -> None:
    """Build a world whenever its text is saved, and show it in the studio as it then is."""
