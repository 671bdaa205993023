"""One hot connection: a transaction that is never committed, above a start state, with its changes recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Self
from zlib import compress, decompress

import apsw

from brownout.core.errors import StoreLost
from brownout.store.base import Base
from brownout.store.changesets import digest_of_changeset, extent_of
from brownout.store.kept_changes import Keeping
from brownout.store.late_index import LateIndex
from brownout.store.schema import Schema
from brownout.store.steady_answers import SteadyAnswers
from brownout.store.write_guard import Authorizer

__all__ = ["ConnectionSlot", "Start", "apply_changeset"]

HEAVY: Final = 1 << 18
"""Bytes of a start's changeset from which on it is worth a file of its own."""
_QUICKLY: Final = 1
_REBUILD_CHECKED_EVERY: Final = 128
_REBUILD_AT_BYTES: Final = 4 << 20


@dataclass(frozen=True, eq=False)
class Start:
    """A start state: the base, or a changeset above it. `Start.above` makes one.

    Attributes:
        packed: the changeset; compressed where it is heavy, for then hardly anybody reads it.
        size: bytes of the changeset.
        is_heavy: a connection would take its time to get there, and hold the pages, some four times as many bytes, for itself.
        schema: the base's.
        ids: the largest key ever used in each table up to this state.
        keeping: how idle sessions that began here keep what they changed.
        steady: what sessions that began here were answered about tables that are hardly ever written.
    """

    packed: bytes
    size: int
    is_heavy: bool
    schema: Schema
    ids: Mapping[str, int]
    keeping: Keeping = field(default_factory=Keeping, compare=False)
    steady: SteadyAnswers = field(default_factory=SteadyAnswers, compare=False)

    @classmethod
    def above(cls, base: Base, changeset: bytes) -> Self:
        """The start that a changeset above the base describes; empty for the base itself.

        Raises:
            StoreError: the bytes are no changeset of this world.
        """
        ids = dict(base.ids)
        for table, key in extent_of(changeset, base.schema).largest.items():
            ids[table] = max(key, ids.get(table, 0))
        size, is_heavy = len(changeset), len(changeset) >= HEAVY
        return cls(compress(changeset, _QUICKLY) if is_heavy else changeset, size, is_heavy, base.schema, ids)

    @property
    def changeset(self) -> bytes:
        """What differs from the base."""
        return decompress(self.packed) if self.is_heavy else self.packed

    @cached_property
    def digest(self) -> str:
        """Of the start's changes, empty for the base itself; tenths of a second for a large one, so only who asks pays."""
        return digest_of_changeset(self.changeset, self.schema) if self.size else ""


class ConnectionSlot:
    """A connection on which one session at a time can live.

    A start above the base sits under a savepoint. Going back to it releases and sets that savepoint anew:
    otherwise SQLite would replay every page that any earlier session touched, and resets would grow slower.

    Attributes:
        ground: the start that the file below stands at already; None where it is the world's own.
        measured: bytes of pages when it was last measured. Other threads read this: a connection that one thread works
            with fails any other that touches it.
    """

    __slots__ = (
        "_base", "_begin", "_execute", "_fresh_bytes", "_has_triggers", "_recorded", "_recorder", "_restarts", "_settled", "authorizer",
        "connection", "ground", "measured", "start",
    )  # fmt: skip

    def __init__(self, base: Base, start: Start, ground: Start | None = None) -> None:
        self._base = base
        self.ground = ground
        self.authorizer = Authorizer()
        self.connection = base.connect(self.authorizer)
        self._execute = self.connection.cursor().execute
        self._recorded = base.schema.tables.__contains__
        self._recorder: apsw.Session | None = None
        self._restarts = 0
        self._has_triggers = True
        self.begin(start)

    def begin(self, start: Start) -> None:
        """Throw away whatever the connection holds and stand at `start`, which is the ground where there is one.

        Raises:
            StoreLost: the start does not fit the base.
        """
        self._stop_recording()
        self.authorizer.lifted = True
        if self.connection.in_transaction:
            self._execute("ROLLBACK")
        self._execute("BEGIN")
        self.start = start
        if self._is_above:
            self._let_triggers(True)
            self._apply(start.changeset)
            self._execute("SAVEPOINT of_start")
        self._let_triggers(not self._base.schema.searched)
        self.authorizer.lifted = False
        self._fresh_bytes = self.measure()
        self._record()

    def restart(self) -> None:
        """Back to the start in microseconds, whatever was written since.

        Raises:
            StoreLost: the base file was written to.
        """
        self._base.check_untouched()
        connection = self.connection
        if not connection.in_transaction or self._has_grown():
            self.begin(self.start)
            return
        if connection.total_changes() == self._settled:
            return
        self._stop_recording()
        self.authorizer.lifted = True
        if self._is_above:
            self._execute("ROLLBACK TO of_start; RELEASE of_start; SAVEPOINT of_start")
        else:
            self._execute("ROLLBACK")
            self._execute("BEGIN")
        self.authorizer.lifted = False
        self._record()

    def late_index(self, changes: bytes = b"") -> LateIndex:
        """What is to be indexed when somebody searches, of a session that stands at its start or has these changes."""
        return LateIndex(self.connection, self._base.schema.searched, changes)

    def apply(self, changeset: bytes) -> None:
        """Bring a session's changes back; they are recorded as its own, and are in no full-text index (`late_index`).

        Raises:
            StoreLost: they do not fit the start.
        """
        self.authorizer.lifted = True
        try:
            self._apply(changeset)
        finally:
            self.authorizer.lifted = False

    def changeset(self) -> bytes:
        """Everything that differs from the start.

        Raises:
            StoreLost: the transaction was ended, so the changes are gone.
        """
        recorder = self._recorder
        if recorder is None or not self.connection.in_transaction:
            raise StoreLost("the session's transaction was ended by an error, its changes are lost; reset it")
        self.authorizer.lifted = True
        try:
            return recorder.changeset()
        finally:
            self.authorizer.lifted = False

    def measure(self) -> int:
        """Bytes of pages that the connection holds, changed ones included. Only who may use the connection may ask."""
        self.measured = self.connection.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0]
        return self.measured

    def close(self) -> None:
        """Give the connection up with everything in it."""
        self._stop_recording()
        self.connection.close()

    @property
    def _is_above(self) -> bool:
        """Whether the start is rows above what the file has."""
        return bool(self.start.size) and self.start is not self.ground

    def _let_triggers(self, are_on: bool) -> None:
        """Have triggers keep the indexes in step; whenever that changes SQLite prepares all statements anew."""
        if are_on != self._has_triggers:
            self.connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, are_on)
            self._has_triggers = are_on

    def _apply(self, changeset: bytes) -> None:
        apply_changeset(changeset, self.connection)

    def _record(self) -> None:
        recorder = apsw.Session(self.connection, "main")
        recorder.table_filter(self._recorded)
        recorder.attach()
        self._recorder = recorder
        self._settled = self.connection.total_changes()

    def _stop_recording(self) -> None:
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None

    def _has_grown(self) -> bool:
        """Pages once changed stay in memory under a start's savepoint; now and then they are worth dropping."""
        if not self._is_above:
            return False
        self._restarts += 1
        if self._restarts % _REBUILD_CHECKED_EVERY:
            return False
        return self.measure() > 2 * self._fresh_bytes + _REBUILD_AT_BYTES


def apply_changeset(changeset: bytes, connection: apsw.Connection) -> None:
    """Apply changes in the transaction that is open.

    Raises:
        StoreLost: they do not fit the state.
    """
    # Rows that exchanged unique values need SQLite 3.54: earlier ones call that a conflict.
    try:
        apsw.Changeset.apply(changeset, connection, flags=apsw.SQLITE_CHANGESETAPPLY_NOSAVEPOINT)
    except apsw.Error as error:
        raise StoreLost(f"the changes do not fit the state they are applied to: {error}") from error
