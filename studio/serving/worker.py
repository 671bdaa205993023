"""Work on open worlds is done by a worker: one thread, one thing after another.

SQLite connections are used by the thread that made them, and a preview has one position at a time; so
whoever wants something of a world hands in a piece of work and waits for its answer.
"""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

__all__ = ["Closable", "Worker"]

K = TypeVar("K")
T = TypeVar("T")


class Closable(Protocol):
    """Something open."""

    def close(self) -> None: ...


V = TypeVar("V", bound=Closable)


class Worker(Generic[K, V]):
    """Keeps a few things open, by key, and works on them in its own thread.

    Args:
        most: how many are open at a time; the one not used for longest is closed for a new one.
    """

    def __init__(self, name: str, make: Callable[[K], V], *, most: int) -> None:
        self._make = make
        self._most = most
        self._open: OrderedDict[K, V] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"studio-{name}")

    def ask(self, key: K, work: Callable[[V], T]) -> Future[T]:
        """The answer of a piece of work on what is open under `key`, in time; it is opened first if need be."""
        return self._thread.submit(lambda: work(self._take(key)))

    def forget(self, is_meant: Callable[[K], bool]) -> Future[None]:
        """Close everything whose key is meant."""
        return self._thread.submit(self._forget, is_meant)

    def _take(self, key: K) -> V:
        if key not in self._open:
            while len(self._open) >= self._most:
                self._open.popitem(last=False)[1].close()
            self._open[key] = self._make(key)
        self._open.move_to_end(key)
        return self._open[key]

    def _forget(self, is_meant: Callable[[K], bool]) -> None:
        for key in [key for key in self._open if is_meant(key)]:
            self._open.pop(key).close()
