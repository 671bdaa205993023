"""How a mail reads: greeting, what is said, sign-off, signature, and what it quotes; each by whose it is."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from brownout.background.attachments import file_of
from brownout.background.dealer import Dealer
from brownout.background.integer_math import ONE, at_points, mixed
from brownout.background.life_sources import Colleague, Correspondent, Life
from brownout.background.named_times import NamedTimes
from brownout.background.packs import SLOT, SUPPORT, MailAct, MailFile, MailPack, MailThread, filled
from brownout.background.phrase_decks import Deck, Pair
from brownout.background.said_times import TIME_SLOTS, SaidAt
from brownout.background.sentences import capitalized, joined
from brownout.background.voices import Voice, typed, voice_of, voiced
from brownout.background.written import varied
from brownout.core.instants import DAY, Instant, local
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["MailText", "Matter", "Sent"]

_SENTENCES: Final = ((0, 1), (25, 1), (60, 2), (100, 4))
_SENTENCES_BACK: Final = ((0, 1), (50, 1), (80, 2), (100, 3))
"""Sentences of a question that is put together and of an answer, by percent: more of them contradict each other."""
_ASKS: Final = 55
"""Percent of mails between others that say what is wanted after what they are about: a working value without a source."""
_GOES_ON: Final[Mapping[MailAct, tuple[MailAct, ...]]] = {
    "open": ("detail", "detail", "ask"),
    "answer": ("answer", "detail", "answer"),
    "back": ("detail", "back"),
    "detail": ("detail", "detail", "ask"),
    "later": ("later", "back"),
    "agree": ("detail", "detail"),
    "ask": ("ask",),
    "chat": ("chat",),
}
"""What the sentences after the first do, over and over."""
_GREETS_BACK, _GREETS_LATER, _ENDS = 62, 20, 74
"""Percent: greets in an answer, against a first mail; in one after that; ends with a name: working values without a source."""
_LONGEST_QUOTE: Final = 60
_ATTACHED: Final = re.compile(
    r"\b(?:(?:is|are|have|I've|I) attached(?! to)|attached (?:is|are|list|table|sheet|file|page|form)|(?:list|example) attached)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z]+")
_WITH_FILES: Final = 40
"""Percent of first mails about what there are files for that have one: a working value without a source."""
_GREETED: Final = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon)|morning)\b[^.?,\n]{0,30}(?:[,!:.]|\n|$)", re.IGNORECASE
)
"""A text that begins with a greeting of its own: `Hey team!`."""
_PARAGRAPH: Final = 38
"""Words after which a paragraph ends with its sentence."""
_SENTENCE_END: Final = re.compile(r"(?<=[.?!])\s+")
_JOINTS: Final = (". ", ". ", ". ", ", and ", "; ")
_AGAIN: Final = 12
_TYPED: Final = 14
"""Words up to which a mail is typed as a message is."""
_A_FEW: Final = 5
"""Words that people answer with again and again; who writes no more than that signs with a name or not at all."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail as it is sent; `own` is its text without what it quotes, `answers` the key of what it answers."""

    key: str
    who: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    at: Instant
    act: MailAct
    subject: str
    own: str
    text: str
    answers: str = ""
    files: tuple[JsonObject, ...] = ()


@dataclass(slots=True)
class Matter:
    """What a conversation is about: the same words throughout.

    Attributes:
        at: when the mail is written that is put into words.
        times: the times that are named in it.
        written, cast: the conversation where it is written whole, and who has which part in it.
    """

    key: str
    pack: MailPack
    cards: dict[MailAct, list[str]]
    dealer: Dealer
    outsider: Correspondent | None
    people: tuple[str, ...]
    at: Instant
    times: NamedTimes
    bound: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    written: MailThread | None = None
    cast: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _MailWriter:
    """How somebody writes mails."""

    first: str
    full: str
    email: str
    zone: str
    to_one: str
    to_several: str
    ending: str
    signature: str
    greets: int
    signs: int
    quotes: int
    voice: Voice | None


class MailText:
    """Puts a company's mails into words."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self._writers: dict[str, _MailWriter] = {}
        self._named = {person.name: Stream(life.seed, "named", person.name).bits() for person in life.people}
        if life.mail_manners is None:
            return
        self._manners = life.mail_manners
        for person in life.people:
            self._writers[person.name] = self._colleague(person)
        for one in life.outsiders:
            signature = f"{one.name}\n{one.role}, {one.firm}" if one.role else f"{one.name}\n{one.firm}"
            self._writers[one.short] = self._writer(one.short, one.name, one.email, life.zone, signature, None)

    def about(
        self, key: str, pack: MailPack, cards: dict[MailAct, list[str]], dealer: Dealer, outsider: Correspondent | None,
        people: tuple[str, ...], at: Instant,
    ) -> Matter:  # fmt: skip
        """What a conversation of these people is about that begins at a moment, with the texts that are used once."""
        return Matter(key, pack, cards, dealer, outsider, people, at, NamedTimes(self._life.zone))

    def first(self, matter: Matter, who: str, to: tuple[str, ...], cc: tuple[str, ...], at: Instant) -> Sent:
        """The mail that begins a conversation."""
        matter.at = at
        key = f"{matter.key}/0"
        stream = Stream(self._life.seed, "mail text", key)
        if matter.written is not None:
            own = self._as_written(matter, 0, who, to, stream)
            files = self._spoken_of(matter, 0, who, at, own)
            subject = self._filled(varied(matter.written.subject, stream), matter, who, stream)
            return Sent(key, who, to, cc, at, "open", capitalized(subject), own, own, files=files)
        subject = self._filled(stream.choice(matter.pack.subjects), matter, who, stream)
        is_dealt = "open" in matter.cards  # a whole text, which would not know of a file
        is_asked = matter.pack.deals == SUPPORT
        body = self._said(matter, "open", who, stream, at_points(_SENTENCES, stream.below(ONE)) if is_asked else 1)
        if not is_asked and not is_dealt and stream.chance(_ASKS):
            wanted = self._filled(self._sentence(matter, "ask", stream), matter, who, stream)
            body = f"{body} {wanted}".strip()
        files, said = ((), list[str]()) if is_dealt else self._added(matter, who, at)
        own = self._whole("\n\n".join([_paragraphs(body), *said]), who, to, stream)
        return Sent(key, who, to, cc, at, "open", capitalized(subject), own, own, files=files)

    def answer(
        self, matter: Matter, who: str, to: tuple[str, ...], cc: tuple[str, ...], at: Instant, act: MailAct, before: Sent,
        number: int, *, is_passed_on: bool = False,
    ) -> Sent:  # fmt: skip
        """A mail that answers another, or passes it on to somebody new."""
        matter.at = at
        key = f"{matter.key}/{number}"
        stream = Stream(self._life.seed, "mail text", key)
        length = at_points(_SENTENCES_BACK, stream.below(ONE))
        files: tuple[JsonObject, ...] = ()
        if matter.written is not None:
            own = self._as_written(matter, number, who, to, stream)
            files = self._spoken_of(matter, number, who, at, own)
        elif act == "agree":
            own = self._whole(self._agreed(matter, who, stream), who, to, stream, is_answer=True)
        else:
            body = self._said(matter, act, who, stream, max(length, 1))
            own = self._whole(_paragraphs(body), who, to, stream, is_answer=True)
        if is_passed_on:
            text, files = self._with_forwarded(own, who, before), before.files
            return Sent(key, who, to, cc, at, act, f"Fwd: {before.subject}", own, text, before.key, files)
        subject = before.subject if before.subject.startswith("Re: ") else f"Re: {before.subject}"
        text = f"{own}\n\n{self._quote(before, who)}" if stream.chance(self._writers[who].quotes) else own
        return Sent(key, who, to, cc, at, act, subject, own, text, before.key, files)

    def _file_of(
        self, wanted: MailFile | None, matter: Matter, who: str, at: Instant, stream: Stream
    ) -> tuple[JsonObject, ...]:
        """The file, where there is one that states no fact of a storyline."""
        if wanted is None:
            return ()
        made = file_of(wanted, lambda text: self._filled(text, matter, who, stream), self._life.is_free, at, stream)
        return (made,) if made is not None else ()

    def _spoken_of(self, matter: Matter, number: int, who: str, at: Instant, own: str) -> tuple[JsonObject, ...]:
        """What goes with a mail of a conversation written whole: what that names, or a file for a mail that says it has one."""
        assert matter.written is not None
        named = self._life.files.get(matter.written.file) if number == 0 else None
        said = next((one for one in _SENTENCE_END.split(own) if _ATTACHED.search(one)), "") if named is None else ""
        if said:
            words = {*_WORD.findall(said.lower())}
            able = [one for one in self._life.files.values() if one.words]
            named = next((one for one in able if words.intersection(one.words)), None)
        return self._file_of(named, matter, who, at, Stream(self._life.seed, "file", matter.key, number))

    def _added(self, matter: Matter, who: str, at: Instant) -> tuple[tuple[JsonObject, ...], list[str]]:
        """What goes now and then with the first mail of a conversation put together, and what is said of it."""
        stream = Stream(self._life.seed, "file", matter.key)
        fitting = [one for one in self._life.files.values() if matter.pack.matter in one.matters]
        if not fitting or not stream.chance(_WITH_FILES):
            return (), []
        wanted = stream.choice(fitting)
        files = self._file_of(wanted, matter, who, at, stream)
        return files, [self._filled(stream.choice(wanted.said), matter, who, stream)] if files else []

    def spoken(self, matter: Matter, act: MailAct, who: str, key: str) -> str:
        """A sentence about the matter as somebody types it in chat."""
        stream = Stream(self._life.seed, "mail text", key)
        voice = self._writers[who].voice
        text = self._filled(self._sentence(matter, act, stream) or "could you have a look", matter, who, stream)
        return voiced(text, voice, stream, may_hedge=False) if voice is not None else text

    def typed(self, matter: Matter, script: str, who: str, key: str, **words: str) -> str:
        """A line that is written with the conversation, as somebody types it in chat.

        Args:
            words: for slots beside those of the conversation.
        """
        stream = Stream(self._life.seed, "mail text", key)
        text = self._filled(filled(varied(script, stream), words), matter, who, stream)
        voice = self._writers[who].voice
        return typed(text, voice, stream, may_hedge=False, may_begin=False).text if voice is not None else text

    def passed_on(self, matter: Matter, who: str, to: str, at: Instant, mail: Sent) -> Sent:
        """A mail that sends another one on."""
        key = f"{matter.key}/on"
        stream = Stream(self._life.seed, "mail text", key)
        own = self._whole(stream.choice(self._manners.passed_on), who, (to,), stream)
        text = self._with_forwarded(own, who, mail)
        return Sent(key, who, (to,), (), at, "detail", f"Fwd: {mail.subject}", own, text, files=mail.files)

    def _with_forwarded(self, own: str, who: str, mail: Sent) -> str:
        """What somebody writes above a mail that they pass on, with that mail."""
        names = ", ".join(self._shown(name) for name in mail.to)
        head = [
            "---------- Forwarded message ---------", f"From: {self._shown(mail.who)}",
            f"Date: {local(mail.at, self._writers[who].zone):%a, %d %b %Y at %H:%M}", f"Subject: {mail.subject}",
            f"To: {names}",
        ]  # fmt: skip
        return "\n".join([own, "", *head, "", mail.text])

    def answers_away(self, name: str) -> bool:
        """Whether somebody has their mail answer while they are away."""
        return name in self._named and Stream(self._life.seed, "answers away", name).chance(65)

    def automatic(self, mail: Sent, name: str, at: Instant, until: Instant) -> Sent:
        """What the mail of somebody who is away answers by itself."""
        stream = Stream(self._life.seed, "out of office", name, until)
        person = self._person((name,), stream, at)
        back = local(until + DAY // 4, self._writers[name].zone)
        values = {"back": f"{back:%A}, {back.day} {back:%B}", "person": person}
        text = filled(stream.choice(self._manners.away), values)
        text = f"{text}\n\n{self._writers[name].full}"
        return Sent(
            f"{mail.key}/away/{name}", name, (mail.who,), (), at, "later", f"Automatic reply: {mail.subject}", text, text,
            mail.key,
        )  # fmt: skip

    # -- people -----------------------------------------------------------------------------------------------

    def _colleague(self, person: Colleague) -> _MailWriter:
        life = self._life
        stream = Stream(life.seed, "signature", person.name)
        title = person.role[:1].upper() + person.role[1:] if person.role else ""
        place = f"{title}, {life.company}" if title else life.company
        signature = "\n".join(part for part in (person.full, place) if part)
        if stream.chance(30):
            signature += f"\n{person.name}@{life.domain}"
        voice = replace(voice_of(life.seed, person, life.manners), emoji=0, is_formal=True)
        return self._writer(person.name, person.full, f"{person.name}@{life.domain}", person.zone, signature, voice)

    def _writer(self, name: str, full: str, email: str, zone: str, signature: str, voice: Voice | None) -> _MailWriter:
        stream, manners = Stream(self._life.seed, "mail manners", name), self._manners
        is_signing = stream.below(100)
        return _MailWriter(
            first=full.split()[0],
            full=full,
            email=email,
            zone=zone,
            to_one=stream.choice(manners.to_one),
            to_several=stream.choice(manners.to_several),
            ending=stream.choice(manners.endings),
            signature=signature,
            greets=stream.between(30, 100),
            signs=92 if is_signing < 38 else 30 if is_signing < 55 else 2,
            quotes=0 if stream.chance(6) else 96,
            voice=voice,
        )

    def _shown(self, name: str) -> str:
        writer = self._writers[name]
        return f"{writer.full} <{writer.email}>"

    def _person(self, but: Sequence[str], stream: Stream, at: Instant) -> str:
        """The first name of a colleague, drawn by a race so that one more changes few."""
        own = stream.bits()
        others = [one for one in self._life.people if one.name not in but and one.is_employed(at)] or self._life.people
        return min(others, key=lambda person: mixed(own, self._named[person.name])).full.split()[0]

    # -- text that is written whole ----------------------------------------------------------------------------

    def _as_written(self, matter: Matter, number: int, who: str, to: tuple[str, ...], stream: Stream) -> str:
        """The mail of that number of a conversation that is written whole, between greeting and sign-off."""
        assert matter.written is not None
        text = self._filled(varied(matter.written.turns[number][1], stream), matter, who, stream)
        return self._whole(
            text, who, to, stream, is_answer=number > 0, goes_on=number > 1, language=matter.written.language
        )

    # -- text -------------------------------------------------------------------------------------------------

    def _said(self, matter: Matter, act: MailAct, who: str, stream: Stream, sentences: int) -> str:
        """What a mail says: a text that is used once where one was dealt, else sentences that go on from each other."""
        is_asked = matter.outsider is not None and who != matter.people[0]
        if is_asked and act == "detail":  # what is added in a mail to or from outside is told by whoever began
            act = "answer"
        card = matter.cards.pop(act, None)
        if card:
            said = [card[0]]
        else:
            said = [self._sentence(matter, act, stream)]
            going_on = tuple(one for one in _GOES_ON[act] if one != "detail" or not is_asked) or (act,)
            for number in range(sentences - 1):
                dealt = matter.cards.pop("detail", None) if going_on[number % len(going_on)] == "detail" else None
                said.append(dealt[0] if dealt else self._sentence(matter, going_on[number % len(going_on)], stream))
        text = " ".join(one for one in said if one) or stream.choice(self._manners.short)
        return self._filled(text, matter, who, stream)

    def _sentence(self, matter: Matter, act: MailAct, stream: Stream) -> str:
        """A sentence, not begun as one before it in this conversation; empty where the matter has none left."""
        fragments = matter.pack.acts.get(act)
        if fragments is None:
            return ""
        deck = Deck(f"mail/{matter.pack.matter}/{act}", fragments.heads, fragments.tails)
        key, wish = matter.dealer.key(deck.name), stream.bits()

        def is_new(pair: Pair) -> bool:
            return pair.head not in matter.used and pair.tail not in matter.used

        place = matter.dealer.take(deck.name, deck.size, wish, partial(deck.suits, key, is_new))
        pair = deck.at(wish % deck.size if place is None else place, key)
        if not is_new(pair):
            return ""
        matter.used |= {pair.head, pair.tail}
        if not self._life.is_free(f"{pair.head} {pair.tail}"):
            return ""
        text = joined(pair.head, pair.tail, _JOINTS, stream, asks=False)
        return text if text[-1] in ".?!" else f"{text}."

    def _agreed(self, matter: Matter, who: str, stream: Stream) -> str:
        """A short answer, half of the time in the words of the matter."""
        said = self._sentence(matter, "agree", stream) if stream.chance(50) else ""
        return self._filled(said or stream.choice(self._manners.short), matter, who, stream)

    def _filled(self, text: str, matter: Matter, who: str, stream: Stream) -> str:
        def value(found: re.Match[str]) -> str:
            slot = found[1]
            if slot.upper() in matter.cast:
                named = self._writers.get(matter.cast[slot.upper()])
                return named.first if named is not None else "all"
            if slot in TIME_SLOTS:
                return self._time(slot, matter)
            if slot in ("n", "minutes") and matter.written is None:
                return self._number(slot, stream)
            if slot not in matter.bound:
                matter.bound[slot] = self._bound(slot, matter)
            return matter.bound[slot]

        return SLOT.sub(value, text)

    def _number(self, slot: str, stream: Stream) -> str:
        """A number or time that no storyline states a fact with."""
        if slot == "n":
            return self._unstated(lambda: str(stream.between(2, 40)), "several")
        return self._unstated(lambda: str(5 * stream.between(2, 9)), "a few")

    def _time(self, slot: str, matter: Matter) -> str:
        """A time, day or month, by when the mail is written; no storyline states a fact with it."""
        stream = Stream(self._life.seed, "mail slot", matter.key, slot)
        if slot.startswith("clock_") and matter.written is None:
            return self._unstated(lambda: SaidAt(matter.at, self._life.zone).drawn(slot, stream), "noon")
        return matter.times.named(slot, matter.at, stream, self._life.is_free) or "noon"

    def _unstated(self, draw: Callable[[], str], words: str) -> str:
        """A number that no storyline states a fact with; the words where every one drawn is."""
        return next((drawn for drawn in (draw() for _ in range(_AGAIN)) if self._life.is_free(drawn)), words)

    def _bound(self, slot: str, matter: Matter) -> str:
        """What a slot stands for throughout a conversation."""
        stream = Stream(self._life.seed, "mail slot", matter.key, slot)
        if slot in ("n", "minutes"):
            return self._number(slot, stream)
        if slot == "person":
            return self._person(matter.people, stream, matter.at)
        if slot == "amount":
            return self._unstated(lambda: f"{stream.between(2, 98) * 50:,}", "a few hundred")
        if slot == "company":
            return self._life.company
        if slot == "firm":
            return matter.outsider.firm if matter.outsider is not None else self._life.company
        return stream.choice(self._life.words.get(slot) or matter.pack.words.get(slot) or (slot,))

    def _whole(
        self, body: str, who: str, to: tuple[str, ...], stream: Stream, *, is_answer: bool = False, goes_on: bool = False,
        language: str = "",
    ) -> str:  # fmt: skip
        """The body between greeting and sign-off, which are in English and left out in other languages."""
        writer = self._writers[who]
        words = len(body.split())
        if writer.voice is not None and words <= _TYPED:
            body = voiced(body, writer.voice, stream, may_hedge=False)
        parts = [body]
        if language:
            return f"{body}\n\n{writer.signature}"
        if is_answer and words <= _A_FEW:
            return f"{body}\n\n{writer.first}" if words < _A_FEW and stream.chance(_ENDS // 2) else body
        is_curt = is_answer and words < 12
        greets = writer.greets * (_GREETS_LATER if goes_on else _GREETS_BACK if is_answer else 100) // 100
        greets //= 2 if is_curt else 1
        if stream.chance(greets) and _GREETED.match(body) is None:
            several = len(to) > 1 or to[0] not in self._writers
            greeting = writer.to_several if several else writer.to_one
            first = self._writers[to[0]].first if to[0] in self._writers else ""
            parts.insert(0, greeting.replace("{first}", first))
        if stream.chance(writer.signs):
            parts.append(f"{writer.ending}\n{writer.first}\n\n-- \n{writer.signature}")
        elif stream.chance(_ENDS // (2 if is_curt else 1)):
            parts.append(f"{writer.ending}\n{writer.first}" if stream.chance(70) else writer.first)
        return "\n\n".join(parts)

    def _quote(self, before: Sent, who: str) -> str:
        """What somebody answers, as their mail program quotes it."""
        at = local(before.at, self._writers[who].zone)
        lines = before.text.split("\n")
        shown = lines if len(lines) <= _LONGEST_QUOTE else [*lines[:_LONGEST_QUOTE], "[...]"]
        quoted = "\n".join(f"> {line}".rstrip() if not line.startswith(">") else f">{line}" for line in shown)
        return f"On {at:%a}, {at.day} {at:%b %Y} at {at:%H:%M}, {self._shown(before.who)} wrote:\n\n{quoted}"


def _paragraphs(text: str) -> str:
    """A long text with an empty line after some of its sentences."""
    parts: list[str] = []
    words = 0
    for sentence in _SENTENCE_END.split(text):
        sentence = capitalized(sentence)
        if parts and words < _PARAGRAPH:
            parts[-1] += f" {sentence}"
        else:
            parts.append(sentence)
            words = 0
        words += len(sentence.split())
    return "\n\n".join(parts)
