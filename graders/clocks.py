"""Times of day that a text states: `rds-brownout.from ~ 5m` asks for one within five minutes of that moment.

A time counts where the text stands for it: not denied, not asked, not quoted, not struck out. Among many it is stated by
chance, and so not at all.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from brownout.core.grading import EndState
from brownout.core.instants import DAY, HOUR, MINUTE, Duration, Instant, local
from worlds.expressions import ExpressionError, parse_duration, parse_moment
from worlds.facts import Clock, Stance, clocks

__all__ = ["MOST_TIMES", "About", "parse_about", "states_time"]

MOST_TIMES: Final = 8
"""Different times that a text may state where its task does not say."""
_MOST_EDGES: Final = 6
_NEAR: Final = 30 * MINUTE
_HEARD: Final = frozenset({Stance.ASSERTED, Stance.LIKELY, Stance.REPORTED, Stance.WAS})


@dataclass(frozen=True, slots=True)
class About:
    """A moment, and how far from it a statement may be.

    Attributes:
        edge: where it is the beginning or the end of something.
    """

    moment: str
    within: Duration
    edge: str = ""


def parse_about(text: str) -> About | None:
    """`start + 5m ~ 2m`, None where no `~` asks for a time.

    Raises:
        ExpressionError: the moment or the duration cannot be read.
    """
    moment, sign, within = (part.strip() for part in text.partition("~"))
    if not sign:
        return None
    span = parse_duration(within)
    if span >= 3 * HOUR:
        raise ExpressionError(f"expected less than 3h after ~, found {within!r}")
    parse_moment(moment, "UTC")
    edge = moment.rpartition(".")[2]
    return About(moment, span, edge if edge in ("from", "until") else "")


def states_time(end: EndState, text: str, about: About, most: int = MOST_TIMES) -> bool:
    """Whether the text gives a time of day near the moment, in the agent's time zone, or in UTC where it says so.

    Args:
        most: different times that it may state; of those within half an hour of the moment a third, and three at least.
            Where it calls the time a beginning, as the moment is one, other times do not count (six beginnings at most).

    Raises:
        GradingError: the moment has no time in this episode.
    """
    at = end.moment(about.moment)
    zones = {is_utc: _of_day(at, "UTC" if is_utc else end.actor.zone) for is_utc in (False, True)}
    stated = [each for each in clocks(text) if each.mention.stance in _HEARD]

    def is_among(times: Iterable[Clock], most: int, beside: int) -> bool:
        different = {(each.minute, each.is_utc) for each in times}
        apart = [_apart(minute * MINUTE, zones[is_utc]) for minute, is_utc in different]
        others = sum(about.within < span <= _NEAR for span in apart)
        return len(different) <= most and others <= beside and any(span <= about.within for span in apart)

    edges = [each for each in stated if about.edge and each.edge == about.edge]
    return is_among(edges, _MOST_EDGES, 2) or is_among(stated, most, max(3, most // 3))


def _of_day(at: Instant, zone: str) -> Duration:
    moment = local(at, zone)
    return moment.hour * HOUR + moment.minute * MINUTE


def _apart(one: Duration, other: Duration) -> Duration:
    apart = abs(one - other)
    return min(apart, DAY - apart)
