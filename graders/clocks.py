"""Times of day that a text states: `rds-brownout.from ~ 5m` asks for one within five minutes of that moment."""

import re
from dataclasses import dataclass
from typing import Final

from brownout.core.grading import EndState
from brownout.core.instants import DAY, HOUR, MINUTE, Duration, Instant, local
from worlds.expressions import ExpressionError, parse_duration, parse_moment
from worlds.facts import sentences

__all__ = ["About", "parse_about", "states_time"]

_TIME: Final = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?::\d{2})?\s?(am|pm|AM|PM)?(?:\s?(UTC|GMT|Z)\b)?(?![\d:])")
_MOST: Final = 3
"""Times in one sentence; a list of all the minutes of a day states none of them."""


@dataclass(frozen=True, slots=True)
class About:
    """A moment, and how far from it a statement may be."""

    moment: str
    within: Duration


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
    return About(moment, span)


def states_time(end: EndState, text: str, about: About) -> bool:
    """Whether a sentence gives a time of day near the moment, in the agent's time zone, or in UTC where it says so.

    Raises:
        GradingError: the moment has no time in this episode.
    """
    at = end.moment(about.moment)
    for sentence in sentences(text):
        times = list(_TIME.finditer(sentence))
        if len(times) <= _MOST and any(_is_near(found, at, about.within, end.actor.zone) for found in times):
            return True
    return False


def _is_near(found: re.Match[str], at: Instant, within: Duration, zone: str) -> bool:
    hour, minute = int(found[1]), int(found[2])
    half = (found[3] or "").lower()
    if minute > 59 or hour > 24 or (half and not 1 <= hour <= 12):
        return False
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    moment = local(at, "UTC" if found[4] else zone)
    apart = abs((hour * 60 + minute) * MINUTE - (moment.hour * HOUR + moment.minute * MINUTE))
    return min(apart, DAY - apart) <= within
