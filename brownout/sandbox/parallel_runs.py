"""Runs independent work in the sandbox at once, as many as there are cores."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

__all__ = ["ahead"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def ahead(work: Callable[[Item], Result], items: Iterable[Item], at_once: int = 0) -> Iterator[Result]:
    """`work(item)` for each item, in their order; as many are under way at once as there are cores.

    Whoever stops reading waits for those that are under way; their results are lost.

    Args:
        at_once: fewer of them; 0 for no other bound.

    Raises:
        Exception: what the work raised, at its place in the order.
    """
    cores = len(os.sched_getaffinity(0))
    at_once = min(at_once or cores, cores)
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(at_once, thread_name_prefix="sandbox-ahead") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) == at_once:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for begun in waiting:
                begun.cancel()
