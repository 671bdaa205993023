"""Who can be drawn, and with which seed: what drawing needs of a company before its files are read with the values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Cast", "Somebody", "cast_of", "seed_of"]


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person or a customer as far as a slot can be about them.

    Attributes:
        first: the first name, of a customer that of their contact.
        groups: the team of a person, the tags of a customer.
    """

    name: str
    first: str
    email: str
    groups: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cast:
    """Those who can be drawn, by short name in the author's order.

    Attributes:
        world: what the world and its company are called: what is drawn in one says nothing of another.
    """

    world: tuple[str, str] = ("", "")
    people: Mapping[str, Somebody] = field(default_factory=dict)
    customers: Mapping[str, Somebody] = field(default_factory=dict)


def cast_of(world: object, people: object, customers: object) -> Cast:
    """Those who can be drawn, from the trees of the files that name them, as they are written; None is a file that is not there."""
    domain = _text(_in(_in(world, "company"), "domain"))
    return Cast(
        (_text(_in(world, "world")), _text(_in(_in(world, "company"), "name"))),
        {
            name: Somebody(
                _text(_in(person, "name")),
                _first(_in(person, "name")),
                f"{name}@{domain}",
                frozenset({_text(_in(person, "team"))} - {""}),
            )
            for name, person in _entries(people)
        },
        {
            name: Somebody(
                _text(_in(customer, "name")),
                _first(_in(customer, "contact")),
                _text(_in(customer, "email")),
                frozenset(_texts(_in(customer, "tags"))),
            )
            for name, customer in _entries(customers)
        },
    )


def seed_of(world: object) -> int:
    """The author's seed, from the tree of world.yaml."""
    seed = _in(_in(world, "generation"), "seed")
    return seed if isinstance(seed, int) else 0


def _in(tree: object, key: str) -> object:
    return tree.get(key) if isinstance(tree, Mapping) else None


def _entries(tree: object) -> list[tuple[str, object]]:
    return [(str(name), entry) for name, entry in tree.items()] if isinstance(tree, Mapping) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else []


def _first(name: object) -> str:
    return _text(name).partition(" ")[0]
