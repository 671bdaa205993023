"""What a conversation is about and what each of its lines does: drawn by what the day has for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.packs import OPENING, Act, Pack
from brownout.background.phrase_decks import Hand
from brownout.core.seeds import Stream

__all__ = ["Topic", "act_opening", "drawn_subject", "goes_on", "is_over"]

_ANSWERED: Final[Mapping[Act, Mapping[Act, int]]] = {
    "ask": {"answer": 100},
    "report": {"ack": 100},
    "plan": {"ack": 70, "thanks": 30},
    "status": {"ack": 55, "thanks": 45},
}
"""What somebody else does after what a conversation begins with: weights, working values without a source."""
_UNHEARD: Final = 45
"""Percent of news to which nobody says a word. Without a source."""
_TOLD, _TOLD_AT_MOST, _PASSAGE, _LONGED = 12, 60, 20, 3
"""Percent of subjects drawn by the passages that the day has, for each subject that has some and at most; how many pairs a passage counts for when a conversation begins,
and how much likelier an act is that has some: passages are few, and each is to be said."""
_LIKED: Final = 3


@dataclass(slots=True)
class Topic:
    """What a conversation is about; what its slots stand for is bound once.

    Attributes:
        opening: what it begins with, where there is a passage for that.
    """

    pack: Pack
    name: str
    hand: Hand
    number: int = 0
    bound: dict[str, str] = field(default_factory=dict)
    opening: Act | None = None


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


def goes_on(acts: Sequence[tuple[str, Act]], who: str, stream: Stream) -> Act | None:
    """What somebody says to what was said so far, from `[("ben", "ask"), ("noor", "answer")]` on; None where there is nothing to say to it.

    A question is answered by somebody else and whoever asked hears it, anything else is heard; nobody goes on after themselves.
    """
    opener, begun = acts[0]
    last, before = acts[-1]
    if who == last:
        return None
    if len(acts) == 1 and begun != "ask" and stream.chance(_UNHEARD):
        return None
    if len(acts) == 1:
        table = _ANSWERED[begun]
        return stream.weighted([*table], [*table.values()])
    return "thanks" if before == "answer" and who == opener else None


def is_over(acts: Sequence[tuple[str, Act]]) -> bool:
    """Whether somebody else may begin with something else: what was asked is answered first."""
    return len(acts) > 1 or acts[0][1] != "ask"
