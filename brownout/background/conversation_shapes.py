"""The shape of a conversation before anybody is in it: how many lines, who speaks which, how long between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from brownout.background.integer_math import ONE, at_rank, minus_log, power, rank_of
from brownout.background.life_sources import Tables
from brownout.core.instants import DAY, SECOND, Duration
from brownout.core.seeds import Stream

__all__ = ["Shape", "draw_speakers", "paced"]

_LONGEST_GAP: Final = 3 * DAY
_SAME_LOGIT, _SAME_SPREAD = -317, 400
"""Of the chance that whoever spoke goes on: its logit over conversations, mean (.4215) and spread, in thousandths."""
_TO_OPENER: Final = 30_147
"""Of a switch, .46: to whoever opened."""
_SHARED, _OWN = 346, 938
"""Square roots of .12 and .88 in thousandths: how much of a gap's rank is its conversation's tempo."""
_CARRIED, _FRESH = 390, 921
"""What a gap carries over of the one before, and the rest of its variance."""

_OF_THE_LONGEST: Final = 3_900
"""ln 50 in thousandths: about so many gaps of each kind were longer than the last percent's begin, and the longest is the largest of them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Lines by the number of their speaker, 0 being who opened, and what passes before each line after the first."""

    speakers: tuple[int, ...]
    gaps: tuple[Duration, ...]

    @property
    def people(self) -> int:
        """How many speak."""
        return max(self.speakers) + 1


def draw_speakers(tables: Tables, stream: Stream) -> tuple[int, ...]:
    """Who speaks each line of a conversation as the measured ones are, 0 being who opens."""
    if stream.below(ONE) < tables.alone:
        return (0,) * max(at_rank(tables.length_alone, stream.below(ONE)), 1)
    length = max(at_rank(tables.length_dialogue, stream.below(ONE)), 2)
    table = tables.people[_bucket(length)]
    people = min(table[(stream.below(ONE) * (len(table) - 1) + 0x8000) >> 16], length)
    return _speakers(tables, stream, length, people)


def paced(speakers: tuple[int, ...], tables: Tables, stream: Stream) -> Shape:
    """The shape of a conversation whose speakers are known, at a pace that such ones have; the stream draws it."""
    bucket = _bucket(len(speakers)) if max(speakers) else "alone"
    return Shape(speakers, _gaps(tables, stream, speakers, bucket))


def _bucket(length: int) -> str:
    """The column of the tables that a length falls into."""
    if length <= 3:
        return str(length)
    return "4-5" if length <= 5 else "6-9" if length <= 9 else "10-19" if length <= 19 else "20+"


def _speakers(tables: Tables, stream: Stream, length: int, people: int) -> tuple[int, ...]:
    odds = power(_SAME_LOGIT + _SAME_SPREAD * _normal(tables, stream) // 1000)
    same = ONE * odds // (ONE + odds)
    spoken = [0]
    seen = 1
    while len(spoken) < length:
        last, left = spoken[-1], length - len(spoken)
        if people - seen < left and stream.below(ONE) < same:
            spoken.append(last)
            continue
        if people - seen >= left:
            following = seen
        elif last != 0 and stream.below(ONE) < _TO_OPENER:
            following = 0
        else:
            drawn = stream.below(people - 1)
            following = min(drawn + (drawn >= last), seen)
            if following == last:
                following = 0 if last else seen
        seen = max(seen, following + 1)
        spoken.append(following)
    return tuple(spoken)


def _gaps(tables: Tables, stream: Stream, speakers: tuple[int, ...], bucket: str) -> tuple[Duration, ...]:
    if len(speakers) == 1:
        return ()
    tempo = _normal(tables, stream)
    carried = _normal(tables, stream)
    gaps = []
    for number in range(1, len(speakers)):
        carried = (_CARRIED * carried + _FRESH * _normal(tables, stream)) // 1000
        rank = rank_of(tables.cumulative, (_SHARED * tempo + _OWN * carried) // 1000)
        who = "same" if speakers[number] == speakers[number - 1] else "other"
        table = tables.gaps.get(f"{bucket}|{who}|{'early' if number <= 2 else 'late'}")
        seconds = _waited(table if table is not None else tables.gaps[f"{bucket}|{who}|early"], rank)
        gaps.append(min(max(seconds, 1) * SECOND + stream.below(SECOND), _LONGEST_GAP))
    return tuple(gaps)


def _waited(table: Sequence[int], rank: int) -> int:
    """Seconds at a rank. The last step of the table ends at the longest of all gaps that were measured, so in it the tail is Pareto's.

    A straight line to that one made a gap of two days as likely as one of one.
    """
    left = (ONE - rank) * (len(table) - 1)
    if left >= ONE:
        return at_rank(table, rank)
    reach = minus_log(table[-2] - 1) - minus_log(table[-1] - 1)
    beyond = (minus_log((max(left, 1) << 48) - 1) * reach >> 16) * 1000 // _OF_THE_LONGEST
    return min(table[-2] * power(beyond * 1000 >> 16) >> 16, table[-1])


def _normal(tables: Tables, stream: Stream) -> int:
    return at_rank(tables.normal, stream.below(ONE))
