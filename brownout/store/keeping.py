"""Changes as idle sessions keep them: what many sessions of one start have alike is kept once, not by each of them.

A company that nobody disturbs becomes the same in every session, row by row, so the first large changeset of a start stands for
what everyday life did, and the others keep what they have otherwise. SQLite tells that difference: the one taken back, then the
other. So nothing has to be known about rows or keys: whatever is alike is left out, and the whole comes back from the two.
"""

from dataclasses import dataclass
from typing import Final
from zlib import compress, decompress

import apsw

__all__ = ["UNCHANGED", "Keeping", "Kept"]

_LARGE: Final = 32_768
"""Bytes from which on a changeset is worth the milliseconds."""
_WORTH_SHARING: Final = 8
"""A difference is kept where it is smaller than this part of the changeset: half of what compressing alone gives."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A changeset as it is kept.

    Attributes:
        own: it as it is, where nothing is shared; else what it has otherwise than the shared one, compressed.
        shared: another session's of the same start, compressed; empty where none is.
    """

    own: bytes
    shared: bytes = b""

    def changeset(self) -> bytes:
        """The whole."""
        if not self.shared:
            return self.own
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
        """A changeset to be kept: a small one as it is, a large one beside the shared one, or as the next to be shared."""
        if len(changeset) < _LARGE:
            return Kept(changeset)
        if self._shared:
            taken_back = apsw.Changeset.invert(decompress(self._shared))
            own = compress(apsw.Changeset.concat(taken_back, changeset))
            if len(own) * _WORTH_SHARING < len(changeset):
                return Kept(own, self._shared)
        self._shared = compress(changeset)
        return Kept(b"", self._shared)
