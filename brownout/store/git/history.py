"""Walking commits: in git's order, by path with git's simplification, and what one side has that the other lacks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import count

from brownout.store.git.errors import UnknownPath
from brownout.store.git.object_sources import Objects
from brownout.store.git.trees import entry_at
from brownout.store.git.value_types import Commit, TreeEntry

__all__ = ["Divided", "ancestors", "divided", "generation", "in_topological_order", "walk", "walk_path"]


def walk(objects: Objects, tips: Iterable[str], hidden: frozenset[str] = frozenset()) -> Iterator[Commit]:
    """Every commit that the tips reach and that is not hidden, the latest committed first, as `git log` has it."""
    queue = _Queue(objects, hidden)
    for tip in tips:
        queue.push(tip)
    while queue:
        commit = queue.pop()
        yield commit
        for parent in commit.parents:
            queue.push(parent)


def walk_path(objects: Objects, tip: str, path: str) -> Iterator[Commit]:
    """Every commit that `git log TIP -- PATH` shows, in its order.

    A merge that has the path exactly as one of its parents has it is not shown, and only that parent is followed
    (history simplification of git-log(1), default mode).
    """
    queue = _Queue(objects, frozenset())
    queue.push(tip)
    places: dict[str, TreeEntry | None] = {}  # by tree

    def place(sha: str) -> TreeEntry | None:
        tree = objects.commit(sha).tree
        if tree not in places:
            places[tree] = _place(objects, tree, path)
        return places[tree]

    while queue:
        commit = queue.pop()
        here = place(commit.sha)
        same = next((parent for parent in commit.parents if place(parent) == here), None)
        if same is not None:
            queue.push(same)
            continue
        if commit.parents or here is not None:
            yield commit
        for parent in commit.parents:
            queue.push(parent)


def ancestors(objects: Objects, tip: str) -> frozenset[str]:
    """The ids of a commit and everything before it."""
    found = {tip}
    waiting = [tip]
    while waiting:
        for parent in objects.commit(waiting.pop()).parents:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Divided:
    """What two commits reach and the other does not.

    Attributes:
        ours, theirs: ids, each commit's own included; of one that the other reaches, nothing.
        shared: the commits both reach that theirs go out from: with them hidden, a walk from the other stays in `theirs`.
        common: the best common ancestor, where that can be told so: everything that both reach lies before one commit.
            None where there are several to choose from, or none.
    """

    ours: frozenset[str]
    theirs: frozenset[str]
    shared: frozenset[str]
    common: str | None


def divided(objects: Objects, ours: str, theirs: str) -> Divided:
    """How two commits' histories differ, in time that grows with the difference alone.

    Commits are looked at by their distance from a first one, children before parents, until only what both reach is left.
    """
    sides = {ours: 1}
    sides[theirs] = sides.get(theirs, 0) | 2
    heap = [(-generation(objects, sha), sha) for sha in sides]
    heapify(heap)
    own: tuple[set[str], set[str]] = (set(), set())
    shared: set[str] = set()
    waiting = sum(side != 3 for side in sides.values())
    while heap and waiting:
        _, sha = heappop(heap)
        side = sides[sha]
        waiting -= side != 3
        if side != 3:
            own[side - 1].add(sha)
        for parent in objects.commit(sha).parents:
            before = sides.get(parent, 0)
            sides[parent] = now = before | side
            if not before:
                heappush(heap, (-generation(objects, parent), parent))
            waiting += (now != 3) - (before not in (0, 3))
    for sha in own[1]:
        shared.update(parent for parent in objects.commit(sha).parents if parent not in own[1])
    common = theirs if not own[1] else next(iter(shared)) if len(shared) == 1 else None
    return Divided(frozenset(own[0]), frozenset(own[1]), frozenset(shared), common)


def generation(objects: Objects, tip: str) -> int:
    """The length of the longest way from a commit back to one without parents; found once for each commit."""
    known = objects.generations
    waiting = [tip]
    while waiting:
        sha = waiting[-1]
        parents = objects.commit(sha).parents if sha not in known else ()
        missing = [parent for parent in parents if parent not in known]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        if sha not in known:
            known[sha] = 1 + max((known[parent] for parent in parents), default=0)
    return known[tip]


def in_topological_order(objects: Objects, tip: str, hidden: frozenset[str]) -> list[Commit]:
    """The commits that the tip reaches and that are not hidden, parents before children, first parents' first."""
    ordered: list[Commit] = []
    seen: set[str] = set(hidden)
    waiting = [(tip, False)]
    while waiting:
        sha, is_done = waiting.pop()
        if is_done:
            ordered.append(objects.commit(sha))
        elif sha not in seen:
            seen.add(sha)
            waiting.append((sha, True))
            waiting += [(parent, False) for parent in reversed(objects.commit(sha).parents)]
    return ordered


class _Queue:
    """Commits to visit, each once, the latest committed first and of those the first pushed."""

    def __init__(self, objects: Objects, hidden: frozenset[str]) -> None:
        self._objects = objects
        self._seen = set(hidden)
        self._numbers = count()
        self._heap: list[tuple[int, int, Commit]] = []

    def push(self, sha: str) -> None:
        if sha not in self._seen:
            self._seen.add(sha)
            commit = self._objects.commit(sha)
            heappush(self._heap, (-commit.committer.seconds, next(self._numbers), commit))

    def pop(self) -> Commit:
        return heappop(self._heap)[2]

    def __len__(self) -> int:
        return len(self._heap)


def _place(objects: Objects, tree: str, path: str) -> TreeEntry | None:
    try:
        return entry_at(objects, tree, path)
    except UnknownPath:
        return None
