"""The Call that operations and intent handlers work with."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from sqlalchemy import bindparam, select

from brownout.core.apps import App, Intent, Systems
from brownout.core.arguments import suggestion
from brownout.core.calls import Account, NoticeKind
from brownout.core.errors import BrokenApp
from brownout.core.faults import Fault
from brownout.core.instants import Duration, Instant
from brownout.core.seeds import Stream
from brownout.engine.simulation_setting import Setting
from brownout.engine.unrecorded_writes import insert_quietly, update_quietly
from brownout.store import StoreRows, compile_query
from worlds.package.engine_tables import binding

__all__ = ["BINDING", "ActingCall", "Attention", "Outages"]

Outages: TypeAlias = Callable[[App, str, str, bool, str], Fault | None]
"""What outages do to a request: the app, the operation, who asks, whether it writes, what chance is keyed by."""

BINDING: Final = compile_query(select(binding).where(binding.c.name == bindparam("name")), lasting=binding)

_MOST_NAMED: Final = 40


@dataclass(frozen=True, slots=True)
class Attention:
    """Something an app says is meant for a person.

    Attributes:
        crowd: everybody it is meant for, where they are several.
    """

    person: str
    kind: NoticeKind
    path: str
    sender: str
    text: str
    crowd: tuple[str, ...] = ()


class ActingCall:
    """One account acting at one moment.

    Attributes:
        taking: how much longer than usual what is done takes.
    """

    __slots__ = ("_outages", "_setting", "actor", "attention", "following", "now", "rows", "systems", "taking")

    def __init__(
        self,
        setting: Setting,
        rows: StoreRows,
        actor: Account,
        now: Instant,
        systems: Systems,
        *,
        outages: Outages | None = None,
    ) -> None:
        self.systems = systems
        self.taking: Duration = 0
        self._outages = outages
        self._setting = setting
        self.rows = rows
        self.actor = actor
        self.now = now
        self.attention: list[Attention] = []
        self.following: list[tuple[Intent, Duration]] = []

    def account(self, person: str) -> Account:
        """The account of a person by short name.

        Raises:
            KeyError: nobody is called that.
        """
        return self._setting.people[person].account

    def stream(self, *path: str | int) -> Stream:
        """The random stream of the world and this path; the same in every session, so that ids repeat."""
        return Stream(self._setting.seed, *path)

    def reach(self, person: str, kind: NoticeKind, path: str, text: str) -> None:
        """Say that something is meant for a person.

        Raises:
            BrokenApp: nobody is called that.
        """
        people = self._setting.people
        if person not in people:
            known = ", ".join([*people][:_MOST_NAMED]) + (" …" if len(people) > _MOST_NAMED else "")
            raise BrokenApp(
                f"call.reach: there is nobody called {person!r}{suggestion(person, people)}; there are {known}"
            )
        self.attention.append(Attention(person, kind, path, self.actor.person, text))

    def follow(self, intent: Intent, after: Duration) -> None:
        """Have an intent carried out some time later."""
        self.following.append((intent, after))

    def outage(self, app: str, operation: str, *, writes: bool, key: str) -> Fault | None:
        """What the outages that hold now do to something asked of another app; None where none are applied."""
        if self._outages is None or app not in self._setting.apps:
            return None
        return self._outages(self._setting.apps[app], operation, self.actor.person, writes, key)

    def take(self, time: Duration) -> None:
        """Say that what is done takes so much longer."""
        self.taking += time

    def file(self, name: str) -> Path:
        """A file or folder of the world package."""
        return self._setting.folder / name

    def bind(self, name: str, path: str, *, key: int | None = None) -> None:
        """Remember that the author's logical name stands for what is at `path`; a name that has a key reserved for it is new."""
        found = self.rows.one(BINDING, name=name) if key is None else None
        if found is None:
            insert_quietly(self.rows, binding, id=key, name=name, path=path)
        else:
            update_quietly(self.rows, binding, found.number("id"), path=path)

    def bound(self, name: str) -> str | None:
        """The path that a logical name stands for."""
        found = self.rows.one(BINDING, name=name)
        return found.text("path") if found else None
