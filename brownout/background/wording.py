"""What is said in a conversation: a subject, its slots bound once, an act for each line, fragments, the speaker's voice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.dealing import Dealer
from brownout.background.life import Colleague, Life, Room
from brownout.background.numbers import mixed
from brownout.background.packs import OPENING, SLOT, Act, Pack, Subject
from brownout.background.talks import Line, Reaction, Talk
from brownout.background.voices import Voice, voice_of, voiced
from brownout.core.seeds import Stream

__all__ = ["Worded", "Wording", "joined"]

_FOLLOWING: Final[Mapping[Act, tuple[tuple[Act, ...], tuple[int, ...]]]] = {
    "ask": (("answer", "ask", "ack", "more"), (74, 12, 8, 6)),
    "report": (("ask", "answer", "ack", "plan", "disagree"), (34, 22, 24, 12, 8)),
    "plan": (("ack", "ask", "disagree", "status", "thanks"), (40, 26, 16, 10, 8)),
    "status": (("ack", "ask", "thanks", "answer"), (38, 30, 20, 12)),
    "answer": (("thanks", "ask", "ack", "more", "disagree", "plan"), (26, 24, 22, 10, 10, 8)),
    "more": (("answer", "ack", "ask", "disagree"), (36, 28, 26, 10)),
    "disagree": (("answer", "more", "ack", "ask", "plan"), (34, 22, 18, 16, 10)),
    "hand_over": (("ack", "ask", "thanks"), (60, 20, 20)),
    "ack": (("more", "status", "ask", "plan", "ack", "thanks"), (28, 20, 20, 14, 10, 8)),
    "thanks": (("ack", "more", "status", "ask"), (50, 20, 16, 14)),
    "joke": (("ack", "joke", "more"), (50, 15, 35)),
}
"""What another speaker does after an act, percent: working values without a source."""
_SHORT: Final[Mapping[Act, int]] = {"ack": 88, "thanks": 85, "joke": 100, "answer": 22, "ask": 14, "more": 14, "disagree": 18, "status": 10, "hand_over": 8}  # fmt: skip
"""Percent of an act's lines that are one of the short ones."""
_MENTIONS: Final = 9
_NUMBERS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 17, 19, 23, 26, 31, 37, 44, 58, 73)
_MINUTES: Final = (5, 10, 15, 20, 30, 40, 45)
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "tomorrow", "next week")
_AGAIN: Final = 4
_SHIFTS: Final = (6, 11)
"""Lines after which a conversation comes to something else."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A line with its text, before handles are linked; `named` is whom it mentions."""

    line: Line
    text: str
    named: str = ""


@dataclass(slots=True)
class _Topic:
    """What a conversation is about."""

    pack: Pack
    name: str
    subject: Subject
    bound: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    number: int = 0


class Wording:
    """Puts a company's conversations into words."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self._people: dict[str, Colleague] = {person.name: person for person in life.people}
        self._bits = {name: Stream(life.seed, "named", name).bits() for name in self._people}
        self._rooms: dict[str, Room] = {room.name: room for room in life.rooms}
        self._packs: dict[str, Pack] = {pack.area: pack for pack in life.packs}
        self._general = [pack for pack in life.packs if not pack.roles and not pack.rooms]
        self._voices: dict[str, Voice] = {
            name: voice_of(life.seed, person, life.manners) for name, person in self._people.items()
        }

    def words(self, talk: Talk, dealer: Dealer) -> list[Worded]:
        """The lines of a conversation; what they are dealt is taken from the dealer of its day."""
        stream = Stream(self._life.seed, "words", talk.key)
        topic = self._topic(talk, stream)
        said: list[Worded] = []
        acts: list[Act] = []
        left = stream.between(*_SHIFTS)
        for line in talk.lines:
            left -= 1
            if not left:
                topic, left = self._topic(talk, stream, about=topic.pack), stream.between(*_SHIFTS)
                topic.number = line.number
            before = talk.lines[line.number - 1] if line.number else None
            acts.append(self._act(topic, stream, acts, before, line, is_last=line.number == len(talk.lines) - 1))
            said.append(self._line(talk, topic, stream, dealer, acts[-1], before, line))
        return said

    def emoji(self, talk: Talk, number: int, reaction: Reaction) -> str:
        """What somebody reacts with; the first of the manners' are the common ones."""
        stream = Stream(self._life.seed, "reaction", talk.key, number)
        known = self._life.manners["reactions"]
        return known[min(stream.below(len(known)), stream.below(len(known)), stream.below(len(known)))]

    def _topic(self, talk: Talk, stream: Stream, *, about: Pack | None = None) -> _Topic:
        """A subject: of the room's pack, in private of whoever opened, now and then a general one."""
        room = self._rooms.get(talk.room)
        pack = about or self._packs.get(room.area if room is not None else self._people[talk.people[0]].area)
        if pack is None or (room is None and about is None and stream.below(6) == 0):
            pack = stream.choice(self._general) if self._general else self._life.packs[0]
        names = [*pack.subjects]
        name = stream.weighted(names, [pack.subjects[one].weight for one in names])
        return _Topic(pack, name, pack.subjects[name])

    def _act(
        self, topic: _Topic, stream: Stream, acts: Sequence[Act], before: Line | None, line: Line, *, is_last: bool
    ) -> Act:
        if before is None:
            return stream.choice([act for act in OPENING if act in topic.subject.acts])
        wanted: tuple[Act, ...]
        weights: tuple[int, ...]
        if before.who == line.who:
            wanted, weights = ("more", "ask", "joke"), (86, 10, 4)
        elif is_last and line.number > 1:
            wanted, weights = ("ack", "thanks", "answer", "joke", "hand_over"), (38, 26, 22, 6, 8)
        else:
            wanted, weights = _FOLLOWING[acts[-1]]
        able = [(act, weight) for act, weight in zip(wanted, weights, strict=True) if self._can(topic, act)]
        if not able:
            return "more" if self._can(topic, "more") else acts[-1]
        return stream.weighted([act for act, _ in able], [weight for _, weight in able])

    def _can(self, topic: _Topic, act: Act) -> bool:
        return act in topic.subject.acts or act in topic.pack.short

    def _line(
        self, talk: Talk, topic: _Topic, stream: Stream, dealer: Dealer, act: Act, before: Line | None, line: Line
    ) -> Worded:
        voice = self._voices[line.who]
        to = before.who if before is not None and before.who != line.who else self._other(talk, line.who)
        text = ""
        for _ in range(_AGAIN):
            text = self._filled(self._drawn(topic, stream, dealer, act, voice, before), topic, talk, to, stream)
            if self._is_free(text):
                break
        else:
            text = self._filled(stream.choice(topic.pack.short["ack"]), topic, talk, to, stream)
        text = voiced(text, voice, stream, may_hedge=act in ("answer", "disagree"))
        if talk.room and to and act != "joke" and stream.chance(_MENTIONS):
            return Worded(line, f"@{to} {text}", to)
        return Worded(line, text)

    def _drawn(self, topic: _Topic, stream: Stream, dealer: Dealer, act: Act, voice: Voice, before: Line | None) -> str:
        """An unfilled text for an act: a short one, a passage, or a pair of fragments."""
        fragments = topic.subject.acts.get(act)
        short = topic.pack.short.get(act, ())
        if short and (fragments is None or (before is not None and stream.chance(_SHORT.get(act, 0)))):
            return stream.choice(short)
        assert fragments is not None, act
        deck = f"{topic.pack.area}/{topic.name}/{act}"
        passages = [one.text for one in topic.pack.prose if one.subject == topic.name and one.act == act]
        if passages and stream.below(1000) < voice.length:
            card = dealer.single(f"{deck}/prose", len(passages))
            if card is not None:
                return passages[card]
        tails = len(fragments.tails)
        for _ in fragments.heads:
            card = dealer.pair(deck, len(fragments.heads) * tails, stream.bits())
            head, tail = fragments.heads[card // tails], fragments.tails[card % tails]
            if head not in topic.used:
                break
        topic.used.add(head)
        return joined(f"{head}?" if act == "ask" else head, tail, stream.choice(topic.pack.joints))

    def _filled(self, text: str, topic: _Topic, talk: Talk, to: str, stream: Stream) -> str:
        def value(slot: str) -> str:
            if slot == "n":
                return str(stream.choice(_NUMBERS))
            if slot == "minutes":
                return str(stream.choice(_MINUTES))
            if slot == "clock":
                return f"{stream.between(8, 17)}:{5 * stream.below(12):02d}"
            if slot == "day":
                return stream.choice(_DAYS)
            if slot == "first":
                person = self._people.get(to)
                return person.full.split()[0] if person is not None else "all"
            if slot not in topic.bound:
                topic.bound[slot] = self._bound(slot, topic, talk)
            return topic.bound[slot]

        return SLOT.sub(lambda found: value(found[1]), text)

    def _bound(self, slot: str, topic: _Topic, talk: Talk) -> str:
        """What a slot stands for throughout a conversation."""
        stream = Stream(self._life.seed, "slot", talk.key, topic.number, slot)
        if slot == "person":
            others = [person for name, person in self._people.items() if name not in talk.people]
            near = [person for person in others if person.area == topic.pack.area]
            own = stream.bits()  # a race, so that one more colleague changes the choice of few
            found = min(near or others or self._life.people, key=lambda person: mixed(own, self._bits[person.name]))
            return found.full.split()[0]
        return stream.choice(self._life.words.get(slot) or topic.pack.words.get(slot) or (slot,))

    def _other(self, talk: Talk, who: str) -> str:
        return next((name for name in talk.people if name != who), "")

    def _is_free(self, text: str) -> bool:
        """Whether a text uses none of the words that storylines state facts with."""
        taken = self._life.taken
        return not taken or taken.isdisjoint(word.strip(".,;:!?()").lower() for word in text.split())


def joined(head: str, tail: str, joint: str) -> str:
    """A head and a tail in a sentence, or two where the head ends one."""
    if head[-1] in ".?!":
        return f"{head} {tail[:1].upper()}{tail[1:]}"
    return f"{head}{joint}{tail}" if not joint.rstrip().endswith(".") else f"{head}{joint}{tail[:1].upper()}{tail[1:]}"
