"""A recorded run played again, so that it can be asked what the world would have said at any of its calls."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from brownout.core.calls import Effect, ToolCall
from brownout.core.errors import BrownoutError, RunError
from brownout.core.trajectory import Event, HeaderEvent, SayEvent, StopEvent, ToolCallEvent
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.recorder import StoredRun
from brownout.rollouts.replay import header_of
from worlds.package import Package

__all__ = ["Replayer"]


@dataclass(frozen=True, slots=True)
class _Move:
    """What the agent did at once: the calls of a turn, or something said."""

    calls: tuple[ToolCall, ...] = ()
    said: str | None = None


class Replayer:
    """A run on the package it was recorded on. It belongs to one thread.

    Raises:
        RunError: the package is another one.
    """

    def __init__(self, package: Package, run: StoredRun) -> None:
        self._header: HeaderEvent = header_of(run)
        if self._header.package != package.manifest.digest:
            raise RunError(f"the run is of package {self._header.package}, this is {package.manifest.digest}")
        self._world = World(package, hot=4)
        self._moves = list(_moves(run.events))
        self._made = [0, *accumulate(len(move.calls) for move in self._moves)]
        self._grades: dict[int, JsonObject] = {}
        self._session: Session | None = None
        self._done = 0
        self._finished: Session | None = None

    def path_of(self, effect: Effect) -> str:
        """The path of what an effect changed, as the world names it at the end of the run."""
        row = effect.after if effect.after is not None else effect.before
        app = self._world.setting.tables.get(effect.table)
        if row is None or app is None:
            return f"{effect.table}/{effect.key}"
        try:
            return self._world.setting.apps[app].path_of(self._ended().end_state().rows, effect.table, row)
        except (LookupError, BrownoutError, AssertionError):
            return f"{effect.table}/{effect.key}"

    def grade_after(self, calls: int) -> JsonObject:
        """The grade the episode would have had, had the agent stopped after so many calls.

        Raises:
            SessionError, GradingError: it cannot be played or judged.
        """
        if calls not in self._grades:
            twin = self._at(calls)
            try:
                twin.stop("prefix")
                self._grades[calls] = twin.grade().document()
            finally:
                twin.close()
        return self._grades[calls]

    def close(self) -> None:
        """Give everything back."""
        self._world.close()

    def _ended(self) -> Session:
        if self._finished is None:
            self._finished = self._world.open_session(self._header.task, seed=self._header.seed)
            for move in self._moves:
                _make(self._finished, move)
            self._finished.stop("replayed")
        return self._finished

    def _at(self, calls: int) -> Session:
        """A session in which the agent has made its first `calls` calls and nothing since; the caller closes it."""
        if self._session is None or self._made[self._done] > calls:
            if self._session is not None:
                self._session.close()
            self._session = self._world.open_session(self._header.task, seed=self._header.seed)
            self._done = 0
        while self._done < len(self._moves) and self._made[self._done + 1] <= calls:
            _make(self._session, self._moves[self._done])
            self._done += 1
        twin = self._session.fork()
        missing = calls - self._made[self._done]
        if missing > 0 and self._done < len(self._moves):
            _make(twin, _Move(self._moves[self._done].calls[:missing]))
        return twin


def _make(session: Session, move: _Move) -> None:
    if session.ended:
        return
    if move.said is not None:
        session.say(move.said)
    else:
        session.turn(move.calls)


def _moves(events: Sequence[Event]) -> Iterator[_Move]:
    """The agent's moves in their order, up to the end of the episode."""
    turn: list[ToolCall] = []
    number = -1
    for event in events:
        if isinstance(event, ToolCallEvent):
            if turn and event.turn != number:
                yield _Move(tuple(turn))
                turn = []
            number = event.turn
            turn.append(ToolCall(event.name, event.arguments, event.call_id))
        elif isinstance(event, SayEvent | StopEvent):
            is_submitted = bool(turn) and turn[-1].name == "submit"
            if turn:
                yield _Move(tuple(turn))
                turn = []
            if isinstance(event, SayEvent) and not is_submitted:
                yield _Move(said=event.text)
    if turn:
        yield _Move(tuple(turn))
