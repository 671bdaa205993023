"""Whether a text needs quotation marks, asked of libyaml and of our own words instead of a rule."""

import yaml

from worlds.editing.nodes import Node
from worlds.spec.composed_yaml import MisplacedNode, composed

__all__ = ["by_choice", "reads", "stands_plain"]


def by_choice(node: Node, *, flow: bool, is_key: bool = False) -> str | None:
    """The style of a node as its author chose it; None for quotation marks that its text cannot do without."""
    if node.style in ("'", '"') and "\n" not in node.text and not stands_plain(node.text, flow=flow, is_key=is_key):
        return None
    return node.style


def stands_plain(value: str, *, flow: bool, is_key: bool) -> bool:
    """Whether libyaml and our words read a text without quotes as that text."""
    if "\n" in value or not value.isprintable():
        return False
    if is_key:
        return reads(f"{{{value}: k}}" if flow else f"{value}: k", {value: "k"})
    return (
        reads(f"{{k: {value}, l: [{value}]}}", {"k": value, "l": [value]})
        if flow
        else reads(f"- k: {value}\n- {value}", [{"k": value}, value])
    )


def reads(text: str, meant: object) -> bool:
    """Whether a text says just that."""
    try:
        return composed(text) == meant
    except (MisplacedNode, yaml.YAMLError, UnicodeError):
        return False
