"""Many sessions over few connections: the most recently used are hot, all others are bytes.

A connection is a cache: it spares its session .2 ms of coming back, and holds .8 MB of pages, statements and schema. So each session
has its own where there are few. Where there are more than connections, hardly any is found hot, and an eighth of them serve as well.
"""

import ctypes
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol, cast

from brownout.core.errors import SessionClosed, StoreLost
from brownout.core.values import digest_of
from brownout.store.base import Base
from brownout.store.connection_slot import ConnectionSlot, Start
from brownout.store.session import StoreSession
from brownout.store.start_files import Grounds

__all__ = ["Pool", "PoolStats"]

_PINNED_AT_WRITES: Final = 500  # bringing a row back costs about 15 microseconds, search index included
_HOT_BYTES: Final = 1 << 30
_BYTES_A_CONNECTION: Final = 100_000
"""Bytes of a start's changeset that weigh as much as a connection: it dirties about five times as much of each one's pages."""
_PART: Final = 8
"""The most connections through this are kept for very many sessions."""
_WORTH_GIVING_BACK: Final = 8
"""Connections that were closed since their memory was last given back to the system."""
_ALWAYS_HOT: Final = 4
"""Connections that may be open however heavy their start is."""


@dataclass(frozen=True, slots=True)
class PoolStats:
    """What a pool does and holds.

    Attributes:
        hot: sessions on a connection.
        connections: open connections, free ones included.
        swaps: sessions that were brought back from bytes.
        hot_bytes: pages held by all connections.
    """

    hot: int
    connections: int
    swaps: int
    hot_bytes: int


class Pool:
    """The connections of one worker over one base. One thread at a time may use a pool and its sessions.

    Args:
        base: the world; the caller closes it after the pool.
        hot: connections kept, that is sessions expected to execute at the same time. Each session that is open beyond these
            takes one away, down to an eighth of them; and above a start that changes much of the base there are fewer, for
            each holds those pages for itself.
        pinned_at_writes: a session that wrote more often stays hot, because bringing it back would take long.
        hot_bytes: pages that connections may hold before pinned sessions count as too many.
    """

    def __init__(
        self, base: Base, hot: int = 64, *, pinned_at_writes: int = _PINNED_AT_WRITES, hot_bytes: int = _HOT_BYTES
    ) -> None:
        if hot < 1:
            raise ValueError(f"a pool needs at least one connection, not {hot}")
        self.base = base
        self.is_closed = False
        self._grounds = Grounds(base)
        self._most = hot
        self._open = self._closed = 0
        self._pinned_at_writes = pinned_at_writes
        self._hot_bytes = hot_bytes
        self._hot: dict[StoreSession, ConnectionSlot] = {}
        self._free: list[ConnectionSlot] = []
        self._turn = 0
        self._swaps = 0
        self._origin = Start.above(base, b"")
        self._starts: dict[str, Start] = {}

    @property
    def hot_count(self) -> int:
        """How many sessions hold a connection."""
        return len(self._hot)

    @property
    def stats(self) -> PoolStats:
        """What the pool does and holds now; not while another thread uses a session."""
        held = sum(slot.measure() for slot in (*self._hot.values(), *self._free))
        return PoolStats(len(self._hot), len(self._hot) + len(self._free), self._swaps, held)

    def open(self, start: bytes | Start | None = None) -> StoreSession:
        """A new session at the base, or at the state that a changeset above the base describes.

        Args:
            start: the changeset, or what `start` gave for it.

        Raises:
            SessionClosed: the pool was closed.
            StoreError: the start is no changeset of this world.
        """
        if self.is_closed:
            raise SessionClosed("the pool of sessions was closed")
        return StoreSession(self, start if isinstance(start, Start) else self.start(start or b""))

    def start(self, changeset: bytes) -> Start:
        """The state that a changeset above the base describes, the same for the same bytes; whoever keeps it need not keep them.

        Raises:
            StoreError: the bytes are no changeset of this world.
        """
        if not changeset:
            return self._origin
        name = digest_of(changeset)
        if name not in self._starts:
            self._starts[name] = Start.above(self.base, changeset)
        return self._starts[name]

    def close(self) -> None:
        """Close every hot session and every connection; a second close is harmless."""
        self.is_closed = True
        for session in list(self._hot):
            session.close()
        for slot in self._free:
            slot.close()
        self._free.clear()
        self._grounds.close()

    def joined(self) -> None:
        """One session more is open."""
        self._open += 1

    def left(self) -> None:
        """One session was closed."""
        self._open -= 1

    def next_turn(self) -> int:
        """The next number of the order in which sessions were used."""
        self._turn += 1
        return self._turn

    def admit(self, session: StoreSession) -> None:
        """Give the session a connection, taking it from the least recently used one where none is free.

        Raises:
            SessionClosed: the pool was closed.
            StoreLost: every connection is pinned and the byte budget is spent, or the changes do not fit.
        """
        if self.is_closed:
            raise SessionClosed("the pool of sessions was closed")
        slot = self._take_slot(session.start)
        try:
            session.enter(slot)
        except BaseException:
            self._put_back(slot)
            raise
        self._hot[session] = slot
        self._swaps += 1

    def dismiss(self, session: StoreSession, slot: ConnectionSlot) -> None:
        """Take the connection of a session that needs it no more."""
        del self._hot[session]
        self._put_back(slot)

    def check_room(self, slot: ConnectionSlot | None = None) -> None:
        """Make sure that the pages of all connections fit the budget.

        Args:
            slot: the connection of whoever asks, which is measured now; the others count as they were last measured.

        Raises:
            StoreLost: they do not.
        """
        if slot is not None:
            slot.measure()
        used = sum(each.measured for each in (*self._hot.values(), *self._free))
        if used > self._hot_bytes:
            message = f"{len(self._hot)} hot sessions hold {used >> 20} MiB, the pool's budget is "
            raise StoreLost(message + f"{self._hot_bytes >> 20} MiB: close or reset sessions that changed many rows")

    def _take_slot(self, start: Start) -> ConnectionSlot:
        """A connection at `start`: a free one, a new one, or one that a session gives up, in this order."""
        slot = self._free_slot(start)
        if slot is None:
            victim = None if self._has_room(start, self._hot.values()) else self._victim(start)
            if victim is None:
                return self._new_slot(start)
            slot = self._given_up(victim)
            self._close_what_is_too_many()
        if slot.start is not start and (slot.ground is not None or self._grounds.of(start) is not None):
            slot.close()
            return self._new_slot(start)
        try:
            if slot.start is start:
                slot.restart()
            else:
                slot.begin(start)
        except BaseException:
            slot.close()
            raise
        return slot

    def _given_up(self, victim: StoreSession) -> ConnectionSlot:
        slot = self._hot[victim]
        victim.leave()
        del self._hot[victim]
        return slot

    def _close_what_is_too_many(self) -> None:
        """Close connections of the least recently used: there were fewer sessions when they were opened."""
        while len(self._hot) >= self._limit:
            victim = self._victim(None)
            if victim is None:
                break
            self._given_up(victim).close()
            self._closed += 1
        if self._closed >= _WORTH_GIVING_BACK:
            self._closed = 0
            _give_back()

    @property
    def _limit(self) -> int:
        """How many connections there may be, for so many sessions as are open."""
        return min(self._most, max(self._most // _PART, 2 * self._most - self._open, _ALWAYS_HOT))

    def _free_slot(self, start: Start) -> ConnectionSlot | None:
        for place, slot in enumerate(self._free):
            if slot.start is start:
                return self._free.pop(place)
        is_full = self._free and not self._has_room(start, (*self._hot.values(), *self._free))
        return self._free.pop() if is_full else None

    def _new_slot(self, start: Start) -> ConnectionSlot:
        if not self._has_room(start, self._hot.values()):
            self.check_room()
        ground = self._grounds.of(start)
        if ground is None:
            return ConnectionSlot(self.base, start)
        return ConnectionSlot(ground, start, ground=start)

    def _has_room(self, start: Start, taken: Collection[ConnectionSlot]) -> bool:
        """Whether one more connection at that start fits beside the others."""
        if len(taken) < min(self._most, _ALWAYS_HOT):
            return True
        return sum(map(self._weight, taken)) + self._weight_of(start) <= self._limit

    def _weight(self, slot: ConnectionSlot) -> int:
        return self._weight_of(slot.start) if slot.ground is None else 1

    def _weight_of(self, start: Start) -> int:
        """How many connections at the base one at that start weighs as much as."""
        return 1 if self._grounds.of(start) is not None else 1 + start.size // _BYTES_A_CONNECTION

    def _victim(self, start: Start | None) -> StoreSession | None:
        """Who gives its connection up: the least recently used, preferably above the same start."""
        loose = [s for s in self._hot if not s.is_busy and not s.is_pinned and s.writes <= self._pinned_at_writes]
        alike = [session for session in loose if session.start is start]
        return min(alike or loose, key=lambda session: session.last_use, default=None)

    def _put_back(self, slot: ConnectionSlot) -> None:
        if self.is_closed or not self._has_room(slot.start, (*self._hot.values(), *self._free)):
            slot.close()
            return
        slot.restart()
        self._free.append(slot)


class _Trim(Protocol):
    def __call__(self, kept: int, /) -> int: ...


def _give_back() -> None:
    """Let the C library return what is free in the middle of its heap, in milliseconds; where it cannot, nothing happens.

    What one connection held lies between what others hold, so closing it alone returns nothing.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> _Trim | None:
    """Glibc's own function (https://man7.org/linux/man-pages/man3/malloc_trim.3.html); others do not have it."""
    try:
        return cast(_Trim, ctypes.CDLL(None).malloc_trim)
    except (AttributeError, OSError, TypeError):
        return None
