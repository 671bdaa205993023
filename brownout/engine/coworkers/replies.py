"""What somebody says when spoken to. Only what they have learned, only to those they may tell; never the job itself."""

from collections.abc import Mapping
from dataclasses import dataclass

from brownout.core.calls import Account
from brownout.core.instants import Duration
from brownout.core.seeds import Stream
from brownout.engine.coworkers.knowledge import KnownFact, Slot, believed, knowers, slots
from brownout.engine.coworkers.matching import asking, is_job, is_review, topics_of
from brownout.engine.setting import Profile
from brownout.engine.simulation import Simulation
from worlds.expressions import parse_duration

__all__ = ["Reply", "phrase", "reply_to"]

_CLEAR = 60
"""Score from which a question is taken to be about a topic; found on the phrasings in the tests."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said; empty text is no reply.

    Attributes:
        facts: those in it.
        after: how long they take to say it beyond reading.
        audience: the people and channels that may read it; None for everybody.
    """

    text: str
    facts: tuple[str, ...] = ()
    after: Duration = 0
    audience: frozenset[str] | None = None


def reply_to(simulation: Simulation, person: Profile, sender: Account, text: str, stream: Stream) -> Reply:
    """What a person answers to a text that was meant for them."""
    rows, now = simulation.rows(), simulation.state.now
    if is_job(text) and sender.kind == "agent":
        return Reply(phrase(simulation, person, "job", stream))
    if is_review(text):
        return Reply(phrase(simulation, person, "look", stream))
    asked = asking(text)
    if not asked:
        return Reply(phrase(simulation, person, "ack", stream))
    topics = [topic for topic in topics_of(asked, slots(rows)) if topic.score >= _CLEAR]
    if not topics:
        return Reply(phrase(simulation, person, "ask_back", stream))
    known = believed(rows, person.account.person, now)
    for topic in topics[:2]:
        fact = known.get(topic.slot.name)
        if fact is not None:
            return _told(simulation, person, sender, fact, stream)
        if topics[-1] is topic or topics[1].score * 10 < topic.score * 9:
            break
    return _points_on(simulation, person, topics[0].slot, stream)


def _told(simulation: Simulation, person: Profile, sender: Account, fact: KnownFact, stream: Stream) -> Reply:
    rule = person.asked.get(fact.name, {})
    if rule.get("tells") == "never" or not _may_hear(simulation, sender, fact, rule):
        return Reply(phrase(simulation, person, "refuse", stream))
    after = parse_duration(rule["tells"].removeprefix("after ")) if rule.get("tells", "").startswith("after ") else 0
    says = (
        stream.choice(fact.says) if fact.says else f"{fact.slot.rpartition('.')[2].replace('_', ' ')} is {fact.value}"
    )
    template = phrase(simulation, person, "tell", stream)
    return Reply(_joined(template, says), (fact.name,), after, fact.audience)


def _may_hear(simulation: Simulation, sender: Account, fact: KnownFact, rule: Mapping[str, str]) -> bool:
    """Whether somebody is in the fact's audience and, where a person has a rule of their own, entitled by it."""
    if fact.audience is None:
        return _is_entitled(sender, rule.get("to", "company"), simulation)
    return sender.person in fact.audience and _is_entitled(sender, rule.get("to", "everyone"), simulation)


def _is_entitled(sender: Account, to: str, simulation: Simulation) -> bool:
    team = simulation.person(sender.person).team
    match to:
        case "everyone":
            return True
        case "nobody":
            return False
        case "engineers":
            return sender.kind == "agent" or team == "engineering"
        case "managers":
            return any(p.manager == sender.person for p in simulation.setting.people.values())
        case _:
            return sender.kind in ("person", "agent")


def _points_on(simulation: Simulation, person: Profile, slot: Slot, stream: Stream) -> Reply:
    """They do not know, and say who would."""
    me, now = person.account.person, simulation.state.now
    others = [
        name
        for name in knowers(simulation.rows(), slot.name, now)
        if name != me and name in simulation.setting.people and simulation.setting.people[name].account.kind == "person"
    ]
    if not others:
        return Reply(phrase(simulation, person, "unknown", stream))
    other = simulation.person(others[0]).account.name.partition(" ")[0]
    return Reply(phrase(simulation, person, "unknown_who", stream).replace("{who}", other))


def phrase(simulation: Simulation, person: Profile, kind: str, stream: Stream) -> str:
    """A way to put it: the person's own, else one of their voice."""
    phrases = simulation.setting.phrases
    for place in (f"person.{person.account.person}", f"voice.{person.voice}", "voice.plain"):
        if options := phrases.get(place, {}).get(kind):
            return stream.choice(options)
    return ""


def _joined(template: str, says: str) -> str:
    """The template with the fact in it, a capital letter where a sentence begins."""
    before, _, after = template.partition("{fact}")
    starts = not before.strip() or before.rstrip().endswith((".", "!", "?"))
    says = says[:1].upper() + says[1:] if starts else says
    return f"{before}{says}{after}"
