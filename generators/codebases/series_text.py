"""Writes `series.yaml` as an author would: an entry a commit, long texts as blocks."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson

from generators.codebases.authors import Author
from generators.codebases.commit_times import Timing
from generators.codebases.reflowed_text import filled
from generators.codebases.template_files import CommitEntry

__all__ = ["SeriesChange", "series_text"]

_MESSAGE_WIDTH = 72


@dataclass(frozen=True, slots=True)
class SeriesChange:
    """One entry with what was computed for it.

    Attributes:
        entry: in the words of the trade.
        patches: the names of its patch and of those of its fixups.
        trees: git's ids of the files after each.
        tests: how many tests there are before it.
    """

    entry: CommitEntry
    patches: tuple[str, ...]
    trees: tuple[str, ...]
    tests: int
    timing: Timing


def series_text(
    title: str, changes: Sequence[SeriesChange], authors: Mapping[str, Author], beats: Mapping[str, str]
) -> str:
    """The text of `series.yaml`.

    Args:
        title: its first line.
        changes: oldest first.
        authors: by role.
        beats: of a storyline, by the step that is one.
    """
    lines = [f"# {title}"]
    for change in changes:
        lines += _entry(change, {role: author.key for role, author in authors.items()}, beats)
    return "\n".join(lines) + "\n"


def _entry(change: SeriesChange, keys: Mapping[str, str], beats: Mapping[str, str]) -> Iterator[str]:
    entry, timing = change.entry, change.timing
    yield f"- patch: {change.patches[0]}"
    yield f"  at: {_moment(timing.landed)}"
    yield f"  who: {keys[entry.who]}"
    yield f"  message: {_quoted(entry.message)}"
    yield from _block("body", filled(entry.body, _MESSAGE_WIDTH))
    if entry.step in beats:
        yield f"  beat: {beats[entry.step]}"
    if entry.branch:
        yield from _pull(change, keys)


def _pull(change: SeriesChange, keys: Mapping[str, str]) -> Iterator[str]:
    entry, timing = change.entry, change.timing
    yield f"  branch: {entry.branch}"
    yield f"  pull: {_quoted(entry.message)}"
    if entry.review:
        yield f"  review: {keys[entry.review]}"
    yield f"  opened: {_moment(timing.opened)}"
    *drafts, whole = _checks(change)
    if entry.fixups:
        yield f"  first: {{patch: drafts/{change.patches[0]}, checks: {drafts[0]}}}"
        yield "  fixups:"
    for number, (fixup, at) in enumerate(zip(entry.fixups, timing.fixups, strict=True), start=1):
        checks = f", checks: {drafts[number]}" if number < len(drafts) else ""
        told = f"message: {_quoted(fixup.message)}{checks}"
        yield f"    - {{at: {_moment(at)}, patch: drafts/{change.patches[number]}, {told}}}"
    yield f"  checks: {whole}"
    yield from _block("description", filled(entry.description, _MESSAGE_WIDTH + 16))
    if entry.comments:
        yield "  comments:"
    for said, at in zip(entry.comments, timing.comments, strict=True):
        yield f"    - who: {keys[said.who]}"
        yield f"      at: {_moment(at)}"
        if said.path:
            yield f"      path: {said.path}"
        if said.wants_changes:
            yield "      wants_changes: true"
        yield f"      text: {_quoted(said.text)}"


def _checks(change: SeriesChange) -> list[str]:
    """What the tests come to after each commit of a pull, with the tree that they ran on."""
    entry = change.entry
    fails = [*(fixup.fails for fixup in entry.fixups), 0]
    added = [entry.tests, *(fixup.tests for fixup in entry.fixups)]
    found = []
    tests = change.tests
    for more, failed, tree in zip(added, fails, change.trees, strict=True):
        tests += more
        found.append(f"{{passed: {tests - failed}, failed: {failed}, tree: {tree}}}")
    return found


def _block(name: str, text: str) -> Iterator[str]:
    if text.strip():
        yield f"  {name}: |"
        yield textwrap.indent(text.strip("\n"), "    ")


def _quoted(text: str) -> str:
    return orjson.dumps(" ".join(text.split())).decode()


def _moment(at: datetime) -> str:
    return f'"{at:%Y-%m-%d %H:%M}"'
