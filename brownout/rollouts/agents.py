"""Agents: whatever makes the next turn of an episode. The simple ones need no model."""

from collections.abc import Callable, Sequence
from typing import Protocol, cast, runtime_checkable

from brownout.core.blocking_steps import run_threaded
from brownout.core.calls import Observation, ToolCall
from brownout.core.errors import RunError, SessionError, UsageError
from brownout.core.plugins import load_plugin
from brownout.engine.session import Session
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.agent_session import AgentSession, LocalSession
from brownout.rollouts.named_facts import truth_of
from brownout.rollouts.script_language import OracleMismatch, fill, keep
from worlds.package import Package
from worlds.spec import OracleStep
from worlds.spec.case_scripts import CaseKind
from worlds.spec.script_names import names_used

__all__ = ["Agent", "ChoosyAgent", "GoodAgent", "LazyAgent", "NoopAgent", "OracleAgent", "make_agent", "play_steps"]


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
        steps = session.package.oracle(session.task.id)
        some = steps[: self._options.stop_after]
        await play_steps(session, some, "the oracle")
        if session.ended:
            return
        if len(some) < len(steps):
            session.stop("stopped", f"after {len(some)} calls")
        else:
            session.stop("done", "the reference solution has no further steps")


async def play_steps(session: Session, steps: Sequence[OracleStep], script: str) -> None:
    """Make calls each of which must come out as it is written, until the episode ends or there are none left.

    Raises:
        RunError: one did not.
    """
    kept: dict[str, str] = {}
    missing: set[str] = set()
    for number, step in enumerate(steps):
        if missing.intersection(names_used(step.arguments)):
            continue
        try:
            arguments = fill(step.arguments, kept, truth_of(session))
            call = ToolCall(step.call, arguments, f"step-{number + 1}")
            answer = (await run_threaded(session.steps([call])))[0]
            _check(step, answer)
            found = keep(step.keep, answer.structured)
            kept |= found
            missing = (missing | (step.keep.keys() - found.keys())) - found.keys()
        except OracleMismatch as error:
            raise RunError(f"{session.task.id}, step {number + 1} of {script}: {error}") from error
        if session.ended:
            return


def _check(step: OracleStep, answer: Observation) -> None:
    """Return if a call was refused where its step says so, and nowhere else.

    Raises:
        OracleMismatch: it came out otherwise.
    """
    if step.meets and answer.fault != step.meets:
        raise OracleMismatch(f"{step.call} was to meet {step.meets}, it met {answer.fault or 'nothing'}")
    if step.fails and not answer.is_error:
        raise OracleMismatch(f"{step.call} was to be refused, and was not")
    if answer.is_error and not (step.meets or step.fails):
        raise OracleMismatch(f"{step.call} failed: {answer.content}")


class _CaseAgent:
    """Plays one of the scripts that a task's rubric is tested by."""

    kind: CaseKind

    def __init__(self, options: AgentOptions) -> None:
        self._name = options.answer

    def check(self, package: Package, task: str) -> None:
        """Return if the task has the script.

        Raises:
            UsageError: it has not; the message lists those it has.
        """
        scripts = package.cases(task, self.kind)
        if self._name not in scripts:
            found = (
                f"has no {self.kind} script {self._name!r}" if self._name else f"needs the name of a {self.kind} script"
            )
            raise UsageError(f"{task} {found}: --answer NAME, one of: {', '.join(scripts) or 'none'}")

    def steps(self, session: Session) -> list[OracleStep]:
        """The script.

        Raises:
            UsageError: the task has no such script; the message lists those it has.
        """
        self.check(session.package, session.task.id)
        return session.package.cases(session.task.id, self.kind)[self._name]


class GoodAgent(_CaseAgent):
    """Plays one of the task's honest scripts that are not the reference solution."""

    kind = "good"

    async def play(self, session: Session) -> None:
        """Make the script's calls.

        Raises:
            UsageError: the task has no such script.
            RunError: a step came out otherwise than the script says.
        """
        await play_steps(session, self.steps(session), f"good/{self._name}")
        if not session.ended:
            session.stop("done")


class LazyAgent(_CaseAgent):
    """Plays one of the task's scripts that want to be paid without doing the work; what fails, fails."""

    kind = "lazy"

    async def play(self, session: Session) -> None:
        """Make the script's calls.

        Raises:
            UsageError: the task has no such script.
        """
        kept: dict[str, str] = {}
        for number, step in enumerate(self.steps(session)):
            try:
                call = ToolCall(step.call, fill(step.arguments, kept, truth_of(session)), f"lazy-{number + 1}")
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
        await self.play_anywhere(LocalSession(session))

    async def play_anywhere(self, play: AgentSession) -> None:
        """Submit the answer it was given, or stop without one, wherever the episode is.

        Raises:
            SessionError: the answer is not accepted.
        """
        if not self._answer:
            await play.stop("noop")
            return
        (said,) = await play.turn([ToolCall("submit", {"answer": self._answer}, "")])
        if not play.ended:
            raise SessionError(f"the answer was not accepted: {said[:300]}")


def make_agent(name: str, options: AgentOptions) -> Agent:
    """The agent of that name.

    Raises:
        UnknownPlugin: there is none.
        UsageError: it needs settings that were not given.
    """
    return cast(Callable[[AgentOptions], Agent], load_plugin("agents", name))(options)
