"""The tables as they were when an outage began, for services that answer from then."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

import orjson
from sqlalchemy import bindparam, select

from brownout.engine.unrecorded_writes import insert_quietly
from brownout.store import StoreRows, StoreSession, compile_query
from worlds.package.engine_tables import snapshot as table

__all__ = ["KeptPast", "NoPast", "Past"]

_BY_NAME = compile_query(select(table).where(table.c.name == bindparam("name")))


class Past(Protocol):
    """Keeps and finds the state from when an outage began."""

    def keep(self, outage: str) -> None:
        """Remember how things are now, under the outage's name."""
        ...

    def read(self, outage: str) -> StoreRows:
        """The tables as they were then."""
        ...


class NoPast:
    """Nobody asks: a build has no agent whose reads could be stale."""

    def __init__(self, rows: Callable[[], StoreRows]) -> None:
        self._rows = rows

    def keep(self, outage: str) -> None:
        """Nothing is kept."""

    def read(self, outage: str) -> StoreRows:
        """The tables as they are."""
        return self._rows()


class KeptPast:
    """The past of a session, kept in a row of its own, so that it travels with the session's changeset."""

    def __init__(self, store: StoreSession, rest: Callable[[], None]) -> None:
        self._store = store
        self._rest = rest
        self._read: dict[str, StoreSession] = {}

    def keep(self, outage: str) -> None:
        """Remember how things are now, under the outage's name."""
        self._rest()
        changeset, ids = self._store.changeset(), dict(self._store.ids)
        if self._store.rows.one(_BY_NAME, name=outage) is None:
            insert_quietly(self._store.rows, table, name=outage, changeset=changeset, ids=orjson.dumps(ids).decode())

    def read(self, outage: str) -> StoreRows:
        """The tables as they were then; as they were at the task's start for an outage older than that."""
        if outage not in self._read:
            row = self._store.rows.one(_BY_NAME, name=outage)
            then = self._at_start()
            changeset = row["changeset"] if row else b""
            if isinstance(changeset, bytes) and changeset and row:
                then.load(changeset, orjson.loads(row.text("ids")))
            self._read[outage] = then
        return self._read[outage].rows

    def start(self) -> StoreRows:
        """The tables as they were when the task began."""
        if "" not in self._read:
            self._read[""] = self._at_start()
        return self._read[""].rows

    def pinned(self) -> AbstractContextManager[None]:
        """While it lasts, `start` may be asked for from another thread: it is open, and nobody takes its connection."""
        _ = self.start()
        return self._read[""].pinned()

    def _at_start(self) -> StoreSession:
        then = self._store.fork()
        then.reset()
        return then

    def close(self) -> None:
        """Give the copies back."""
        for then in self._read.values():
            then.close()
        self._read.clear()
