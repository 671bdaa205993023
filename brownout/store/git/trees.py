"""Folders: finding a path in them, listing them, and making a new one by changing an old one."""

from collections.abc import Iterator, Mapping
from typing import Final

from brownout.store.git.errors import BadName, BadObject, MissingObject, UnknownPath
from brownout.store.git.object_sources import Objects
from brownout.store.git.objects import EMPTY_TREE
from brownout.store.git.value_types import (
    EXECUTABLE,
    FOLDER,
    LINK,
    REGULAR,
    SUBMODULE,
    File,
    FileChange,
    TreeEntry,
    check_path,
)

__all__ = ["MODES", "entry_at", "list_folder", "walk_files", "write_changes"]

_Parts = tuple[str, ...]
MODES: Final = frozenset({REGULAR, EXECUTABLE, LINK, FOLDER, SUBMODULE})


def entry_at(objects: Objects, tree: str, path: str) -> TreeEntry:
    """What is at that path below a folder; the folder itself for the empty path.

    Raises:
        UnknownPath: nothing is.
    """
    entry = TreeEntry(FOLDER, tree)
    for part in path.split("/") if path else ():
        found = objects.tree(entry.sha).get(part.encode("utf-8", "surrogateescape")) if entry.mode == FOLDER else None
        if found is None:
            raise UnknownPath(f"{objects.name} has no {path!r} in tree {tree}")
        entry = TreeEntry(found[0], found[1].decode())
    return entry


def list_folder(objects: Objects, tree: str) -> dict[str, TreeEntry]:
    """The entries of one folder by name, in git's order."""
    return {_text(name): TreeEntry(mode, sha.decode()) for name, (mode, sha) in objects.tree(tree).items()}


def walk_files(objects: Objects, tree: str, prefix: str = "") -> Iterator[tuple[str, TreeEntry]]:
    """Every file, link and submodule below a folder with its path, in git's order."""
    for name, (mode, sha) in objects.tree(tree).items():
        path = prefix + _text(name)
        if mode == FOLDER:
            yield from walk_files(objects, sha.decode(), path + "/")
        else:
            yield path, TreeEntry(mode, sha.decode())


def write_changes(objects: Objects, base: str | None, changes: Mapping[str, FileChange]) -> str:
    """The id of a folder that differs from `base` in these paths; all new objects are written.

    Deletions come first, so that a file may give way to a folder of its name. Folders left empty vanish.

    Raises:
        BadName: a path is not one that git would take, or an entry's mode is none of git's.
        UnknownPath: a path to delete is not there, or a file stands where a folder is needed.
        MissingObject, BadObject: an entry names an object that is not here, or is not what its mode says.
    """
    nested: dict[_Parts, FileChange] = {}
    for path, change in changes.items():
        check_path(path)
        nested[tuple(path.split("/"))] = change
    return _changed(objects, base, nested, "") or objects.write_tree({})


def _changed(objects: Objects, base: str | None, changes: Mapping[_Parts, FileChange], prefix: str) -> str | None:
    """The id of the changed folder, None where nothing is left in it."""
    items = dict(objects.tree(base)) if base and base != EMPTY_TREE else {}
    deeper: dict[str, dict[_Parts, FileChange]] = {}
    for parts, change in changes.items():
        if len(parts) > 1:
            deeper.setdefault(parts[0], {})[parts[1:]] = change
        elif change is None and items.pop(parts[0].encode(), None) is None:
            raise UnknownPath(f"{objects.name} has no {prefix}{parts[0]} to delete")
    for name, below in deeper.items():
        found = items.get(name.encode())
        if (found is not None and found[0] != FOLDER) or changes.get((name,)) is not None:
            raise UnknownPath(f"{prefix}{name} is a file, so nothing can be below it")
        folder = _changed(objects, found[1].decode() if found else None, below, f"{prefix}{name}/")
        if folder is None:
            items.pop(name.encode(), None)
        else:
            items[name.encode()] = (FOLDER, folder.encode())
    for parts, change in changes.items():
        if len(parts) == 1 and change is not None:
            items[parts[0].encode()] = _placed(objects, change, items.get(parts[0].encode()))
    return objects.write_tree(items) if items else None


def _placed(objects: Objects, change: bytes | File | TreeEntry, before: tuple[int, bytes] | None) -> tuple[int, bytes]:
    """Mode and id of what takes a path; plain bytes keep the mode of the file they replace."""
    if isinstance(change, bytes):
        change = File(change, before[0] if before and before[0] in (EXECUTABLE, LINK) else REGULAR)
    if change.mode not in MODES:
        raise BadName(
            f"{change.mode:o} is no mode of git's; those are {', '.join(f'{mode:o}' for mode in sorted(MODES))}"
        )
    if isinstance(change, File):
        return change.mode, objects.write("blob", change.data).encode()
    if change.mode != SUBMODULE:
        kind = objects.kind(change.sha)
        if kind is None:
            raise MissingObject(objects.name, change.sha)
        if kind != change.kind:
            raise BadObject(f"{change.sha} is a {kind}, but mode {change.mode:06o} is that of a {change.kind}")
    return change.mode, change.sha.encode()


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
