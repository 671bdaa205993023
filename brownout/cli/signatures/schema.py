"""What `brownout schema` takes; `brownout.cli.schema` does it."""

from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.commands import done_by

__all__ = ["schema"]


@done_by("brownout.cli.schema:schema")
def schema(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="One of them, people.yaml or storylines/holds.yaml.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="The schemas themselves; of all files without FILE.")] = False,
    out: Annotated[Path | None, typer.Option(help="A folder to write them to, a file each.")] = None,
) -> None:
    """Print the JSON schema of the files of a world, for any editor that takes one."""
