"""Carries out what people want done, through whatever works, and keeps track of what everyone has learned."""

from sqlalchemy import bindparam, select

from brownout.core.apps import App, Intent, OutsideWork, VendorError
from brownout.core.calls import Effect
from brownout.core.error_notes import doing
from brownout.core.instants import HOUR, MINUTE, Instant
from brownout.core.trajectory import WorldEvent
from brownout.core.values import JsonObject
from brownout.engine.acting_call import ActingCall
from brownout.engine.app_errors import blaming, line_of
from brownout.engine.reading_hours import next_reading
from brownout.engine.schedule import Due
from brownout.engine.scheduled_intents import intent_document, intent_of
from brownout.engine.simulation import Simulation
from brownout.engine.unrecorded_writes import insert_quietly, update_quietly
from brownout.store import StoreRows, compile_query
from worlds.package.engine_tables import belief

__all__ = ["carry", "carry_due", "learn", "learn_due"]

_BELIEF = compile_query(
    select(belief).where(belief.c.person == bindparam("person"), belief.c.fact == bindparam("fact"))
)
_PATIENCE = 12
"""Attempts before somebody gives up on a service that does not work, a growing while apart."""


def carry(simulation: Simulation, intent: Intent, *, attempt: int = 0) -> None:
    """Do what somebody wants done now, by the first channel that works and can carry it.

    It is tried again later where a channel does not work just now, and given up where none can carry it.
    """
    broken: list[str] = []
    unfit: dict[str, str] = {}
    for app in _channels(simulation, intent):
        fault = simulation.fault_for(
            app, f"{app.name}_{intent.kind}", intent.who, writes=True, key=f"{intent.key}/{attempt}"
        )
        if fault is not None and (fault.refusal is not None or fault.loses_answer):
            broken.append(app.name)
            continue
        call = simulation.acting(simulation.person(intent.who).account)
        try:
            with blaming(app.name, f"{intent.kind} for {intent.key}"), call.rows.savepoint():
                made = app.intents[intent.kind](call, intent)
        except (VendorError, LookupError) as error:
            unfit[app.name] = _reason(app.name, error)
            continue
        with blaming(app.name, f"{intent.kind} for {intent.key}"):
            path = _made(intent, call, made)
        _follow(simulation, app, intent, call, path, held_until=fault.held_until if fault else None)
        return
    if unfit and not broken:
        _note(simulation, intent, app=",".join(unfit), outcome=f"failed: {'; '.join(unfit.values())}")
        return
    _note(simulation, intent, app=",".join(broken), outcome="no channel works")
    if attempt < _PATIENCE:
        wait = min(5 * MINUTE * (1 + attempt), HOUR)
        again: JsonObject = {**intent_document(intent), "attempt": attempt + 1}
        simulation.schedule.push(simulation.state.now + wait, "intent", intent.key, again)


def _reason(app: str, error: Exception) -> str:
    """Why an app cannot carry something; what it tripped over itself with the place in it."""
    if type(error) is LookupError or isinstance(error, VendorError):
        return str(error)
    return f"{line_of(app, error) or app}: {type(error).__name__}: {error}"


def _channels(simulation: Simulation, intent: Intent) -> list[App]:
    """The apps that can carry an intent, as its author or the person's habits order them."""
    apps = simulation.setting.apps
    if intent.via:
        return [apps[intent.via]] if intent.via in apps else []
    preferred = [name for name in simulation.person(intent.who).reads if name in apps]
    order = [*preferred, *(name for name in apps if name not in preferred)]
    return [apps[name] for name in order if intent.kind in apps[name].intents]


def _made(intent: Intent, call: ActingCall, made: str | OutsideWork) -> str:
    """The path of what came of an intent, bound to its names; work outside is done first, here and now."""
    if isinstance(made, OutsideWork):
        done = made.work()
        with call.rows.savepoint():
            made = str(made.finish(call, done))
    if intent.thing and intent.kind in ("open", "write", "merge", "invite"):
        call.bind(intent.thing, made)
    call.bind(intent.key, made)
    if isinstance(named := intent.details.get("names"), str):
        call.bind(named, made)
    return made


def _follow(
    simulation: Simulation, app: App, intent: Intent, call: ActingCall, path: str, *, held_until: Instant | None
) -> None:
    """All that follows from an intent that was carried."""
    effects = simulation.settle_effects(call.rows)
    simulation.after(app, effects)
    if intent.facts:
        _spread(simulation, app, intent, path, effects, noticed={meant.person for meant in call.attention})
    effects += simulation.spread(app, call.actor, effects, held_until=held_until)
    _note(simulation, intent, app=app.name, outcome="done", path=path, effects=effects)
    if intent.kind == "deploy":
        simulation.deployed(simulation, intent)
    simulation.conclude(call, held_until=held_until)


def _spread(
    simulation: Simulation, app: App, intent: Intent, path: str, effects: tuple[Effect, ...], *, noticed: set[str]
) -> None:
    """Who reads the app, or is told of what was said there, learns the facts in it the next time they read."""
    rows = simulation.rows()
    readers: set[str] = set()
    for effect in effects:
        said = app.utterance(rows, effect)
        if said is not None:
            readers |= said.to
    for fact in intent.facts:
        learn(rows, intent.who, fact, simulation.state.now, path)
    for name in sorted(readers - {intent.who}):
        person = simulation.setting.people.get(name)
        if person is None or person.account.kind not in ("person", "outsider"):
            continue
        if person.reads and app.name not in person.reads and name not in noticed:
            continue
        at = next_reading(person, simulation.state.now, simulation.stream("reads", name, intent.key))
        if at is not None:
            for fact in intent.facts:
                learn(rows, name, fact, at, path)


def learn(rows: StoreRows, person: str, fact: str, at: Instant, path: str) -> None:
    """Note that somebody knows a fact from that moment on; what they knew earlier they keep."""
    known = rows.one(_BELIEF, person=person, fact=fact)
    if known is None:
        insert_quietly(rows, belief, person=person, fact=fact, learned_us=at, path=path)
    elif known.number("learned_us") > at:
        update_quietly(rows, belief, known.number("id"), learned_us=at, path=path)


def learn_due(simulation: Simulation, due: Due) -> None:
    """What somebody waited for has come true, and they know what there is to know of it."""
    person, fact, path = (str(due.payload[name]) for name in ("person", "fact", "path"))
    learn(simulation.rows(), person, fact, simulation.state.now, path)


def _note(
    simulation: Simulation, intent: Intent, *, app: str, outcome: str, path: str = "", effects: tuple[Effect, ...] = ()
) -> None:
    simulation.log(
        lambda seq: WorldEvent(
            seq=seq,
            at=simulation.state.now,
            key=intent.key,
            who=intent.who,
            act=intent.kind,
            app=app,
            outcome=outcome,
            path=path,
            facts=intent.facts,
            effects=effects,
            state=simulation.state.chain,
        )
    )


def carry_due(simulation: Simulation, due: Due) -> None:
    """Carry out the intent in a schedule entry."""
    intent = intent_of(due.payload)
    with doing(f"{intent.kind} by {intent.who}, of {intent.key}"):
        carry(simulation, intent, attempt=int(str(due.payload.get("attempt", 0))))
