"""What a conversation is about and what each of its lines does: drawn by what the day has for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.packs import OPENING, Act, Pack
from brownout.background.phrase_decks import Hand
from brownout.core.seeds import Stream

__all__ = ["Cited", "Exchange", "Topic", "act_opening", "acts_instead", "drawn_subject"]

_ANSWERED: Final[Mapping[Act, Mapping[Act, int]]] = {
    "ask": {"answer": 86, "ask": 12},
    "report": {"answer": 44, "ask": 32, "ack": 14, "disagree": 6},
    "plan": {"ack": 36, "ask": 30, "disagree": 20, "thanks": 8},
    "status": {"ack": 40, "thanks": 30, "ask": 26},
    "answer": {"thanks": 20, "ack": 24, "disagree": 26, "more": 24, "ask": 6},
    "more": {"answer": 46, "ack": 26, "ask": 20, "disagree": 8},
    "disagree": {"answer": 50, "ack": 24, "more": 16, "ask": 8},
    "hand_over": {"ack": 60, "ask": 20, "thanks": 20},
    "ack": {"ack": 50, "thanks": 50},
    "thanks": {"ack": 60, "joke": 40},
    "joke": {"ack": 60, "joke": 40},
}
"""What somebody else does after an act: weights, working values without a source."""
_HEARD: Final[Mapping[Act, Mapping[Act, int]]] = {
    **_ANSWERED,
    "answer": {"thanks": 50, "ack": 32, "ask": 14, "disagree": 4},
    "more": {"thanks": 34, "ack": 36, "ask": 20},
    "ask": {"answer": 76, "more": 24},
    "disagree": {"answer": 44, "ack": 36, "more": 20},
}
"""What whoever opened does when others have gone on: they asked, so they thank or ask on."""
_OWN: Final[Mapping[Act, Mapping[Act, int]]] = {
    "answer": {"more": 60, "answer": 40},
    "ask": {"more": 80, "ask": 20},
}
"""What the same speaker goes on with; mostly they add something."""
_CLOSING: Final[Mapping[Act, int]] = {"ack": 30, "thanks": 32, "answer": 26, "joke": 6, "hand_over": 10}
"""What the last line of a conversation does."""
_TOLD, _TOLD_AT_MOST, _PASSAGE, _LONGED = 12, 60, 20, 3
"""Percent of subjects drawn by the passages that the day has, for each subject that has some and at most; how many pairs a passage counts for when a conversation begins,
and how much likelier an act is that has some: passages are few, and each is to be said."""
_LIKED, _HEADS = 3, 2
_EXCHANGED: Final = (4, 8)
"""Lines after which an exchange is over, the second one excluded."""
_CLOSES: Final[tuple[Act, ...]] = ("ack", "thanks", "joke")
_WANTING: Final[tuple[Act, ...]] = ("ask", "report")
"""What somebody says who wants to hear something about it, and thanks when they have."""
_THANKED: Final[tuple[Act, ...]] = ("status", "plan", "hand_over")
"""What anybody thanks for: it was done, or will be."""
_FREE: Final[tuple[Act, ...]] = ("more", "status", "report", "plan")
"""What somebody may add to their own words without answering themselves."""
_SHORT_HEADS, _ENOUGH = 4, 16
"""A pack's short texts count as so many heads; more than so many make an act no likelier."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A ticket that a conversation may be about: the key of the deed that opened it, and its title."""

    key: str
    title: str


@dataclass(slots=True)
class Topic:
    """What a conversation is about; what its slots stand for is bound once, and no head or tail comes twice in it.

    Attributes:
        opening: what it begins with, where there is a passage for that.
    """

    pack: Pack
    name: str
    hand: Hand
    cited: Cited | None = None
    number: int = 0
    bound: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    opening: Act | None = None

    def can(self, act: Act) -> bool:
        """Whether there are words for an act."""
        return act in self.hand.shelves[self.name] or act in self.pack.short


def drawn_subject(pack: Pack, hand: Hand, stream: Stream, *, but: str = "") -> str:
    """A subject of the pack, by what the day has of it and a little by its own weight; another one than `but` if there is."""
    names = [name for name in pack.subjects if name != but] or [*pack.subjects]
    liked = [_LIKED + pack.subjects[name].weight for name in names]
    carried = [[*hand.carried[name].values()] for name in names]
    pairs, passages = ([sum(each[of] for each in one) for one in carried] for of in (0, 1))
    chosen = (
        passages if any(passages) and stream.chance(min(_TOLD * sum(map(bool, passages)), _TOLD_AT_MOST)) else pairs
    )
    weights = [weight * liking for weight, liking in zip(chosen, liked, strict=True)]
    return stream.weighted(names, weights) if any(weights) else stream.choice(names)


def act_opening(topic: Topic, stream: Stream, *, is_heard: bool = True) -> Act:
    """What a conversation begins with, by what the day has for it.

    Args:
        is_heard: somebody else goes on, or nobody does; else nothing is asked where there is something else to say.
    """
    if topic.opening is not None and (is_heard or topic.opening != "ask"):
        return topic.opening
    able = [act for act in OPENING if act in topic.hand.shelves[topic.name]]
    able = (able if is_heard else [act for act in able if act != "ask"]) or able
    weights = [pairs + _PASSAGE * passages for pairs, passages in (topic.hand.carried[topic.name][act] for act in able)]
    return stream.weighted(able, weights) if any(weights) else stream.choice(able)


@dataclass(slots=True)
class Exchange:
    """A few lines on one topic: somebody begins, others answer them, and it is over when whoever began has heard it.

    Attributes:
        opener: who began.
        left: lines until it is over anyway.
    """

    opener: str
    left: int
    acts: list[tuple[str, Act]] = field(default_factory=list)

    @classmethod
    def begun(cls, opener: str, stream: Stream) -> "Exchange":
        """One that somebody begins."""
        return cls(opener, stream.between(*_EXCHANGED))

    def said(self, who: str, act: Act) -> None:
        """Somebody did that."""
        self.acts.append((who, act))
        self.left -= 1

    def is_over(self, who: str) -> bool:
        """Whether what they say now is about something else: it was closed, it was long, or they have said it twice already."""
        closed = len(self.acts) > 1 and self.acts[-1][1] in _CLOSES
        return closed or self.left <= 0 or [one for one, _ in self.acts[-2:]] == [who, who]

    def act_of(self, who: str, topic: Topic, stream: Stream, *, brevity: int, is_last: bool) -> Act:
        """What their line does.

        Args:
            brevity: thousandths by which short acts weigh more.
            is_last: nothing is said after it.
        """
        last, before = self.acts[-1]
        if who == last:
            table = _OWN.get(before, {"more": 100})
        elif who != self.opener and self._is_asked:
            table = _ANSWERED["ask"] if before == "ask" and last == self.opener else {"answer": 100}
        elif is_last and len(self.acts) > 1 and before != "ask":
            table = _CLOSING
        else:
            table = (_HEARD if who == self.opener else _ANSWERED)[before]
        return _act_of({act: weight for act, weight in table.items() if self.may(who, act)}, topic, stream, brevity)

    @property
    def _is_asked(self) -> bool:
        """Whether it began with a question that nobody has answered."""
        return self.acts[0][1] == "ask" and not any(who != self.opener and act == "answer" for who, act in self.acts)

    def may(self, who: str, act: Act) -> bool:
        """Whether it is theirs to do that now: nobody answers themselves, or thanks for what they did not want to hear."""
        if not self.acts:
            return act in OPENING
        last, before = self.acts[-1]
        if act == "answer":
            return who != last or before == "answer"
        if act == "thanks":
            wanted = any(one == who and done in _WANTING for one, done in self.acts)
            return who != last and (before in _THANKED or (wanted and before in ("answer", "more")))
        return who != last or act in (*_FREE, "ask", "joke")


def _act_of(table: Mapping[Act, int], topic: Topic, stream: Stream, brevity: int) -> Act:
    """One of the acts, by weight and by how much there is to say it with."""
    shelves, able = topic.hand.shelves[topic.name], list[tuple[Act, int]]()
    for act, weight in table.items():
        if act in shelves:
            longed = _LONGED if topic.hand.carried[topic.name][act][1] else 1
            able.append((act, weight * longed * 1000 * (_HEADS + min(len(shelves[act].heads), _ENOUGH))))
        elif act in topic.pack.short:
            able.append((act, weight * brevity * (_HEADS + _SHORT_HEADS)))
    if not able:
        return "more" if topic.can("more") else "ack"
    return stream.weighted([act for act, _ in able], [weight for _, weight in able])


def acts_instead(topic: Topic, act: Act, may: Callable[[Act], bool]) -> Sequence[Act]:
    """What a line may do where the day has nothing left for an act: what else carries a thought, the likest first.

    Args:
        may: whether whoever says it could do that now.
    """
    order: tuple[Act, ...] = ("ask", "answer", "more", "report", "status", "plan", "disagree")
    alike: Mapping[Act, tuple[Act, ...]] = {
        "ask": ("report", "more"),
        "report": ("status", "more"),
        "more": ("report", "answer"),
    }
    wanted = dict.fromkeys((*alike.get(act, ("more", "answer")), *order))
    return [one for one in wanted if one != act and one in topic.hand.shelves[topic.name] and may(one)]
