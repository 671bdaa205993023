"""Joining two histories: whether it can be done, and merge, squash and rebase as GitHub does them."""

from pathlib import Path
from typing import Literal, TypeAlias

import pygit2

from brownout.store.git.errors import MergeConflict, NothingToMerge
from brownout.store.git.history import ancestors, in_topological_order
from brownout.store.git.library import open_library, read_tree
from brownout.store.git.objects import encode_commit
from brownout.store.git.sources import Draft
from brownout.store.git.values import Commit, Mergeable, Signature

__all__ = ["MergeMethod", "ahead_behind", "merge", "merge_base", "merged_tree"]

MergeMethod: TypeAlias = Literal["merge", "squash", "rebase"]


def merge_base(draft: Draft, packed: Path | None, one: str, other: str) -> str | None:
    """The best common ancestor of two commits."""
    found = open_library(draft, packed).merge_base(one, other)
    return None if found is None else str(found)


def ahead_behind(draft: Draft, packed: Path | None, base: str, head: str) -> tuple[int, int]:
    """How many commits only the head has, and how many only the base."""
    ahead, behind = open_library(draft, packed).ahead_behind(head, base)
    return ahead, behind


def merged_tree(draft: Draft, packed: Path | None, ours: str, theirs: str) -> Mergeable:
    """What merging two commits gives; new trees and blobs go into the draft.

    Where they have several best common ancestors these are merged first, as git does.
    """
    library = open_library(draft, packed)
    return _outcome(library, library.merge_commits(ours, theirs))


def merge(
    draft: Draft, packed: Path | None, base: str, head: str, method: MergeMethod, message: str, signed: Signature,
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
    hidden = ancestors(draft, base)
    if head in hidden:
        raise NothingToMerge(f"{base} already contains {head}")
    if method == "rebase":
        return _rebased(draft, packed, base, in_topological_order(draft, head, hidden), signed)
    found = merged_tree(draft, packed, base, head)
    if found.tree is None:
        raise MergeConflict(found.conflicts)
    parents = (base, head) if method == "merge" else (base,)
    return _committed(draft, found.tree, parents, author, signed, message)


def _rebased(draft: Draft, packed: Path | None, base: str, commits: list[Commit], signed: Signature) -> Commit:
    tip = draft.commit(base)
    for commit in commits:
        if len(commit.parents) > 1:
            continue
        before = draft.commit(commit.parents[0]).tree if commit.parents else draft.write("tree", b"")
        library = open_library(draft, packed)
        old, ours, theirs = (read_tree(library, sha) for sha in (before, tip.tree, commit.tree))
        found = _outcome(library, library.merge_trees(old, ours, theirs))
        if found.tree is None:
            raise MergeConflict(found.conflicts)
        if found.tree != tip.tree:
            tip = _committed(draft, found.tree, (tip.sha,), commit.author, signed, commit.message)
    if tip.sha == base:
        raise NothingToMerge(f"no commit would change anything on {base}")
    return tip


def _committed(
    draft: Draft, tree: str, parents: tuple[str, ...], author: Signature, committer: Signature, message: str
) -> Commit:
    return draft.commit(draft.write("commit", encode_commit(tree, parents, author, committer, message)))


def _outcome(library: pygit2.Repository, index: pygit2.Index) -> Mergeable:
    if index.conflicts is None:
        return Mergeable(str(index.write_tree(library)), ())
    sides = (side for conflict in index.conflicts for side in conflict if side is not None)
    return Mergeable(None, tuple(sorted({str(side.path) for side in sides})))
