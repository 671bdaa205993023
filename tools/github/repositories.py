"""Opening git repositories: the package's packs, once per worker, and above them the rows of one session."""

from functools import lru_cache
from pathlib import Path

from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from brownout.store.git import BaseRepository, Repository, UnknownRevision
from tools.github.tables import pull as _pull
from tools.github.tables import repository as _repository

__all__ = ["opened", "opened_at", "tree_of", "trees"]

_KEPT = 64
_CALLED = compile_query(
    select(_repository.c.full_name, _repository.c.folder).where(
        (_repository.c.full_name == bindparam("name")) | (_repository.c.name == bindparam("name"))
    )
)
_MERGED = compile_query(
    select(_pull.c.head_sha)
    .join(_repository, _repository.c.id == _pull.c.repository)
    .where(
        (_repository.c.full_name == bindparam("name"))
        & (_pull.c.head == bindparam("branch"))
        & (_pull.c.state == "merged")
    )
    .order_by(_pull.c.id.desc())
)


def opened(call: Call, repository: Row) -> Repository:
    """The git repository behind a row of `github_repository`, as the session has it."""
    return Repository(call.rows, repository.text("full_name"), _base(call.file(repository.text("folder"))))


def opened_at(rows: Rows, folder: Path, repository: Row) -> Repository:
    """The same of the rows of a package in a folder.

    Raises:
        PackageError: the package lacks it.
    """
    return Repository(rows, repository.text("full_name"), _base(folder / repository.text("folder")))


def tree_of(rows: Rows, base_path: Path, full_name: str, ref: str) -> dict[str, bytes]:
    """Path and content of every file at a ref.

    Args:
        base_path: the bare repository in the package (`repos/boxoffice.git`).
        full_name: `owner/name`.
        ref: a branch, a tag or a commit.

    Raises:
        UnknownRevision: the repository has no such ref.
        PackageError: there is no bare repository at that path.
    """
    found = Repository(rows, full_name, _base(base_path)).archive(ref)
    return {path: file.data for path, file in found.items()}


def trees(rows: Rows, folder: Path, name: str, ref: str) -> dict[str, bytes]:
    """Path and content of every file of a repository at a ref; nothing where it has no such ref.

    A branch that was deleted when its pull had been merged is what was merged.

    Args:
        folder: the package's.
        name: `owner/name`, or the name alone.

    Raises:
        LookupError: there is no such repository.
    """
    found = rows.one(_CALLED, name=name)
    if found is None:
        raise LookupError(f"there is no GitHub repository {name!r}")
    place, full_name = folder / found.text("folder"), found.text("full_name")
    try:
        return tree_of(rows, place, full_name, ref)
    except UnknownRevision:
        merged = next(iter(rows.all(_MERGED, name=full_name, branch=ref)), None)
        return tree_of(rows, place, full_name, merged.text("head_sha")) if merged is not None else {}


def _base(path: Path) -> BaseRepository:
    """The package's part of a repository; a folder that was built anew is opened anew."""
    found = (path / "objects").stat() if (path / "objects").is_dir() else None
    return _opened(path, found.st_ino if found else 0, found.st_mtime_ns if found else 0)


@lru_cache(maxsize=_KEPT)
def _opened(path: Path, inode: int, modified_ns: int) -> BaseRepository:
    return BaseRepository(path)
