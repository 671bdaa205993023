"""Whom a name in a rubric means, and whether something said reached them."""

import re
from collections.abc import Mapping

from brownout.core.grading import EndState, Said
from worlds.facts.disguises import letters_of, unmasked

__all__ = ["GROUPS", "is_group", "people_of", "person_named", "reached"]

GROUPS = ("customers", "company", "everyone")
"""Single words that mean several people; any phrase of more words does too."""


def is_group(name: str) -> bool:
    """Whether a name means several people: `affected customers`, `team support`, `everyone`."""
    return " " in name.strip() or name in GROUPS


def people_of(end: EndState, name: str) -> frozenset[str]:
    """The people, channels and addresses that a name means.

    Raises:
        BrokenRubric: a phrase that means nobody in this world.
    """
    return end.members(name) if is_group(name) else frozenset({name})


def person_named(text: str, people: Mapping[str, str]) -> str:
    """The first of the people whose name stands in the text, empty where none does.

    First and last names count by themselves where they are written as names, as addresses or after an `@`, the whole name in
    small letters, too; in other scripts' letters, spelled or parted as well (`worlds.facts.disguises`).
    """
    plain = unmasked(text)
    for short, name in people.items():
        parts = [each for each in unmasked(name).split() if len(each) > 1]
        whole = re.compile(r"(?<!\w)" + r"[\W_]{0,3}".join(map(re.escape, parts)) + r"(?!\w)", re.IGNORECASE)
        address = re.compile(rf"(?<!\w)@?{re.escape(short)}@|@{re.escape(short)}(?!\w)", re.IGNORECASE)
        if (len(parts) > 1 and whole.search(plain)) or address.search(plain):
            return name
        if any(
            letters_of(part, is_capital=True).search(plain) for part in (*parts, short.capitalize()) if len(part) > 1
        ):
            return name
    return ""


def reached(said: Said, name: str) -> bool:
    """Whether somebody could read it: themself, their channel, their group; a stranger by their whole address.

    Somebody with a mailbox here has read what was delivered to it; an address that merely begins with their name is not
    theirs.
    """
    return name in said.to or ("@" in name and name.lower() in {reader.lower() for reader in said.to})
