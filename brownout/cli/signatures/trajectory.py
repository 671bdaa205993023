"""What `brownout trajectory convert`, `import` and `check` take; `brownout.cli.trajectory` does it."""

from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.arguments import AsJson
from brownout.cli.commands import done_by

__all__ = ["check", "convert", "import_file"]


@done_by("brownout.cli.trajectory:convert")
def convert(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    to: Annotated[str, typer.Option(help="atif, inspect or openai.")],
    out: Annotated[
        Path | None, typer.Option(help="The file; beside the run's log, named after the run, if left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a run as an ATIF 1.7 document, as messages of a chat model, or as a log that Inspect's viewer opens."""


@done_by("brownout.cli.trajectory:import_file")
def import_file(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A document, a list of them, or one a line.")],
    out: Annotated[Path, typer.Option(help="Folder for the runs.")] = Path("runs"),
    form: Annotated[str, typer.Option("--from", help="atif or openai; what it looks like if left out.")] = "",
    as_json: AsJson = False,
) -> None:
    """Read runs that were played elsewhere, so that they can be read and annotated like any other."""


@done_by("brownout.cli.trajectory:check")
def check(
    source: Annotated[
        Path,
        typer.Argument(metavar="RUN", help="A run's folder, or a file of JSON with the tokens of prompts and answers."),
    ],
    as_json: AsJson = False,
) -> None:
    """Check that each prompt of an episode begins with all that was seen before it, to the last token."""
