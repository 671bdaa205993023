"""The only writer of the terminal's tables.

What lies in somebody's home directory is their own business: its effects are harmless, and contents leave none, as
git's objects do not. What a command does to anything else is another app's to record.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Final

from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.errors import StoreError
from brownout.core.rows import Row
from brownout.sandbox import normalise
from brownout.store import StoreRows, compile_query
from tools.terminal import tables
from tools.terminal.clones import NewHome
from tools.terminal.paths import spelled
from tools.terminal.workspace_changes import KeptChanges

__all__ = ["add_home", "home_of", "keep", "move_in", "remember"]

_home, _checkout, _file, _content, _blob = tables.home, tables.checkout, tables.file, tables.content, tables.blob
_HOME_OF: Final = compile_query(select(_home).where(_home.c.owner == bindparam("owner")))
_AT: Final = compile_query(
    select(_file.c.id, _content.c.sha)
    .join_from(_file, _content, _content.c.id == _file.c.id)
    .where(_file.c.owner == bindparam("owner"), _file.c.path == bindparam("path"))
)
_BLOB: Final = compile_query(select(_blob.c.id).where(_blob.c.sha == bindparam("sha")))
_USED: Final = compile_query(select(_content.c.id).where(_content.c.sha == bindparam("sha")).limit(1))
_MOST_MASKED: Final = 4 << 20
"""Bytes up to which a text is masked; what is longer is compared as it is."""


def add_home(call: Call, account: Account) -> int:
    """Give somebody a machine; there is nothing on it before they use it."""
    return call.rows.insert(_home, owner=account.person)


def home_of(call: Call, person: str) -> Row | None:
    """Somebody's machine, None for those who have none."""
    return call.rows.one(_HOME_OF, owner=person)


def move_in(call: Call, home: Row, new: NewHome, digest: str) -> None:
    """Write the home directory as it is before anything was done in it: nobody's doing, so it leaves no effects."""
    rows, owner = _own(call), home.text("owner")
    with _quietly(rows):
        for repo, commit in new.commits.items():
            rows.insert(_checkout, owner=owner, repo=repo, commit_sha=commit, objects=new.objects[repo])
        for path, entry in new.workspace.entries.items():
            at = rows.insert(
                _file, owner=owner, path=spelled(path), mode=entry.mode, masked=entry.sha, mtime=entry.mtime
            )
            rows.insert(_content, id=at, sha=entry.sha, size=entry.size)
        _add_blobs(rows, new.blobs)
        rows.update(_home, home.number("id"), since_us=call.now, digest=digest)


def keep(call: Call, home: Row, kept: KeptChanges, cloned: Collection[str]) -> None:
    """Make the files as they are now.

    Args:
        cloned: the SHA-256 of contents that the package has.
    """
    rows, owner = _own(call), home.text("owner")
    before: set[str] = set()
    with rows.harmlessly():
        for path in kept.removed:
            found = rows.one(_AT, owner=owner, path=spelled(path))
            if found is not None:
                before.add(found.text("sha"))
                rows.delete(_file, found.number("id"))
                with _quietly(rows):
                    rows.delete(_content, found.number("id"))
        for path, entry in kept.written.items():
            found = rows.one(_AT, owner=owner, path=spelled(path))
            state: dict[str, int | str] = {"mode": entry.mode, "mtime": entry.mtime}
            if found is None or found.text("sha") != entry.sha:
                state["masked"] = _masked(kept.blobs[entry.sha]) if entry.sha else ""
            if found is None:
                at = rows.insert(_file, owner=owner, path=spelled(path), **state)
                with _quietly(rows):
                    rows.insert(_content, id=at, sha=entry.sha, size=entry.size)
            else:
                before.add(found.text("sha"))
                rows.update(_file, found.number("id"), **state)
                with _quietly(rows):
                    rows.update(_content, found.number("id"), sha=entry.sha, size=entry.size)
    used = {entry.sha for entry in kept.written.values()}.difference(cloned)
    with _quietly(rows):
        _add_blobs(rows, {sha: data for sha, data in kept.blobs.items() if sha in used})
        _drop_blobs(rows, before)


def remember(call: Call, home: Row, history: str, digest: str) -> None:
    """Say which state the machine is in, so that a sandbox in that state can be found."""
    rows = _own(call)
    with _quietly(rows):
        rows.update(_home, home.number("id"), history=history, **({"digest": digest} if digest else {}))


def _masked(data: bytes) -> str:
    """The SHA-256 of a content, of a text without its measured durations, addresses and random names: `in 0.03s`."""
    if len(data) <= _MOST_MASKED and b"\0" not in data:
        with suppress(UnicodeDecodeError):
            data = normalise(data.decode()).encode()
    return sha256(data).hexdigest()


def _add_blobs(rows: StoreRows, blobs: Mapping[str, bytes]) -> None:
    for sha, data in sorted(blobs.items()):
        if rows.scalar(_BLOB, sha=sha) is None:
            rows.insert(_blob, sha=sha, data=data)


def _drop_blobs(rows: StoreRows, shas: set[str]) -> None:
    """Forget the contents that no file has any more."""
    for sha in sorted(shas - {""}):
        if rows.scalar(_USED, sha=sha) is None and isinstance(key := rows.scalar(_BLOB, sha=sha), int):
            rows.delete(_blob, key)


def _own(call: Call) -> StoreRows:
    if not isinstance(call.rows, StoreRows):
        raise StoreError(f"the rows of a terminal are those of a store session, not {type(call.rows).__name__}")
    return call.rows


@contextmanager
def _quietly(rows: StoreRows) -> Iterator[None]:
    recorded, rows.record = rows.record, False
    try:
        yield
    finally:
        rows.record = recorded
