"""A package looked at from the command line: one moment, through one person's eyes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from brownout.api import open_world
from brownout.core.apps import VendorError
from brownout.core.errors import PackageError
from brownout.core.instants import Instant, clock_text
from brownout.core.values import Json, JsonObject
from brownout.engine.preview import Preview
from brownout.engine.world import World
from worlds.expressions import ExpressionError, parse_moment

__all__ = ["As", "At", "Look", "items_in", "looking", "text_in"]

At = Annotated[
    str, typer.Option(help="The moment to look at, e.g. '2026-03-24 11:40'; the calendar's end where none is given.")
]
As = Annotated[str, typer.Option("--as", help="Whose eyes to look through.")]


@dataclass(frozen=True, slots=True)
class Look:
    """What can be asked of a company at the moment that is shown."""

    world: World
    preview: Preview
    person: str

    def ask(self, operation: str, **arguments: Json) -> JsonObject:
        """The answer of a product's reading operation.

        Raises:
            PackageError: the world has no such product or person, or the product refuses.
        """
        try:
            answer = self.preview.ask(operation, arguments, self.person)
        except KeyError as error:
            raise PackageError(f"{self.world.setting.world} has no {error}") from error
        except VendorError as error:
            raise PackageError(f"{operation}: {error.content.get('message') or error.code}") from error
        except ValueError as error:
            raise PackageError(f"{operation}: {error}") from error
        return answer if isinstance(answer, dict) else {"answer": answer}

    def clock(self, at: Instant) -> str:
        """A moment in the world's own time."""
        return clock_text(at, self.world.setting.zone)


@contextmanager
def looking(package: str, at: str, viewer: str) -> Iterator[Look]:
    """A package opened at a moment.

    Raises:
        PackageError: `at` is no moment.
    """
    with open_world(package) as world:
        person = viewer or next(name for name, p in world.setting.people.items() if p.account.kind == "person")
        preview = world.preview()
        try:
            preview.go(_moment(world, at))
            yield Look(world, preview, person)
        finally:
            preview.close()


def _moment(world: World, at: str) -> Instant:
    try:
        moment = parse_moment(at, world.setting.zone) if at else world.package.manifest.calendar[1]
    except ExpressionError as error:
        raise PackageError(f"--at: {error}") from error
    if not isinstance(moment, int):
        raise PackageError(f"--at: expected a date and time, found {at!r}")
    return moment


def items_in(answer: JsonObject, name: str) -> list[JsonObject]:
    """The mappings in a list of an answer."""
    found = answer.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def text_in(value: Json, *path: str) -> str:
    """The text at a path, empty where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return "" if value is None else str(value)
