"""The files of a repository through which its hidden tests enter the code: `repos/<name>/hidden/harness.yaml`.

    - boxoffice/devshell.py

An agent may change them as any file; hidden tests run with them as they were when the task began, so that a test is passed
by the product and not by the way in.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["laid_over", "read_harness", "with_harness"]


def read_harness(path: Path) -> list[str]:
    """The paths that a file lists.

    Raises:
        ValueError: it is no list of plain paths.
    """
    try:
        found = load_yaml(path.read_bytes())
    except BrokenText as error:
        raise ValueError(f"line {error.line}: {error}") from error
    if not isinstance(found, list) or not found or not all(isinstance(item, str) and _is_plain(item) for item in found):
        raise ValueError(f"expected a list of files such as boxoffice/devshell.py, found {found!r}")
    return found


def with_harness(tree: Mapping[str, bytes], base: Mapping[str, bytes], harness: Sequence[str]) -> Mapping[str, bytes]:
    """The tree with the harness's files as they are in the base; a file that the base lacks is taken away."""
    if not harness:
        return tree
    kept = {path: content for path, content in tree.items() if path not in harness}
    return laid_over(kept, {path: base[path] for path in harness if path in base})


def laid_over(tree: Mapping[str, bytes], files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The tree with files put into it: what stands where one of their folders must be, or below one of them, gives way.

    Whoever commits a file called `tests`, or a folder called `devshell.py`, has a tree that can be judged all the same.
    """
    folders = {str(parent) for path in files for parent in PurePosixPath(path).parents}
    kept = {
        path: content
        for path, content in tree.items()
        if path not in folders and not any(str(parent) in files for parent in PurePosixPath(path).parents)
    }
    return kept | dict(files)


def _is_plain(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "/".join(parts) == path
