"""What reached the agent: each notice is handed over exactly once, in order."""

from sqlalchemy import bindparam, func, select

from brownout.core.calls import Notice, NoticeKind
from brownout.core.instants import Instant, local
from brownout.core.rows import Row
from brownout.core.trajectory import NoticeEvent
from brownout.engine.acting_call import Attention
from brownout.engine.session_state import State
from brownout.engine.simulation import Simulation
from brownout.engine.unrecorded_writes import insert_quietly
from brownout.store import StoreRows, compile_query
from worlds.package.engine_tables import notice as table

__all__ = ["give_notice", "last_id", "latest", "notices_text", "take_notices"]

_NEW = compile_query(
    select(table).where(table.c.person == bindparam("person"), table.c.id > bindparam("after")).order_by(table.c.id)
)
_LATEST = compile_query(
    select(table)
    .where(table.c.person == bindparam("person"), table.c.at_us >= bindparam("since"))
    .order_by(table.c.id.desc())
    .limit(bindparam("most"))
)
_LAST = compile_query(select(func.coalesce(func.max(table.c.id), 0).label("last")))
_KINDS: dict[str, NoticeKind] = {
    "page": "page", "mention": "mention", "direct": "direct", "reply": "reply", "mail": "mail",
    "assigned": "assigned", "review": "review", "message": "message",
    "invite": "invite",
}  # fmt: skip


def give_notice(simulation: Simulation, meant: Attention) -> None:
    """Something reaches the agent's account; it is handed over with its next observation."""
    app, now = meant.path.partition(":")[0], simulation.state.now
    key = insert_quietly(
        simulation.rows(),
        table,
        person=meant.person,
        at_us=now,
        app=app,
        kind=meant.kind,
        path=meant.path,
        sender=meant.sender,
        text=meant.text,
    )
    notice = Notice(key, meant.person, now, app, meant.kind, meant.path, meant.sender, meant.text)
    simulation.log(lambda seq: NoticeEvent(seq=seq, at=now, notice=notice))


def last_id(rows: StoreRows) -> int:
    """The id of the newest notice of all."""
    found = rows.scalar(_LAST)
    return found if isinstance(found, int) else 0


def take_notices(rows: StoreRows, state: State, person: str) -> tuple[Notice, ...]:
    """What reached somebody since the last time this was asked."""
    if rows.largest(table) <= state.notices:
        return ()
    found = tuple(_notice(row) for row in rows.all(_NEW, person=person, after=state.notices))
    if found:
        state.notices = found[-1].id
    return found


def latest(rows: StoreRows, person: str, limit: int, *, since: Instant) -> list[Notice]:
    """The newest notices from that moment on, whether handed over or not."""
    return [_notice(row) for row in rows.all(_LATEST, person=person, since=since, most=limit)]


def notices_text(notices: tuple[Notice, ...], zone: str) -> str:
    """The notices as an agent reads them after an answer."""
    lines = [f"[{local(n.at, zone):%a %H:%M}] {n.app} {n.kind}: {n.text}" for n in notices]
    return "\n".join(["", "", "-- meanwhile --", *lines]) if lines else ""


def _notice(row: Row) -> Notice:
    return Notice(
        row.number("id"), row.text("person"), row.number("at_us"), row.text("app"), _KINDS[row.text("kind")],
        row.text("path"), row.text("sender"), row.text("text"),
    )  # fmt: skip
