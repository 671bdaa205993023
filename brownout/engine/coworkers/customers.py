"""Customers who were answered: they thank, and whoever wrote because of trouble says whether it is over; each once."""

from datetime import datetime

from brownout.core.apps import Intent
from brownout.core.instants import HOUR, MINUTE, Instant, from_datetime
from brownout.core.values import JsonObject
from brownout.engine.acting_call import Attention
from brownout.engine.carrying_intents import carry
from brownout.engine.coworkers.heard_questions import asking, bare
from brownout.engine.coworkers.replies import phrase
from brownout.engine.reading_hours import next_reading
from brownout.engine.schedule import BACKGROUND, Due
from brownout.engine.simulation import Simulation
from brownout.engine.systems.health import health_at
from worlds.systems import is_as_bad, parse_complaint

__all__ = ["customer_due", "reaches_customer"]

_FEW = 2
"""Of more customers than these whom one mail is to, nobody answers: it is news, and no answer."""


def reaches_customer(simulation: Simulation, meant: Attention) -> None:
    """The agent has written to a customer, who answers some time later; at most once an hour in one conversation."""
    person = simulation.person(meant.person)
    customers = [name for name in meant.crowd if name in simulation.setting.people and simulation.person(name).customer]
    if meant.kind != "mail" or not person.customer or len(customers) > _FEW:
        return
    conversation, begun = _conversation(simulation, meant)
    stream = simulation.stream("customer", meant.person, meant.path)
    at = next_reading(person, simulation.state.now + stream.between(8, 50) * MINUTE, stream)
    last = simulation.state.reacted.get(conversation)
    if not conversation or at is None or (last is not None and at < last + HOUR):
        return
    simulation.state.reacted[conversation] = at
    payload: JsonObject = {
        "person": meant.person, "path": meant.path, "sender": meant.sender, "text": meant.text,
        "conversation": conversation, "of_trouble": _is_broken(simulation, begun),
        "was_broken": _is_broken(simulation, simulation.state.now),
    }  # fmt: skip
    simulation.schedule.push(at, "customer", f"customer/{meant.person}/{meant.path}", payload, priority=BACKGROUND)


def customer_due(simulation: Simulation, due: Due) -> None:
    """A customer answers what was written to them, in their voice and by the way it came; each kind of thing said once."""
    person = simulation.person(str(due.payload["person"]))
    kind = _kind(simulation, due)
    said = f"{due.payload['conversation']}/{kind}"
    if said in simulation.state.reacted and kind != "customer_broken":
        return
    simulation.state.reacted[said] = simulation.state.now
    path = str(due.payload["path"])
    text = phrase(simulation, person, kind, simulation.stream("customer says", due.key))
    intent = Intent(
        "answer",
        due.key,
        person.account.person,
        to=(str(due.payload["sender"]),),
        via=path.partition(":")[0],
        text=f"{text}\n\n{person.account.name}",
        thing=path,
        details={"thread": path},
    )
    carry(simulation, intent)


def _kind(simulation: Simulation, due: Due) -> str:
    """Which kind of phrase it comes to; of trouble speaks only whoever had written while there was some."""
    if due.payload["of_trouble"] and _is_broken(simulation, simulation.state.now):
        return "customer_broken"
    if due.payload["of_trouble"] and due.payload["was_broken"]:
        return "customer_works"
    return "customer_asked" if asking(bare(str(due.payload["text"]))) else "customer_thanks"


def _is_broken(simulation: Simulation, at: Instant) -> bool:
    """Whether a service that customers complain of was as bad at a moment as they complain of."""
    rows = simulation.rows()
    return any(
        is_as_bad(health_at(rows, name, at).state, parse_complaint(spec.shows.customers).state)
        for name, spec in simulation.setting.services.items()
        if spec.shows.customers
    )


def _conversation(simulation: Simulation, meant: Attention) -> tuple[str, Instant]:
    """The conversation that a mail goes on with: the path of its first message, and when that was sent; an empty path where
    the customer was not in it.
    """
    app, _, pattern = meant.path.partition(":")
    held = simulation.setting.apps.get(app)
    found = held.find(simulation.rows(), pattern) if held else []
    thread = found[0].fields.get("thread") if found else None
    if held is None or not isinstance(thread, str):
        return "", 0
    first = held.find(simulation.rows(), thread.partition(":")[2])
    sent = first[0].fields.get("sent") if first else None
    return thread, from_datetime(datetime.fromisoformat(sent)) if isinstance(sent, str) else 0
