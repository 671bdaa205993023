"""What `brownout annotate …` and `brownout why` take; `brownout.cli.annotate` does it."""

from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.arguments import AsJson
from brownout.cli.commands import done_by

__all__ = ["agreement", "export_annotations", "why_run"]

Runs = Annotated[Path, typer.Option(help="Folder of the runs; what was said of them is in its folder annotations.")]


@done_by("brownout.cli.annotate:export_annotations")
def export_annotations(
    runs: Runs = Path("runs"),
    to: Annotated[str, typer.Option(help="jsonl or csv.")] = "jsonl",
    out: Annotated[Path | None, typer.Option(help="The file; printed if left out.")] = None,
    with_undone: Annotated[
        bool, typer.Option("--with-undone", help="Also what was taken back, and the undos.")
    ] = False,
) -> None:
    """Write what annotators said of runs as lines of JSON or as a table."""


@done_by("brownout.cli.annotate:agreement")
def agreement(runs: Runs = Path("runs"), as_json: AsJson = False) -> None:
    """Say how far annotators agree, and where they do not."""


@done_by("brownout.cli.annotate:why_run")
def why_run(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    as_json: AsJson = False,
) -> None:
    """Say in words where a run's reward came from and where it was lost."""
