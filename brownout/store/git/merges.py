"""Joining two histories: whether it can be done, and merge, squash and rebase as GitHub does them."""

from pathlib import Path
from typing import Literal, TypeAlias

import pygit2

from brownout.store.git.errors import MergeConflict, NothingToMerge
from brownout.store.git.history import divided, in_topological_order
from brownout.store.git.library import open_library, read_tree
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.objects import encode_commit, is_folder
from brownout.store.git.value_types import Commit, Mergeable, Signature

__all__ = ["MergeMethod", "merge", "merge_base", "merged_tree", "reverted"]

MergeMethod: TypeAlias = Literal["merge", "squash", "rebase"]


def merge_base(draft: DraftObjects, packed: Path | None, one: str, other: str) -> str | None:
    """The best common ancestor of two commits."""
    found = open_library(draft, packed).merge_base(one, other)
    return None if found is None else str(found)


def merged_tree(draft: DraftObjects, packed: Path | None, ours: str, theirs: str) -> Mergeable:
    """What merging two commits gives; new trees and blobs go into the draft.

    Where they have several best common ancestors these are merged first, as git does.
    """
    common = divided(draft, ours, theirs).common
    if common is not None:
        trees = [draft.commit(sha).tree for sha in (common, ours, theirs)]
        found = _put_together(draft, trees[0], trees[1], trees[2])
        if found is not None:
            return Mergeable(found, ())
    library = open_library(draft, packed)
    return _outcome(library, library.merge_commits(ours, theirs))


def merge(
    draft: DraftObjects, packed: Path | None, base: str, head: str, method: MergeMethod, message: str, signed: Signature,
    author: Signature,
) -> Commit:  # fmt: skip
    """The new tip after joining `head` into `base`; everything new goes into the draft.

    A merge is a commit with two parents, also where the base could simply move forward. A squash is one commit on
    the base. A rebase commits each of the head's commits anew, with its author and message, `signed` as committer;
    merges among them are left out, and so is what changes nothing.

    Raises:
        MergeConflict: a person is needed.
        NothingToMerge: the base already contains the head.
    """
    between = divided(draft, base, head)
    if not between.theirs:
        raise NothingToMerge(f"{base} already contains {head}")
    if method == "rebase":
        return _rebased(draft, packed, base, in_topological_order(draft, head, between.shared), signed)
    found = merged_tree(draft, packed, base, head)
    if found.tree is None:
        raise MergeConflict(found.conflicts)
    parents = (base, head) if method == "merge" else (base,)
    return _committed(draft, found.tree, parents, author, signed, message)


def reverted(
    draft: DraftObjects, packed: Path | None, tip: str, unwanted: Commit, signed: Signature, message: str
) -> Commit:
    """A commit after `tip` that undoes another; of a merge it undoes what came in by the second parent.

    Raises:
        MergeConflict: later commits built on it.
        NothingToMerge: nothing of it is left.
    """
    base = draft.commit(tip)
    before = draft.commit(unwanted.parents[0]).tree if unwanted.parents else draft.write("tree", b"")
    found = _joined(draft, packed, unwanted.tree, base.tree, before)
    if found == base.tree:
        raise NothingToMerge(f"{tip} has nothing left of {unwanted.sha}")
    return _committed(draft, found, (tip,), signed, signed, message)


def _rebased(draft: DraftObjects, packed: Path | None, base: str, commits: list[Commit], signed: Signature) -> Commit:
    tip = draft.commit(base)
    for commit in commits:
        if len(commit.parents) > 1:
            continue
        before = draft.commit(commit.parents[0]).tree if commit.parents else draft.write("tree", b"")
        tree = _joined(draft, packed, before, tip.tree, commit.tree)
        if tree != tip.tree:
            tip = _committed(draft, tree, (tip.sha,), commit.author, signed, commit.message)
    if tip.sha == base:
        raise NothingToMerge(f"no commit would change anything on {base}")
    return tip


def _joined(draft: DraftObjects, packed: Path | None, old: str, ours: str, theirs: str) -> str:
    """The tree that has both sides' changes since the old one."""
    library = open_library(draft, packed)
    trees = [read_tree(library, sha) for sha in (old, ours, theirs)]
    found = _outcome(library, library.merge_trees(trees[0], trees[1], trees[2]))
    if found.tree is None:
        raise MergeConflict(found.conflicts)
    return found.tree


def _committed(
    draft: DraftObjects, tree: str, parents: tuple[str, ...], author: Signature, committer: Signature, message: str
) -> Commit:
    return draft.commit(draft.write("commit", encode_commit(tree, parents, author, committer, message)))


def _put_together(draft: DraftObjects, old: str, ours: str, theirs: str) -> str | None:
    """The tree that has both sides' changes where no file was changed by both; None where that takes more to find out.

    A folder that both changed must have the same names on all three sides: so neither side can have renamed, added or
    removed what the other changed, and nothing is left to judge.
    """
    if theirs in (old, ours):
        return ours
    if ours == old:
        return theirs
    sides = [draft.tree(sha) for sha in (old, ours, theirs)]
    before, mine, other = sides
    if not before.keys() == mine.keys() == other.keys():
        return None
    joined = dict(mine)
    for name, (mode, sha) in before.items():
        (my_mode, my_sha), (their_mode, their_sha) = mine[name], other[name]
        if (their_mode, their_sha) in ((mode, sha), (my_mode, my_sha)):
            continue
        if not mode == my_mode == their_mode:
            return None
        if is_folder(mode):
            found = _put_together(draft, sha.decode(), my_sha.decode(), their_sha.decode())
            if found is None:
                return None
            joined[name] = mode, found.encode()
        elif my_sha == sha:
            joined[name] = mode, their_sha
        else:
            return None
    return draft.write_tree(joined)


def _outcome(library: pygit2.Repository, index: pygit2.Index) -> Mergeable:
    if index.conflicts is None:
        return Mergeable(str(index.write_tree(library)), ())
    sides = (side for conflict in index.conflicts for side in conflict if side is not None)
    return Mergeable(None, tuple(sorted({str(side.path) for side in sides})))
