"""What strangers' objects must be before anything names them: whole, readable and safe to check out."""

from collections.abc import Iterable

from brownout.store.git.checkout_size import check_room
from brownout.store.git.errors import BadName, BadObject, MissingObject
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.objects import decode_commit, decode_tag, decode_tree, encode_tree
from brownout.store.git.trees import MODES
from brownout.store.git.value_types import SUBMODULE, Kind, RawObject, TreeEntry, check_path

__all__ = ["check_sound"]


def check_sound(draft: DraftObjects, tips: Iterable[str]) -> None:
    """Make sure that everything the tips need is here and is what it should be.

    What is below the draft is taken to be sound: nothing comes there but through this check or the session's own.

    Raises:
        MissingObject: something is not here.
        BadObject: something cannot be read, is of the wrong kind, or holds a path that no checkout should hold.
        TooLarge: no disk should hold a checkout of it.
    """
    seen: set[str] = set()
    waiting = list(tips)
    while waiting:
        sha = waiting.pop()
        made = draft.made.get(sha)
        if made is None:
            if not draft.has(sha):
                raise MissingObject(draft.name, sha)
        elif sha not in seen:
            seen.add(sha)
            for needed, kind in _needs(sha, made):
                found = draft.kind(needed)
                if found is None:
                    raise MissingObject(draft.name, needed)
                if found != kind:
                    raise BadObject(f"{made.kind} {sha} takes the {found} {needed} for a {kind}")
                waiting.append(needed)
    commits = [sha for sha in seen if draft.made[sha].kind == "commit"]
    check_room(draft, [draft.commit(sha).tree for sha in sorted(commits)])


def _needs(sha: str, made: RawObject) -> list[tuple[str, Kind]]:
    """The ids that an object names and what it takes them for."""
    if made.kind == "commit":
        commit = decode_commit(sha, made.data)
        return [(commit.tree, "tree"), *((parent, "commit") for parent in commit.parents)]
    if made.kind == "tag":
        tag = decode_tag(sha, made.data)
        return [(tag.target, tag.kind)]
    return _entries(sha, made.data) if made.kind == "tree" else []


def _entries(sha: str, data: bytes) -> list[tuple[str, Kind]]:
    items = decode_tree(data)
    if encode_tree(items) != data:
        raise BadObject(f"tree {sha} is not spelled as git would spell it: order, modes or names are wrong")
    needed: list[tuple[str, Kind]] = []
    for name, (mode, target) in items.items():
        try:
            check_path(name.decode())
        except (BadName, UnicodeDecodeError) as error:
            raise BadObject(
                f"tree {sha} holds {name!r}, which no checkout should hold: names are UTF-8 text"
            ) from error
        if b"/" in name or mode not in MODES:
            raise BadObject(f"tree {sha} holds {name!r} with mode {mode:o}")
        if mode != SUBMODULE:
            needed.append((target.decode(), TreeEntry(mode, "").kind))
    return needed
