"""Writing a repository of the package from its history: the same history gives the same ids, on any machine."""

import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from brownout.core.errors import BuildError
from brownout.store.git.errors import GitError
from brownout.store.git.merges import merged_tree
from brownout.store.git.object_sources import DraftObjects, closure
from brownout.store.git.objects import EMPTY_TREE, encode_commit, encode_tag
from brownout.store.git.packs import PackedObject, write_pack
from brownout.store.git.patches import apply_patch
from brownout.store.git.refs import BRANCHES, HEAD, TAGS, check_ref_name, packed_refs
from brownout.store.git.trees import walk_files, write_changes
from brownout.store.git.value_types import SUBMODULE, File, FileChange, Signature

__all__ = ["Built", "NewCommit", "create_repository", "tree_id"]

_LEVEL: Final = 6
_CONFIG: Final = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"


@dataclass(frozen=True, slots=True)
class NewCommit:
    """One commit of a history.

    Attributes:
        branch: the branch that stands on it afterwards.
        parents: what it comes after: branch names, as they stood just before, or places of earlier commits in the
            history, from 0. Left out, it is the branch itself, or nothing where that is new.
        changes: what becomes of paths of the first parent's tree.
        patch: the same as a patch in git's format. A commit with two parents and neither is a merge, made for it.
        tags: names of lightweight tags on it; `annotations` are annotated ones with their message.
    """

    message: str
    author: Signature
    committer: Signature | None = None
    branch: str = "main"
    parents: tuple[str | int, ...] | None = None
    changes: Mapping[str, FileChange] | None = None
    patch: str | None = None
    tags: tuple[str, ...] = ()
    annotations: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """A finished repository.

    Attributes:
        refs: every ref with its id, and HEAD as `ref: refs/heads/main`; `seed_refs` takes them.
        commits: the ids of the history's commits, in its order.
    """

    path: Path
    refs: Mapping[str, str]
    commits: tuple[str, ...]


def create_repository(
    path: str | os.PathLike[str],
    history: Sequence[NewCommit],
    *,
    default_branch: str = "main",
    refs: Mapping[str, int] | None = None,
    gone: frozenset[str] = frozenset(),
) -> Built:
    """A new bare repository with one pack that holds what its refs reach.

    Args:
        path: the folder, which must not be there yet.
        history: commits, oldest first.
        default_branch: where HEAD stands.
        refs: more refs by full name (`refs/pull/7/head`), each on a commit of the history, from 0.
        gone: branches that were deleted in the end.

    Raises:
        BuildError: a commit cannot be made, or a ref's name will not do; the message names the commit.
    """
    draft = DraftObjects(None, Path(path).name)
    writer = _HistoryWriter(draft)
    for number, commit in enumerate(history):
        try:
            writer.add(commit)
        except GitError as error:
            place = f"commit {number + 1} of {draft.name} ({commit.message.partition(chr(10))[0]!r})"
            raise BuildError(f"{place} cannot be made: {error}") from error
    named = {f"{BRANCHES}{branch}": sha for branch, sha in writer.branches.items() if branch not in gone}
    named |= writer.tags
    named |= {name: writer.commits[place] for name, place in (refs or {}).items()}
    try:
        for name in named:
            check_ref_name(name)
    except GitError as error:
        raise BuildError(f"{draft.name}: {error}") from error
    _write(Path(path), draft, named, default_branch)
    return Built(Path(path), {HEAD: f"ref: {BRANCHES}{default_branch}", **named}, tuple(writer.commits))


def tree_id(files: Mapping[str, bytes | File]) -> str:
    """The id of the tree that holds these files by path; nothing is stored.

    Raises:
        BadName: a path is not one that git would take.
    """
    return write_changes(DraftObjects(None, "files"), None, files)


class _HistoryWriter:
    """A history on its way into a draft."""

    def __init__(self, draft: DraftObjects) -> None:
        self._draft = draft
        self.commits: list[str] = []
        self.branches: dict[str, str] = {}
        self.tags: dict[str, str] = {}

    def add(self, commit: NewCommit) -> None:
        parents = self._parents(commit)
        tree = self._tree(commit, parents)
        committer = commit.committer or commit.author
        made = encode_commit(tree, parents, commit.author, committer, commit.message)
        sha = self._draft.write("commit", made)
        self.commits.append(sha)
        self.branches[commit.branch] = sha
        for name in commit.tags:
            self.tags[TAGS + name] = sha
        for name, message in (commit.annotations or {}).items():
            self.tags[TAGS + name] = self._draft.write("tag", encode_tag(name, sha, "commit", committer, message))

    def _parents(self, commit: NewCommit) -> tuple[str, ...]:
        if commit.parents is None:
            tip = self.branches.get(commit.branch)
            return () if tip is None else (tip,)
        found: list[str] = []
        for parent in commit.parents:
            known = self.branches.get(parent) if isinstance(parent, str) else None
            if isinstance(parent, int) and 0 <= parent < len(self.commits):
                known = self.commits[parent]
            if known is None:
                branches = ", ".join(sorted(self.branches)) or "none"
                raise GitError(f"its parent {parent!r} is no earlier commit; branches so far: {branches}")
            found.append(known)
        return tuple(found)

    def _tree(self, commit: NewCommit, parents: tuple[str, ...]) -> str:
        draft = self._draft
        before = draft.commit(parents[0]).tree if parents else None
        if commit.changes is None and commit.patch is None and len(parents) == 2:
            merged = merged_tree(draft, None, parents[0], parents[1])
            if merged.tree is None:
                raise GitError(f"its parents conflict in {', '.join(merged.conflicts)}; give the merge its changes")
            return merged.tree
        changes: dict[str, FileChange] = dict(commit.changes or {})
        if commit.patch is not None:
            changes |= apply_patch(self._files(before or EMPTY_TREE), commit.patch)
        return write_changes(draft, before, changes)

    def _files(self, tree: str) -> dict[str, File]:
        return {
            path: File(self._draft.read(entry.sha, "blob"), entry.mode)
            for path, entry in walk_files(self._draft, tree)
            if entry.mode != SUBMODULE
        }


def _write(path: Path, draft: DraftObjects, refs: Mapping[str, str], default_branch: str) -> None:
    """A bare repository that `git` takes: what nobody can reach is left out."""
    try:
        path.mkdir(parents=True)
    except FileExistsError as error:
        raise BuildError(f"cannot write the repository {path}: it is there already") from error
    (path / "refs" / "heads").mkdir(parents=True)
    (path / "objects" / "info").mkdir(parents=True)
    (path / "HEAD").write_text(f"ref: {BRANCHES}{default_branch}\n")
    (path / "config").write_text(_CONFIG)
    (path / "packed-refs").write_text(packed_refs(draft, refs))
    wanted = sorted(closure(draft.made, sorted(set(refs.values()))))
    write_pack(path / "objects" / "pack", (_packed(draft, sha) for sha in wanted))


def _packed(draft: DraftObjects, sha: str) -> PackedObject:
    made = draft.made[sha]
    return PackedObject(sha, made.kind, len(made.data), zlib.compress(made.data, _LEVEL))
