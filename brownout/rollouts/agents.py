"""Agents: whatever makes the next turn of an episode. The simple ones need no model."""

from collections.abc import Callable
from typing import Protocol, cast, runtime_checkable

from brownout.core.calls import Observation, ToolCall
from brownout.core.errors import RunError, UsageError
from brownout.core.plugins import load_plugin
from brownout.core.steps import run_threaded
from brownout.engine.session import Session
from brownout.rollouts.options import AgentOptions
from brownout.rollouts.oracle import OracleMismatch, fill, keep
from worlds.package import Package
from worlds.spec import OracleStep

__all__ = ["Agent", "ChoosyAgent", "LazyAgent", "NoopAgent", "OracleAgent", "make_agent"]


class Agent(Protocol):
    """Plays one episode from its start to its end."""

    async def play(self, session: Session) -> None:
        """Act until the episode ends, or stop it with a reason."""
        ...


@runtime_checkable
class ChoosyAgent(Protocol):
    """An agent that cannot play every task; it is asked before anything is recorded."""

    def check(self, package: Package, task: str) -> None:
        """Return if it can play the task.

        Raises:
            UsageError: it cannot; the message says what it needs.
        """
        ...


class OracleAgent:
    """Plays the task's reference solution."""

    def __init__(self, options: AgentOptions) -> None:
        self._options = options

    async def play(self, session: Session) -> None:
        """Make the reference solution's calls.

        Raises:
            RunError: a step needs something that no earlier answer had: the oracle is wrong.
        """
        kept: dict[str, str] = {}
        steps = session.package.oracle(session.task.id)
        for number, step in enumerate(steps):
            if number == self._options.stop_after:
                session.stop("stopped", f"after {number} calls")
                return
            await self._step(session, step, number, kept)
            if session.ended:
                return
        session.stop("done", "the reference solution has no further steps")

    async def _step(self, session: Session, step: OracleStep, number: int, kept: dict[str, str]) -> Observation:
        try:
            arguments = fill(step.arguments, kept)
            call = ToolCall(step.call, arguments, f"step-{number + 1}")
            answer = (await run_threaded(session.steps([call])))[0]
            if answer.is_error and not step.meets:
                raise OracleMismatch(f"{step.call} failed: {answer.content}")
            if step.meets and answer.fault != step.meets:
                raise OracleMismatch(f"{step.call} was to meet {step.meets}, it met {answer.fault or 'nothing'}")
            kept.update(keep(step.keep, answer.structured))
        except OracleMismatch as error:
            raise RunError(f"{session.task.id}, step {number + 1} of the oracle: {error}") from error
        return answer


class LazyAgent:
    """Plays one of the task's scripts that want to be paid without doing the work; what fails, fails."""

    def __init__(self, options: AgentOptions) -> None:
        self._name = options.answer

    def check(self, package: Package, task: str) -> None:
        """Return if the task has the script.

        Raises:
            UsageError: it has not; the message lists those it has.
        """
        scripts = package.lazies(task)
        if self._name not in scripts:
            wanted = f"has no lazy script {self._name!r}" if self._name else "needs the name of a lazy script"
            raise UsageError(f"{task} {wanted}: --answer NAME, one of: {', '.join(scripts) or 'none'}")

    async def play(self, session: Session) -> None:
        """Make the script's calls.

        Raises:
            UsageError: the task has no such script; the message lists those it has.
        """
        self.check(session.package, session.task.id)
        kept: dict[str, str] = {}
        for number, step in enumerate(session.package.lazies(session.task.id)[self._name]):
            try:
                call = ToolCall(step.call, fill(step.arguments, kept), f"lazy-{number + 1}")
                answer = (await run_threaded(session.steps([call])))[0]
                kept.update(keep(step.keep, answer.structured))
            except OracleMismatch:
                continue
            if session.ended:
                return
        session.stop("done")


class NoopAgent:
    """Does nothing, or only says that it is done."""

    def __init__(self, options: AgentOptions) -> None:
        self._answer = options.answer

    async def play(self, session: Session) -> None:
        """Submit the answer it was given, or stop without one."""
        if self._answer:
            session.submit(self._answer)
        else:
            session.stop("noop")


def make_agent(name: str, options: AgentOptions) -> Agent:
    """The agent of that name.

    Raises:
        UnknownPlugin: there is none.
        UsageError: it needs settings that were not given.
    """
    return cast(Callable[[AgentOptions], Agent], load_plugin("agents", name))(options)
