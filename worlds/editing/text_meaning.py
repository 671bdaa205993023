"""What a text says, as something that two texts can be compared by, and what it will say after a change."""

from collections.abc import Mapping
from typing import TypeAlias

from brownout.core.errors import EditRefused
from worlds.editing.nodes import Step, Steps
from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["Change", "Meaning", "copied", "key_in", "meaning", "parted", "said"]

Meaning: TypeAlias = tuple[object, ...]
Change: TypeAlias = "dict[object, object] | list[object]"


def said(text: str) -> object:
    """What a text says: mappings, lists and scalars.

    Raises:
        EditRefused: it is no YAML that means something; the message has the line.
    """
    try:
        return load_yaml(text.encode())
    except BrokenText as error:
        raise EditRefused(f"line {error.line}: {error}" if error.line else str(error)) from error
    except UnicodeError as error:
        raise EditRefused("the text holds half a character (a surrogate), which no file can") from error


def meaning(value: object) -> Meaning:
    """A value with the order of its keys and the kind of each scalar: 1, 1.0, true and "1" are four."""
    if isinstance(value, Mapping):
        return ("mapping", *((meaning(key), meaning(one)) for key, one in value.items()))
    if isinstance(value, list | tuple):
        return ("list", *map(meaning, value))
    return (type(value).__name__, repr(value))


def copied(value: object) -> object:
    """A copy whose mappings and lists can be changed; what an alias repeated is there several times."""
    if isinstance(value, Mapping):
        return {key: copied(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [copied(one) for one in value]
    return value


def parted(tree: object, path: Steps) -> object:
    """The part of a value at a path that is there."""
    for step in path:
        if isinstance(tree, dict):
            tree = tree[key_in(tree, step)]
        elif isinstance(tree, list) and isinstance(step, int):
            tree = tree[step]
    return tree


def key_in(mapping: Mapping[object, object], step: Step) -> object:
    """The key of a mapping that a step of a path means."""
    for key in mapping:
        if type(key) is type(step) and key == step:
            return key
    return next((key for key in mapping if str(key) == str(step)), step)
