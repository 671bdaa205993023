"""What a conversation is about and what each of its lines does: drawn by what the day has for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.packs import OPENING, Act, Pack
from brownout.background.phrase_decks import Hand
from brownout.core.seeds import Stream

__all__ = ["CLOSING", "Cited", "Topic", "act_after", "act_opening", "acts_instead", "drawn_subject"]

_OTHERS: Final[Mapping[Act, Mapping[Act, int]]] = {
    "ask": {"answer": 74, "ask": 12, "ack": 5, "more": 6},
    "report": {"ask": 34, "answer": 26, "ack": 16, "plan": 12, "disagree": 10},
    "plan": {"ack": 30, "ask": 28, "disagree": 18, "status": 14, "thanks": 7},
    "status": {"ack": 26, "ask": 32, "thanks": 20, "answer": 16, "disagree": 8},
    "answer": {"thanks": 26, "ask": 26, "ack": 14, "more": 14, "disagree": 14, "plan": 8},
    "more": {"answer": 40, "ack": 18, "ask": 28, "disagree": 14},
    "disagree": {"answer": 36, "more": 24, "ack": 10, "ask": 18, "plan": 12},
    "hand_over": {"ack": 60, "ask": 20, "thanks": 20},
    "ack": {"more": 30, "status": 20, "ask": 22, "plan": 14, "ack": 6, "thanks": 8},
    "thanks": {"ack": 40, "more": 26, "status": 18, "ask": 16},
    "joke": {"ack": 40, "joke": 12, "more": 48},
}
"""What another speaker does after an act: weights, working values without a source."""
_OWN: Final[Mapping[Act, Mapping[Act, int]]] = {
    "ask": {"more": 50, "report": 20, "ask": 20, "plan": 8, "joke": 2},
    "report": {"more": 50, "report": 20, "ask": 16, "plan": 10, "status": 6, "joke": 3},
    "plan": {"more": 44, "status": 20, "plan": 16, "ask": 16, "hand_over": 4},
    "status": {"more": 46, "status": 22, "plan": 16, "report": 10, "joke": 3},
    "answer": {"more": 44, "answer": 34, "ask": 12, "plan": 6, "joke": 3},
    "more": {"more": 36, "answer": 20, "report": 14, "ask": 14, "plan": 8, "status": 8, "joke": 2},
    "disagree": {"more": 44, "disagree": 20, "answer": 18, "ask": 14},
    "hand_over": {"more": 80, "ask": 20},
    "ack": {"more": 30, "answer": 20, "plan": 16, "ask": 16, "status": 14, "joke": 4},
    "thanks": {"more": 40, "ask": 20, "status": 20, "plan": 16, "joke": 4},
    "joke": {"more": 60, "ask": 20, "status": 20},
}
"""What the same speaker goes on with."""
CLOSING: Final[Mapping[Act, int]] = {"ack": 30, "thanks": 32, "answer": 26, "joke": 6, "hand_over": 10}
"""What the last line of a conversation does."""
_TOLD, _TOLD_AT_MOST, _PASSAGE, _LONGED = 12, 60, 20, 3
"""Percent of subjects drawn by the passages that the day has, for each subject that has some and at most; how many pairs a passage counts for when a conversation begins,
and how much likelier an act is that has some: passages are few, and each is to be said."""
_LIKED, _HEADS = 3, 2
_SHORT_HEADS, _ENOUGH = 4, 16
"""A pack's short texts count as so many heads; more than so many make an act no likelier."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A ticket that a conversation may be about: the key of the deed that opened it, and its title."""

    key: str
    title: str


@dataclass(slots=True)
class Topic:
    """What a conversation is about; what its slots stand for is bound once, and no head or tail comes twice in it."""

    pack: Pack
    name: str
    hand: Hand
    cited: Cited | None = None
    number: int = 0
    bound: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

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


def act_opening(topic: Topic, stream: Stream) -> Act:
    """What a conversation begins with, by what the day has for it."""
    able = [act for act in OPENING if act in topic.hand.shelves[topic.name]]
    weights = [pairs + _PASSAGE * passages for pairs, passages in (topic.hand.carried[topic.name][act] for act in able)]
    return stream.weighted(able, weights) if any(weights) else stream.choice(able)


def act_after(
    topic: Topic, stream: Stream, wanted: Mapping[Act, int] | None, before: Act, *, is_own: bool, brevity: int
) -> Act:
    """What a line does after an act: by weight, and by how much there is to say it with.

    Args:
        wanted: weights instead of what usually follows.
        brevity: thousandths by which short acts weigh more.
    """
    table = wanted or (_OWN if is_own else _OTHERS)[before]
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


def acts_instead(topic: Topic, act: Act) -> Sequence[Act]:
    """What a line may do where the day has nothing left for an act: what else carries a thought, the likest first."""
    order: tuple[Act, ...] = ("ask", "answer", "more", "report", "status", "plan", "disagree")
    alike: Mapping[Act, tuple[Act, ...]] = {
        "ask": ("report", "more"),
        "report": ("status", "more"),
        "more": ("report", "answer"),
    }
    wanted = dict.fromkeys((*alike.get(act, ("more", "answer")), *order))
    return [one for one in wanted if one != act and one in topic.hand.shelves[topic.name]]
