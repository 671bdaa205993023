"""What a question in free words is about: full-text search over the words of every slot, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from sqlalchemy import bindparam, func, select

from brownout.core.rows import Rows
from brownout.engine.coworkers.heard_questions import HeardQuestion, asking, points_back, questions
from brownout.engine.coworkers.question_kinds import is_open, kinds_of, telling, wanted_by
from brownout.store import compile_query, search_index
from worlds.package.engine_tables import topic as table

__all__ = ["AskedSlot", "meant", "nearest", "topics_of", "with_word"]

_INDEX = search_index(table)
_MATCH = _INDEX.c[_INDEX.name].op("MATCH")(bindparam("words"))
_JOINED = _INDEX.join(table, table.c.id == _INDEX.c.rowid)
_WEIGHTS = (4.0, 1.5, 3.0, 3.0)
"""How telling a word is: among those to ask with, in how people put it, in the slot's name, as a synonym."""
_FOUND = compile_query(
    select(table.c.slot, table.c.kinds, func.bm25(_INDEX.c[_INDEX.name], *_WEIGHTS).label("rank"))
    .select_from(_JOINED)
    .where(_MATCH)
)
_HITS = compile_query(select(table.c.slot).select_from(_JOINED).where(_MATCH))
_COUNT = compile_query(select(func.count().label("count")).select_from(table))
_ONE_WORD = 1.7
"""What bm25 makes of one word among those to ask with, in units of how rare it is."""
_CLEAR, _TELLING, _MUCH = 90, 98, 120
"""Scores from which several words, and a single one, make clear what a question is about; and from which it may have many
other words as well."""
_ENOUGH, _HALF = 34, 50
"""Percent of a question's telling words that a topic needs to have: several words this many, a single one more than half."""
_NEAR = 85
"""Percent of the best score from which another topic may as well be the one that was meant."""
_FITTING = {True: 100, None: 90, False: 60}
"""Percent of its score that a slot keeps, by whether it is the kind of answer that is wanted."""


@dataclass(frozen=True, slots=True)
class AskedSlot:
    """A slot that a question may be about.

    Attributes:
        score: how well its words and the kind of answer fit; 100 is one word that only this slot has.
        words: the telling words of the question that it has.
        covered: percent of the telling words of the question, or of one of its sentences, that these are.
        kinds: the kinds of answer that it is, see `kinds_of`.
        fits: whether one of them is wanted; None where the question or the slot does not say.
        is_named: the question names what the slot is of (`luz` of `luz.quiet_hour`), and it is the only slot of that.
        is_asked: the question asks in so many words.
    """

    slot: str
    score: int
    words: frozenset[str]
    covered: int
    kinds: tuple[str, ...] = ()
    fits: bool | None = None
    is_named: bool = False
    is_asked: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether a question may be taken to be about it: it has several of its words, or the one that tells."""
        if self.score < _CLEAR or self.fits is False:
            return False
        if len(self.words) > 1:
            return self.covered >= _ENOUGH or (self.score >= _MUCH and self.is_asked)
        return self.score >= _TELLING and (self.is_named or self.covered > _HALF)


def meant(rows: Rows, text: str) -> list[AskedSlot]:
    """What a text clearly asks about, the likeliest first; nothing where it does not ask, or not clearly."""
    asks = questions(text)
    return [topic for topic in topics_of(rows, asking(text), asks) if topic.is_clear and _is_asked(asks, topic)]


def nearest(topics: Sequence[AskedSlot]) -> list[AskedSlot]:
    """Of topics, the likeliest first, those that may as well be meant as the first."""
    return [topic for topic in topics if topic.score * 100 >= topics[0].score * _NEAR]


def _is_asked(asks: Sequence[HeardQuestion], topic: AskedSlot) -> bool:
    """Whether a sentence that asks has a word of the topic, or points back to one that has."""
    return not asks or any(topic.words.intersection(telling(each.sentence)) or points_back(each) for each in asks)


def topics_of(rows: Rows, text: str, asks: Sequence[HeardQuestion] = ()) -> list[AskedSlot]:
    """The slots that share words with a text, the likeliest first, by name where two are as likely."""
    asked, wanted, named = telling(text), wanted_by(text), frozenset(kinds_of(text))
    hits = {word: with_word(rows, word) for word in asked}
    known = [word for word in asked if hits[word]]
    if not known:
        return []
    count = rows.scalar(_COUNT)
    assert isinstance(count, int)
    rare = max(log((count - 0.5) / 1.5), 0.5)
    parts = [set(asked), *(set(telling(each.sentence)) for each in asks)]
    found = []
    for row in rows.all(_FOUND, words=" OR ".join(map(_quoted, known))):
        slot, kinds, rank = row.text("slot"), tuple(row.text("kinds").split()), row["rank"]
        assert isinstance(rank, float)
        fits = _fits(wanted, named, kinds)
        words = frozenset(word for word in known if slot in hits[word])
        name = slot.partition(".")[0]
        found.append(
            AskedSlot(
                slot=slot,
                score=round(-rank / rare / _ONE_WORD * _FITTING[fits]),
                words=words,
                covered=max(len(words & part) * 100 // len(part) for part in parts if part),
                kinds=kinds,
                fits=fits,
                is_asked=is_open(text),
                is_named=hits.get(name, frozenset()) == frozenset((slot,)),
            )
        )
    return sorted(found, key=lambda topic: (-topic.score, topic.slot))


def _fits(wanted: frozenset[str], named: frozenset[str], kinds: tuple[str, ...]) -> bool | None:
    """Whether a slot is what a question wants: that decides, where it asks for a kind; a noun of a kind only speaks for it."""
    if not (wanted or named).isdisjoint(kinds):
        return True
    return False if kinds and wanted - {"many", "long"} else None


def with_word(rows: Rows, words: str) -> frozenset[str]:
    """The slots that have a word, or one of several behind each other, in any of its forms."""
    return frozenset(row.text("slot") for row in rows.all(_HITS, words=_quoted(words)))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', " ") + '"'
