"""Times and days that a text names, drawn by when it is said: `by {clock}` is still to come, `since {day}` has been."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from brownout.core.instants import Instant, local
from brownout.core.seeds import Stream

__all__ = ["MONTHS", "SaidAt"]

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_SENTENCE: Final = re.compile(r"[.?!\n]")
_OTHER_DAY: Final = re.compile(
    r"\{day\}|\b(?:tomorrow|yesterday|tonight|every|each|always|usually|normally|daily|weekly|nightly|weekends?|the day (?:before|after)|"
    r"(?:last|next|that) (?:week|night|day|time)|days|mornings|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b",
    re.I,
)
"""What says that a time is one of another day, or of many."""
_PAST: Final = re.compile(
    r"\b(?:was|were|had|has been|have been|been|went|came|got|did|died|left|stopped|started|failed|happened|moved|merged|pushed|"
    r"arrived|saw|heard|told|wrote|said|sent|found|restarted|discussed|ran|since|ago|this morning|could not|couldn't)\b",
    re.I,
)
_BEFORE_SLOT: Final = re.compile(r"(\w+)\W*$")
_TO_COME: Final = frozenset({"by", "until", "till", "before", "next", "starting"})
_BEEN: Final = frozenset({"since", "last"})
_EARLIEST, _LATEST, _SOON = 8 * 60, 17 * 60 + 30, 20
"""Minutes of the day between which a time is one of the working day, and how soon something is announced at least."""
_NEAR: Final = 6
"""How many days ahead or back a weekday may be without saying which week."""


@dataclass(frozen=True, slots=True)
class SaidAt:
    """When something is said, in the zone of whoever says it."""

    at: Instant
    zone: str

    def drawn(self, slot: str, text: str, place: int, stream: Stream) -> str:
        """What `{clock}`, `{day}` or `{month}` stands for in a text, at that place of it; empty for other slots."""
        if slot == "clock":
            return self._clock(text, place, stream)
        if slot == "day":
            return self._day(text, place, stream)
        if slot == "month":
            _, before = _around(text, place)
            low, high = (1, 3) if before in _TO_COME else (-3, -1) if before in _BEEN else (-2, 2)
            return MONTHS[(self._now.month - 1 + stream.between(low, high)) % len(MONTHS)]
        return ""

    def clocks(self, number: int, stream: Stream) -> Sequence[str]:
        """So many times of the hours before, in order, as a log has them."""
        now = _minutes(self._now)
        first = max(now - stream.between(40, 240), 0)
        drawn = sorted(stream.between(first, max(now - 1, first)) for _ in range(number))
        return [_shown(one) for one in drawn]

    @property
    def _now(self) -> datetime:
        return local(self.at, self.zone)

    def _clock(self, text: str, place: int, stream: Stream) -> str:
        said, before = _around(text, place)
        now = _minutes(self._now)
        low, high = _EARLIEST, _LATEST
        if not _OTHER_DAY.search(said):
            has_been = before in _BEEN or (before not in _TO_COME and bool(_PAST.search(said)))
            if has_been:
                low, high = min(_EARLIEST - 60, now - 60), now - 2
            else:
                low, high = now + _SOON, max(_LATEST, now + 90)
        low, high = max(low, 0), min(high, 24 * 60 - 5)
        if low >= high:  # nothing of that is left of the day
            low, high = _EARLIEST, _LATEST
        return _shown(5 * stream.between(-(-low // 5), max(high // 5, -(-low // 5))))

    def _day(self, text: str, place: int, stream: Stream) -> str:
        said, before = _around(text, place)
        has_been = before in _BEEN or (before not in _TO_COME and bool(_PAST.search(said)))
        today = self._now.date()
        days = [today + timedelta(days=-one if has_been else one) for one in range(1, _NEAR)]
        working = [one for one in days if one.weekday() < len(_DAYS)]
        chosen = working[min(stream.below(len(working)), stream.below(len(working)))]
        is_next = chosen == days[0] and before not in ("on", "last", "next", "of") and stream.chance(60)
        if is_next:
            return "yesterday" if has_been else "tomorrow"
        return _DAYS[chosen.weekday()]


def _around(text: str, place: int) -> tuple[str, str]:
    """The sentence that a slot at a place of a text stands in, and the word before it."""
    start = max((found.end() for found in _SENTENCE.finditer(text, 0, place)), default=0)
    end = _SENTENCE.search(text, place)
    word = _BEFORE_SLOT.search(text, start, place)
    return text[start : end.start() if end else len(text)], word[1].lower() if word else ""


def _minutes(at: datetime) -> int:
    return at.hour * 60 + at.minute


def _shown(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"
