"""Collects what a command prints, within bounds."""

from typing import Final

from brownout.sandbox.limits import Stop

__all__ = ["Collected", "Whole"]

_FLOOD: Final = 64


class Collected:
    """The beginning and the end of an output of any length; at 64 times `limit` bytes it asks to stop.

    Only the number of bytes decides, so the same output is always kept in the same way.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def take(self, data: bytes) -> Stop | None:
        self._total += len(data)
        room = self._limit // 2 - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._limit:
            del self._tail[: -self._limit]
        return Stop.OUTPUT if self._total > _FLOOD * self._limit else None

    @property
    def truncated(self) -> bool:
        return self._total > self._limit

    @property
    def output(self) -> bytes:
        if not self.truncated:
            return bytes(self._head + self._tail)
        tail = bytes(self._tail[-(self._limit - len(self._head)) :])
        return bytes(self._head) + b"\n[... %d bytes left out ...]\n" % (self._total - self._limit) + tail


class Whole:
    """All of an output that must not be longer than `most` bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.data = bytearray()

    def take(self, data: bytes) -> Stop | None:
        if len(self.data) + len(data) > self._most:
            return Stop.OUTPUT
        self.data += data
        return None
