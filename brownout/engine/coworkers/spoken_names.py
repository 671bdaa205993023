"""People and subjects by what a coworker calls them: themselves `I`, others by first name, a slot by its words."""

import re
from collections.abc import Sequence

from brownout.engine.coworkers.topics import AskedSlot
from brownout.engine.simulation import Simulation

__all__ = ["as_oneself", "first_name", "subjects"]

_VERB = {
    "is": "am",
    "has": "have",
    "does": "do",
    "goes": "go",
    "isn't": "am not",
    "hasn't": "haven't",
    "doesn't": "don't",
}
_BEFORE_ME = "to|by|from|with|for|at|of|on|about|after|before|ask|asks|asked|tell|told|except|than|let"
_LOOSE = frozenset(("at", "before", "by", "for", "from", "in", "of", "on", "since", "to", "until"))
_ASKED = {"who": "who", "when": "when", "where": "where", "why": "why", "long": "how long", "many": "how many"}


def first_name(simulation: Simulation, person: str) -> str:
    """Somebody's first name, the whole one where a colleague has the same."""
    name = simulation.person(person).account.name
    first = name.partition(" ")[0]
    same = [p for p in simulation.setting.people.values() if p.account.name.partition(" ")[0] == first]
    return first if len(same) == 1 else name


def as_oneself(text: str, name: str) -> str:
    """A sentence about somebody as they say it themselves: `Viktor agreed to it` by Viktor is `I agreed to it`."""
    called = rf"{re.escape(name)}|{re.escape(name.partition(' ')[0])}"
    text = re.sub(rf"\b(?:{called})['\u2019]s\b", "my", text)
    text = re.sub(rf"\b({_BEFORE_ME}) (?:{called})\b(?! (?:is|has|was|can|will)\b)", r"\1 me", text)
    return re.sub(rf"(?<!\w)(?:{called})\b(?: ([a-z]+(?:n't)?)\b)?", _i, text)


def _i(found: re.Match[str]) -> str:
    verb = found[1]
    if verb is None:
        return "I"
    if verb in _VERB:
        return f"I {_VERB[verb]}"
    if verb.endswith("s") and not verb.endswith(("ss", "us", "is", "as", "always")):
        verb = re.sub(r"(?<=[^aeiou])ies$", "y", verb) if verb.endswith("ies") else verb
        verb = re.sub(r"(?<=ss|sh|ch)es$|(?<=x)es$|s$", "", verb, count=1)
    return f"I {verb}"


def subjects(one: AskedSlot, other: AskedSlot) -> tuple[str, str]:
    """What two topics are called beside each other: by what they do not share, else by the kind of answer."""
    names = [_words(topic.slot) for topic in (one, other)]
    if names[0] == names[1] and one.kinds[:1] != other.kinds[:1] and one.kinds and other.kinds:
        return _ASKED[one.kinds[0]], _ASKED[other.kinds[0]]
    if names[0][0] == names[1][0] and len(names[0]) > 1 and len(names[1]) > 1:
        names = [words[1:] for words in names]
    return " ".join(names[0]), " ".join(names[1])


def _words(slot: str) -> Sequence[str]:
    """`luz.quiet_until` as `luz`, `quiet`."""
    words = slot.replace("_", " ").replace(".", " ").split()
    while len(words) > 1 and words[-1] in _LOOSE:
        words.pop()
    return words
