"""A recorded run played again, so that it can be asked what the world would have said at any of its calls."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from brownout.core.calls import Effect, ToolCall
from brownout.core.errors import BrownoutError, RunError
from brownout.core.trajectory import Event, HeaderEvent, ResultEvent, SayEvent, StopEvent, ToolCallEvent, WorldEvent
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.recorder import StoredRun
from brownout.rollouts.replay import header_of
from worlds.package import Package

__all__ = ["Replayer", "Told"]

Told: TypeAlias = Callable[[str, float], None]
"""Is told what is being done, in words, and how much of it, 0 to 1."""
_BETWEEN = 12
"""Turns between two places that are kept: whoever steps back begins at the one before."""


def _untold(what: str, done: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class _AgentMove:
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
        self._events = run.events
        self._moves = list(_moves(run.events))
        self._made = [0, *accumulate(len(move.calls) for move in self._moves)]
        self._marks: dict[int, Session] = {}
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

    def paths(self, told: Told = _untold) -> dict[str, str]:
        """The paths of everything that the agent and the world changed, by table and key: `jira_issue/12`."""
        self._ended(told)
        wrote = (event.effects for event in self._events if isinstance(event, ResultEvent | WorldEvent))
        return {f"{effect.table}/{effect.key}": self.path_of(effect) for effects in wrote for effect in effects}

    def grade_after(self, calls: int, told: Told = _untold) -> JsonObject:
        """The grade the episode would have had, had the agent stopped after so many calls.

        Args:
            told: is told what is being done, and how much of it, before each turn; what it raises ends the work, and what
                was played so far stays.

        Raises:
            SessionError, GradingError: it cannot be played or judged.
        """
        twin = self._at(calls, told)
        try:
            told(f"Ending the episode after call {calls}", 1.0)
            twin.stop("prefix")
            told("Judging every criterion", 1.0)
            return twin.grade().document()
        finally:
            twin.close()

    def close(self) -> None:
        """Give everything back."""
        self._world.close()

    def _ended(self, told: Told = _untold) -> Session:
        if self._finished is None:
            self._finished = self._at(self._made[-1], told, and_more=True)
            self._finished.stop("replayed")
        return self._finished

    def _at(self, calls: int, told: Told, *, and_more: bool = False) -> Session:
        """A session in which the agent has made its first `calls` calls and nothing since; the caller closes it.

        Args:
            and_more: what was said behind the last of them as well.
        """
        done = max((mark for mark in self._marks if self._made[mark] <= calls), default=-1)
        session = self._marks[done].fork() if done >= 0 else self._open()
        done = max(done, 0)
        try:
            while done < len(self._moves) and (self._made[done + 1] <= calls if not and_more else True):
                told(f"Playing call {self._made[done + 1]} of {calls}", self._made[done] / max(calls, 1))
                _make(session, self._moves[done])
                done += 1
                if done % _BETWEEN == 0 and done not in self._marks and not session.ended:
                    self._marks[done] = session.fork()
        except BaseException:
            if not session.ended and done not in self._marks:
                self._marks[done] = session
            raise
        missing = calls - self._made[done]
        if missing > 0 and done < len(self._moves):
            if done not in self._marks:
                self._marks[done] = session.fork()
            _make(session, _AgentMove(self._moves[done].calls[:missing]))
        return session

    def _open(self) -> Session:
        return self._world.open_session(self._header.task, seed=self._header.seed)


def _make(session: Session, move: _AgentMove) -> None:
    if session.ended:
        return
    if move.said is not None:
        session.say(move.said)
    else:
        session.turn(move.calls)


def _moves(events: Sequence[Event]) -> Iterator[_AgentMove]:
    """The agent's moves in their order, up to the end of the episode."""
    turn: list[ToolCall] = []
    number = -1
    for event in events:
        if isinstance(event, ToolCallEvent):
            if turn and event.turn != number:
                yield _AgentMove(tuple(turn))
                turn = []
            number = event.turn
            turn.append(ToolCall(event.name, event.arguments, event.call_id))
        elif isinstance(event, SayEvent | StopEvent):
            is_submitted = bool(turn) and turn[-1].name == "submit"
            if turn:
                yield _AgentMove(tuple(turn))
                turn = []
            if isinstance(event, SayEvent) and not is_submitted:
                yield _AgentMove(said=event.text)
    if turn:
        yield _AgentMove(tuple(turn))
