"""Generic rooms know no world and no product: what they need stands in a world's text or an app's declaration."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
ROOMS: Final = ("brownout", "graders", "generators", "worlds")
APART: Final = ("worlds/catalog", "worlds/starter", "brownout/core/plugins.py", "brownout/cli/signatures/demo.py")
"""The worlds themselves, the registry of what is built in, and the world that `brownout demo` takes."""
SHOWN: Final = ("description", "help")
"""Arguments that are examples for people."""
PRODUCTS: Final = r"slack|jira|gmail|github|hubspot|confluence|atlassian|twilio|stripe"
NOUNS: Final = r"baskets?|seats?|clinics?|patients?|on sale|box ?office|larkspur|pennywhistle|appointments?|bookings?|praxis|praxen"
FORBIDDEN: Final = re.compile(rf"(?<![\w-])(?:{PRODUCTS}|{NOUNS})(?![\w-])", re.IGNORECASE)


def _modules() -> Iterator[Path]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if not path.relative_to(ROOT).as_posix().startswith(APART):
                yield path


def _examples(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, descriptions of fields and options, and messages that are raised: examples in them run nothing."""
    for node in ast.walk(tree):
        if (
            (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            or (isinstance(node, ast.keyword) and node.arg in SHOWN)
            or isinstance(node, ast.Raise)
        ):
            yield node


def _named(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    shown = {id(part) for example in _examples(tree) for part in ast.walk(example)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in shown
        text = str(node.value) if is_text and isinstance(node, ast.Constant) else getattr(node, "id", "")
        if found := FORBIDDEN.search(str(text)):
            yield f"{getattr(node, 'lineno', 0)}: {found[0]}"


@pytest.mark.parametrize("room", ROOMS)
def test_no_generic_room_names_a_world_or_a_product(room: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{problem}"
        for path in _modules()
        if path.is_relative_to(ROOT / room)
        for problem in _named(path.read_text("utf-8"))
    ]

    assert found == []


def test_a_name_of_a_product_is_seen() -> None:
    assert [*_named('app = apps["slack"]')] == ["1: slack"]
    assert [*_named('"""Slack\'s way."""\nhelp(description="like Slack")\nslack = 1\n')] == ["3: slack"]
