"""Tidying changes how a text stands and never what it says."""

from pathlib import Path
from typing import Final

import pytest

from brownout.core.errors import EditRefused
from worlds.editing import formatted
from worlds.spec.yaml_loading import load_yaml

ROOT: Final = Path(__file__).parents[3]
SHIPPED: Final = sorted((ROOT / "worlds").rglob("*.yaml"))
SMALL: Final = [path for path in SHIPPED if path.stat().st_size < 20_000][::4]


def test_what_is_shipped_is_tidy() -> None:
    assert [path for path in SHIPPED if formatted(path.read_bytes().decode()) != path.read_bytes().decode()] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"),
        ("\ufeffa: 1", "a: 1\n"),
        ("a: 1  \n# c \t\n\n\n", "a: 1\n# c\n"),
        ("a: |\n  kept  \n  too\nb: 1 \n", "a: |\n  kept  \n  too\nb: 1\n"),
        ("a: |+\n  x\n\n\n", "a: |+\n  x\n\n\n"),
        ("", ""),
        ("   a:   {b:   1}   # c\n", "   a:   {b:   1}   # c\n"),
    ],
)
def test_ends_of_lines_and_of_the_file_are_tidied(before: str, after: str) -> None:
    assert formatted(before) == after
    assert formatted(after) == after


def test_a_line_that_is_too_long_is_broken_where_that_says_the_same() -> None:
    text = (
        "a: {b: 1, c: {d: 'it is', e: [x, y]}} # why\nl:\n  - {b: one two three four, c: five six seven}\n  - {b: 1}\n"
    )

    assert formatted(text, width=24) == (
        "a: # why\n  b: 1\n  c:\n    d: 'it is'\n    e: [x, y]\nl:\n"
        "  - b: one two three four\n    c: five six seven\n  - {b: 1}\n"
    )


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_tidying_twice_is_tidying_once_and_says_the_same(path: Path) -> None:
    text = path.read_bytes().decode()
    untidy = text.replace("\n", " \r\n") if "|" not in text else text
    once = formatted(untidy, width=80)

    assert formatted(once, width=80) == once
    assert load_yaml(once.encode()) == load_yaml(text.encode())
    assert once.count("#") == text.count("#")


@pytest.mark.parametrize("text", ["a: [1\n", "a: 1\na: 2\n", "a: !x 1\n"])
def test_what_is_no_yaml_is_not_tidied(text: str) -> None:
    with pytest.raises(EditRefused):
        formatted(text)
