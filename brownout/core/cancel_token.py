"""Work that nobody waits for any more can be told to end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from brownout.core.errors import BrownoutError

__all__ = ["CancelToken", "Cancelled"]


class Cancelled(BrownoutError):
    """The work ended without a result because it was cancelled."""


class CancelToken:
    """What work is handed by whoever may lose interest in it. Any thread may cancel it; a second time is harmless."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cancelled = False
        self._end: Callable[[], None] | None = None

    @property
    def is_cancelled(self) -> bool:
        """True once it was cancelled."""
        return self._cancelled

    def cancel(self) -> None:
        """End the work: what it is doing now is ended, and it begins nothing more."""
        with self._lock:
            self._cancelled = True
            if self._end is not None:
                self._end()

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """Do something that `end` ends, called from whichever thread cancels; it must be harmless where there is nothing to end.

        Raises:
            Cancelled: it was cancelled before or meanwhile, whatever the block came to.
        """
        with self._lock:
            if self._cancelled:
                raise Cancelled("cancelled before it began")
            self._end = end
        try:
            yield
        finally:
            with self._lock:
                self._end = None
                cancelled = self._cancelled
            if cancelled:
                raise Cancelled("cancelled while it was done")
