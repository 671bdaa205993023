"""A package looked at from the command line: one moment, through one person's eyes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from brownout.api import open_package, open_world
from brownout.core.apps import VendorError
from brownout.core.errors import UsageError
from brownout.core.instants import Instant, clock_text, from_datetime, local
from brownout.core.values import Json, JsonObject, objects_in
from brownout.engine.preview import Preview
from brownout.engine.throwaway_company import Trial
from brownout.engine.world import World
from worlds.expressions import ExpressionError, parse_moment

__all__ = ["Look", "items_in", "looking", "text_in", "trying"]


@dataclass(frozen=True, slots=True)
class Look:
    """What can be asked of a company at the moment that is shown."""

    world: World
    preview: Preview
    person: str

    def ask(self, operation: str, **arguments: Json) -> JsonObject:
        """The answer of a product's reading operation.

        Raises:
            UsageError: the world has no such product, or the product refuses this person.
        """
        setting = self.world.setting
        if operation not in setting.operations:
            raise UsageError(f"{setting.world} has no {operation}; its products are: {', '.join(setting.apps)}")
        try:
            answer = self.preview.ask(operation, arguments, self.person)
        except VendorError as error:
            raise UsageError(f"{operation}, as {self.person}: {error.line}") from error
        except ValueError as error:
            raise UsageError(f"{operation}: {error}") from error
        return answer if isinstance(answer, dict) else {"answer": answer}

    def pages(self, operation: str, name: str, **arguments: Json) -> list[JsonObject]:
        """Everything in one list of an operation that answers in pages, as Slack's do.

        Raises:
            UsageError: as `ask`.
        """
        found, cursor = [], ""
        while True:
            page = self.ask(operation, **arguments, cursor=cursor)
            found += items_in(page, name)
            cursor = text_in(page, "response_metadata", "next_cursor")
            if not cursor:
                return found

    @property
    def now(self) -> Instant:
        """The moment that is shown."""
        return self.preview.now

    @property
    def moment(self) -> datetime:
        """It in the world's own time."""
        return local(self.now, self.world.setting.zone)

    def clock(self, at: Instant | str) -> str:
        """A moment, also as a product writes it (`2026-03-24T10:40:00Z`), in the world's own time."""
        moment = from_datetime(datetime.fromisoformat(at)) if isinstance(at, str) else at
        return clock_text(moment, self.world.setting.zone)


@contextmanager
def looking(package: str, at: str, viewer: str) -> Iterator[Look]:
    """A package opened at a moment.

    Raises:
        UsageError: `at` is no moment of the calendar, or nobody is called `viewer`.
    """
    with open_world(package) as world:
        person = _known_person(world, viewer)
        preview = world.preview()
        try:
            preview.go(_moment(world, at))
            yield Look(world, preview, person)
        finally:
            preview.close()


@contextmanager
def trying(package: str, at: str, viewer: str) -> Iterator[tuple[World, Trial]]:
    """A package opened, and a copy of the company to do things in: at a moment, at the last task's start without one.

    Raises:
        UsageError: as `looking`.
    """
    tasks = () if at else open_package(package).tasks.values()
    if not tasks:
        with looking(package, at, viewer) as look, look.preview.trial() as trial:
            yield look.world, trial
        return
    with open_world(package) as world:
        _known_person(world, viewer)
        last = max(tasks, key=lambda task: task.start)
        with world.open_session(last.id) as session, session.trial() as trial:
            yield world, trial


def _known_person(world: World, viewer: str) -> str:
    """Whoever looks, the first person where nobody is named."""
    people = world.setting.people
    person = viewer or next(name for name, p in people.items() if p.account.kind == "person")
    if person not in people:
        raise UsageError(f"{world.setting.world} has no person {person!r}; it has: {', '.join(people)}")
    return person


def _moment(world: World, at: str) -> Instant:
    first, last = world.package.manifest.calendar
    try:
        moment = parse_moment(at, world.setting.zone) if at else last
    except ExpressionError as error:
        raise UsageError(f"--at: {error}") from error
    if not isinstance(moment, int):
        raise UsageError(f"--at: expected a date and time, found {at!r}")
    if not first <= moment <= last:
        begin, end = (clock_text(edge, world.setting.zone) for edge in (first, last))
        raise UsageError(f"--at: {at} is outside the calendar of {world.setting.world}, {begin} to {end}")
    return moment


def items_in(answer: JsonObject, name: str) -> list[JsonObject]:
    """The mappings in a list of an answer."""
    return objects_in(answer.get(name))


def text_in(value: Json, *path: str) -> str:
    """The text at a path, empty where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return "" if value is None else str(value)
