"""Which added file was a removed one: the measure and the pairing of git's diffcore-rename, `-M50%`.

libgit2 measures likeness otherwise, so that it and git disagree about files changed by about half.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from brownout.store.git.value_types import LINK, SUBMODULE, TreeEntry

__all__ = ["Rename", "find_renames"]

_WHOLE: Final = 60_000
"""The score of files that are equal; git counts in these units."""
_HALF: Final = _WHOLE // 2
_SAME_NAME_ENOUGH: Final = _HALF + (_WHOLE - _HALF) // 2
_CANDIDATES: Final = 4
_MOST_PAIRS: Final = 1_000 * 1_000
_LONGEST_SPAN: Final = 64
_BINARY_LOOK: Final = 8_000


@dataclass(frozen=True, slots=True)
class Rename:
    """A file that moved.

    Attributes:
        score: how alike old and new are, of 60,000.
    """

    old: str
    new: str
    score: int

    @property
    def percent(self) -> int:
        """Likeness as git prints it."""
        return self.score * 100 // _WHOLE


def find_renames(
    removed: Mapping[str, TreeEntry], added: Mapping[str, TreeEntry], read: Callable[[str], bytes]
) -> dict[str, Rename]:
    """The moves among removed and added files, by new path. A removed file is taken for at most one added one.

    Args:
        removed, added: files by path, in git's order.
        read: the content of a blob.
    """
    found = _exact(removed, added)
    search = _Search(removed, added, read, found)
    search.by_name()
    search.by_content()
    return found


def _exact(removed: Mapping[str, TreeEntry], added: Mapping[str, TreeEntry]) -> dict[str, Rename]:
    """Files whose content is the same; of several, the one that kept its name or else the first."""
    sources: dict[str, list[str]] = {}
    for path, entry in removed.items():
        sources.setdefault(entry.sha, []).append(path)
    found: dict[str, Rename] = {}
    used: set[str] = set()
    for new, entry in added.items():
        alike = [old for old in sources.get(entry.sha, ()) if _comparable(removed[old], entry) and old not in used]
        if alike:
            old = next((old for old in alike if _name(old) == _name(new)), alike[0])
            used.add(old)
            found[new] = Rename(old, new, _WHOLE)
    return found


class _Search:
    """The search for files that moved and changed."""

    def __init__(
        self,
        removed: Mapping[str, TreeEntry],
        added: Mapping[str, TreeEntry],
        read: Callable[[str], bytes],
        found: dict[str, Rename],
    ) -> None:
        self._removed, self._added, self._read, self._found = removed, added, read, found
        self._used = {rename.old for rename in found.values()}
        self._spans: dict[str, tuple[int, Counter[bytes]]] = {}

    def by_name(self) -> None:
        """Pair files whose name is unique on both sides if they are rather alike."""
        old_names, new_names = _unique(self._sources()), _unique(self._targets())
        for name, new in new_names.items():
            old = old_names.get(name)
            if old is not None:
                score = self._score(old, new)
                if score >= _SAME_NAME_ENOUGH:
                    self._take(Rename(old, new, score))

    def by_content(self) -> None:
        """Pair the rest, the most alike first."""
        sources, targets = self._sources(), self._targets()
        if len(sources) * len(targets) > _MOST_PAIRS:
            return
        pairs: list[tuple[int, bool, int, Rename]] = []
        for number, new in enumerate(targets):
            scored = [(self._score(old, new), _name(old) == _name(new), old) for old in sources]
            alike = [(score, same, old) for score, same, old in scored if score >= _HALF]
            alike.sort(key=lambda pair: (-pair[0], -pair[1]))
            pairs += [(-score, not same, number, Rename(old, new, score)) for score, same, old in alike[:_CANDIDATES]]
        pairs.sort(key=lambda pair: pair[:3])
        for *_, rename in pairs:
            if rename.new not in self._found and rename.old not in self._used:
                self._take(rename)

    def _take(self, rename: Rename) -> None:
        self._found[rename.new] = rename
        self._used.add(rename.old)

    def _sources(self) -> list[str]:
        return [path for path in self._removed if path not in self._used]

    def _targets(self) -> list[str]:
        return [path for path in self._added if path not in self._found]

    def _score(self, old: str, new: str) -> int:
        """How much of the larger file both have, in units of `_WHOLE`; 0 for what cannot be compared."""
        one, other = self._removed[old], self._added[new]
        if not _comparable(one, other) or one.mode in (LINK, SUBMODULE):
            return 0
        (old_size, old_spans), (new_size, new_spans) = self._spans_of(one.sha), self._spans_of(other.sha)
        largest = max(old_size, new_size)
        if not old_size or not new_size or largest * (_WHOLE - _HALF) < abs(old_size - new_size) * _WHOLE:
            return 0
        return (old_spans & new_spans).total() * _WHOLE // largest

    def _spans_of(self, sha: str) -> tuple[int, Counter[bytes]]:
        known = self._spans.get(sha)
        if known is None:
            data = self._read(sha)
            known = self._spans[sha] = (len(data), _spans(data))
        return known


def _spans(data: bytes) -> Counter[bytes]:
    """How many bytes of the file each of its spans makes up: lines, long ones in pieces (diffcore-delta.c)."""
    is_text = b"\0" not in data[:_BINARY_LOOK]
    counts: Counter[bytes] = Counter()
    for line in _lines(data):
        whole = line[:-2] + b"\n" if is_text and line.endswith(b"\r\n") else line
        for start in range(0, len(whole), _LONGEST_SPAN):
            span = whole[start : start + _LONGEST_SPAN]
            counts[span] += len(span)
    return counts


def _lines(data: bytes) -> Iterable[bytes]:
    *whole, last = data.split(b"\n")
    yield from (line + b"\n" for line in whole)
    if last:
        yield last


def _comparable(one: TreeEntry, other: TreeEntry) -> bool:
    """Ordinary files move to ordinary files, links to links, submodules to submodules."""
    special = (LINK, SUBMODULE)
    return one.mode == other.mode or (one.mode not in special and other.mode not in special)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _unique(paths: Iterable[str]) -> dict[str, str]:
    """Paths by their last part, where that occurs once."""
    named: dict[str, list[str]] = {}
    for path in paths:
        named.setdefault(_name(path), []).append(path)
    return {name: found[0] for name, found in named.items() if len(found) == 1}
