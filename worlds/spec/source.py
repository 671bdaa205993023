"""An author's folder as bytes and trees, each file read once, so that the same text can be read again with another seed."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["Source"]

_KEPT: Final = 1_000


class Source:
    """The files below a folder, as they were when each was first looked at.

    Args:
        texts: what files are to say that says something else on disk, by their path: texts that are not saved yet.
    """

    def __init__(self, root: Path, texts: Mapping[str, bytes] | None = None) -> None:
        self.root = root
        self._bytes: dict[str, bytes] = dict(texts or {})
        self._trees: dict[str, object] = {}
        self._broken: dict[str, BrokenText] = {}

    def data(self, name: str) -> bytes:
        """The content of a file."""
        if name not in self._bytes:
            self._bytes[name] = (self.root / name).read_bytes()
        return self._bytes[name]

    def tree(self, name: str) -> object:
        """What a YAML file says; a caller changes nothing in it.

        Raises:
            BrokenText: it is no YAML that means something.
        """
        if name in self._broken:
            raise self._broken[name]
        if name not in self._trees:
            try:
                self._trees[name] = _tree_of(self.data(name))
            except BrokenText as error:
                self._broken[name] = error
                raise
        return self._trees[name]

    def tree_or_none(self, name: str) -> object:
        """What a YAML file says; None where it is not there or says nothing that can be read."""
        if not (self.root / name).is_file():
            return None
        try:
            return self.tree(name)
        except BrokenText:
            return None


@lru_cache(_KEPT)
def _tree_of(data: bytes) -> object:
    """What a file says. Whoever checks, builds or edits a world reads most of the same files again."""
    return load_yaml(data)
