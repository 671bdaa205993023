"""The few numbers of a running session that are not an app's: kept in Python, written to rows when it rests."""

from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

import orjson
from sqlalchemy import select

from brownout.core.instants import Instant
from brownout.engine.unrecorded_writes import insert_quietly, update_quietly
from brownout.store import StoreRows, compile_query
from worlds.package.engine_tables import state as table

__all__ = ["ScheduleCursor", "State", "load_state", "save_state"]

_STATE = compile_query(select(table.c.id, table.c.name, table.c.value))
_NAME = "session"


@dataclass(slots=True)
class ScheduleCursor:
    """The last entry of the schedule that was carried out."""

    at: Instant = -1
    priority: int = 0
    id: int = 0


@dataclass(slots=True)
class State:
    """The session's own memory.

    Attributes:
        requests: how many vendor requests were made; draws are keyed by it.
        chain: running digest of all effects.
        notices: id of the last notice handed to the agent.
        active: outages that hold now, with the instant they began.
        latched: behaviours of services that have begun and go on by themselves.
        alerts: the open alert of each service.
        minutes: for each app, a minute and the requests it has had in it while an outage held.
        phrases: how each person put each kind of thing the last time.
        reacted: when customers answered what they were answered, by conversation, and by conversation and what they said.
        findings: what the agent recorded last for each field, and when.
        everyday: how far everyday life has come, moment and order of its last item; None where it has not begun.
    """

    now: Instant
    cursor: ScheduleCursor = field(default_factory=ScheduleCursor)
    turns: int = 0
    calls: int = 0
    requests: int = 0
    events: int = 0
    notices: int = 0
    chain: str = ""
    ended: str = ""
    answer: str = ""
    active: dict[str, Instant] = field(default_factory=dict)
    minutes: dict[str, tuple[int, int]] = field(default_factory=dict)
    latched: dict[str, Instant] = field(default_factory=dict)
    alerts: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    reacted: dict[str, Instant] = field(default_factory=dict)
    findings: dict[str, tuple[str, Instant]] = field(default_factory=dict)
    everyday: tuple[Instant, int] | None = None

    def copy(self) -> "State":
        """An independent copy; what its mappings hold is never changed in place."""
        parts: dict[str, Any] = {name: value.copy() for name, value in _parts(self).items() if isinstance(value, dict)}
        return replace(self, cursor=replace(self.cursor), **parts)


def save_state(rows: StoreRows, state: State) -> None:
    """Write the state into its row."""
    value = orjson.dumps(_parts(state) | {"cursor": asdict(state.cursor)}, option=orjson.OPT_SORT_KEYS).decode()
    for row in rows.all(_STATE):
        if row["name"] == _NAME:
            update_quietly(rows, table, row.number("id"), value=value)
            return
    insert_quietly(rows, table, name=_NAME, value=value)


def load_state(rows: StoreRows) -> State | None:
    """The state as its row has it, None where it was never written. Others may hold it too: change a copy."""
    for row in rows.all(_STATE):
        if row["name"] == _NAME:
            return _read(row.text("value"))
    return None


@lru_cache(maxsize=16)
def _read(value: str) -> State:
    """The state of a row; sessions of one start share it."""
    return _from_document(orjson.loads(value))


def _parts(state: State) -> dict[str, object]:
    """The state by its fields, without what never was; `dataclasses.asdict` would copy what they hold, ten times as slow."""
    return {part.name: value for part in fields(state) if (value := getattr(state, part.name)) is not None}


def _from_document(document: dict[str, object]) -> State:
    cursor = document.pop("cursor")
    minutes = document.pop("minutes", {})
    findings = document.pop("findings", {})
    everyday = document.pop("everyday", None)
    assert isinstance(cursor, dict)
    assert isinstance(minutes, dict)
    assert isinstance(findings, dict)
    document["findings"] = {name: (str(text), int(at)) for name, (text, at) in findings.items()}
    if isinstance(everyday, list):
        document["everyday"] = (int(everyday[0]), int(everyday[1]))
    document["minutes"] = {app: (int(minute), int(count)) for app, (minute, count) in minutes.items()}
    return State(**document, cursor=ScheduleCursor(**cursor))  # type: ignore[arg-type]
