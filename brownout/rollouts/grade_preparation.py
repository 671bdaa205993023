"""Works out, while the agent acts, what the grade will need: what the agent cannot change, and what it may have left as it will be judged."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

from brownout.core.calls import Effect
from brownout.core.cancel_token import CancelToken
from brownout.core.errors import BrownoutError
from brownout.core.grading import AnticipatedWork, Anticipates, LooksAhead
from brownout.core.trajectory import Event, ResultEvent, StopEvent
from brownout.core.values import Json
from brownout.engine.session import Session
from graders.grader_lookup import load_grader
from worlds.spec.models import Rubric

__all__ = ["Anticipation", "beforehand"]

_MOST: Final = 3
"""Times that work is begun for a criterion in an episode: what is done in vain has cost a few seconds of an idle core, not minutes."""


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
    token = CancelToken()
    with ThreadPoolExecutor(1, thread_name_prefix="beforehand") as pool:
        for one in work:
            pool.submit(_tried, one, token)
        try:
            yield
        finally:
            token.cancel()


def _work(session: Session, rubric: Rubric, skip: frozenset[str]) -> Iterator[Callable[[], object]]:
    for criterion in {**rubric.gates, **rubric.points, **rubric.penalties}.values():
        grader = load_grader(criterion.grader)
        if criterion.grader not in skip and isinstance(grader, LooksAhead):
            with suppress(BrownoutError):
                work = grader.beforehand(session.end_state(), criterion.asks)
                if work is not None:
                    yield work


class Anticipation:
    """A session's sink that tells the rubric's graders what the agent's calls have done, and lets them work ahead.

    New work for a criterion cancels the earlier one. What fails here is no failure: the grade asks for it again.

    Args:
        sink: where the events go first.
        skip: graders that are left out.
    """

    def __init__(self, sink: Callable[[Event], None], rubric: Rubric, skip: frozenset[str] = frozenset()) -> None:
        self._sink = sink
        self._ahead = [
            _CriterionAhead(grader, criterion.asks)
            for criterion in {**rubric.gates, **rubric.points, **rubric.penalties}.values()
            if criterion.grader not in skip and isinstance(grader := load_grader(criterion.grader), Anticipates)
        ]
        self._session: Session | None = None

    def __call__(self, event: Event) -> None:
        """Pass the event on, and see whether something can be begun."""
        self._sink(event)
        if self._session is None:
            return
        if isinstance(event, ResultEvent) and event.effects:
            self._look(self._session, event.effects)
        elif isinstance(event, StopEvent):
            self._look(self._session, None)

    @contextmanager
    def following(self, session: Session) -> Iterator[None]:
        """Work ahead for the session's grade inside the block; what is not done at its end is cancelled."""
        with ThreadPoolExecutor(1, thread_name_prefix="anticipation") as self._pool:
            self._session = session
            try:
                yield
            finally:
                self._session = None
                for each in reversed(self._ahead):  # what waits for its turn first
                    each.cancel()

    def _look(self, session: Session, effects: Sequence[Effect] | None) -> None:
        found = [(each, _anticipated(each, session, effects)) for each in self._ahead]
        for each, work in reversed(found):
            if (work is None and effects is None) or (work is not None and work.key != each.key):
                each.cancel()
        if effects is not None:
            for each, work in found:
                if work is not None and work.key != each.key:
                    each.begin(work, self._pool)


class _CriterionAhead:
    """What is under way for one criterion.

    Attributes:
        key: of the work; empty where there is none.
    """

    def __init__(self, grader: Anticipates, asks: Json) -> None:
        self.grader = grader
        self.asks = asks
        self.key = ""
        self._token = CancelToken()
        self._left = _MOST

    def begin(self, work: AnticipatedWork, pool: ThreadPoolExecutor) -> None:
        if self._left:
            self._left -= 1
            self.key, self._token = work.key, CancelToken()
            pool.submit(_tried, partial(work.do, self._token), self._token)

    def cancel(self) -> None:
        self._token.cancel()
        self.key = ""


def _anticipated(ahead: _CriterionAhead, session: Session, effects: Sequence[Effect] | None) -> AnticipatedWork | None:
    with suppress(BrownoutError):
        return ahead.grader.anticipate(session.end_state, ahead.asks, session.seed, effects)
    return None


def _tried(work: Callable[[], object], token: CancelToken) -> None:
    with suppress(BrownoutError, OSError):
        if not token.is_cancelled:
            work()
