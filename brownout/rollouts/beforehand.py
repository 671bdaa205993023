"""Works out, while the agent acts, what the grade will need and the agent cannot change."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress

from brownout.core.errors import BrownoutError
from brownout.core.grading import LooksAhead
from brownout.engine.session import Session
from graders.loading import load_grader
from worlds.spec.models import Rubric

__all__ = ["beforehand"]


@contextmanager
def beforehand(session: Session, rubric: Rubric, skip: frozenset[str] = frozenset()) -> Iterator[None]:
    """Do what the rubric's graders can do before the agent has begun, beside the block.

    What fails here is no failure: the grade asks for it again. What has begun at the block's end is waited for.

    Args:
        session: just opened.
        skip: graders that are left out.
    """
    work = list(_work(session, rubric, skip))
    if not work:
        yield
        return
    with ThreadPoolExecutor(1, thread_name_prefix="beforehand") as pool:
        begun: list[Future[None]] = [pool.submit(_tried, one) for one in work]
        try:
            yield
        finally:
            for each in begun:
                each.cancel()


def _work(session: Session, rubric: Rubric, skip: frozenset[str]) -> Iterator[Callable[[], object]]:
    for criterion in {**rubric.gates, **rubric.points, **rubric.penalties}.values():
        grader = load_grader(criterion.grader)
        if criterion.grader not in skip and isinstance(grader, LooksAhead):
            with suppress(BrownoutError):
                work = grader.beforehand(session.end_state(), criterion.asks)
                if work is not None:
                    yield work


def _tried(work: Callable[[], object]) -> None:
    with suppress(BrownoutError, OSError):
        work()
