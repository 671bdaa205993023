"""What somebody says when spoken to. Only what they have learned, only to those they may tell; never the job itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from brownout.core.calls import Account
from brownout.core.instants import Duration, local
from brownout.core.seeds import Stream
from brownout.engine.coworkers.heard_questions import asking, asks_plainly, is_own_doing, questions, request_of
from brownout.engine.coworkers.knowledge import KnownFact, believed, knowers
from brownout.engine.coworkers.missing_answers import missing
from brownout.engine.coworkers.spoken_names import as_oneself, first_name, subjects
from brownout.engine.coworkers.topics import AskedSlot, meant, nearest, topics_of
from brownout.engine.simulation import Simulation
from brownout.engine.simulation_setting import Profile
from worlds.expressions import parse_duration

__all__ = ["CoworkerReply", "phrase", "reply_to"]


@dataclass(frozen=True, slots=True)
class CoworkerReply:
    """What is said; empty text is no reply.

    Attributes:
        facts: those in it.
        after: how long they take to say it beyond reading.
        audience: the people and channels that may read it; None for everybody.
        is_thanks: it says no more than that it was read.
    """

    text: str
    facts: tuple[str, ...] = ()
    after: Duration = 0
    audience: frozenset[str] | None = None
    is_thanks: bool = False


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """Who is asked, by whom, in which words."""

    person: Profile
    sender: Account
    text: str


def reply_to(simulation: Simulation, person: Profile, sender: Account, text: str, stream: Stream) -> CoworkerReply:
    """What a person answers to a text that was meant for them."""
    request = request_of(text) if sender.kind == "agent" else ""
    if request == "look" and f"{person.account.person}/review_ok" in simulation.state.phrases:
        return CoworkerReply("")
    if request:
        return CoworkerReply(phrase(simulation, person, request, stream))
    rows = simulation.rows()
    topics = meant(rows, text) if asking(text) else []
    if not topics and not (asking(text) and asks_plainly(text)):
        if sender.kind == "agent" and (ask := _misses(simulation, person, text)):
            return CoworkerReply(phrase(simulation, person, "missing", stream).replace("{ask}", ask))
        return CoworkerReply(phrase(simulation, person, "ack", stream), is_thanks=True)
    if not topics:
        return CoworkerReply(phrase(simulation, person, "not_yet" if is_own_doing(text) else "ask_back", stream))
    likely = {topic.slot for topic in topics if topic.score * 2 >= topics[0].score}
    single = [[topic for topic in topics_of(rows, each.context) if topic.slot in likely] for each in questions(text)]
    return _answer(simulation, AskedQuestion(person, sender, text), topics, [each for each in single if each], stream)


def _misses(simulation: Simulation, person: Profile, text: str) -> str:
    """What the requester of the task still misses, the first time that something is missing in what they are told."""
    has_asked = f"{person.account.person}/missing" in simulation.state.phrases
    if person.account.person != simulation.requester or has_asked or text.endswith("…"):
        return ""
    ask = missing(simulation.prompt, text)
    return f"{ask}?" if ask else ""


def _answer(
    simulation: Simulation,
    asked: AskedQuestion,
    topics: Sequence[AskedSlot],
    single: Sequence[Sequence[AskedSlot]],
    stream: Stream,
) -> CoworkerReply:
    """What somebody knows of a text's topics: of each of two questions its own, and that they do not know the rest."""
    known = believed(simulation.rows(), asked.person.account.person, simulation.state.now)
    facts = [known.get(each[0].slot) for each in single] if len(single) > 1 else []
    told = [fact for fact in facts if fact is not None]
    if not told:
        near = nearest(topics)
        if len(near) > 1 and len(single) < 2:
            could = [each for each in near if each.slot in known and _may_hear(simulation, asked, known[each.slot])]
            if could != near[:1]:
                return _asks_back(simulation, asked.person, could, stream)
        told = [known[topic.slot] for topic in topics[:1] if topic.slot in known]
    if not told:
        return _points_on(simulation, asked, topics[0].slot, stream)
    replies = [_told(simulation, asked, fact, stream) for fact in dict.fromkeys(told)][:2]
    if len(replies) == 2 and all(each.facts for each in replies) and replies[0].audience == replies[1].audience:
        return _both(*replies)
    if None in facts and replies[0].facts:
        rest = phrase(simulation, asked.person, "rest", stream)
        return replace(replies[0], text=f"{replies[0].text} {rest}")
    return replies[0]


def _asks_back(simulation: Simulation, person: Profile, could: Sequence[AskedSlot], stream: Stream) -> CoworkerReply:
    """They do not know which of several things is meant; those are named that they could tell."""
    if len(could) < 2:
        return CoworkerReply(phrase(simulation, person, "ask_back", stream))
    one, other = subjects(could[0], could[1])
    return CoworkerReply(phrase(simulation, person, "which", stream).replace("{one}", one).replace("{other}", other))


def _both(one: CoworkerReply, other: CoworkerReply) -> CoworkerReply:
    """An answer to two questions."""
    facts, after = one.facts + other.facts, max(one.after, other.after)
    return replace(one, text=f"{one.text} {other.text}", facts=facts, after=after)


def _told(simulation: Simulation, asked: AskedQuestion, fact: KnownFact, stream: Stream) -> CoworkerReply:
    person = asked.person
    rule = person.asked.get(fact.name, {})
    if not _may_hear(simulation, asked, fact):
        return CoworkerReply(phrase(simulation, person, "refuse", stream))
    after = parse_duration(rule["tells"].removeprefix("after ")) if rule.get("tells", "").startswith("after ") else 0
    plainly = f"{fact.slot.rpartition('.')[2].replace('_', ' ')} is {fact.value}"
    says = rule.get("says") or as_oneself(stream.choice(fact.says) if fact.says else plainly, person.account.name)
    template = "{fact}." if rule.get("says") else phrase(simulation, person, "tell", stream)
    if fact.over is not None:
        until = local(fact.over, simulation.setting.zone)
        template = phrase(simulation, person, "over", stream).replace(
            "{until}", f"{until:%a} {until.day} {until:%b %H:%M}"
        )
    text = _joined(template, says, is_terse=person.voice == "terse")
    return CoworkerReply(text, (fact.name,), after, fact.audience)


def _may_hear(simulation: Simulation, asked: AskedQuestion, fact: KnownFact) -> bool:
    """Whether somebody is in the fact's audience and, where a person has a rule of their own, entitled by it."""
    rule = asked.person.asked.get(fact.name, {})
    if rule.get("tells") == "never":
        return False
    if fact.audience is None:
        return _is_entitled(asked.sender, rule.get("to", "company"), simulation)
    return asked.sender.person in fact.audience and _is_entitled(asked.sender, rule.get("to", "everyone"), simulation)


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


def _points_on(simulation: Simulation, asked: AskedQuestion, slot: str, stream: Stream) -> CoworkerReply:
    """They do not know, and say who would: somebody who does, is there to be asked, and has not asked it themselves."""
    person, now = asked.person, simulation.state.now
    others = [
        name
        for name in knowers(simulation.rows(), slot, now)
        if name not in (person.account.person, asked.sender.person, simulation.requester)
        and (other := simulation.setting.people.get(name)) is not None
        and other.account.kind == "person"
        and not other.attendance.is_away(now)
        and not re.search(rf"\b{re.escape(first_name(simulation, name))}\b|@{re.escape(name)}\b", asked.text)
    ]
    if others:
        who = first_name(simulation, others[0])
        return CoworkerReply(phrase(simulation, person, "unknown_who", stream).replace("{who}", who))
    nobody = phrase(simulation, person, "nobody", stream)
    return CoworkerReply(f"{phrase(simulation, person, 'unknown', stream)} {nobody}".strip())


def phrase(simulation: Simulation, person: Profile, kind: str, stream: Stream) -> str:
    """A way to put it: the person's own, else one of their voice; not the one they used last."""
    phrases, last = simulation.setting.phrases, simulation.state.phrases
    key = f"{person.account.person}/{kind}"
    for place in (f"person.{person.account.person}", f"voice.{person.voice}", "voice.plain"):
        if options := phrases.get(place, {}).get(kind):
            last[key] = stream.choice([each for each in options if each != last.get(key)] or options)
            return last[key]
    return ""


def _joined(template: str, says: str, *, is_terse: bool) -> str:
    """The template with the fact in it, a capital letter where a sentence begins and the person writes any."""
    before, _, after = template.partition("{fact}")
    starts = not before.strip() or before.rstrip().endswith((".", "!", "?"))
    says = says[:1].upper() + says[1:] if starts and not is_terse else says
    return f"{before}{says}{after}"
