"""What will happen, in one total order: (time, priority, insertion id). Entries are rows and are never removed;
a cursor says how far the session has come, so that a session's changeset holds only what it added.
"""

from collections.abc import Callable
from dataclasses import dataclass

import orjson
from sqlalchemy import bindparam, select, tuple_

from brownout.core.instants import Instant
from brownout.core.values import JsonObject
from brownout.engine.session_state import State
from brownout.engine.unrecorded_writes import insert_quietly
from brownout.store import StoreRows, compile_query
from worlds.package.engine_tables import schedule as table

__all__ = ["BACKGROUND", "EDGE", "FOLLOW", "STORY", "Due", "Schedule"]

EDGE, STORY, BACKGROUND, FOLLOW = 0, 10, 20, 30
"""Priorities at the same moment: outages' edges, storylines, everyday life, what follows from something else."""

_NEXT = compile_query(
    select(table)
    .where(
        tuple_(table.c.at_us, table.c.priority, table.c.id)
        > tuple_(bindparam("at"), bindparam("priority"), bindparam("id"))
    )
    .order_by(table.c.at_us, table.c.priority, table.c.id)
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Due:
    """An entry of the schedule."""

    id: int
    at: Instant
    priority: int
    kind: str
    key: str
    payload: JsonObject


class Schedule:
    """The schedule of one session."""

    def __init__(self, rows: Callable[[], StoreRows], state: State) -> None:
        self._rows = rows
        self._state = state
        self._next: Due | None = None
        self._is_known = False

    def push(self, at: Instant, kind: str, key: str, payload: JsonObject, *, priority: int = FOLLOW) -> None:
        """Add an entry; one for the past or for this very moment is carried out next."""
        cursor = self._state.cursor
        if at <= cursor.at:
            at, priority = cursor.at, max(priority, cursor.priority)
        insert_quietly(
            self._rows(), table, at_us=at, priority=priority, kind=kind, key=key, payload=orjson.dumps(payload).decode()
        )
        if self._next is None or (at, priority) < (self._next.at, self._next.priority):
            self._is_known = False

    def peek(self) -> Due | None:
        """The next entry, None when nothing is left."""
        if not self._is_known:
            cursor = self._state.cursor
            row = self._rows().one(_NEXT, at=cursor.at, priority=cursor.priority, id=cursor.id)
            self._next = None
            if row is not None:
                self._next = Due(
                    row.number("id"),
                    row.number("at_us"),
                    row.number("priority"),
                    row.text("kind"),
                    row.text("key"),
                    orjson.loads(row.text("payload")),
                )
            self._is_known = True
        return self._next

    def take(self, due: Due) -> None:
        """Move the cursor past an entry."""
        cursor = self._state.cursor
        cursor.at, cursor.priority, cursor.id = due.at, due.priority, due.id
        self._is_known = False

    def forget(self) -> None:
        """Read anew: the rows below have changed."""
        self._is_known = False
