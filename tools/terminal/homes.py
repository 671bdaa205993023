"""Reading a home directory: from rows, or as it would be if its owner moved in now."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.sandbox import Workspace, WorkspaceEntry
from brownout.store import compile_query
from tools.terminal import github_access, records, tables
from tools.terminal.clones import NewHome, new_home
from tools.terminal.errors import TerminalError
from tools.terminal.paths import home_path, login_of, unspelled

__all__ = ["cloned", "home_of", "known_objects", "looked_at", "new", "read_whole", "with_contents"]

_checkout, _file, _content, _blob = tables.checkout, tables.file, tables.content, tables.blob
_FILES: Final = compile_query(
    select(_file.c.path, _file.c.mode, _content.c.sha, _content.c.size, _file.c.mtime)
    .join_from(_file, _content, _content.c.id == _file.c.id)
    .where(_file.c.owner == bindparam("owner"))
    .order_by(_file.c.path)
)
_CHECKOUTS: Final = compile_query(
    select(_checkout).where(_checkout.c.owner == bindparam("owner")).order_by(_checkout.c.id)
)
_BLOB: Final = compile_query(select(_blob.c.data).where(_blob.c.sha == bindparam("sha")))
_BLOBS: Final = compile_query(select(_blob.c.sha, _blob.c.data))


def home_of(call: Call) -> Row:
    """The actor's machine.

    Raises:
        TerminalError: they have none.
    """
    found = records.home_of(call, call.actor.person)
    if found is None:
        raise TerminalError("EACCES", "Permission denied: you have no machine here", status=403)
    return found


def looked_at(call: Call) -> Workspace:
    """The actor's files, to be looked at; on the first day nothing is written yet."""
    home = home_of(call)
    if not home.text("digest"):
        return new(call, home).workspace
    return with_contents(call, home.text("owner"), _entries(call, home))


def new(call: Call, home: Row) -> NewHome:
    """The home directory of somebody who moves in now."""
    served = [github_access.served_now(call, remote, 0) for remote in github_access.remotes(call)]
    return new_home(home_path(login_of(home.text("owner"))), served, call.now * 1000)


def with_contents(call: Call, owner: str, entries: Mapping[bytes, WorkspaceEntry]) -> Workspace:
    """The files with contents that are read from rows when they are asked for."""
    return Workspace(entries, _Contents(call, owner))


def read_whole(call: Call, home: Row) -> Workspace:
    """The files with all their contents, to be used where there are no rows."""
    entries = _entries(call, home)
    contents = _Contents(call, home.text("owner"))
    blobs = {str(sha): data for sha, data in call.rows.tuples(_BLOBS, {}) if isinstance(data, bytes)}
    return Workspace(entries, {e.sha: blobs.get(e.sha) or contents[e.sha] for e in entries.values() if e.sha})


def known_objects(call: Call, owner: str) -> dict[str, int]:
    """The key of the last git object that each clone had on the first day, by repository."""
    return {row.text("repo"): row.number("objects") for row in call.rows.all(_CHECKOUTS, owner=owner)}


def cloned(call: Call, owner: str) -> Mapping[str, bytes]:
    """The contents of the files that were cloned on the first day, by SHA-256; they are not blobs."""
    found: dict[str, bytes] = {}
    for row in call.rows.all(_CHECKOUTS, owner=owner):
        found |= github_access.contents_at(call, row.text("repo"), row.text("commit_sha"))
    return found


def _entries(call: Call, home: Row) -> dict[bytes, WorkspaceEntry]:
    found = {}
    for path, mode, sha, size, mtime in call.rows.tuples(_FILES, {"owner": home.text("owner")}):
        assert isinstance(mode, int)
        assert isinstance(size, int)
        assert isinstance(mtime, int)
        found[unspelled(str(path))] = WorkspaceEntry(mode, str(sha), size, mtime)
    return dict(sorted(found.items()))


class _Contents(Mapping[str, bytes]):
    """Contents by SHA-256: blobs, and the files of the commits that were checked out on the first day."""

    def __init__(self, call: Call, owner: str) -> None:
        self._call, self._owner = call, owner

    def __getitem__(self, sha: str) -> bytes:
        data = self._call.rows.scalar(_BLOB, sha=sha)
        return data if isinstance(data, bytes) else self._checked_out[sha]

    def __iter__(self) -> Iterator[str]:
        blobs = (str(sha) for sha, _ in self._call.rows.tuples(_BLOBS, {}))
        return iter(dict.fromkeys([*blobs, *self._checked_out]))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @cached_property
    def _checked_out(self) -> Mapping[str, bytes]:
        return cloned(self._call, self._owner)
