"""Work that pauses the session: generators that yield what is to be done outside the store."""

from asyncio import get_running_loop
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias, TypeVar

__all__ = ["BlockingSteps", "run_apart", "run_awaiting", "run_inline", "run_threaded"]

T = TypeVar("T")
BlockingSteps: TypeAlias = Generator[Callable[[], object], object, T]
"""Yields work, is sent its result, returns T."""


def run_inline(steps: BlockingSteps[T]) -> T:
    """The result of the steps; each piece of work is done here and now."""
    try:
        work = next(steps)
        while True:
            try:
                done = work()
            except BaseException as error:
                work = steps.throw(error)
            else:
                work = steps.send(done)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


async def run_threaded(steps: BlockingSteps[T]) -> T:
    """The result of the steps; each piece of work is done in a thread, so that an event loop can go on."""
    return await run_awaiting(steps, run_apart)


async def run_apart(work: Callable[[], T]) -> T:
    """What the work returns, done in a thread of its own: however many pieces hang, the next one is begun at once."""
    thread = ThreadPoolExecutor(1, thread_name_prefix="outside")
    try:
        return await get_running_loop().run_in_executor(thread, work)
    finally:
        thread.shutdown(wait=False)


async def run_awaiting(steps: BlockingSteps[T], do: Callable[[Callable[[], object]], Awaitable[object]]) -> T:
    """The result of the steps; each piece of work is given to `do`, whose failure is the work's."""
    try:
        work = next(steps)
        while True:
            try:
                done = await do(work)
            except BaseException as error:
                work = steps.throw(error)
            else:
                work = steps.send(done)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
