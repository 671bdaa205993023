"""Changes as idle sessions keep them: what many sessions of one start have alike is kept once, not by each of them.

A company that nobody disturbs becomes the same in every session, row by row, so the first large changeset of a start stands for
what everyday life did, and the others keep what they have otherwise. SQLite tells that difference: the one taken back, then the
other. So nothing has to be known about rows or keys: whatever is alike is left out, and the whole comes back from the two.
Small ones are only compressed: sessions come to be idle at all points of an episode, and would take turns at being the shared one.
"""

from dataclasses import dataclass
from typing import Final
from zlib import compress, decompress

import apsw

__all__ = ["UNCHANGED", "Keeping", "Kept"]

_COMPRESSED: Final = 1_024
"""Bytes from which on a changeset is worth the 20 microseconds for each ten thousand of them that compressing takes."""
_LARGE: Final = 32_768
"""Bytes from which on it is worth the milliseconds of looking for what others have too."""
_QUICKLY: Final = 1
_WORTH_SHARING: Final = 8
"""A difference is kept where it is smaller than this part of the changeset: half of what compressing alone gives."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A changeset as it is kept.

    Attributes:
        own: it as it is, or compressed, where nothing is shared; else what it has otherwise than the shared one, compressed.
        shared: another session's of the same start, compressed; empty where none is.
        is_compressed: whether `own` is.
    """

    own: bytes
    shared: bytes = b""
    is_compressed: bool = False

    def changeset(self) -> bytes:
        """The whole."""
        if not self.shared:
            return decompress(self.own) if self.is_compressed else self.own
        if not self.own:
            return decompress(self.shared)
        return apsw.Changeset.concat(decompress(self.shared), decompress(self.own))


UNCHANGED: Final = Kept(b"")


class Keeping:
    """How the changesets of one start are kept.

    It holds the latest one to share; those before it live as long as sessions that are kept beside them.
    """

    def __init__(self) -> None:
        self._shared = b""

    def kept(self, changeset: bytes) -> Kept:
        """A changeset to be kept: a small one by itself, a large one beside the shared one, or as the next to be shared."""
        if len(changeset) < _COMPRESSED:
            return Kept(changeset)
        if len(changeset) < _LARGE:
            return Kept(compress(changeset, _QUICKLY), is_compressed=True)
        if self._shared:
            taken_back = apsw.Changeset.invert(decompress(self._shared))
            own = compress(apsw.Changeset.concat(taken_back, changeset))
            if len(own) * _WORTH_SHARING < len(changeset):
                return Kept(own, self._shared, is_compressed=True)
        self._shared = compress(changeset)
        return Kept(b"", self._shared)
