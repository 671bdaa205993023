"""How something reaches a coworker and comes back as an answer, when they get to it and by what works then."""

from collections.abc import Mapping

from brownout.core.apps import Intent, IntentKind
from brownout.core.grading import Said
from brownout.core.instants import MINUTE, SECOND
from brownout.core.mentions import called
from brownout.core.values import JsonObject
from brownout.engine.acting_call import Attention
from brownout.engine.carrying_intents import carry
from brownout.engine.coworkers.code_reviews import review_due
from brownout.engine.coworkers.customers import reaches_customer
from brownout.engine.coworkers.heard_questions import asking, bare
from brownout.engine.coworkers.knowledge import knowers
from brownout.engine.coworkers.replies import CoworkerReply, phrase, reply_to
from brownout.engine.coworkers.topics import meant
from brownout.engine.notices import give_notice
from brownout.engine.reading_hours import next_reading
from brownout.engine.schedule import BACKGROUND, Due
from brownout.engine.scheduled_intents import intent_document
from brownout.engine.simulation import Simulation

__all__ = ["answer_due", "deliver_due", "hear", "open_due", "overhear"]

_FEW = 2
"""Up to so many people each take a mail to them as meant for themselves."""


def hear(simulation: Simulation, meant: Attention) -> None:
    """Something is meant for somebody: the agent gets a notice, a coworker or customer will read it and answer the agent."""
    person = simulation.setting.people.get(meant.person)
    if person is None:
        return
    if person.account.kind == "agent":
        give_notice(simulation, meant)
        return
    sender = simulation.setting.people.get(meant.sender)
    if person.account.kind == "outsider" and sender is not None and sender.account.kind == "agent":
        reaches_customer(simulation, meant)
    if person.account.kind != "person" or sender is None:
        return
    if meant.kind == "mail":
        _will_open(simulation, meant)
    is_addressed = sender.account.kind == "agent" and meant.kind != "assigned" and _feels_addressed(simulation, meant)
    if meant.kind in ("page", "invite") or is_addressed:
        _will_answer(simulation, meant)


def _feels_addressed(simulation: Simulation, meant: Attention) -> bool:
    """Whether somebody takes it to be on them to answer: of several people one does, and for news perhaps nobody."""
    named = [name for name in called(meant.text) if name in simulation.setting.people]
    if named and meant.person not in named:
        return False
    crowd = [name for name in meant.crowd if simulation.person(name).account.kind == "person"]
    if len(crowd) <= _FEW or meant.kind == "review":
        return True
    stream, asked = simulation.stream("speaks", *meant.crowd, meant.text), asking(bare(meant.text))
    if not asked:
        return stream.chance(50) and stream.choice(crowd) == meant.person
    known = _knowing(simulation, asked)
    return next((name for name in known if name in crowd), stream.choice(crowd)) == meant.person


def overhear(simulation: Simulation, said: Said) -> None:
    """The agent asked a channel: of those who can read it, whoever knows comes forward."""
    is_to_a_room = said.path.partition(":")[2].startswith("#") and "<@" not in said.text
    asked = asking(said.text) if is_to_a_room else ""
    for name in _knowing(simulation, asked) if asked else ():
        person = simulation.setting.people.get(name)
        if person is not None and name in said.to and person.account.kind == "person":
            _will_answer(
                simulation, Attention(name, "message", said.path, _agent(simulation), said.text), extra=4 * MINUTE
            )
            return


def _knowing(simulation: Simulation, asked: str) -> list[str]:
    """Who knows what is asked; nobody where it is not clear what that is."""
    rows = simulation.rows()
    topics = meant(rows, asked)
    return knowers(rows, topics[0].slot, simulation.state.now) if topics else []


def _agent(simulation: Simulation) -> str:
    return next(name for name, p in simulation.setting.people.items() if p.account.kind == "agent")


def _will_answer(simulation: Simulation, meant: Attention, *, extra: int = 0) -> None:
    person = simulation.person(meant.person)
    stream = simulation.stream("answer", meant.person, meant.path)
    at = next_reading(person, simulation.state.now, stream)
    if at is None:
        return
    payload: JsonObject = {
        "person": meant.person, "kind": meant.kind, "path": meant.path, "sender": meant.sender, "text": meant.text
    }  # fmt: skip
    at += extra + stream.below(60) * SECOND
    simulation.schedule.push(at, "answer", f"answer/{meant.person}/{meant.path}", payload)


def _will_open(simulation: Simulation, meant: Attention) -> None:
    """They open the mail the next time they read."""
    person = simulation.person(meant.person)
    at = next_reading(person, simulation.state.now, simulation.stream("opens", meant.person, meant.path))
    if at is not None:
        payload: JsonObject = {"person": meant.person, "path": meant.path}
        simulation.schedule.push(at, "open", f"open/{meant.path}", payload, priority=BACKGROUND)


def open_due(simulation: Simulation, due: Due) -> None:
    """Somebody opens a mail; while that does not work they look again later."""
    who, path = str(due.payload["person"]), str(due.payload["path"])
    app = simulation.setting.apps[path.partition(":")[0]]
    if "read" not in app.intents:
        return
    fault = simulation.fault_for(app, f"{app.name}_read", who, writes=False, key=f"{due.key}/{simulation.state.now}")
    if fault is not None and fault.refusal is not None:
        simulation.schedule.push(simulation.state.now + 10 * MINUTE, "open", due.key, due.payload, priority=BACKGROUND)
        return
    rows = simulation.rows()
    with rows.savepoint():
        app.intents["read"](simulation.acting(simulation.person(who).account), Intent("read", due.key, who, thing=path))
    simulation.settle_effects(rows)


def answer_due(simulation: Simulation, due: Due) -> None:
    """A coworker has read something and answers it."""
    meant = _meant(due.payload)
    person, sender = simulation.person(meant.person), simulation.person(meant.sender).account
    stream = simulation.stream("reply", due.key)
    if meant.kind in ("page", "invite"):
        _acknowledge(simulation, meant)
        return
    if meant.kind == "review":
        review_due(simulation, due, meant)
        return
    reply = reply_to(simulation, person, sender, bare(meant.text), stream)
    if not reply.text:
        return
    intent = _intent(simulation, due.key, meant, reply)
    if reply.is_thanks and intent.kind == "comment":
        return
    if reply.after:
        simulation.schedule.push(simulation.state.now + reply.after, "intent", due.key, intent_document(intent))
    else:
        carry(simulation, intent)


def _acknowledge(simulation: Simulation, meant: Attention) -> None:
    """Somebody who was paged says that they are on it; who was invited, whether they will come."""
    app = meant.path.partition(":")[0]
    if "acknowledge" in simulation.setting.apps[app].intents:
        key = f"acknowledge/{meant.person}/{meant.path}"
        stream, person = simulation.stream("acknowledge", key), simulation.person(meant.person)
        details: JsonObject = {"alert": meant.path, "late": phrase(simulation, person, "alert_over", stream)}
        text = phrase(simulation, person, "alert_ack", stream)
        carry(
            simulation,
            Intent("acknowledge", key, meant.person, via=app, text=text, thing=meant.path, details=details),
        )


def _intent(simulation: Simulation, key: str, meant: Attention, reply: CoworkerReply) -> Intent:
    """The answer where the question was put: in its thread, under its ticket, as a reply to its mail.

    What others there may not be told is said to whoever asked, alone.
    """
    app = meant.path.partition(":")[0]
    carries: Mapping[IntentKind, object] = (
        simulation.setting.apps[app].intents if app in simulation.setting.apps else {}
    )
    kind: IntentKind = "answer" if "answer" in carries else "comment" if "comment" in carries else "answer"
    via = app if kind in carries else ""
    place = meant.path.partition(":")[2].partition(".message/")[0]
    to = (place,) if place.startswith("#") else (meant.sender,)
    details: JsonObject = {"thread": meant.path}
    if meant.kind == "direct":
        details = {}
    is_overheard = kind == "comment" or place.startswith("#")
    if is_overheard and reply.audience is not None and place not in reply.audience:
        kind, to, details = "answer", (meant.sender,), {}
        via = app if kind in carries else ""
    return Intent(
        kind, key, meant.person, to=to, via=via, text=reply.text, thing=meant.path, details=details, facts=reply.facts
    )


def deliver_due(simulation: Simulation, due: Due) -> None:
    """Something that was held back arrives."""
    hear(simulation, _meant(due.payload))


def _meant(payload: JsonObject) -> Attention:
    crowd = payload.get("crowd", [])
    assert isinstance(crowd, list)
    return Attention(
        str(payload["person"]), str(payload["kind"]), str(payload["path"]), str(payload["sender"]), str(payload["text"]),  # type: ignore[arg-type]
        tuple(map(str, crowd)),
    )  # fmt: skip
