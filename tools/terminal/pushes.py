"""Reads what was pushed to a mirror: the refs that its hook wrote down, and the packs that came with them.

All of it was written by whoever uses the terminal. Nothing is believed: refs and objects are judged when they are
received (`forge`).
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from brownout.sandbox import Changes
from brownout.store.git import GitError, RawObject, TooLarge
from brownout.store.git.checkout_size import check_room
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.packs import LARGEST_CONTENT, LARGEST_PACK, read_pack
from tools.terminal.mirrors import Served, mirror_place
from tools.terminal.paths import is_below

__all__ = ["PushedCommand", "RefMove", "read_push"]

_LINE: Final = re.compile("([0-9a-f]{40}) ([0-9a-f]{40}) (refs/[^\\x00-\\x20\\x7f\\udc80-\\udcff]{1,250})")
_NOTHING: Final = "0" * 40
_LONGEST_JOURNAL: Final = 1 << 20
_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class RefMove:
    """A ref that went from one commit to another: `old` None makes it, `new` None removes it."""

    ref: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class PushedCommand:
    """Everything that one command pushed to a repository.

    Attributes:
        name: `owner/name`.
        objects: what came along, by id; whether it is sound is not known.
        trouble: why none of it can be taken, empty where some may be.
    """

    name: str
    moves: tuple[RefMove, ...]
    objects: Mapping[str, RawObject]
    trouble: str = ""


def read_push(served: Served, changes: Changes) -> PushedCommand | None:
    """What was pushed to the mirror since it was made; None where nothing was."""
    place = mirror_place(served.name)
    journal = changes.written.get(place + b"/journal")
    if journal is None or not journal.sha:
        return None
    moves = _moves(changes.blobs[journal.sha][:_LONGEST_JOURNAL])
    packs = [
        changes.blobs[entry.sha]
        for path, entry in changes.written.items()
        if is_below(path, place + b"/objects/pack") and path.endswith(b".pack") and entry.sha
    ]
    if not moves:
        return None
    if sum(map(len, packs)) > LARGEST_PACK:
        return PushedCommand(served.name, moves, {}, "pack exceeds maximum allowed size")
    draft = DraftObjects(served.objects)
    room = LARGEST_CONTENT
    for pack in packs:
        with suppress(GitError):  # what it should have brought is missing then, and the refs that need it are refused
            read_pack(pack, draft, room)
        room = LARGEST_CONTENT - sum(len(made.data) for made in draft.made.values())
    return PushedCommand(served.name, moves, draft.made, _trouble(draft))


def _moves(journal: bytes) -> tuple[RefMove, ...]:
    """Each ref once: from where it was first to where it was last."""
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for line in journal.splitlines():
        found = _LINE.fullmatch(line.decode("utf-8", "surrogateescape"))
        if found is not None and len(last) < _MOST:
            old, new, name = found.groups()
            first.setdefault(name, old)
            last[name] = new
    return tuple(
        RefMove(name, None if first[name] == _NOTHING else first[name], None if new == _NOTHING else new)
        for name, new in last.items()
        if new != first[name]
    )


def _trouble(draft: DraftObjects) -> str:
    """Why nobody should check out what came; what is merely unsound is refused when it is received."""
    try:
        check_room(draft, [draft.commit(sha).tree for sha, made in draft.made.items() if made.kind == "commit"])
    except TooLarge as error:
        return str(error)
    except GitError:
        return ""
    return ""
