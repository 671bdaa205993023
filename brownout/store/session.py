"""One session's private copy of a world: hot on a connection, or idle as the bytes of what it changed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import Final, Protocol

from brownout.core.calls import Effect
from brownout.core.errors import SessionClosed, StoreError, StoreLost
from brownout.store.base import Base
from brownout.store.changesets import RowDifference, changes_in, digest_of_changeset, extent_of
from brownout.store.connection_slot import ConnectionSlot, Start
from brownout.store.kept_changes import UNCHANGED, Kept
from brownout.store.rows import StoreRows
from brownout.store.steady_answers import WrittenTables

__all__ = ["SessionPool", "StoreSession"]

_NO_IDS: Final[Mapping[str, int]] = MappingProxyType({})


class SessionPool(Protocol):
    """What a session needs of the pool that made it: the base, a connection while it acts, and room for it."""

    @property
    def base(self) -> Base: ...
    def joined(self) -> None: ...
    def left(self) -> None: ...
    def next_turn(self) -> int: ...
    def admit(self, session: "StoreSession") -> None: ...
    def dismiss(self, session: "StoreSession", slot: ConnectionSlot) -> None: ...
    def check_room(self, slot: ConnectionSlot | None = None) -> None: ...


class StoreSession:
    """A world that only this session sees; `Pool.open` makes one.

    Its state is its start, what `changeset()` returns, and `ids`.

    Attributes:
        start: the state that `reset` goes back to.
        before_swap: called before the changes are read out (swap, fork, changeset, diff, digest), so that the owner
            can write what it keeps in memory into `rows`. It may touch this session only.
        is_closed: nothing more can be done with it.
        is_pinned: no other session may take its connection, see `pinned`.
        last_use: the pool's turn at which `rows` was last taken.
    """

    __slots__ = (
        "_digest", "_effects", "_ids", "_kept", "_lost", "_marks", "_pool", "_rows", "_slot", "_version", "_writes",
        "before_swap", "is_closed", "is_pinned", "last_use", "start",
    )  # fmt: skip
    _digest: str
    _effects: tuple[Effect, ...]
    _ids: Mapping[str, int]
    _kept: Kept
    _lost: str
    _marks: tuple[bool, bool, bool]
    _writes: int

    def __init__(self, pool: SessionPool, start: Start) -> None:
        self._pool = pool
        self.start = start
        self.before_swap: Callable[[], None] | None = None
        self.is_closed = self.is_pinned = False
        self.last_use = 0
        self._rows: StoreRows | None = None
        self._slot: ConnectionSlot | None = None
        self._version = -1
        self._forget()
        pool.joined()

    @property
    def rows(self) -> StoreRows:
        """The session's tables, swapped in if need be; valid until the next swap, so take it anew for each call.

        Raises:
            SessionClosed: the session or its pool was closed.
            StoreError: the session's changes were lost, or there is no room to bring them back.
        """
        rows = self._rows
        if rows is None:
            rows = self._enter()
        self.last_use = self._pool.next_turn()
        return rows

    @property
    def ids(self) -> Mapping[str, int]:
        """The largest key used in each table that has new keys; save it beside the changeset."""
        return dict(self._ids if self._rows is None else self._rows.ids)

    @property
    def is_hot(self) -> bool:
        """A connection holds the session."""
        return self._rows is not None

    @property
    def writes(self) -> int:
        """How many statements wrote since the start."""
        return self._writes if self._rows is None else self._rows.writes

    @property
    def is_busy(self) -> bool:
        """A savepoint is open, so the session cannot leave its connection."""
        return self._rows is not None and self._rows.depth > 0

    @contextmanager
    def pinned(self) -> Iterator[None]:
        """While it lasts, no other session takes the connection: a thread of its own may read the rows meanwhile.

        Raises:
            SessionClosed: the session or its pool was closed.
            StoreError: the session's changes were lost, or there is no room to bring them back.
        """
        self._check_usable()
        _ = self.rows
        was, self.is_pinned = self.is_pinned, True
        try:
            yield
        finally:
            self.is_pinned = was

    @property
    def held_bytes(self) -> int:
        """The size of the changes as they are kept since they were last read out: an idle session's cost beside its object.

        What it shares with other sessions is not counted.
        """
        return len(self._kept.own)

    def reset(self) -> None:
        """Back to the start; undrained effects are dropped.

        Raises:
            StoreError: a savepoint is open, or the base file was written to.
        """
        self._check_usable(lost_is_fine=True)
        self._check_no_savepoint("reset")
        slot, rows = self._slot, self._rows
        self._forget()
        if slot is None or rows is None:
            return
        slot.restart()
        rows.restart()
        self._version = self._state_version(slot, rows)

    def fork(self) -> "StoreSession":
        """An independent session in the same state, idle until first used. `before_swap` is not inherited."""
        twin = StoreSession(self._pool, self.start)
        twin._kept = self.start.keeping.kept(self.changeset())
        twin._digest = self._digest
        twin._ids = dict(self.ids)
        twin._writes = self.writes
        rows = self._rows
        twin._effects = self._effects if rows is None else tuple(rows.effects)
        twin._marks = self._marks if rows is None else (rows.record, rows.harmless, rows.addition)
        return twin

    def changeset(self) -> bytes:
        """What differs from the start, as bytes that `load` takes. Their order is not canonical.

        Raises:
            StoreError: the session's changes were lost.
        """
        self._check_usable()
        if self.before_swap is not None:
            self.before_swap()
        return self._read_out()

    def load(self, changeset: bytes, ids: Mapping[str, int] | None = None) -> None:
        """Become the state that `changeset` describes above this session's start.

        Args:
            changeset: from a session with the same base and start.
            ids: that session's `ids`. Without them keys of rows that were made and deleted may be used again.

        Raises:
            StoreError: the bytes are no changeset of this world (at once), or of another start (at first use).
        """
        self._check_usable(lost_is_fine=True)
        self._check_no_savepoint("load")
        extent = extent_of(changeset, self._pool.base.schema)
        self._release()
        self._forget()
        self._kept = self.start.keeping.kept(bytes(changeset))
        self._writes = extent.rows
        floor = self.start.ids
        largest = dict(extent.largest)
        for table, key in (ids or {}).items():
            largest[table] = max(key, largest.get(table, 0))
        self._ids = {table: key for table, key in largest.items() if key > floor.get(table, 0)}

    def diff(self) -> list[RowDifference]:
        """What differs from the start, sorted by table and key."""
        return changes_in(self.changeset(), self._pool.base.schema)

    def digest(self) -> str:
        """The digest of the state: of the base, the start and the diff. The path that led here leaves no trace.

        It takes time in proportion to the changes, except that the first call may have to digest the base.
        """
        changeset = self.changeset()
        if not self._digest:
            above = self._pool.base.digest, self.start.digest
            self._digest = digest_of_changeset(changeset, self._pool.base.schema, *above)
        return self._digest

    def close(self) -> None:
        """Give everything up; a second close is harmless."""
        if self.is_closed:
            return
        self._release()
        self._forget()
        self.is_closed = True
        self._pool.left()

    def enter(self, slot: ConnectionSlot) -> None:
        """Take a connection that stands at this session's start; the pool calls it.

        Raises:
            StoreError: the changes do not fit the start.
        """
        changes = self._kept.changeset() if self._kept != UNCHANGED else b""
        if changes:
            slot.apply(changes)
        rows = StoreRows(
            slot.connection,
            floor=self.start.ids,
            authorizer=slot.authorizer,
            check_room=partial(self._pool.check_room, slot),
            index=slot.late_index(changes),
            steady=self.start.steady,
            written=WrittenTables.of(changes, self.start.schema, self.start.ids),
        )
        rows.ids, rows.effects, rows.writes = dict(self._ids), list(self._effects), self._writes
        rows.record, rows.harmless, rows.addition = self._marks
        self._slot, self._rows = slot, rows
        self._version = self._state_version(slot, rows)

    def leave(self) -> None:
        """Keep the changes as bytes and let the connection go; the pool calls it."""
        rows = self._rows
        if rows is None:
            return
        try:
            self._kept = self.start.keeping.kept(self.changeset())
        except StoreError as error:
            self._lost = str(error)  # raised when the session is used again, not at whoever needs the connection
        self._ids, self._effects, self._writes = rows.ids or _NO_IDS, tuple(rows.effects), rows.writes
        self._marks = rows.record, rows.harmless, rows.addition
        self._detach()

    def _enter(self) -> StoreRows:
        self._check_usable()
        self._pool.admit(self)
        if self._rows is None:
            raise StoreLost("the pool gave this session no connection")
        return self._rows

    def _read_out(self) -> bytes:
        slot, rows = self._slot, self._rows
        if slot is not None and rows is not None:
            version = self._state_version(slot, rows)
            if version != self._version:
                self._kept = Kept(slot.changeset())
                self._digest = ""
                self._version = version
        return self._kept.changeset()

    @staticmethod
    def _state_version(slot: ConnectionSlot, rows: StoreRows) -> int:
        """A number that grows whenever the state may have changed; SQLite does not count rollbacks."""
        return slot.connection.total_changes() + rows.rollbacks

    def _release(self) -> None:
        slot = self._slot
        if slot is not None:
            self._detach()
            self._pool.dismiss(self, slot)

    def _detach(self) -> None:
        if self._rows is not None:
            self._rows.detach()
        self._rows = self._slot = None

    def _forget(self) -> None:
        self._kept = UNCHANGED
        self._digest = ""
        self._ids = _NO_IDS
        self._effects = ()
        self._writes = 0
        self._marks = (True, False, False)
        self._lost = ""

    def _check_usable(self, *, lost_is_fine: bool = False) -> None:
        if self.is_closed:
            raise SessionClosed("the session was closed")
        if self._lost and not lost_is_fine:
            raise StoreLost(self._lost)

    def _check_no_savepoint(self, what: str) -> None:
        if self.is_busy:
            raise StoreError(f"cannot {what} a session inside a savepoint")
