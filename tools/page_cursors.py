"""Cursors that name a position, not an offset, so that a page stays right while rows are added."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error

__all__ = ["InvalidCursor", "decode_cursor", "encode_cursor"]


class InvalidCursor(ValueError):
    """A cursor that this app did not hand out."""


def encode_cursor(kind: str, position: int) -> str:
    """An opaque cursor for the row after `position`."""
    return urlsafe_b64encode(f"{kind}:{position}".encode()).decode().rstrip("=")


def decode_cursor(kind: str, cursor: str) -> int:
    """The position in a cursor of that kind.

    Raises:
        InvalidCursor: it is not one.
    """
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        found, _, position = text.partition(":")
        if found == kind:
            return int(position)
    except (ValueError, Error):
        pass
    raise InvalidCursor(cursor)
