"""What is said in a conversation: a subject, an act for each line, what the day has for it, and the speaker's way of writing."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from brownout.background.changes_of_days import LEAVE_SLOTS, leave_soon
from brownout.background.dealer import Dealer
from brownout.background.desk_hours import day_start
from brownout.background.integer_math import mixed
from brownout.background.life_sources import Colleague, Life, Room
from brownout.background.message_breaks import broken_into
from brownout.background.packs import LINK_SLOTS, OPENING, SLOT, Act, Pack, Paste
from brownout.background.part_holders import areas_for_all, leavers
from brownout.background.phrase_decks import Bank, Hand, Pair
from brownout.background.said_times import SaidAt
from brownout.background.scripts import SPEAKERS, Dialogue
from brownout.background.sentences import begun, broken, has_code, has_doubt, joined, marked
from brownout.background.talks import DrawnTalk, Reaction, TalkLine
from brownout.background.topics import Topic, act_opening, drawn_subject, goes_on, is_over
from brownout.background.voices import Typed, Voice, typed, voices_of
from brownout.background.written import drawn_slot, varied
from brownout.core.apps import Intent
from brownout.core.instants import MINUTE
from brownout.core.seeds import Stream

__all__ = ["Deal", "Worded", "Wording"]

_MENTIONS: Final = 30
_LATER: Final = 5 * MINUTE
"""After how long somebody may come to something else right after what they said themselves."""
_POINTED: Final = re.compile(r"\b(?:the|this|that|my|our|your|its) ([a-z]+)(?: ([a-z]+))?")
"""What somebody speaks of as known: in `the shared folder` it is one of the two words."""
_HOST: Final = re.compile(r"https?://(?:www\.)?([a-z]+?)s?\.")
"""The first word of an address, which says what it shows: `sheet` of https://sheets.example/d/4."""
_SHOWS: Final = 90
"""Percent of the lines that speak of something with an address in which it stands there."""
_WITHOUT: Final[Mapping[str, tuple[str, ...]]] = {
    "customer": ("one of the bigger customers", "one of the new customers", "one of the older customers"),
    "service": ("the api", "the worker"),
}
"""What a conversation that is written whole speaks of where a company has none."""
_AGAIN, _ELSEWHERE = 4, 3
"""How often a text is drawn anew that says what storylines state, and a subject of which the day has nothing left."""
_PASTED, _CLIPPED = 180, 330
"""Per mille of lines, for somebody in between: with something pasted below; of those that begin something that are only a short head."""
_ADDED: Final = 60
"""Per mille of passages whose end is added a little later."""
_TOLD: Final = 600
"""Of that many of whoever begins with a passage rather than with a line, where the day has one: the wordiest always do."""
_LONGER: Final = 4
"""Letters by which a word is longer that names a kind of what an address is of: a screenshot of a screen."""
_SHORTEST: Final = 5
"""Words of the longest text that several may say; a name before it would make it one's own."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A line with its text, before handles are linked.

    Attributes:
        named: whom it mentions.
        later: what the text is changed to shortly after; empty where it stays.
        act: what it does, where it is put together.
        begins: it begins with something, or with something else than was spoken of before.
    """

    line: TalkLine
    text: str
    named: str = ""
    later: str = ""
    act: Act | None = None
    begins: bool = False


class Deal:
    """What a day's conversations are dealt, area by area."""

    def __init__(self, bank: Bank, dealer: Dealer) -> None:
        self._bank, self._dealer = bank, dealer
        self._hands: dict[str, Hand] = {}
        self._said = set[str]()

    def hand(self, area: str) -> Hand:
        """What the day has of an area."""
        if area not in self._hands:
            self._hands[area] = self._bank.hand(area, self._dealer)
        return self._hands[area]

    def takes(self, text: str) -> bool:
        """Whether a text may be said, which then is: one of up to five words again and again, a longer one once.

        All that people say to each other comes past here. What a longer one is made of is dealt to one day of the calendar, so
        what a day remembers is enough for the world.
        """
        words = text.lower().split()
        if len(words) <= _SHORTEST:
            return True
        said = " ".join(words).rstrip(".!?")
        if said in self._said:
            return False
        self._said.add(said)
        return True


class Wording:
    """Puts a company's conversations into words.

    Args:
        tickets: what opened the tickets that people know of who talk.
    """

    def __init__(self, life: Life, tickets: Callable[[DrawnTalk], Sequence[Intent]]) -> None:
        self._life, self._tickets = life, tickets
        self._people: dict[str, Colleague] = {person.name: person for person in life.people}
        self._bits = {name: Stream(life.seed, "named", name).bits() for name in self._people}
        self._rooms: dict[str, Room] = {room.name: room for room in life.rooms}
        self._packs: dict[str, Pack] = {pack.area: pack for pack in life.packs}
        self._general = [pack for pack in life.packs if pack.is_for_all]
        self._bank = Bank(life.seed, life.packs)
        self._voices = voices_of(life)
        self._pages = {area: _hosts_of(pack.pages) for area, pack in self._packs.items()}
        self._with_anybody = areas_for_all(life)

    def deal(self, day: int, first: int, last: int) -> Deal:
        """What a day has; `first` and `last` are the calendar's, the last one not in it."""
        return Deal(self._bank, Dealer(self._life.seed, day, first, last))

    def words(self, talk: DrawnTalk, deal: Deal) -> list[Worded]:
        """What is said of the lines of a conversation, those that nobody has anything to say for left out; what is put together goes on by short exchanges. What they are dealt is taken from the deal of its day."""
        is_of_ticket = talk.dialogue is not None and talk.dialogue.is_about_a_ticket
        ticket = self._ticket_slots(talk) if is_of_ticket else {}
        if talk.dialogue is not None and (ticket or not is_of_ticket):
            return self._whole(talk, talk.dialogue, deal, ticket)
        stream = Stream(self._life.seed, "words", talk.key)
        topic = self._topic(talk, stream, deal, self._voices[talk.people[0]])
        said: list[Worded] = []
        acts: list[tuple[str, Act]] = []
        for in_a_row in _runs(talk.lines):
            line, who = in_a_row[0], in_a_row[0].who
            act = goes_on(acts, who, stream) if acts else None
            if act is not None:
                said.append(self._reply(talk, topic, stream, act, line))
            elif not acts or is_over(acts):
                if acts:
                    topic, acts = self._shifted(talk, topic, stream, deal, line), []
                topic, opening = self._opening(talk, topic, stream, line, deal)
                if opening is None:
                    break
                said += _in_messages(opening, in_a_row, stream.bits())
            else:
                continue
            acts.append((who, said[-1].act or "ack"))
        return said

    def _opening(
        self, talk: DrawnTalk, topic: Topic, stream: Stream, line: TalkLine, deal: Deal
    ) -> tuple[Topic, Worded | None]:
        """What it begins with, and what that is about: another subject where the day has nothing left of the first; None where it has nothing at all."""
        for _ in range(_ELSEWHERE):
            act = act_opening(topic, stream, is_heard=_is_heard(talk, line))
            worded = self._line(talk, topic, stream, act, line, deal)
            if worded is not None:
                return topic, replace(worded, begins=True)
            topic = self._shifted(talk, topic, stream, deal, line)
        return topic, None

    def _reply(self, talk: DrawnTalk, topic: Topic, stream: Stream, act: Act, line: TalkLine) -> Worded:
        """One of the pack's short texts, which go with whatever was said or asked, as somebody types it."""
        short = topic.pack.short.get(act) or topic.pack.short["ack"]
        text = self._filled(stream.choice(short), topic, talk, talk.people[0], stream, line)
        said = typed(text, self._voices[line.who], stream, may_hedge=False, may_begin=False)
        return Worded(line, said.text, "", said.mended, act)

    def emoji(self, talk: DrawnTalk, number: int, reaction: Reaction) -> str:
        """What somebody reacts with; the first of the manners' are the common ones."""
        stream = Stream(self._life.seed, "reaction", talk.key, number)
        known = self._life.manners["reactions"]
        return known[min(stream.below(len(known)), stream.below(len(known)), stream.below(len(known)))]

    def _ticket_slots(self, talk: DrawnTalk) -> dict[str, str]:
        """A ticket that those who talk have to do with, by its address or its key, which is not known before it is written, and its title; nothing where there is none."""
        stream = Stream(self._life.seed, "ticket", talk.key)
        own = stream.bits()
        found = min(self._tickets(talk), key=lambda one: mixed(own, Stream(one.key).bits()), default=None)
        if found is None:
            return {}
        return {
            "ticket": f"{self._life.ticket_page if stream.chance(65) else ''}[[{found.key}]]",
            "title": found.subject,
        }

    def _whole(self, talk: DrawnTalk, dialogue: Dialogue, deal: Deal, ticket: Mapping[str, str]) -> list[Worded]:
        """The lines of a conversation that is written whole, each as whoever says it would type it.

        Args:
            ticket: the slots of the one that it is about.
        """
        stream = Stream(self._life.seed, "dialogue", talk.key)
        bound: dict[str, str] = {}
        found: list[Worded] = []
        for line in talk.lines:
            if line.number in dialogue.begins:
                bound = {}
            text = self._of_script(dialogue.texts[line.number], talk, bound, stream, line, deal, ticket)
            before = found[-1].line.who if found else line.who
            said = typed(
                text, self._voices[line.who], stream, may_begin=False, may_hedge=False, may_doubt=not has_doubt(text)
            )
            is_to = bool(talk.room) and before != line.who and len(text.split()) > _SHORTEST
            if is_to and stream.chance(_MENTIONS):
                to, text, later = before, f"@{before} {said.text}", said.mended and f"@{before} {said.mended}"
            else:
                to, text, later = "", said.text, said.mended
            found.append(Worded(line, text, to, later, begins=line.number in dialogue.begins))
        return found

    def _pointing(self, said: Typed, area: str, talk: DrawnTalk, stream: Stream, line: TalkLine) -> Typed:
        """A line, mostly with the address of what it speaks of, where it speaks of one: of a sheet that of a sheet."""
        is_long = len(said.text.split()) > _SHORTEST and not said.text.endswith("```")
        if not is_long or area not in self._pages:
            return said
        hosts = _hosts_named(said.text)
        pages = [page for host, of_host in self._pages[area].items() if host in hosts for page in of_host]
        if not pages or not stream.chance(_SHOWS):
            return said
        page = self._of_script(stream.choice(pages), talk, {}, stream, line)
        return Typed(f"{said.text} {page}", said.mended and f"{said.mended} {page}")

    def _of_script(
        self,
        script: str,
        talk: DrawnTalk,
        bound: dict[str, str],
        stream: Stream,
        line: TalkLine,
        deal: Deal | None = None,
        given: Mapping[str, str] = {},
    ) -> str:
        """A line of a script with its alternatives drawn and its slots filled, the same ones throughout a conversation.

        Args:
            deal: what the day remembers to have been said: another alternative is drawn then, as long as there are some.
            given: what some slots stand for, whatever is drawn.
        """

        def value(found: re.Match[str]) -> str:
            slot = found[1]
            if slot in SPEAKERS:
                return self._people[talk.people[SPEAKERS.index(slot)]].full.split()[0]
            if slot in given:
                return given[slot]
            if slot not in bound:
                bound[slot] = (
                    self._of_leave(slot, talk, line)
                    or self._address(slot, talk, stream, line)
                    or self._in_dialogue(slot, talk, stream, line)
                )
            return bound[slot]

        free = ""
        for _ in range(_AGAIN):
            text = SLOT.sub(value, varied(script, stream))
            if not self._life.is_free(text):
                bound.clear()
                continue
            free = text
            if deal is None or deal.takes(text):
                return text
        return free or stream.choice(self._packs[next(iter(self._packs))].short["ack"])

    def _in_dialogue(self, slot: str, talk: DrawnTalk, stream: Stream, line: TalkLine) -> str:
        """What a slot stands for throughout a conversation that is written whole."""
        if slot == "person":
            others = [
                person
                for name, person in self._people.items()
                if name not in talk.people and person.is_employed(line.at)
            ]
            if talk.dialogue is not None and talk.dialogue.has_leaver:
                leaving = leavers(self._life, day_start(talk.day + 1, self._life.zone))
                others = [person for person in others if person.name in leaving] or others
            own = stream.bits()  # a race, so that one more colleague changes the choice of few
            nearest = min(others or self._life.people, key=lambda person: mixed(own, self._bits[person.name]))
            return nearest.full.split()[0]
        for _ in range(_AGAIN):
            drawn = (
                drawn_slot(slot, stream)
                or self._said_at(line).drawn(slot, stream)
                or stream.choice(self._life.words.get(slot) or _WITHOUT.get(slot, (slot,)))
            )
            if self._life.is_free(drawn):
                break
        return drawn

    def _address(self, slot: str, talk: DrawnTalk, stream: Stream, line: TalkLine) -> str:
        """The address that a slot for one stands for, of the talk's area where that has such; empty for other slots."""
        if slot not in LINK_SLOTS:
            return ""
        area, kind = talk.dialogue.area if talk.dialogue is not None else "", slot.removesuffix("_link")
        hosts = [self._pages.get(area, {}), *self._pages.values()]
        pages = next((pages for of_area in hosts for host, pages in of_area.items() if host == kind), ())
        return self._of_script(stream.choice(pages), talk, {}, stream, line) if pages else kind

    def _of_leave(self, slot: str, talk: DrawnTalk, line: TalkLine) -> str:
        """What a slot stands for that names the days off of one of those who talk; empty where it names none."""
        if slot not in LEAVE_SLOTS or talk.dialogue is None or talk.dialogue.change != "away":
            return ""
        person = self._people[talk.people[talk.dialogue.changing]]
        leave = leave_soon(person, talk.day)
        return leave.called(slot, self._said_at(line)) if leave is not None else ""

    def _said_at(self, line: TalkLine) -> SaidAt:
        return SaidAt(line.at, self._people[line.who].zone)

    # -- what about ----------------------------------------------------------------------------------------

    def _topic(self, talk: DrawnTalk, stream: Stream, deal: Deal, voice: Voice) -> Topic:
        """A subject: of the room's pack, in private of whoever opened, now and then a general one."""
        room = self._rooms.get(talk.room)
        area = room.area if room is not None else self._shared_area(talk)
        of_area = self._packs.get(area)
        if of_area is None or (room is None and stream.below(6) == 0):
            of_area = stream.choice(self._general) if self._general else self._life.packs[0]
        return self._begun(of_area, deal.hand(of_area.area), stream, voice)

    def _shared_area(self, talk: DrawnTalk) -> str:
        """The work that all who talk do, or that has to do with everybody; empty where one of them does other work."""
        area = self._people[talk.people[0]].area
        is_shared = area in self._with_anybody or all(self._people[name].area == area for name in talk.people)
        return area if is_shared else ""

    def _shifted(self, talk: DrawnTalk, topic: Topic, stream: Stream, deal: Deal, line: TalkLine) -> Topic:
        """Something else of the same area."""
        pack = topic.pack
        return self._begun(
            pack, deal.hand(pack.area), stream, self._voices[line.who], but=topic.name, number=line.number
        )

    def _begun(self, pack: Pack, hand: Hand, stream: Stream, voice: Voice, *, but: str = "", number: int = 0) -> Topic:
        """What somebody begins with: the wordy mostly with one of the day's passages."""
        wish, is_told = stream.bits(), stream.below(_TOLD) < voice.length
        told = hand.opening(wish, but) if is_told else None
        if told is not None:
            return Topic(pack, told[0], hand, number=number, opening=told[1])
        return Topic(pack, drawn_subject(pack, hand, stream, but=but), hand, number=number)

    # -- a line --------------------------------------------------------------------------------------------

    def _line(
        self, talk: DrawnTalk, topic: Topic, stream: Stream, act: Act, line: TalkLine, deal: Deal
    ) -> Worded | None:
        """What somebody begins with, None where the day has nothing left for it that is not said already."""
        voice, to = self._voices[line.who], self._other(talk, line.who)
        for _ in range(_AGAIN):
            drawn, is_whole, done = self._drawn(topic, stream, act, voice)
            text = self._filled(drawn, topic, talk, to, stream, line)
            if self._life.is_free(text) and (not text or deal.takes(text)):
                break
        else:
            return None
        if not text:
            return None
        composed = len(text.split()) > _SHORTEST
        said = typed(
            text, voice, stream,
            may_hedge=composed and not is_whole and not has_doubt(text) and done not in ("ask", "plan"),
        )  # fmt: skip
        text, later = said.text, said.mended
        if composed:
            if stream.below(1000) < voice.coded:
                text, later = marked(text), marked(later)
            if is_whole and not later and stream.below(1000) < voice.broken:
                text = broken(text, stream)
            if is_whole and not later and stream.below(1000) < _ADDED:
                text, later = begun(text)
            below = self._below(talk, topic, stream, done, voice, to, line)
            pointed = self._pointing(Typed(text, later), topic.pack.area, talk, stream, line)
            text, later = (f"{pointed.text}{below}", pointed.mended and f"{pointed.mended}{below}")
        return Worded(line, text, "", later, done)

    def _drawn(self, topic: Topic, stream: Stream, act: Act, voice: Voice) -> tuple[str, bool, Act]:
        """An unfilled text to begin with, whether it is a passage, and what it does: a passage, a head alone, or a pair; empty where none is left."""
        wish, is_wordy = stream.bits(), stream.below(600) < voice.length or topic.opening == act
        shelves = topic.hand.shelves[topic.name]
        if stream.below(1000) < _CLIPPED * (voice.brevity - 500) // 500 and act in shelves:
            clipped = [one for one in shelves[act].heads if "{" not in one and len(one.split()) <= _SHORTEST]
            if clipped:
                head = stream.choice(clipped)
                return f"{head}?" if act == "ask" else head, False, act
        fits = partial(self._fits, topic)
        for one in (act, *(other for other in OPENING if other != act and other in shelves)):
            passage = topic.hand.passage(topic.name, one, wish) if is_wordy else None
            if passage is not None:
                return passage, True, one
            pair = topic.hand.alone(topic.name, one, wish, fits) or topic.hand.pair(topic.name, one, wish, fits)
            if pair is not None:
                return self._joined(topic, pair, stream, asks=one == "ask"), False, one
        return "", False, act

    @staticmethod
    def _joined(topic: Topic, pair: Pair, stream: Stream, *, asks: bool) -> str:
        if not pair.tail:
            return f"{pair.head}?" if asks and pair.head[-1] not in ".?!" else pair.head
        return joined(pair.head, pair.tail, topic.pack.joints, stream, asks=asks)

    @staticmethod
    def _fits(topic: Topic, pair: Pair) -> bool:
        """Whether a pair adds no code to what is not about code, and doubts once at most."""
        return (has_code(pair.head) or not has_code(pair.tail)) and not (has_doubt(pair.head) and has_doubt(pair.tail))

    def _below(
        self, talk: DrawnTalk, topic: Topic, stream: Stream, act: Act, voice: Voice, to: str, line: TalkLine
    ) -> str:
        """What follows on lines of its own: something pasted that is about the same."""
        pastes: Sequence[Paste] = [one for one in topic.pack.pastes if one.act == act and topic.name in one.subjects]
        if pastes and stream.below(1000) < _PASTED * voice.coded // 1000:
            paste = stream.choice(pastes).text
            text = self._filled(paste, topic, talk, to, stream, line, is_list=True).replace("`", "")
            return f"\n```\n{text.strip()}\n```" if self._life.is_free(text) else ""
        return ""

    # -- slots ---------------------------------------------------------------------------------------------

    def _filled(
        self,
        text: str,
        topic: Topic,
        talk: DrawnTalk,
        to: str,
        stream: Stream,
        line: TalkLine,
        *,
        is_list: bool = False,
    ) -> str:
        """The text with its slots filled; in a list a slot of the pack's stands for something else each further time, and times go on."""
        seen: set[str] = set()
        times = iter(self._said_at(line).clocks(text.count("{clock_past}"), stream) if is_list else ())

        def value(found: re.Match[str]) -> str:
            slot = found[1]
            if is_list and slot == "clock_past":
                return next(times)
            drawn = drawn_slot(slot, stream) or (self._said_at(line).drawn(slot, stream))
            if drawn:
                return drawn
            if slot == "first":
                person = self._people.get(to)
                return person.full.split()[0] if person is not None else "all"
            if is_list and slot in seen and slot in topic.pack.words:
                return stream.choice(topic.pack.words[slot])
            seen.add(slot)
            if slot not in topic.bound:
                topic.bound[slot] = self._bound(slot, topic, talk)
            return topic.bound[slot]

        return SLOT.sub(value, text)

    def _bound(self, slot: str, topic: Topic, talk: DrawnTalk) -> str:
        """What a slot stands for throughout a conversation."""
        stream = Stream(self._life.seed, "slot", talk.key, topic.number, slot)
        if slot == "person":
            others = [
                person
                for name, person in self._people.items()
                if name not in talk.people and person.is_employed(talk.lines[0].at)
            ]
            near = [person for person in others if person.area == topic.pack.area]
            own = stream.bits()  # a race, so that one more colleague changes the choice of few
            found = min(near or others or self._life.people, key=lambda person: mixed(own, self._bits[person.name]))
            return found.full.split()[0]
        return stream.choice(self._life.words.get(slot) or topic.pack.words.get(slot) or (slot,))

    def _other(self, talk: DrawnTalk, who: str) -> str:
        return next((name for name in talk.people if name != who), "")


def _runs(lines: Sequence[TalkLine]) -> Iterator[list[TalkLine]]:
    """The lines that somebody has in a row, until somebody else speaks or some time has passed."""
    run: list[TalkLine] = []
    for line in lines:
        if run and (line.who != run[-1].who or line.at - run[-1].at >= _LATER):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _in_messages(worded: Worded, lines: Sequence[TalkLine], bits: int) -> list[Worded]:
    """What somebody says in as many of the lines that they have as it can be broken into."""
    if worded.later:
        return [worded]
    parts = broken_into([(0, worded.text)], len(lines), bits)
    return [
        replace(worded, line=line, text=text, begins=line is lines[0])
        for line, (_, text) in zip(lines, parts, strict=False)
    ]


def _is_heard(talk: DrawnTalk, line: TalkLine) -> bool:
    """Whether somebody else says something after a line, or it is the only one."""
    return len(talk.lines) == 1 or any(one.who != line.who for one in talk.lines[line.number + 1 :])


def _hosts_of(pages: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Addresses by the first word of their host: `https://docs.example/x` is one of `docs`."""
    found: dict[str, list[str]] = {}
    for page in pages:
        if (host := _HOST.match(page)) is not None:
            found.setdefault(host[1], []).append(page)
    return found


def _hosts_named(text: str) -> Set[str]:
    """What hosts may be called that a text points to: `docs` by the doc or that document, never by a doctor, or by a note on the side."""
    words = {word.removesuffix("s") for found in _POINTED.finditer(text.lower()) for word in found.groups("")}
    return words | {word[:end] for word in words for end in range(1, len(word) - _LONGER + 1)}
