"""What waits: for a service in trouble for a while or well again, for the agent to have called an operation."""

import orjson
from sqlalchemy import bindparam, select

from brownout.core.instants import Duration, Instant
from brownout.core.values import JsonObject
from brownout.engine.schedule import STORY, Due
from brownout.engine.simulation import Simulation
from brownout.engine.systems.health import history
from brownout.engine.unrecorded_writes import insert_quietly, update_quietly
from brownout.store import StoreRows, compile_query
from worlds.expressions import Condition
from worlds.package.engine_tables import fact
from worlds.package.engine_tables import trigger as table
from worlds.systems import is_as_bad

__all__ = ["fire_if_held", "set_trigger", "turn_fact", "watch_triggers"]

_WAITING = compile_query(
    select(table).where(table.c.name == bindparam("name"), table.c.fired_us.is_(None)).order_by(table.c.id)
)
_FACT = compile_query(select(fact).where(fact.c.fact == bindparam("fact")))


def set_trigger(
    rows: StoreRows, condition: Condition, kind: str, key: str, payload: JsonObject, *, after: Duration = 0
) -> None:
    """Have a schedule entry made once the condition has held long enough, and so much later."""
    insert_quietly(
        rows,
        table,
        name=condition.name,
        state=condition.state,
        lasting_us=condition.lasting,
        kind=kind,
        key=key,
        payload=orjson.dumps(payload).decode(),
        delay_us=after,
    )


def watch_triggers(simulation: Simulation, name: str, state: str, since: Instant) -> None:
    """Something has come to be in a state: look again when that has lasted as long as the triggers on it ask."""
    for row in simulation.rows().all(_WAITING, name=name):
        wanted = row.text("state")
        if _is_met(state, wanted):
            payload: JsonObject = {"trigger": row.number("id"), "since": since}
            at = since + row.number("lasting_us")
            simulation.schedule.push(at, "trigger", f"trigger/{row.text('key')}/{since}", payload, priority=STORY)


def fire_if_held(simulation: Simulation, due: Due) -> None:
    """Make the trigger's schedule entry, if what it waits for has lasted and it has not fired yet."""
    rows, now = simulation.rows(), simulation.state.now
    row = rows.get(table, int(str(due.payload["trigger"])))
    if row is None or row["fired_us"] is not None:
        return
    since, wanted = int(str(due.payload["since"])), row.text("state")
    if wanted != "called":
        held = history(rows, row.text("name"), since, now)
        if not all(_is_met(health.state, wanted) for health in held):
            return
    update_quietly(rows, table, row.number("id"), fired_us=now)
    entry = orjson.loads(row.text("payload"))
    simulation.schedule.push(now + row.number("delay_us"), row.text("kind"), row.text("key"), entry, priority=STORY)


def turn_fact(simulation: Simulation, due: Due) -> None:
    """What a fact waited for has come true: it begins to be so, or ceases."""
    row = simulation.rows().one(_FACT, fact=str(due.payload["fact"]))
    assert row is not None
    edge = "since_us" if due.payload["edge"] == "since" else "until_us"
    update_quietly(simulation.rows(), fact, row.number("id"), **{edge: simulation.state.now})


def _is_met(state: str, wanted: str) -> bool:
    """Whether a state is what was waited for: `ok` is that alone, what is worse than a trouble is that trouble too."""
    if "called" in (state, wanted) or wanted == "ok":
        return state == wanted
    return is_as_bad(state, wanted)
