"""A git repository of a session: the package's objects, and rows for everything since."""

from collections.abc import Mapping
from itertools import islice
from typing import Final

from brownout.core.rows import Rows
from brownout.store.git import differences, merges, text_search
from brownout.store.git.base import BaseRepository
from brownout.store.git.blame import blame_spans
from brownout.store.git.checkout_size import check_room
from brownout.store.git.errors import MissingObject, UnknownPath, UnknownRevision
from brownout.store.git.history import ancestors, divided, in_topological_order, walk, walk_path
from brownout.store.git.merges import MergeMethod
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.objects import EMPTY_TREE, decode_tag, encode_commit, encode_tag
from brownout.store.git.refs import BRANCHES, TAGS, Refs, check_ref_name
from brownout.store.git.revisions import peel, resolve
from brownout.store.git.row_objects import RowedObjects
from brownout.store.git.trees import entry_at, list_folder, walk_files, write_changes
from brownout.store.git.value_types import (
    FOLDER,
    LINK,
    SUBMODULE,
    BlameSpan,
    Commit,
    Comparison,
    File,
    FileChange,
    FileDiff,
    LineMatch,
    Mergeable,
    Signature,
    Tag,
    TreeEntry,
)
from brownout.store.rows import Savepoint

__all__ = ["Repository"]

_COMMITS_COMPARED: Final = 250
_MATCHES: Final = 100


class Repository:
    """One repository of one session; make it anew for each call, as cheap as its three arguments.

    Wherever a `revision` is asked for, `main`, `v1.0`, `HEAD~2`, `3f2a9c1` and ids in full will do.

    Args:
        rows: the session's.
        name: what rows call it, `owner/name`.
        base: its objects in the package.

    Attributes:
        refs: its branches, tags and other refs.
        objects: everything that has an id.
    """

    def __init__(self, rows: Rows, name: str, base: BaseRepository) -> None:
        self.name = name
        self.base = base
        self.objects = RowedObjects(rows, name, base)
        self.refs = Refs(rows, name, self.objects)

    def resolve(self, revision: str) -> str:
        """The id that a revision stands for.

        Raises:
            UnknownRevision: it stands for nothing here, or for more than one object.
        """
        return resolve(self.objects, self.refs, revision)

    def commit_at(self, revision: str) -> Commit:
        """The commit that a revision leads to.

        Raises:
            UnknownRevision: it leads to no commit.
        """
        return self.objects.commit(peel(self.objects, self.resolve(revision), "commit"))

    def tree_at(self, revision: str) -> str:
        """The id of the folder that a revision leads to.

        Raises:
            UnknownRevision: it leads to no tree.
        """
        return peel(self.objects, self.resolve(revision), "tree")

    def entry(self, revision: str, path: str) -> TreeEntry:
        """Mode and id of what is at that path.

        Raises:
            UnknownRevision, UnknownPath: it is not there.
        """
        return entry_at(self.objects, self.tree_at(revision), path.strip("/"))

    def read_file(self, revision: str, path: str) -> bytes:
        """The content of a file; of a link the path it points at.

        Raises:
            UnknownRevision, UnknownPath: there is no such file, or a folder.
        """
        found = self.entry(revision, path)
        if found.mode in (FOLDER, SUBMODULE):
            raise UnknownPath(f"{path!r} at {revision} is a folder or submodule, not a file")
        return self.objects.read(found.sha, "blob")

    def list_tree(self, revision: str, path: str = "") -> dict[str, TreeEntry]:
        """The entries of a folder by name, in git's order.

        Raises:
            UnknownRevision, UnknownPath: there is no such folder.
        """
        found = self.entry(revision, path)
        if found.mode != FOLDER:
            raise UnknownPath(f"{path!r} at {revision} is a file, not a folder")
        return list_folder(self.objects, found.sha)

    def files(self, revision: str) -> dict[str, TreeEntry]:
        """Every file, link and submodule by path."""
        return dict(walk_files(self.objects, self.tree_at(revision)))

    def archive(self, revision: str) -> dict[str, File]:
        """Every file and link by path, with content and mode: what a checkout holds. Links may point anywhere."""
        found = walk_files(self.objects, self.tree_at(revision))
        return {
            path: File(self.objects.read(entry.sha, "blob"), entry.mode)
            for path, entry in found
            if entry.mode != SUBMODULE
        }

    def tag(self, sha: str) -> Tag:
        """The annotated tag with that id.

        Raises:
            MissingObject, BadObject: there is none.
        """
        return decode_tag(sha, self.objects.read(sha, "tag"))

    def log(self, revision: str, path: str = "", limit: int = 30, skip: int = 0) -> list[Commit]:
        """The commits that `git log` shows, of one file or folder if a path is given, the latest first."""
        tip = self.commit_at(revision).sha
        found = walk_path(self.objects, tip, path.strip("/")) if path.strip("/") else walk(self.objects, [tip])
        return list(islice(found, skip, skip + limit))

    def contains(self, revision: str, ancestor: str) -> bool:
        """The commit is the other or comes after it."""
        return self.commit_at(ancestor).sha in ancestors(self.objects, self.commit_at(revision).sha)

    def ahead(self, base: str, head: str) -> int:
        """How many commits the head has that the base has not."""
        ours, theirs = self.commit_at(base).sha, self.commit_at(head).sha
        return len(divided(self.objects, ours, theirs).theirs)

    def diff(self, old: str | None, new: str) -> list[FileDiff]:
        """What differs between two revisions, file by file, sorted by path; None stands for nothing at all."""
        return differences.file_diffs(self._draft(), self.base.objects_path, *self._sides(old, new))

    def diff_commit(self, revision: str) -> list[FileDiff]:
        """What a commit changed against its first parent."""
        commit = self.commit_at(revision)
        return self.diff(commit.parents[0] if commit.parents else None, commit.sha)

    def patch(self, old: str | None, new: str) -> str:
        """The difference of two revisions in the format that `git apply` takes; binary files are only named."""
        return differences.patch_text(self._draft(), self.base.objects_path, *self._sides(old, new))

    def compare(self, base: str, head: str, limit: int = _COMMITS_COMPARED) -> Comparison:
        """How two revisions relate; the files are what the head changed since their merge base.

        Args:
            limit: at most so many commits, those nearest the base; `ahead` counts all.
        """
        ours, theirs = self.commit_at(base).sha, self.commit_at(head).sha
        between = divided(self.objects, ours, theirs)
        commits = in_topological_order(self.objects, theirs, between.shared) if between.theirs else []
        common = between.common or merges.merge_base(self._draft(), self.base.objects_path, ours, theirs)
        files = tuple(self.diff(common, theirs)) if commits else ()
        return Comparison(ours, theirs, common, len(commits), len(between.ours), tuple(commits[:limit]), files)

    def blame(self, revision: str, path: str) -> list[BlameSpan]:
        """Who wrote which lines of a file, from the first line to the last.

        Raises:
            UnknownRevision, UnknownPath: there is no such file.
        """
        if self.entry(revision, path).mode in (FOLDER, LINK, SUBMODULE):
            raise UnknownPath(f"{path!r} at {revision} is not a file")
        commit = self.commit_at(revision)
        return blame_spans(self._draft(), self.base.objects_path, commit.sha, path.strip("/"))

    def search_code(self, revision: str, text: str, path: str = "", limit: int = _MATCHES) -> list[LineMatch]:
        """The first `limit` lines that contain the text, upper and lower case alike.

        Binary files and files above 384 KiB are not searched.
        """
        return list(text_search.find_text(self.objects, self.tree_at(revision), text, path.strip("/"), limit))

    def write_blob(self, data: bytes) -> str:
        """The id of a blob with that content."""
        return self.objects.write("blob", data)

    def write_tree(self, changes: Mapping[str, FileChange], base: str | None = None) -> str:
        """The id of a tree that differs from the tree `base` in these paths.

        Raises:
            BadName, UnknownPath, MissingObject: a change cannot be made.
            TooLarge: nobody could check it out.
        """
        tree = write_changes(self.objects, base, changes)
        check_room(self.objects, [tree])
        return tree

    def commit(
        self, tree: str, parents: tuple[str, ...], author: Signature, committer: Signature, message: str
    ) -> Commit:
        """A new commit that no ref names yet. Its id depends on the arguments alone.

        Raises:
            MissingObject, BadObject: the tree or a parent is not here.
        """
        self.objects.tree(tree)
        for parent in parents:
            self.objects.commit(parent)
        made = encode_commit(tree, parents, author, committer, message)
        return self.objects.commit(self.objects.write("commit", made))

    def write_tag(self, name: str, target: str, tagger: Signature, message: str) -> Tag:
        """A new annotated tag that no ref names yet; `refs.set("refs/tags/" + name, tag.sha, None)` does.

        Raises:
            UnknownRevision: the target is not here.
            BadName: git would not take the name.
        """
        check_ref_name(TAGS + name)
        sha = self.resolve(target)
        kind = self.objects.kind(sha)
        if kind is None:
            raise MissingObject(self.name, sha)
        return self.tag(self.objects.write("tag", encode_tag(name, sha, kind, tagger, message)))

    def set_ref(self, name: str, new: str, expected_old: str | None) -> None:
        """Move a ref from where the caller last saw it, or make it where that is None.

        Raises:
            RefMoved, BadName, MissingObject: see `Refs.set`.
        """
        self.refs.set(name, new, expected_old)

    def delete_ref(self, name: str, expected_old: str) -> None:
        """Remove a ref that is where the caller last saw it.

        Raises:
            RefMoved: it is somewhere else.
        """
        self.refs.delete(name, expected_old)

    def commit_files(
        self,
        branch: str,
        changes: Mapping[str, FileChange],
        message: str,
        author: Signature,
        committer: Signature | None = None,
    ) -> Commit:
        """A new commit on a branch that changes these files; a branch that is not there begins with it.

        Args:
            changes: by path: new content, a `File` with its mode, or None to delete.
            committer: the author, unless given.

        Raises:
            BadName, UnknownPath, TooLarge: a change cannot be made.
        """
        ref = BRANCHES + branch
        tip = self.refs.get(ref)
        parent = self.objects.commit(tip) if tip else None
        tree = self.write_tree(changes, parent.tree if parent else None)
        made = self.commit(tree, (tip,) if tip else (), author, committer or author, message)
        self.refs.set(ref, made.sha, tip)
        return made

    def savepoint(self) -> Savepoint:
        """A `with` block that on an exception takes back what it wrote, refs and effects included."""
        return self.objects.savepoint()

    def merge_check(self, base: str, head: str) -> Mergeable:
        """Whether the head can be merged into the base; nothing is written."""
        ours, theirs = self.commit_at(base), self.commit_at(head)
        return merges.merged_tree(self._draft(), self.base.objects_path, ours.sha, theirs.sha)

    def merge(
        self,
        base_branch: str,
        head: str,
        method: MergeMethod,
        message: str,
        committer: Signature,
        author: Signature | None = None,
    ) -> Commit:
        """The new tip of a branch into which the head was joined.

        Args:
            method: `merge` makes a commit with two parents, `squash` one commit, `rebase` one for each of the head's,
                which keep their authors and messages.
            author: of the merge or squash commit; the committer unless given.

        Raises:
            MergeConflict: a person is needed; nothing was written.
            NothingToMerge: the branch already contains the head.
            UnknownRevision: there is no such branch or head.
        """
        ref = BRANCHES + base_branch
        tip = self.refs.get(ref)
        if tip is None:
            raise UnknownRevision(f"{self.name} has no branch {base_branch}")
        draft = self._draft()
        theirs = self.commit_at(head).sha
        packed = self.base.objects_path
        made = merges.merge(draft, packed, tip, theirs, method, message, committer, author or committer)
        draft.keep([made.sha])
        self.refs.set(ref, made.sha, tip)
        return made

    def revert(self, branch: str, revision: str, message: str, committer: Signature) -> Commit:
        """The new tip of a branch, which undoes one of its commits; of a merge, what its second parent brought in.

        Raises:
            MergeConflict: later commits built on it; nothing was written.
            NothingToMerge: nothing of it is left.
            UnknownRevision: there is no such branch or commit.
        """
        ref = BRANCHES + branch
        tip = self.resolve(ref)
        draft = self._draft()
        made = merges.reverted(draft, self.base.objects_path, tip, self.commit_at(revision), committer, message)
        draft.keep([made.sha])
        self.refs.set(ref, made.sha, tip)
        return made

    def _draft(self) -> DraftObjects:
        return DraftObjects(self.objects)

    def _sides(self, old: str | None, new: str) -> tuple[str, str]:
        before = EMPTY_TREE if old is None else self.tree_at(old)
        return before, self.tree_at(new)
