"""Whom a name in a rubric means, and whether something said reached them."""

import re
import unicodedata
from collections.abc import Mapping

from brownout.core.grading import EndState, Said

__all__ = ["GROUPS", "is_group", "people_of", "person_named", "reached"]

GROUPS = ("customers", "company", "everyone")
"""Single words that mean several people; any phrase of more words does too."""


def is_group(name: str) -> bool:
    """Whether a name means several people: `affected customers`, `team support`, `everyone`."""
    return " " in name.strip() or name in GROUPS


def people_of(end: EndState, name: str) -> frozenset[str]:
    """The people, channels and addresses that a name means.

    Raises:
        GradingError: a phrase that means nobody in this world.
    """
    return end.members(name) if is_group(name) else frozenset({name})


def person_named(text: str, people: Mapping[str, str]) -> str:
    """The first of the people whose name stands in the text, empty where none does.

    First and last names count by themselves, with or without accents, where they are written as names, as addresses or
    after an `@`.
    """
    plain = _without_accents(text)
    for short, name in people.items():
        parts = [part for part in (*_without_accents(name).split(), short.capitalize()) if len(part) > 1]
        words = "|".join(re.escape(word) for part in parts for word in (part, part.upper()))
        if re.search(rf"(?<!\w)(?:{words})(?!\w)|(?<!\w)@?{re.escape(short)}@|@{re.escape(short)}(?!\w)", plain):
            return name
    return ""


def _without_accents(text: str) -> str:
    return "".join(
        c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c)[0] not in "MC" or c == "\n"
    )


def reached(said: Said, name: str) -> bool:
    """Whether somebody could read it: themself, their channel, their group; a stranger by their whole address.

    Somebody with a mailbox here has read what was delivered to it; an address that merely begins with their name is not
    theirs.
    """
    return name in said.to or ("@" in name and name.lower() in {reader.lower() for reader in said.to})
