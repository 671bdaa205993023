"""Who has which part in a conversation by mail: who writes much, whose work it is, whom it is to and who gets a copy."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.acquaintances import Acquaintances
from brownout.background.integer_math import ONE, at_points, at_rank, exponential, mixed, power
from brownout.background.life_sources import Colleague, Correspondent, Life
from brownout.background.packs import MailAct, MailPack, MailThread
from brownout.core.instants import DAY, Instant
from brownout.core.seeds import Stream

__all__ = ["MailParts", "Thread"]

_APART: Final = 2400
_BY_MAIL, _MOST_WORDS, _SELDOM = 950, 2, 1200
"""How far people are apart in how much mail they begin, in thousandths of a logarithm; what a word of their role that stands for
writing much mail adds, of how many at most, and what one that stands for little takes away: working values without a source."""
_MEAN: Final = 9000
"""The mean of these weights in a company, 1,000 being 1."""
_RECIPIENTS: Final = ((0, 1), (21, 1), (22, 2), (50, 3), (75, 4), (90, 7), (98, 10), (100, 14))
"""Addresses of a first mail, by percent: Enron's half have three and a tenth ten, but a company of forty writes to fewer."""
_COPIED: Final = 56
"""Percent of mails to several that have copies."""
_NEW: Final = 60 * DAY
"""How long somebody is new."""
_LEAVES: Final = 21 * DAY
"""How long before they leave somebody says good-bye."""
_EVERYBODY: Final = 1_000
"""More than there are in a company."""
_NEAREST: Final = 4
"""Of so many a mail to few picks whom it is to: a working value without a source."""
_NEAREST_OF_PART: Final = 16
"""Of so many whose work it is one has a part in what is written whole, mostly who writes much: a working value without a source."""
_WORD: Final = re.compile(r"[a-z]+")


@dataclass(slots=True)
class Thread:
    """A conversation that is about to be held; `person` is the colleague whose it is.

    Attributes:
        side: what packs must deal in to word it.
        cards: texts that are used once and dealt to it, by what they do.
        written: the conversation where it is written whole.
    """

    key: str
    stream: Stream
    person: str
    opener: str
    outsider: Correspondent | None
    at: Instant
    length: int
    pack: MailPack | None = None
    side: str = ""
    cards: dict[MailAct, list[str]] = field(default_factory=dict)
    written: MailThread | None = None


class MailParts:
    """The people of a company as those who may have parts in mails, also in those that are held with somebody outside.

    Attributes:
        writes: how much mail each begins against the others, 65,536 on average.
    """

    def __init__(self, life: Life, acquaintances: Acquaintances) -> None:
        self._life, self._acquaintances = life, acquaintances
        self._people = {person.name: person for person in life.people}
        self._bits = {name: Stream(life.seed, "mailing", name).bits() for name in self._people}
        self.writes = {person.name: self._weight(person) for person in life.people}
        self._doing: dict[tuple[str, ...], tuple[Colleague, ...]] = {}

    def _weight(self, person: Colleague) -> int:
        """How much mail somebody begins against the others, 65,536 on average: sales, office and whoever leads write most of it."""
        normal = at_rank(self._life.tables.normal, Stream(self._life.seed, "writes", person.name).below(ONE))
        words = {*_WORD.findall(person.role.lower())}
        by_mail, seldom = ({*self._life.manners.get(name, ())} for name in ("by_mail", "seldom_by_mail"))
        role = _BY_MAIL * min(len(words & by_mail), _MOST_WORDS) - (_SELDOM if words & seldom else 0)
        return power(_APART * min(normal, 1_500) // 1000 + role) * 1000 // _MEAN

    def is_theirs(self, thread: Thread, written: MailThread) -> bool:
        """Whether one that is written whole is the work of whose conversation it would be, and of enough others."""
        person = self._people.get(thread.person)
        if person is None:  # a question to all of support: whoever looks at it answers
            return True
        return (
            self.is_work_of(person, written)
            and self._is_there_as_long(thread, written)
            and (not written.leaver or (person.leaves is not None and 0 <= person.leaves - thread.at < _LEAVES))
            and (thread.outsider is not None or self._are_enough(thread, written))
        )

    def is_work_of(self, person: Colleague, written: MailThread) -> bool:
        """Whether somebody does what one that is written whole is about, and where; who leads the company only what names their work."""
        return (
            (written.place == "" or (written.place == "home") == (person.zone == self._life.zone))
            and written.area in ("", person.area)
            and (not {*written.by}.isdisjoint(person.does) if written.by else not person.leads)
        )

    def _is_there_as_long(self, thread: Thread, written: MailThread) -> bool:
        """Whether whoever begins it joined when it says; mostly a while ago, for what is written whole tells of the months before."""
        opener = self._people.get(thread.opener)
        joins = opener.joins if opener is not None else None
        if written.new:
            return joins is not None and 3 * abs(thread.at - joins - written.new * DAY) <= written.new * DAY
        return joins is None or thread.at - joins >= _NEW

    def _able(self, thread: Thread, written: MailThread, disciplines: Sequence[str]) -> set[str]:
        """The colleagues who do one of these, where there are none anybody but who leads the company, and are there when it begins; at home where it is about that place."""
        found = self._doing.get(tuple(disciplines))
        if found is None:
            found = self._doing[tuple(disciplines)] = tuple(
                person
                for person in self._people.values()
                if (not {*disciplines}.isdisjoint(person.does) if disciplines else not person.leads)
            )
        return {
            other.name
            for other in found
            if other.name != thread.person and other.is_employed(thread.at) and self._is_told(other, written)
        }

    def _told(self, thread: Thread, written: MailThread) -> list[str]:
        """All who work there when it begins, at home where it is about that place."""
        return [one.name for one in self._life.people if one.is_employed(thread.at) and self._is_told(one, written)]

    def _is_told(self, other: Colleague, written: MailThread) -> bool:
        """Whether one that is written whole concerns somebody where they are."""
        return written.place != "home" or other.zone == self._life.zone

    def _are_enough(self, thread: Thread, written: MailThread) -> bool:
        """Whether there is somebody for every part of one that is written whole."""
        able, others = self._able(thread, written, written.to), len(written.letters) - 1
        if not written.third:
            return len(able) >= max(others, 1)
        third = self._able(thread, written, written.third)
        return bool(able) and bool(third) and len(able | third) >= others

    def _cast(self, thread: Thread, written: MailThread, drawn: Sequence[str]) -> tuple[str, ...] | None:
        """Who has which part in one that is written whole, in the order of the letters; None where somebody is missing.

        Of those whom it concerns who is drawn comes first, then the nearest.
        """
        bits = Stream(thread.key, "parts").bits()
        near = self._acquaintances.circle(thread.person, bits, _EVERYBODY)
        cast = [thread.opener]
        for letter in written.letters[1:]:
            disciplines = written.third if letter == "C" and written.third else written.to
            wanted = self._able(thread, written, disciplines)
            able = [name for name in (*drawn, *near) if name in wanted and name not in cast]
            if not able:
                return None
            cast.append(self.who_writes_most(able[:_NEAREST_OF_PART], bits)[0])
        return tuple(cast)

    def who_writes_most(self, names: Sequence[str], bits: int) -> list[str]:
        """The same people, mostly those first who write much mail."""
        return sorted(names, key=lambda name: exponential(mixed(bits, self._bits[name]), max(self.writes[name], 1)))

    def addressed(
        self, thread: Thread, written: MailThread
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Who has which part, whom the first mail is to and who gets a copy: those whom it concerns, and enough to answer."""
        cast, to, cc = self._concerned(thread, written)
        return (cast, to[:1], ()) if written.alone else (cast, to, cc)

    def _concerned(
        self, thread: Thread, written: MailThread
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The same where it need not be one alone."""
        to, cc = self.recipients(thread)
        enough = len(to) + len(cc)
        if thread.outsider is not None:
            near = self._acquaintances.circle(thread.person, thread.stream.bits(), len(written.letters) + 2)
            others = [name for name in (*cc, *near) if name not in (thread.opener, *to)]
            cc = tuple(others[: max(len(cc), len(written.letters) - 1 - len(to))])
            return (thread.opener, *to, *cc)[: len(written.letters)], to, cc
        cast = self._cast(thread, written, () if written.to else (*to, *cc))
        if cast is None:
            return (), (), ()
        if written.everybody:
            return cast, (*cast[1:], *(name for name in self._told(thread, written) if name not in cast)), ()
        if written.third or written.comes_in:
            return cast, cast[1:2], () if written.comes_in else cast[2:]
        if written.to:
            able = self._able(thread, written, written.to)
            near = [
                one
                for one in self._acquaintances.circle(thread.person, thread.stream.bits(), _EVERYBODY)
                if one in able
            ]
            told = (*cast[1:], *(one for one in near if one not in cast))[: max(enough, len(cast) - 1)]
            direct = (
                1 + thread.stream.below(len(told) - 1) if len(told) > 1 and thread.stream.chance(_COPIED) else len(told)
            )
            return cast, told[:direct], told[direct:]
        told = (
            *cast[1:],
            *(name for name in (*to, *cc) if name not in cast and self._is_told(self._people[name], written)),
        )
        direct = max(len(to), 1)
        return cast, told[:direct], told[direct : max(enough, len(cast) - 1)]

    def recipients(self, thread: Thread) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Whom the first mail is to, and who gets a copy."""
        stream = thread.stream
        enough = at_points(_RECIPIENTS, stream.below(ONE))
        if thread.outsider is not None:
            other = thread.person if thread.opener != thread.person else thread.outsider.short
            near = self._near(thread.person, stream.bits(), max(enough - 2, 0) // 2)
            return (other,), near
        near = self._near(thread.person, stream.bits(), enough)
        if len(near) < 2 or not stream.chance(_COPIED):
            return near, ()
        place = 1 + stream.below(len(near) - 1)
        return near[:place], near[place:]

    def _near(self, person: str, bits: int, enough: int) -> tuple[str, ...]:
        """So many of those whom somebody turns to; who writes much mail is mostly among the first, and answers."""
        return tuple(self.who_writes_most(self._acquaintances.circle(person, bits, enough, nearest=_NEAREST), bits))
