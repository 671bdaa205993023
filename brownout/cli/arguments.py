"""What several commands take, said once."""

from typing import Annotated, TypeAlias

import typer

from brownout.core.extras import need_extra

__all__ = [
    "As",
    "AsJson",
    "At",
    "JudgeBaseUrl",
    "JudgeKeyEnv",
    "JudgeModel",
    "Package",
    "PackageOfRun",
    "Skip",
    "Strict",
    "World",
]

World: TypeAlias = Annotated[str, typer.Argument(help="A world's folder, or the name of a shipped world.")]
Package: TypeAlias = Annotated[
    str, typer.Argument(help="A package's folder, or a world (built first, or taken from the cache).")
]
At: TypeAlias = Annotated[
    str, typer.Option(help="The moment to look at, e.g. '2026-03-24 11:40'; the calendar's end where none is given.")
]
As: TypeAlias = Annotated[str, typer.Option("--as", help="Whose eyes to look through.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]


def _askable(model: str) -> str:
    """The model that is to judge, if what asks models is installed."""
    if model:
        need_extra("a model that judges", "llm")
    return model


Skip: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(help="A grader to leave out, `judge` say; the rest is graded, and the grade says so."),
]
Strict: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="No reward where a criterion would be left out because nobody can read it.")
]
JudgeModel: TypeAlias = Annotated[
    str,
    typer.Option(
        callback=_askable, help="Model that judges what only a reader can judge, as litellm names it: openai/NAME."
    ),
]
JudgeBaseUrl: TypeAlias = Annotated[str, typer.Option(help="Its endpoint; empty for the provider's own.")]
JudgeKeyEnv: TypeAlias = Annotated[str, typer.Option(help="Environment variable that holds its key.")]
PackageOfRun: TypeAlias = Annotated[
    str, typer.Option("--package", help="The package's folder, where it is neither where it was nor in the cache.")
]
