"""Git repositories inside a session: refs and new objects are rows, so one changeset is the whole session.

    base = BaseRepository("package/repos/acme/shop.git")         # once per worker
    repository = Repository(session.rows, "acme/shop", base)     # anew for each call
    repository.commit_files("main", {"README.md": b"hello"}, "Say hello", author)

The tables cost nothing to import; everything else loads libgit2 and dulwich when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from brownout.store.git.tables import git_object, git_ref, metadata

if TYPE_CHECKING:
    from brownout.store.git.base import BaseRepository
    from brownout.store.git.errors import (
        BadName,
        BadObject,
        GitError,
        MergeConflict,
        MissingObject,
        NothingToMerge,
        PackTooLarge,
        PatchError,
        RefMoved,
        TooLarge,
        UnknownPath,
        UnknownRevision,
    )
    from brownout.store.git.merges import MergeMethod
    from brownout.store.git.mirrors import GIT_ENVIRONMENT, mirror, upload_pack_command
    from brownout.store.git.new_repository import Built, NewCommit, create_repository, tree_id
    from brownout.store.git.patches import apply_patch
    from brownout.store.git.received_pushes import (
        Push,
        PushRefusal,
        RefUpdate,
        advertise_push,
        import_objects,
        import_pack,
        protected,
        receive_pack,
    )
    from brownout.store.git.refs import BRANCHES, HEAD, TAGS, Refs, check_ref_name, seed_refs
    from brownout.store.git.repository import Repository
    from brownout.store.git.value_types import (
        BlameSpan,
        Commit,
        Comparison,
        File,
        FileChange,
        FileDiff,
        LineMatch,
        Mergeable,
        RawObject,
        Signature,
        Tag,
        TreeEntry,
    )

__all__ = [
    "BRANCHES",
    "GIT_ENVIRONMENT",
    "HEAD",
    "TAGS",
    "BadName",
    "BadObject",
    "BaseRepository",
    "BlameSpan",
    "Built",
    "Commit",
    "Comparison",
    "File",
    "FileChange",
    "FileDiff",
    "GitError",
    "LineMatch",
    "MergeConflict",
    "MergeMethod",
    "Mergeable",
    "MissingObject",
    "NewCommit",
    "NothingToMerge",
    "PackTooLarge",
    "PatchError",
    "Push",
    "PushRefusal",
    "RawObject",
    "RefMoved",
    "RefUpdate",
    "Refs",
    "Repository",
    "Signature",
    "Tag",
    "TooLarge",
    "TreeEntry",
    "UnknownPath",
    "UnknownRevision",
    "advertise_push",
    "apply_patch",
    "check_ref_name",
    "create_repository",
    "git_object",
    "git_ref",
    "import_objects",
    "import_pack",
    "metadata",
    "mirror",
    "protected",
    "receive_pack",
    "seed_refs",
    "tree_id",
    "upload_pack_command",
]

_MODULES = {
    "base": "BaseRepository",
    "new_repository": "Built NewCommit create_repository tree_id",
    "errors": "BadName BadObject GitError MergeConflict MissingObject NothingToMerge PackTooLarge PatchError RefMoved "
    "TooLarge UnknownPath UnknownRevision",
    "merges": "MergeMethod",
    "mirrors": "GIT_ENVIRONMENT mirror upload_pack_command",
    "patches": "apply_patch",
    "received_pushes": "Push RefUpdate PushRefusal advertise_push import_objects import_pack protected receive_pack",
    "refs": "BRANCHES HEAD TAGS Refs check_ref_name seed_refs",
    "repository": "Repository",
    "value_types": "BlameSpan Commit Comparison TreeEntry File FileChange FileDiff LineMatch Mergeable RawObject Signature Tag",
}
_HOMES = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
