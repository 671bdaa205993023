"""A small company with one app, on a real store: people act in it at times that a test chooses."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from brownout.core.apps import App, Intent, VendorError
from brownout.core.calls import Account, Effect
from brownout.core.instants import SECOND, Instant, from_datetime
from brownout.core.values import JsonObject
from brownout.engine.acting_call import ActingCall, Attention
from brownout.engine.simulation_setting import Profile, Setting
from brownout.store import Base, Pool, StoreRows, create_world
from worlds.package import engine_tables

__all__ = ["DAWN", "PEOPLE", "Office", "build_office", "refused"]

DAWN = from_datetime(datetime(2026, 3, 2, 8, tzinfo=UTC))
"""When the company is set up."""

PEOPLE = (
    Account("ida", "Ida Lindqvist", "ida@penny.test", "person", "platform engineer", "Europe/Lisbon"),
    Account("tomas", "Tomás Herrera", "tomas@penny.test", "person", "backend engineer", "Europe/Lisbon"),
    Account("marcus", "Marcus Bell", "marcus@penny.test", "person", "support lead", "America/New_York"),
    Account("gareth", "Gareth Moss", "gareth@cornerhall.test", "outsider", "Corner Hall"),
    Account("wren", "Wren", "wren@penny.test", "agent", "assistant", "Europe/Lisbon"),
    Account("pager", "Pager", "", "system"),
)


@dataclass(frozen=True, slots=True)
class _Known:
    """What an ActingCall reads of a Setting."""

    seed: int
    people: dict[str, Profile]


def _setting() -> Setting:
    people = {
        account.person: Profile(account, None, (), "plain", "", "", {}, None, None)  # nobody here keeps hours
        for account in PEOPLE
    }
    return cast(Setting, _Known(7, people))


def _call(rows: StoreRows, actor: Account, now: Instant) -> ActingCall:
    return ActingCall(_setting(), rows, actor, now, cast(Any, None))


class Office:
    """One private copy of the company.

    Attributes:
        now: moves on by a second with everything that is written.
        effects: what was written last.
        reached: who has been told what so far.
    """

    def __init__(self, app: App, pool: Pool) -> None:
        self.app = app
        self.now = DAWN + 3_600 * SECOND
        self.effects: tuple[Effect, ...] = ()
        self.reached: list[Attention] = []
        self._store = pool.open()

    @property
    def rows(self) -> StoreRows:
        return self._store.rows

    def call(self, person: str) -> ActingCall:
        """Somebody acting now."""
        return _call(self.rows, next(one for one in PEOPLE if one.person == person), self.now)

    def do(self, person: str, operation: str, **arguments: object) -> Any:
        """The answer to an operation; raises what the vendor would answer with."""
        found = self.app.operations[f"{self.app.name}_{operation}"]
        given = found.arguments.model_validate(arguments)
        call = self.call(person)
        call.rows.harmless, call.rows.addition = found.harmless, found.addition
        try:
            with self.rows.savepoint():
                answer = found.run(call, **given.__dict__)
        finally:
            call.rows.harmless = call.rows.addition = False
        if found.writes:
            self._settle(call)
        else:
            assert self.rows.take_effects() == (), f"{operation} is a read, and wrote"
        return answer

    def carry(self, kind: str, who: str, **intent: Any) -> str:
        """The path of what somebody's intent made."""
        wanted = Intent(kind=cast(Any, kind), key=intent.pop("key", "story/beat"), who=who, **intent)
        call = self.call(who)
        with self.rows.savepoint():
            path = self.app.intents[wanted.kind](call, wanted)
            assert isinstance(path, str)
            call.bind(wanted.key, path)
        self._settle(call)
        return path

    def table(self, name: str, *but: str) -> list[dict[str, object]]:
        """Every row of a table in the order of their keys, without the columns named."""
        columns = [column for column in self.app.tables.tables[name].columns.keys() if column not in but]  # noqa: SIM118
        listed = ", ".join(f'"{column}"' for column in columns)
        found = self.rows.execute(f'SELECT {listed} FROM "{name}" ORDER BY id')
        return [dict(zip(columns, row, strict=True)) for row in found]

    def paths(self) -> list[str]:
        """Where the effects of what was written last are."""
        return [
            self.app.path_of(self.rows, effect.table, row)
            for effect in self.effects
            if (row := effect.after or effect.before) is not None
        ]

    def said(self) -> list[tuple[str, set[str]]]:
        """The texts of what was written last and who can read them."""
        found = [self.app.utterance(self.rows, effect) for effect in self.effects]
        return [(one.text, set(one.to)) for one in found if one is not None]

    def _settle(self, call: ActingCall) -> None:
        self.effects = self.rows.take_effects()
        self.reached += call.attention
        self.now += SECOND


def build_office(path: Path, app: App, settings: JsonObject, people: Sequence[Account] = PEOPLE) -> Path:
    """Write the company's world file: everybody's accounts and the app's own furniture."""
    with create_world(path, [engine_tables.metadata, app.tables]) as world:
        call = _call(world.rows, Account("brownout", "Brownout", "", "system"), DAWN)
        for account in people:
            app.open_account(call, account)
        app.prepare(call, settings)
    return path


def open_pool(path: Path) -> tuple[Base, Pool]:
    base = Base(path)
    return base, Pool(base, hot=2)


def refused(office: Office, person: str, operation: str, **arguments: object) -> tuple[int, Any]:
    """The status and body of an operation that the vendor refuses; it has left nothing behind."""
    with pytest.raises(VendorError) as caught:
        office.do(person, operation, **arguments)
    assert office.rows.take_effects() == ()
    return caught.value.status, caught.value.content
