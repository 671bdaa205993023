"""What somebody says when spoken to. Only what they have learned, only to those they may tell; never the job itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from brownout.core.calls import Account
from brownout.core.instants import Duration
from brownout.core.seeds import Stream
from brownout.engine.coworkers.knowledge import KnownFact, Slot, believed, knowers, slots
from brownout.engine.coworkers.matching import Topic, asking, is_about, is_own_doing, questions, request_of, topics_of
from brownout.engine.setting import Profile
from brownout.engine.simulation import Simulation
from worlds.expressions import parse_duration

__all__ = ["Reply", "phrase", "reply_to"]

_CLEAR = 60
"""Score from which a question is taken to be about a topic; found on the phrasings in the tests."""
_NEAR = 80
"""Percent of the best score from which a topic may be the one that was meant."""


@dataclass(frozen=True, slots=True)
class Reply:
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


def reply_to(simulation: Simulation, person: Profile, sender: Account, text: str, stream: Stream) -> Reply:
    """What a person answers to a text that was meant for them."""
    request = request_of(text) if sender.kind == "agent" else ""
    if request == "look" and f"{person.account.person}/review_ok" in simulation.state.phrases:
        return Reply("")
    if request:
        return Reply(phrase(simulation, person, request, stream))
    asked = asking(text)
    if not asked:
        return Reply(phrase(simulation, person, "ack", stream), is_thanks=True)
    every = slots(simulation.rows())
    asks = questions(text)
    topics = [topic for topic in topics_of(asked, every) if topic.score >= _CLEAR]
    if asks:
        topics = [topic for topic in topics if any(is_about(each, topic.slot) for each in asks)]
    if not topics:
        return Reply(phrase(simulation, person, "not_yet" if is_own_doing(text) else "ask_back", stream))
    single = [_of_the_same(topics_of(each.context, every), topics) for each in asks]
    return _answer(simulation, person, sender, topics, [each for each in single if each], stream)


def _answer(
    simulation: Simulation,
    person: Profile,
    sender: Account,
    topics: Sequence[Topic],
    single: Sequence[Sequence[Topic]],
    stream: Stream,
) -> Reply:
    """What somebody knows of a text's topics: of each of two questions its own, and that they do not know the rest."""
    known = believed(simulation.rows(), person.account.person, simulation.state.now)
    facts = [_known_of(each, known) for each in single] if len(single) > 1 else []
    told = [fact for fact in facts if fact is not None] or [
        fact for fact in [_known_of(topics, known)] if fact is not None
    ]
    if not told:
        return _points_on(simulation, person, topics[0].slot, stream)
    replies = [_told(simulation, person, sender, fact, stream) for fact in dict.fromkeys(told)][:2]
    if len(replies) == 2 and all(each.facts for each in replies) and replies[0].audience == replies[1].audience:
        return _both(*replies)
    if None in facts and replies[0].facts:
        rest = phrase(simulation, person, "rest", stream)
        return replace(replies[0], text=f"{replies[0].text} {rest}")
    return replies[0]


def _known_of(topics: Sequence[Topic], known: Mapping[str, KnownFact]) -> KnownFact | None:
    """What somebody knows of what they are likely asked about: of the likeliest, else of one nearly as likely."""
    near = [topic.slot.name for topic in topics if topic.score * 100 >= topics[0].score * _NEAR]
    return next((known[name] for name in near if name in known), None)


def _of_the_same(topics: Sequence[Topic], whole: Sequence[Topic]) -> list[Topic]:
    """What one of several questions is about, as far as all of the text is about that too."""
    likely = {topic.slot.name for topic in whole if topic.score * 2 >= whole[0].score}
    return [topic for topic in topics if topic.slot.name in likely]


def _both(one: Reply, other: Reply) -> Reply:
    """An answer to two questions."""
    facts, after = one.facts + other.facts, max(one.after, other.after)
    return replace(one, text=f"{one.text} {other.text}", facts=facts, after=after)


def _told(simulation: Simulation, person: Profile, sender: Account, fact: KnownFact, stream: Stream) -> Reply:
    rule = person.asked.get(fact.name, {})
    if rule.get("tells") == "never" or not _may_hear(simulation, sender, fact, rule):
        return Reply(phrase(simulation, person, "refuse", stream))
    after = parse_duration(rule["tells"].removeprefix("after ")) if rule.get("tells", "").startswith("after ") else 0
    plainly = f"{fact.slot.rpartition('.')[2].replace('_', ' ')} is {fact.value}"
    says = rule.get("says") or (stream.choice(fact.says) if fact.says else plainly)
    template = "{fact}." if rule.get("says") else phrase(simulation, person, "tell", stream)
    text = _joined(template, says, is_terse=person.voice == "terse")
    return Reply(text, (fact.name,), after, fact.audience)


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
