"""Every command that the pages name is one, and takes what they give it."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.core import TyperArgument, TyperGroup, TyperOption
from typer.main import get_command

from brownout.cli.commands import COMMANDS, GROUPS, command_line

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```[a-z]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`([^`]+)`")
_ELSEWHERE = re.compile(r"\s(?:&&|\|\||[|;>&]|2>)(?:\s|$)")
_SPOKEN = re.compile(r"(?:--[a-z]|[A-Z]{3,})")
"""What stands behind the name of a command that is named without `brownout`."""


_OTHERS = {"validate --url", "validate --level runtime"}
"""What looks like one of ours and is `openenv`'s."""


def commands_of(page: Path) -> Iterator[str]:
    """Every command in a page: lines of blocks, and code within sentences."""
    text = page.read_text("utf-8")
    lines = (line.strip().removeprefix("$ ") for block in _BLOCK.findall(text) for line in block.splitlines())
    spans = (" ".join(span.split()) for span in _SPAN.findall(_BLOCK.sub("", text)))
    for code in (*lines, *spans):
        for part in _ELSEWHERE.split(code):
            words = part.strip()
            first, _, second = words.partition(" ")
            is_named = first in {*GROUPS, *COMMANDS} and (first in GROUPS or bool(_SPOKEN.match(second)))
            if second and words not in _OTHERS and (first == "brownout" or (code == words and is_named)):
                yield words.removeprefix("brownout ")


@cache
def parameters_of(words: str) -> list[object]:
    found = get_command(command_line(words.split()))
    for word in words.split():
        assert isinstance(found, TyperGroup)
        found = found.commands[word]
    return [*found.params]


def problem(text: str) -> str:
    """Why a command is none; empty where it is one."""
    try:
        given = shlex.split(re.sub(r"\[(--.*?)\]", r"\1", text), comments=True)
    except ValueError as error:
        return str(error)
    if given[0] == "--help":
        return ""
    words = " ".join(given[:2]) if given[0] in GROUPS else given[0]
    if given[0] in GROUPS and ("--help" in given[1:2] or "|" in words):
        return ""
    if words not in COMMANDS:
        return f"there is no command {words!r}" if re.fullmatch(r"[a-z -]+", words) else ""
    places = [one for one in parameters_of(words) if isinstance(one, TyperArgument)]
    options = {
        name: one
        for one in parameters_of(words)
        if isinstance(one, TyperOption)
        for name in (*one.opts, *one.secondary_opts)
    }
    count, rest = 0, given[len(words.split()) :]
    while rest:
        word, *rest = rest
        name, equals, _ = word.partition("=")
        if word in ("...", "…", "COMMAND"):
            continue
        if not word.startswith("--"):
            count += 1
        elif name == "--help":
            continue
        elif name not in options:
            return f"{words} has no {name}"
        else:
            rest = rest[not options[name].is_flag and not equals :]
    if all(place.nargs == 1 for place in places) and count > len(places):
        return f"{words} takes {len(places)} words, found {count}"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_lets_one_type_is_a_command(page: Path) -> None:
    wrong = {text: why for text in commands_of(page) if (why := problem(text))}

    assert wrong == {}


def test_many_commands_are_documented() -> None:
    assert sum(1 for page in PAGES for _ in commands_of(page)) > 150
