"""Who wrote which lines of a file, by git's rules: every commit hands the lines it did not write to its parents.

libgit2 has a blame of its own, which slides ambiguous changes otherwise than git does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path

from brownout.store.git.differences import changed_lines, moved_from
from brownout.store.git.errors import UnknownPath
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.trees import entry_at
from brownout.store.git.value_types import BlameSpan

__all__ = ["blame_spans"]


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines in question: `count` of them from `final` in the file asked about, from `here` in the one looked at."""

    final: int
    here: int
    count: int


@dataclass(frozen=True, slots=True)
class _Origin:
    """A file as one commit has it."""

    commit: str
    path: str
    blob: str


def blame_spans(draft: DraftObjects, packed: Path | None, commit: str, path: str) -> list[BlameSpan]:
    """The lines of a file in spans of one commit each, from the first line to the last."""
    blame = _Blame(draft, packed)
    found = sorted(blame.run(_Origin(commit, path, entry_at(draft, draft.commit(commit).tree, path).sha)))
    spans: list[BlameSpan] = []
    for final, count, wrote, was in found:
        last = spans[-1] if spans else None
        if last is not None and (last.commit.sha, last.path) == (wrote, was):
            spans[-1] = BlameSpan(last.start, final + count - 1, last.commit, was)
        else:
            spans.append(BlameSpan(final, final + count - 1, draft.commit(wrote), was))
    return spans


class _Blame:
    """One question; the latest commits are looked at first, so that each is looked at once."""

    def __init__(self, draft: DraftObjects, packed: Path | None) -> None:
        self._draft, self._packed = draft, packed
        self._waiting: dict[_Origin, list[_Run]] = {}
        self._heap: list[tuple[int, int, _Origin]] = []

    def run(self, start: _Origin) -> Iterator[tuple[int, int, str, str]]:
        """First line, number of lines, commit and path there, in no order."""
        data = self._draft.read(start.blob, "blob")
        lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
        self._ask(start, [_Run(1, 1, lines)] if lines else [])
        while self._heap:
            origin = heappop(self._heap)[2]
            for run in self._handed_on(origin, self._waiting.pop(origin)):
                yield run.final, run.count, origin.commit, origin.path

    def _ask(self, origin: _Origin, runs: list[_Run]) -> None:
        if not runs:
            return
        if origin not in self._waiting:
            self._waiting[origin] = []
            date = self._draft.commit(origin.commit).committer.seconds
            heappush(self._heap, (-date, len(self._heap), origin))
        self._waiting[origin] += runs

    def _handed_on(self, origin: _Origin, runs: list[_Run]) -> list[_Run]:
        """The lines that no parent has."""
        parents = self._draft.commit(origin.commit).parents
        found = [self._same_path(parent, origin.path) for parent in parents]
        whole = next((one for one in found if one and one.blob == origin.blob), None)
        if whole is None:
            found = [one or self._moved(parent, origin) for one, parent in zip(found, parents, strict=True)]
            whole = next((one for one in found if one and one.blob == origin.blob), None)
        if whole is not None:
            self._ask(whole, runs)
            return []
        asked: set[str] = set()
        for one in found:
            if one is not None and one.blob not in asked and runs:
                asked.add(one.blob)
                runs = self._shared(one, origin, runs)
        return runs

    def _shared(self, parent: _Origin, origin: _Origin, runs: list[_Run]) -> list[_Run]:
        """Ask the parent about the lines it has too; those that it has not."""
        old, new = (self._draft.read(blob, "blob") for blob in (parent.blob, origin.blob))
        passed: list[_Run] = []
        kept: list[_Run] = []
        changes = list(changed_lines(old, new))
        for run in runs:
            _split(run, changes, passed, kept)
        self._ask(parent, passed)
        return kept

    def _same_path(self, commit: str, path: str) -> _Origin | None:
        try:
            return _Origin(commit, path, entry_at(self._draft, self._draft.commit(commit).tree, path).sha)
        except UnknownPath:
            return None

    def _moved(self, parent: str, origin: _Origin) -> _Origin | None:
        old, new = (self._draft.commit(sha).tree for sha in (parent, origin.commit))
        was = moved_from(self._draft, self._packed, old, new, origin.path)
        return None if was is None else self._same_path(parent, was)


def _split(run: _Run, changes: list[tuple[int, int, int]], passed: list[_Run], kept: list[_Run]) -> None:
    """Divide a run between what is old and what is new."""
    here, end, shift = run.here, run.here + run.count, 0
    for start, count, after in changes:
        if start >= end:
            break
        if start > here:
            passed.append(_Run(run.final + here - run.here, here + shift, start - here))
        first, here = max(here, start), max(here, min(start + count, end))
        if here > first:
            kept.append(_Run(run.final + first - run.here, first, here - first))
        shift = after
    if here < end:
        passed.append(_Run(run.final + here - run.here, here + shift, end - here))
