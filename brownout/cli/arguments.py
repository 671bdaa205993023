"""What several commands take, said once."""

from typing import Annotated, TypeAlias

import typer

__all__ = ["AsJson", "Package", "World"]

World: TypeAlias = Annotated[str, typer.Argument(help="A world's folder, or the name of a shipped world.")]
Package: TypeAlias = Annotated[
    str, typer.Argument(help="A package's folder, or a world (built first, or taken from the cache).")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
