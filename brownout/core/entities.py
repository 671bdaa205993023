"""What the names in a text can stand for in one world: people, parts, artefacts; and the day it is read on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

__all__ = ["Entities", "EntityReference"]


@dataclass(frozen=True, slots=True)
class EntityReference:
    """A place in a text that refers to something in an app: `#12`, `BOX-41`, a link, a title written out.

    Attributes:
        start: of the words, in characters; `end` is behind the last.
        path: of what is meant (`jira:BOX.issue/BOX-41`).
        is_title: its title is written out, and no key, number or link.
    """

    start: int
    end: int
    path: str
    is_title: bool = False


@dataclass(frozen=True, slots=True)
class Entities:
    """The names of one world at one moment.

    Attributes:
        people: everybody by short name, with their full name and mail address.
        parts: services and vendors' parts (`aws-rds/eu-west-1`), with their other names.
        references: the artefacts that a text refers to, in the order of the text.
        today: the company's day; dates without a year are near it.
        zone: the company's, in which times of day are.
        outsiders: those of the people who are not the company's; a colleague's name alone does not mean one of them.
    """

    people: Mapping[str, tuple[str, ...]]
    parts: Mapping[str, tuple[str, ...]]
    references: Callable[[str], Sequence[EntityReference]]
    today: date
    zone: str
    outsiders: frozenset[str] = frozenset()
