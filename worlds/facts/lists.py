"""Values that stand in a list of candidates: whoever lists them has said none of them."""

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

__all__ = ["Place", "is_in_front", "listed_in"]

Place: TypeAlias = tuple[int, int, object]
"""Where a value begins and ends in a text, and what tells it from another."""

_BETWEEN: Final = re.compile(
    r"^[\s,;/&|#*()\"'–—-]*(?:\b(?:or|and|to|through|up to|or maybe|or even|oder|und|bis|ou|e|a|até|pr|pull|commit|maybe|vielleicht|talvez)\b"
    r"[\s,;/&|#*()\"'–—-]*)*$",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"(?:^|[.!?]\s+)(?:after|before|besides|apart from|together with|with|thanks to|nach|vor|außer|neben|zusammen mit|mit|depois de|antes de|além de|com)\s[^,.;:!?]*$",
    re.IGNORECASE,
)
"""A phrase in front of the sentence's own subject: `After talking to Paul and Mads, Greta …`."""
_JOINED: Final = re.compile(r"[/&]|\b(?:or|and|to|oder|und|bis|ou|e|a|até|through)\b|[–—-]", re.IGNORECASE)
_RANGE: Final = re.compile(
    r"^\s*(?:to|until|till|bis|a|às|as|até|[–—-]|and|und|e|->)\s*(?:as |the |zum |o |ao )?$", re.IGNORECASE
)


def listed_in(text: str, places: Sequence[Place], *, is_moment: bool) -> set[int]:
    """Which of the values, by number, stand in a list of different ones: `5, 10 or 15`, `26 to 31`.

    Two values are a list where they are joined like one, and not where one became the other (`from 15 to 10`).

    Args:
        places: of the values, in the text's order.
        is_moment: they are times or days, and two of them a stretch: `19:10 to 21:30`.
    """
    listed: set[int] = set()
    run: list[int] = []
    for number, (start, _, _) in enumerate(places):
        if run and not _is_next(text, places[run[-1]][1], start):
            listed.update(run if _is_list(text, [places[one] for one in run], is_moment=is_moment) else ())
            run = []
        run.append(number)
    listed.update(run if _is_list(text, [places[one] for one in run], is_moment=is_moment) else ())
    return listed


def is_in_front(text: str, end: int) -> bool:
    """Whether what ends there stands in a phrase in front of the sentence's own subject: `After talking to Paul, …`."""
    return _LEAD.search(text[:end]) is not None and text[end:].lstrip().startswith(",")


def _is_next(text: str, end: int, start: int) -> bool:
    """Whether what begins at `start` goes on with the list of what ends at `end`; a phrase in front is a list of its own."""
    between = text[end:start]
    return (
        not (between.strip() == "," and text[start].isalpha() and is_in_front(text, end))
        and _BETWEEN.match(between) is not None
    )


def _is_list(text: str, run: Sequence[Place], *, is_moment: bool) -> bool:
    if len({key for _, _, key in run}) < 2:
        return False
    if len(run) > 2:
        return True
    [(start, end, _), (after, _, _)] = run
    between = text[end:after]
    is_change = re.search(r"(?i)\b(?:from|von|de)\s+$", text[:start]) is not None or "->" in between
    is_stretch = is_moment and _RANGE.match(between) is not None
    return not is_change and not is_stretch and _JOINED.search(between) is not None
