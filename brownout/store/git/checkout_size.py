"""How much a tree unfolds to. A few small objects can name each other so often that no disk would hold the checkout."""

from collections.abc import Iterable
from typing import Final

from brownout.store.git.errors import TooLarge
from brownout.store.git.object_sources import Objects
from brownout.store.git.value_types import FOLDER, SUBMODULE, CheckoutSize

__all__ = ["LARGEST_CHECKOUT", "LONGEST_NAME", "LONGEST_PATH", "check_room"]

LONGEST_NAME: Final = 255
"""Bytes of one name, as Linux has it."""
LONGEST_PATH: Final = 1000
"""Bytes of a file's path in a repository; checkouts lie in folders that need some of a system's 4096 themselves."""
LARGEST_CHECKOUT: Final = 64 << 20
"""Bytes of all files of a commit."""
_MOST_FILES: Final = 20_000
_DEEPEST: Final = 100


def check_room(objects: Objects, trees: Iterable[str]) -> None:
    """Make sure that each of the trees can be checked out, without doing so.

    Raises:
        TooLarge: one has too many files, too many bytes, or names that are too long.
        MissingObject, BadObject: something in it is not there, or is no tree.
    """
    known: dict[str, CheckoutSize] = {}
    waiting = [(tree, False) for tree in trees]
    while waiting:
        tree, is_ready = waiting.pop()
        remembered = known.get(tree) or objects.checkout_size(tree)
        if remembered is not None:
            known[tree] = remembered
            continue
        folders = [sha.decode() for mode, sha in objects.tree(tree).values() if mode == FOLDER]
        if not is_ready:
            if len(waiting) > _MOST_FILES:
                raise TooLarge("a commit has too many folders")
            waiting += [(tree, True), *((folder, False) for folder in folders if folder not in known)]
            continue
        known[tree] = _measured(objects, tree, known)
        objects.remember_checkout_size(tree, known[tree])


def _measured(objects: Objects, tree: str, known: dict[str, CheckoutSize]) -> CheckoutSize:
    files = size = path = depth = 0
    for name, (mode, sha) in objects.tree(tree).items():
        if len(name) > LONGEST_NAME:
            raise TooLarge(f"a name of {len(name)} bytes is too long: {name[:40]!r}…")
        below = known.get(sha.decode(), CheckoutSize()) if mode == FOLDER else _file(objects, sha.decode(), mode)
        files, size = files + below.files, size + below.size
        path = max(path, len(name) + (1 + below.path if below.path else 0))
        depth = max(depth, below.depth + (mode == FOLDER))
    measured = CheckoutSize(files, size, path, depth)
    if files > _MOST_FILES or size > LARGEST_CHECKOUT or path > LONGEST_PATH or depth > _DEEPEST:
        raise TooLarge(
            f"a commit has too many files, or folders too deep: {files} files, {size} bytes, {depth} folders deep, "
            f"paths of up to {path} bytes; at most {_MOST_FILES}, {LARGEST_CHECKOUT}, {_DEEPEST} and {LONGEST_PATH}"
        )
    return measured


def _file(objects: Objects, sha: str, mode: int) -> CheckoutSize:
    return CheckoutSize(files=1) if mode == SUBMODULE else CheckoutSize(files=1, size=len(objects.read(sha, "blob")))
