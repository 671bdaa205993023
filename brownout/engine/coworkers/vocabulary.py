"""English as far as questions at work need it: words that say nothing, words that mean the same, word stems."""

import re

__all__ = ["KINDS", "stems"]

_WORD = re.compile(r"[a-z0-9']+")
_STOP = frozenset(
    """
    a an and are as at be been but by can could did do does for from had has have hi hey hello i i'd i've if in is it
    its just know me my need of on or our out please so some tell than thanks that the their them then there they this
    to us was we we've were what what's whats which will with would you your about any anyone anybody now happen
    happened one thing s t not no up got get let like should really still also again today
    """.split()  # noqa: SIM905 (a list of words reads better as words)
)
_SAME = {
    "whose": "who", "whos": "who", "who's": "who", "author": "who", "whom": "who", "name": "who", "contact": "who",
    "someone": "who", "day": "when", "date": "when", "soon": "when", "region": "where", "place": "where",
    "datacenter": "where", "located": "where", "hosted": "where", "sits": "where", "lives": "where", "box": "where",
    "long": "minutes", "duration": "minutes", "mins": "minutes", "minute": "minutes", "reason": "why", "cause": "why",
    "reserved": "hold", "reserve": "hold", "reservation": "hold", "keep": "hold", "kept": "hold", "basket": "hold",
    "responsible": "owner", "merged": "merge", "db": "database", "postgres": "database", "deployed": "deploy",
    "release": "deploy", "shipped": "deploy", "ship": "deploy", "pr": "change", "commit": "change",
}  # fmt: skip
KINDS = {"who": 8, "when": 6, "where": 6, "minut": 4, "why": 2}
"""What kind of answer is wanted tells more than what it is about: by how much, for each word that says so."""


def stems(text: str) -> frozenset[str]:
    """The telling words of a text, by their stems."""
    found = set()
    for word in _WORD.findall(text.lower()):
        if word not in _STOP:
            found.add(_stem(_SAME.get(word, word)))
    return frozenset(found)


def _stem(word: str) -> str:
    for ending in ("'s", "ings", "ing", "ies", "ied", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
