"""Whether an answer that says "unknown" names a value all the same: whoever knows it does not answer that it cannot be known.

A value beside "unknown" is taken for an answer unless its clause rules it out: it denies it, or says who was asked and what was
searched. `unknown (asked Viktor, Grace)` and `unknown, Viktor does not know` answer unknown; `unknown. It was Viktor` does not.
"""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["is_contradicted"]

_CLAUSES: Final = re.compile(
    r"[;()\[\]\n|=]|[:,/](?!\d)|(?<!\d)[:,/]|[.!](?=\s|$)|(?<=\?)|\s[-–—]+\s|[–—]|->|→|"
    r"(?<!\w)(?:but|yet|except|though|although|however|than|then|because|since|as|so|and|while|whereas|aber|doch|jedoch|außer|ausser|sondern|weil|denn|"
    r"da|als|und|während|mas|porem|contudo|exceto|salvo|senao|porque|pois|como|e|que)(?!\w)"
)
"""What parts clauses, in small letters without accents; the names of a list stand apart, too."""
_ASKED: Final = re.compile(
    r"(?<!\w)(?:asked|asking|(?:ge|be)fragt|fragten?|pergunt(?:ei|ou|amos|aram|ad[oa]s?)|searched|looked|checked)(?!\w)"
)
_ARTICLES: Final = re.compile(r"(?<!\w)(?:the|der|die|dem|den|o|a|os|as|ao|aos)(?!\w)")
_NEGATED: Final = re.compile(
    r"(?<!\w)(?:not|never|neither|nor|no|nothing|nobody|none|no[ -]one|nowhere|without|cannot|nicht|nichts|nie|niemals|niemand|nirgends|weder|noch|"
    r"kein\w*|ohne|nao|nunca|nem|nada|ninguem|nenhum\w*|sem)(?!\w)|n['’]t(?!\w)"
)
_AFFIRMING: Final = re.compile(
    r"\W+(?:doubt|question|secret|wonder|only|just|merely|nur|zweifel|frage|so|apenas|somente|duvida|un\w{4,}|im(?:possib|probab)\w+|in\w{5,})(?!\w)"
)
"""Behind a negation: it denies nothing (`no doubt Viktor`, `not unlikely`)."""
_IS: Final = re.compile(
    r"(?<!\w)(?:is|was|were|be|been|'s|ist|war|waren|sei|foi|era|eram|ser|sao)\s+(?:the |der |die |das |o |a |at |on |um |am |as )?$"
)
"""Right before a value: it is said to be the one."""
_OWNED: Final = re.compile(
    r"['’]s?\s+\w[^.!?\n]*?(?<!\w)(?:is|was|are|were|ist|war|sind|waren|e|foi|era|sao)(?!\w)\s+\w"
)
"""Behind a name: something of theirs is spoken of (`Leo's agreement (MSG-181) is about something else`)."""
_BUT: Final = re.compile(r"(?:but|yet|though|although|however|aber|doch|jedoch|mas|porem|contudo)")
_LISTS: Final = re.compile(r"\s*(?:,|&|and|or|nor|und|oder|noch|e|ou|nem)\s*")


def is_contradicted(said: str, unknown: re.Pattern[str], places: Sequence[tuple[int, int]]) -> bool:
    """Whether one of the values at these places is given as an answer beside "unknown".

    Args:
        said: the whole answer, folded, with its brackets.
        unknown: what says that it cannot be known.
    """
    is_listing, last = False, 0
    for start, end in _clauses(said):
        is_listing = is_listing and _LISTS.fullmatch(said[last:start]) is not None
        last = end
        inside = [(max(a, start), min(b, end)) for a, b in places if a < end and b > start]
        if not inside:
            is_listing = False
            continue
        rest = _ARTICLES.sub(" ", _without(said[start:end], [(a - start, b - start) for a, b in inside]))
        if is_listing and not re.search(r"\w", rest):
            continue
        for (a, b), since in zip(inside, [start, *(b for _, b in inside)], strict=False):
            is_denied = _is_ruled_out(said[start:end], since - start, a - start, b - start, unknown)
            if not (is_denied or _speaks(said, a) or _is_doubted(said, start, a, b, end)):
                return True
        is_listing = bool(
            _ASKED.search(rest)
            or unknown.search(rest)
            or re.search(r"(?<!\w)(?:neither|weder|none of|nem)(?!\w)", rest)
        )
    return False


def _clauses(said: str) -> list[tuple[int, int]]:
    cuts = [found.span() for found in _CLAUSES.finditer(said)]
    return list(zip([0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(said)], strict=True))


def _without(text: str, places: Sequence[tuple[int, int]]) -> str:
    letters = list(text)
    for start, end in places:
        letters[start:end] = " " * (end - start)
    return "".join(letters)


def _is_ruled_out(clause: str, since: int, start: int, end: int, unknown: re.Pattern[str]) -> bool:
    """Whether a clause denies its value at `start:end`; `since` is where the value before it ends."""
    before, after = clause[:start], clause[end:]
    if "?" in clause or (_IS.search(before) and not unknown.search(before)):
        return False
    denials = [found for found in _NEGATED.finditer(before, since) if not _AFFIRMING.match(before, found.end())]
    if _ASKED.search(before) or len(denials) % 2:
        return True
    if (found := unknown.search(before)) and re.search(r"\w", before[found.end() :]):
        return True
    denied = next((one for one in _NEGATED.finditer(after) if not _AFFIRMING.match(after, one.end())), None)
    denied = denied or unknown.search(after) or _ASKED.search(after)
    return denied is not None and re.search(r"\w", after[: denied.start() + denied[0].startswith("n")]) is not None


def _is_doubted(said: str, since: int, start: int, end: int, until: int) -> bool:
    """Whether a value that is not said to be the one is spoken of otherwise: taken back by a `but`, or the owner of a subject."""
    if _IS.search(said[since:start]):
        return False
    behind = said[until:].lstrip(" ,;")
    but = _BUT.match(behind)
    denied = but and _NEGATED.search(re.split(r"[.;!?\n]", behind[but.end() :], maxsplit=1)[0])
    return bool(denied) or _OWNED.match(said[end:]) is not None


def _speaks(said: str, start: int) -> bool:
    """Whether a name stands behind a quotation, as its speaker."""
    return re.search(r"[\"“”»]\s*[,–—-]?\s*$", said[:start]) is not None
