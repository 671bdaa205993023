"""What is wrong with texts of every pack: slots that nothing fills, alternatives and parts that cannot be, trades and disciplines that there are none of."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final, TypeAlias

from brownout.background.packs import SLOT, Later
from brownout.background.said_times import UNMARKED
from brownout.background.written import ALTERNATIVES, turns_of
from brownout.core.vocabulary import near
from generators.authoring.trades import trade_names

__all__ = [
    "AREAS",
    "LONG",
    "SHORT",
    "Place",
    "discipline_problems",
    "later_problems",
    "needed_problems",
    "part_problems",
    "script_problems",
    "slot_problems",
    "style_problems",
    "trade_problems",
]

AREAS: Final = ("commercial", "engineering", "people", "product", "support")
"""Of whose packs somebody may talk; the areas of the shipped packs that are not everybody's."""
SHORT: Final = 5
LONG: Final = 15
"""Words of a short text at most, and of what is put together."""
_NEEDED: Final = frozenset({"service", "customer"})
"""Slots of the company that a company may have nothing for."""
Place: TypeAlias = tuple[str | int, ...]
"""Where in a pack something stands: `("cases", 3, "by")`."""
_CALLED: Final = re.compile(r"(?<![\w.])(@[A-Za-z]\w+)(?![\w.]*\.)")
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`]*`", re.DOTALL)
"""What calls a person outside code, and code."""
_ENDS: Final = r"\.(?:css|csv|env|html|ini|js|json|lock|md|php|py|sh|sql|toml|tsx?|txt|xml|ya?ml)"
_FILE: Final = re.compile(rf"`([\w-]+{_ENDS})`|(?<![\w/.:@~-])((?:[\w.-]+/)+[\w-]+{_ENDS})\b(?!/)")
"""A file named as code or by its path: the integrity figures of a report take it for one of the company's code bases."""
_LINKS: Final = re.compile(r"https?://\S+")
_COMMIT: Final = re.compile(r"(?<![\w./-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?!\w)")
"""What reads like the id of a commit: these figures look for it in the company's repositories."""


def slot_problems(text: str, known: Set[str]) -> Iterator[str]:
    """What is told of slots that nothing fills; of one for a time, what says when it is."""
    for slot in SLOT.findall(text):
        if slot in known:
            continue
        if slot in UNMARKED:
            yield f"{slot!r} does not say when it is: expected {' or '.join(UNMARKED[slot])}"
        else:
            yield f"there is no slot {slot!r}{near(slot, known)}"


def needed_problems(used: Set[str], words: Iterable[str]) -> Iterator[tuple[Place, str]]:
    """Slots of the company that texts use and that a pack has no words for where a company has none.

    Args:
        words: the slots that the pack has words for.
    """
    for slot in sorted(used & _NEEDED.difference(words)):
        yield ("words",), f"{slot} is used: expected words for companies that have none, found no {slot}"


def script_problems(text: str, known: frozenset[str]) -> Iterator[str]:
    """What is wrong with a text of slots and alternatives."""
    yield from slot_problems(text, known)
    called = _CALLED.search(_CODE.sub("", text))
    if called:
        yield f"{called[1]!r} would call somebody who is not there: write it as code, or as an address"
    for found in _FILE.finditer(_LINKS.sub("", text)):
        yield f"no code base need have a file {found[1] or found[2]!r}: write it without backticks, and without its folder"
    for name in _COMMIT.findall(text):
        yield f"no repository has a commit {name!r}"
    for found in ALTERNATIVES.findall(text):
        if len({*found.split("|")}) < found.count("|") + 1:
            yield f"an alternative stands twice in {found!r}"


def part_problems(script: str, letters: str) -> Iterator[str]:
    """What is wrong with who speaks in a script."""
    try:
        spoken = {turn.who for turn in turns_of(script)}
    except ValueError as wrong:
        yield str(wrong)
        return
    for letter in sorted(spoken - {*letters}):
        yield f"expected {', '.join(letters[:-1])} or {letters[-1]} to say something, found {letter}"


def later_problems(
    later: Mapping[int, Later], thing: str, texts: Sequence[str], before: str, *, first: int
) -> Iterator[str]:
    """What is wrong with what waits: it is not there, or nothing before it names what it waits for.

    Args:
        before: what is said before the first of the texts.
        first: the first that may wait.
    """
    for number, what in sorted(later.items()):
        if not first <= number <= len(texts):
            yield f"there is no {thing} {number} to wait for; expected {first} to {len(texts)}"
        elif isinstance(what, str) and what.removeprefix("week") not in " ".join((before, *texts[: number - 1])):
            yield f"{thing} {number} waits for {what}, which nothing before it names"


def discipline_problems(place: Place, named: Iterable[str], known: Set[str]) -> Iterator[tuple[Place, str]]:
    """Disciplines that no pack of talk has words of roles for."""
    for name in named:
        if name not in known:
            yield place, f"there is no discipline {name!r}{near(name, known)}"


def trade_problems(trades: Sequence[str]) -> Iterator[tuple[Place, str]]:
    """Trades that there are none of."""
    for number, trade in enumerate(trades):
        if trade not in trade_names():
            yield ("trades", number), f"there is no trade {trade!r}{near(trade, trade_names())}"


def style_problems(place: Place, text: str) -> Iterator[str]:
    """What would read wrong however it is put together."""
    words = len(text.split())
    if text != text.strip() or "  " in text:
        yield f"{text!r} has spaces at an end or two in a row"
    if place[0] == "short" and words > SHORT:
        yield f"expected at most {SHORT} words, found {words}: {text!r}"
    if place[0] == "prose" and words <= LONG:
        yield f"expected more than {LONG} words, found {words}; write a head and a tail instead"
    if "heads" in place and not 3 <= words <= LONG:
        yield f"expected 3 to {LONG} words, found {words}: {text!r}"
    if (
        "tails" in place
        and text[0].isupper()
        and text.split()[0].rstrip(",") not in ("I", "I'll", "I'm", "I've", "I'd")
    ):
        yield f"a tail goes on in the middle of a sentence: expected a small letter, found {text!r}"
    if "tails" in place and words < 2:
        yield f"expected two words or more, found {text!r}"
