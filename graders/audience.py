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
    """Whether somebody could read it: themself, their channel, or an address whose first part is their name."""
    return name in said.to or any(reader.partition("@")[0] == name for reader in said.to if "@" in reader.lstrip("@"))
