"""A company being looked at: an open package, and a preview of it for each viewer."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from brownout.catalog import code_digest
from brownout.core.apps import VendorError
from brownout.core.faults import Fault
from brownout.core.instants import Instant
from brownout.core.rows import Rows
from brownout.core.trajectory import Event
from brownout.core.values import JsonObject
from brownout.engine.preview import Preview
from brownout.engine.simulation_setting import Setting
from brownout.engine.world import World
from studio.start_options import choices
from worlds.package import Package

__all__ = ["CompanyView", "NotThereYet", "PersonView", "ViewRefused", "Viewing", "moments_of"]

_PATIENCE_SECONDS = 0.25
"""A request moves the company for about so long, then lets others have their turn."""
_POSITIONS = 4
"""Moments of a company that are open at a time; as many as its store keeps without swapping."""


class NotThereYet(Exception):
    """The company is still living up to the moment asked for; ask again.

    Args:
        share: how much of the way is behind it, 0 to 1.
    """

    def __init__(self, share: float) -> None:
        super().__init__(f"{share:.0%} of the way")
        self.share = share


class ViewRefused(Exception):
    """What was asked for cannot be shown; the message says why, in the app's words where it has any."""


class CompanyView:
    """An open package, and the moments of it that are looked at. It belongs to one thread."""

    def __init__(self, package: Package) -> None:
        """Open a package.

        Raises:
            PackageError: it is damaged, or the apps it was built with are not installed as they were.
        """
        self._world = World(package, hot=1)
        self._viewings: OrderedDict[Viewing, str] = OrderedDict()

    def viewing(self, viewer: str, at: Instant) -> "Viewing":
        """Where somebody may look from: what stands at that moment already, their own, a new one, or what nobody used for longest."""
        found = next((one for one in self._viewings if one.now == at), None)
        found = found or next((one for one, owner in self._viewings.items() if owner == viewer), None)
        if found is None:
            found = (
                self._viewings.popitem(last=False)[0] if len(self._viewings) >= _POSITIONS else Viewing(self._world, at)
            )
            self._viewings[found] = viewer
        self._viewings.move_to_end(found)
        return found

    def close(self) -> None:
        """Give everything back."""
        self._world.close()


class Viewing:
    """A preview. What any of them has lived through is at hand for all."""

    def __init__(self, world: World, near: Instant) -> None:
        """Begin as close before a moment as is possible at once."""
        self.package = world.package
        self._world = world
        self._preview: Preview = world.preview(
            near=near, kept=moments_of(world.package), keeps=not choices().lives_ahead
        )

    @property
    def setting(self) -> Setting:
        """The world's apps, people and outages."""
        return self._world.setting

    @property
    def now(self) -> Instant:
        """The moment that is shown."""
        return self._preview.now

    @property
    def rows(self) -> Rows:
        """The world's tables at that moment."""
        return self._preview.rows

    @property
    def events(self) -> list[Event]:
        """What has happened up to the moment that is shown."""
        return [event for event in self._preview.events if event.at <= self.now]

    def name_of(self, short: str) -> str:
        """Somebody's full name; what they are called by where nobody here is called that."""
        known = self.setting.people.get(short)
        return known.account.name if known else short

    def go(self, at: Instant) -> None:
        """Show the company at that moment.

        Raises:
            NotThereYet: it takes longer than one request should.
        """
        first, last = self.package.manifest.calendar
        at = min(max(at, first), last)
        until = time.monotonic() + _PATIENCE_SECONDS
        self._preview.go(at, is_enough=lambda: time.monotonic() > until)
        if self.now < at:
            raise NotThereYet((self.now - first) / max(at - first, 1))

    def active_outages(self) -> dict[str, Instant]:
        """The outages that hold now, with their beginnings."""
        return self._preview.active_outages()

    def fault_for(self, operation: str, person: str, draw: int, in_minute: int) -> Fault | None:
        """What the outages that hold now do to a request of somebody's; see `Preview.fault_for`."""
        return self._preview.fault_for(operation, person, draw=draw, in_minute=in_minute)

    def as_person(self, person: str) -> "PersonView":
        """The company through somebody's eyes.

        Raises:
            Refused: nobody is called that.
        """
        if person not in self.setting.people:
            raise ViewRefused(f"Person {person} not found")
        return PersonView(self, person, self._preview)

    def close(self) -> None:
        """Look no more."""
        self._preview.close()


def moments_of(package: Package) -> Path:
    """Where moments of a package are kept: beside it, for this code and its content."""
    return (
        package.folder.with_name(f"{package.folder.name}.moments")
        / f"{package.manifest.digest[:12]}-{code_digest()[:12]}"
    )


@dataclass(frozen=True, slots=True)
class PersonView:
    """The apps as one person would be answered by them."""

    viewing: Viewing
    person: str
    _preview: Preview

    def has(self, operation: str) -> bool:
        """Whether the world has that operation."""
        return operation in self.viewing.setting.operations

    def ask(self, operation: str, **arguments: str | int | bool | None) -> JsonObject:
        """The app's answer.

        Raises:
            Refused: the app refuses.
        """
        given: JsonObject = {name: value for name, value in arguments.items() if value is not None}
        try:
            answer = self._preview.ask(operation, given, self.person)
        except VendorError as error:
            raise ViewRefused(error.line) from error
        except ValueError as error:
            raise ViewRefused(f"{operation}: {error}") from error
        return answer if isinstance(answer, dict) else {"values": answer}
