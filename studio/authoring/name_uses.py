"""The names in a world's text: where each is used, and how something is called by another one everywhere at once."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from brownout.core.errors import EditRefused
from studio.authoring.edit_history import hash_of
from studio.authoring.edit_operations import Edited, write_texts
from studio.known_worlds import KnownWorld
from worlds.spec.line_marks import PlacedList, PlacedMap
from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["Use", "rename_name", "uses_of", "words_in", "yaml_files"]

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Use:
    """A place that names something.

    Attributes:
        text: the line it stands in.
        is_reference: whether it means the name itself; else the word stands in a text.
    """

    file: str
    line: int
    text: str
    is_reference: bool


def uses_of(world: KnownWorld, name: str) -> list[Use]:
    """Everywhere that a short name stands in a world's YAML: as a name, or as a word of a text."""
    found = []
    for file, text in yaml_files(world):
        lines = text.splitlines()
        spots = _spots(file, text, name)
        named = {line for line, _, _ in spots}
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        for number, line in enumerate(lines, 1):
            if number in named:
                found.append(Use(file, number, line.strip()[:160], True))
            elif word.search(line.partition(" #")[0]):
                found.append(Use(file, number, line.strip()[:160], False))
    return found


def rename_name(world: KnownWorld, old: str, new: str, *, anyway: bool = False) -> Edited:
    """Call something by another short name, in every place that means it; texts that only contain the word stay.

    Raises:
        EditRefused: the new name is none, or is in use.
    """
    if not _NAME.fullmatch(new):
        raise EditRefused(f"expected a short name such as wiktoria-n (lower-case letters, digits, -), found {new!r}")
    if any(use.is_reference for use in uses_of(world, new)):
        raise EditRefused(f"{new!r} is in use already; choose another name")
    texts: dict[str, str | None] = {}
    bases: dict[str, str | None] = {}
    for file, text in yaml_files(world):
        lines = text.splitlines(keepends=True)
        for line, start, end in sorted(_spots(file, text, old), reverse=True):
            row = lines[line - 1]
            lines[line - 1] = row[:start] + new + row[end:]
        after = "".join(lines)
        if after != text:
            texts[file], bases[file] = after, hash_of(text)
    if not texts:
        raise EditRefused(f"nothing is called {old!r}")
    return write_texts(world, texts, bases, f"Rename {old} to {new}", anyway=anyway)


def yaml_files(world: KnownWorld) -> Iterator[tuple[str, str]]:
    """The files of a world's format, each with its text."""
    for path in sorted(world.folder.rglob("*.yaml")):
        parts = path.relative_to(world.folder).parts
        if any(part.startswith(".") for part in parts) or (parts[0] == "repos" and path.name != "series.yaml"):
            continue
        try:
            yield "/".join(parts), path.read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue


def _spots(file: str, text: str, name: str) -> set[tuple[int, int, int]]:
    """Where a text means a name: a key, a whole value, the speaker of a line, what a time or a selector hangs on.

    Returns:
        Lines from 1, and the characters of each from and to.
    """
    try:
        tree = load_yaml(text.encode())
    except BrokenText:
        return set()
    lines = text.splitlines()
    forms = _Forms.of(name)
    found: set[tuple[int, int, int]] = set()
    for line, word in words_in(tree, is_script=_is_script(file)):
        is_named = any(form.fullmatch(word) for form in forms.whole)
        if not (is_named or any(form.match(word) for form in forms.heads)):
            continue
        for number in (line, line + 1):  # a text of several lines begins below its dash
            row = lines[number - 1] if 0 < number <= len(lines) else ""
            spots = [spot for spot in forms.word.finditer(row) if _stands_alone(row, spot, is_named=is_named)]
            found |= {(number, spot.start(), spot.end()) for spot in spots}
            if spots:
                break
    for number, row in enumerate(lines, 1):
        found |= {(number, spot.start(1), spot.end(1)) for spot in forms.filled.finditer(row)}
    return found


@dataclass(frozen=True, slots=True)
class _Forms:
    """The ways in which a name is written.

    Attributes:
        whole: texts that are the name, or a time or selector that hangs on it.
        heads: beginnings of texts that name somebody.
        filled: in scripts, what a fact or a time is put in for.
    """

    word: re.Pattern[str]
    whole: tuple[re.Pattern[str], ...]
    heads: tuple[re.Pattern[str], ...]
    filled: re.Pattern[str]

    @classmethod
    def of(cls, name: str) -> "_Forms":
        one = re.escape(name)
        edges = r"(?:\.(?:from|until|down|slow|errors|ok))?(?:\s*[+-]\s*\S+|\s+for\s+\S+)?"
        return cls(
            re.compile(rf"(?<![\w-]){one}(?![\w-])"),
            (re.compile(rf"(?:@|team |> ?)?{one}"), re.compile(one + edges), re.compile(rf"[a-z]+:{one}(?:[./].*)?")),
            (
                re.compile(rf"(?:> ?)?{one}:(?= |$)"),
                re.compile(rf"\d{{4}}-\d\d-\d\d \d\d:\d\d .*?(?<![\w-]){one}(?![\w-])"),
            ),
            re.compile(rf"\$\{{(?:fact|time):({one})(?![\w-])"),
        )


def _stands_alone(row: str, spot: re.Match[str], *, is_named: bool) -> bool:
    """Whether a word of a line is a name there, and no word of a sentence."""
    behind, ahead = row[: spot.start()], row[spot.end() :]
    opened = re.search(r"(^\s*|[\[{,:>\-\"'@]|team|[a-z]:|\d\d:\d\d|to|of) ?$", behind) is not None
    if not is_named:
        return opened and ahead.startswith((":", " takes", " gives", " closes", '"', "'"))
    return opened and re.match(r" ?($|[\]},:\"'.#/]|[+-] |for |takes|gives|closes)", ahead) is not None


def _is_script(file: str) -> bool:
    """Whether a file is a reference solution or a case, whose keys are operations and names of their own."""
    return file.startswith("tasks/") and not file.endswith("/task.yaml")


def words_in(tree: object, line: int = 0, *, is_script: bool = False) -> Iterable[tuple[int, str]]:
    """Every key and scalar of a tree that is a text, with its line; of scripts the values alone."""
    if isinstance(tree, PlacedMap):
        for key, value in tree.items():
            if not is_script:
                yield tree.lines[key], str(key)
            if not (is_script and key in ("keep", "without")):
                yield from words_in(value, tree.lines[key], is_script=is_script)
    elif isinstance(tree, PlacedList):
        for number, value in enumerate(tree):
            yield from words_in(value, tree.lines[number], is_script=is_script)
    elif isinstance(tree, str):
        yield line, str(tree)
