"""Whom a name in a rubric means, and whether something said reached them."""

from brownout.core.grading import EndState, Said

__all__ = ["GROUPS", "is_group", "people_of", "reached"]

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


def reached(said: Said, name: str) -> bool:
    """Whether somebody could read it: themself, their channel, their group; a stranger by their whole address.

    Somebody with a mailbox here has read what was delivered to it; an address that merely begins with their name is not
    theirs.
    """
    return name in said.to or ("@" in name and name.lower() in {reader.lower() for reader in said.to})
