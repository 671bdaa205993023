"""What is wrong with a world's text while it is being written, with the place of each mistake and the click that mends it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

from brownout.core.errors import Mistake
from studio.authoring.locked_writes import place_of, take_away
from studio.checked_texts import checked_text, fingerprint_of, forget_texts
from studio.known_worlds import KnownWorld
from worlds.advice import warnings_of
from worlds.spec import WorldDraft

__all__ = ["AskerLeft", "Fix", "TextProblem", "draft_of", "problems_in", "problems_of"]

_NOT_CLOSED = re.compile(r"the `([{\[])` of line \d+ is not closed")
_MEANT = re.compile(r"did you mean '([^']+)'")
_FOUND = re.compile(r"'([^']+)'")
_MOST_PROVED = 4
"""Fixes are offered of the first so many problems that have one: each is tried in memory first, and a large world takes half a second."""
_PATH = re.compile(r"^([\w/.\-#@ ]+): ")


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends a problem: the characters `found` of its line become `wanted`."""

    label: str
    found: str
    wanted: str


@dataclass(frozen=True, slots=True)
class TextProblem:
    """Something wrong, or something that could be better.

    Attributes:
        line: 1-based, 0 where the file as a whole is meant.
        column, length: the characters of that line that it is about, which a click selects; none where the text is to be added to.
        severity: `error`, or `warning` for advice.
    """

    file: str
    line: int
    column: int
    length: int
    severity: str
    message: str
    fixes: tuple[Fix, ...] = ()


def draft_of(world: KnownWorld, texts: Mapping[str, str] | None = None) -> WorldDraft:
    """A world as far as it can be read, with what is not saved yet in the place of what is on disk."""
    return checked_text(world.folder, texts).draft


class AskerLeft(Exception):
    """Whoever asked waits no longer."""


@dataclass(frozen=True, slots=True)
class _Asker:
    """Whoever asks; the answer is the same for all of them.

    Attributes:
        has_left: whether they wait no longer; is asked before each part of the work.
    """

    has_left: Callable[[], bool] = field(compare=False)


def problems_of(
    world: KnownWorld, texts: Mapping[str, str | None] | None = None, *, has_left: Callable[[], bool] = lambda: False
) -> list[TextProblem]:
    """Every problem of a world, mistakes first; advice where there is no mistake.

    Args:
        texts: by path, what files are to say that say something else on disk, or are not there; None is no file.
        has_left: whether whoever asked waits no longer.

    Raises:
        EditRefused: a path leads out of the world.
        AskerLeft: whoever asked has left before all of it was known.
    """
    for file in texts or {}:
        place_of(world, file)
    unsaved = tuple(sorted((texts or {}).items()))
    return list(_problems(world.folder, fingerprint_of(world.folder), unsaved, _Asker(has_left)))


@lru_cache(maxsize=8)
def _problems(
    root: Path, stamp: object, unsaved: tuple[tuple[str, str | None], ...], asker: _Asker
) -> tuple[TextProblem, ...]:
    texts = {file: text for file, text in unsaved if text is not None}
    if len(texts) < len(unsaved) or any(file.startswith("repos/") or not (root / file).is_file() for file in texts):
        # Which files there are is read from the folder, and so are code bases.
        with TemporaryDirectory(prefix="brownout-check-") as folder:
            copy = Path(folder) / root.name
            copytree(root, copy, ignore=ignore_patterns(".*", "__pycache__"), ignore_dangling_symlinks=True)
            for file, text in unsaved:
                if text is None:
                    take_away(copy / file, depth=file.count("/"))
                else:
                    (copy / file).parent.mkdir(parents=True, exist_ok=True)
                    (copy / file).write_bytes(text.encode())
            try:
                return tuple(_proved(copy, {}, problems_in(copy, {}, checked_text(copy).mistakes), asker))
            finally:
                forget_texts(copy)
    checked = checked_text(root, texts)
    spec = checked.draft.spec
    advice = warnings_of(spec) if not checked.mistakes and spec is not None else []
    errors = _proved(root, texts, problems_in(root, texts, checked.mistakes, "error"), asker)
    return (*errors, *problems_in(root, texts, advice, "warning"))


def _proved(root: Path, texts: Mapping[str, str], problems: Sequence[TextProblem], asker: _Asker) -> list[TextProblem]:
    """The problems, each with those of its fixes that leave fewer problems than there are."""
    proved = 0
    found = []
    for one in problems:
        if asker.has_left():
            raise AskerLeft
        fixes = one.fixes if proved < _MOST_PROVED else ()
        proved += bool(fixes)
        kept = tuple(fix for fix in fixes if _mends(root, texts, one, fix, len(problems)))
        found.append(replace(one, fixes=kept))
    return found


def _mends(root: Path, texts: Mapping[str, str], one: TextProblem, fix: Fix, count: int) -> bool:
    """Whether there are fewer than `count` problems once a fix is made."""
    text = texts[one.file] if one.file in texts else (root / one.file).read_text("utf-8", errors="replace")
    lines = text.splitlines(keepends=True)
    line = lines[one.line - 1]
    lines[one.line - 1] = line[: one.column] + fix.wanted + line[one.column + len(fix.found) :]
    mended = {**texts, one.file: "".join(lines)}
    return len(checked_text(root, mended).mistakes) < count


def problems_in(
    root: Path, texts: Mapping[str, str], mistakes: Sequence[Mistake], severity: str = "error"
) -> list[TextProblem]:
    """Mistakes with the characters that each is about."""
    lines: dict[str, list[str]] = {}
    found = []
    for one in mistakes:
        if one.file not in lines:
            lines[one.file] = _lines(root, texts, one.file)
        there = lines[one.file]
        line = there[one.line - 1] if 0 < one.line <= len(there) else ""
        found.append(_problem(one, line, severity))
    return found


def _problem(one: Mistake, line: str, severity: str) -> TextProblem:
    message = str(one.message)
    word = _word(message, line)
    start = _find(line, word) if word else -1
    if start < 0 and (opened := _NOT_CLOSED.search(message)):
        start, length, word = _opened_at(line, opened[1]), 0, ""
    elif start < 0:
        start = len(line) - len(line.lstrip(" -"))
        length = 0 if message.startswith("broken YAML") else len(line.rstrip()) - start
        word = ""
    else:
        length = len(word)
    meant = _MEANT.search(message)
    fixes = (Fix(f"Change to {meant[1]}", word, meant[1]),) if meant and word else ()
    return TextProblem(one.file, one.line, max(start, 0), max(length, 0), severity, message, fixes)


def _word(message: str, line: str) -> str:
    """The word of a line that a message is about: what it quotes, else the last part of the place it names."""
    if message.startswith("broken YAML"):  # what it quotes is YAML's own, and the line is full of it
        return ""
    before = message.partition("; did you mean")[0]
    for quoted in reversed(_FOUND.findall(before)):
        if _find(line, quoted) >= 0:
            return str(quoted)
    place = _PATH.match(message)
    last = place[1].rpartition(".")[2] if place else ""
    return last if last and _find(line, last) >= 0 else ""


def _opened_at(line: str, sign: str) -> int:
    """Where the last bracket of a line stands that nothing in it closes; its first one where that cannot be told."""
    opened: list[int] = []
    for at, each in enumerate(re.sub(r"\"[^\"]*\"|'[^']*'", lambda quoted: " " * len(quoted[0]), line)):
        if each == sign:
            opened.append(at)
        elif each == {"{": "}", "[": "]"}[sign] and opened:
            opened.pop()
    return opened[-1] if opened else max(line.find(sign), 0)


def _find(line: str, word: str) -> int:
    """Where a word stands in a line by itself, -1 where it does not."""
    found = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line)
    return found.start() if found else line.find(word)


def _lines(root: Path, texts: Mapping[str, str], file: str) -> list[str]:
    if file in texts:
        return texts[file].splitlines()
    try:
        return (root / file).read_text("utf-8", errors="replace").splitlines()
    except (OSError, ValueError):
        return []
