"""Lays out a checkout on the host so that it can be bound read-only into a sandbox."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from brownout.core.errors import SandboxError
from brownout.sandbox.cache import cache_folder
from brownout.sandbox.inside.frames import is_plain

__all__ = ["staged"]


@contextmanager
def staged(tree: Mapping[str, bytes]) -> Iterator[Path]:
    """A folder that holds the files of `tree` (relative path -> content) until the block ends.

    Raises:
        SandboxError: a path that leads elsewhere, or a file where a folder is needed.
    """
    for path in tree:
        if not is_plain(path.encode("utf-8", "surrogateescape")):
            raise SandboxError(f"expected a plain relative path in a checkout, found {path!r}")
    trees = cache_folder() / "trees"
    trees.mkdir(mode=0o711, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=trees, prefix="") as name:
        top = Path(name)
        top.chmod(0o755)
        made = {top}
        for path, content in tree.items():
            place = top / path
            try:
                for folder in [*reversed(place.parents)][len(top.parts) :]:
                    if folder not in made:
                        folder.mkdir(mode=0o755)
                        made.add(folder)
                with place.open("xb") as stream:
                    stream.write(content)
                place.chmod(0o644)
            except OSError as error:
                raise SandboxError(f"the checkout cannot be laid out at {path!r}: {error}") from error
        for folder in made:
            folder.chmod(0o755)
        yield top
