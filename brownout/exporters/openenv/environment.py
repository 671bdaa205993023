"""A world as OpenEnv's environment: one instance an episode, all in one process, which makes their calls on its event loop.

Rewards come with the step that ends an episode; there is no other place for them.
"""
# mypy: disable-error-code="import-not-found,misc"

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from typing import Any, Literal

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import CallToolObservation, ListToolsObservation, Tool
from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, Field

from brownout.core.blocking_steps import run_threaded
from brownout.core.calls import Observation as CallAnswer
from brownout.core.calls import ToolCall
from brownout.core.errors import GradingError
from brownout.core.values import JsonObject
from brownout.exporters.inside.episodes import ExportedEpisode
from brownout.exporters.inside.opened_export import ExportedWorld

__all__ = ["CompanyAction", "CompanyState", "TurnObservation", "company_app"]

_keys = count()


class ActionCall(BaseModel):
    """A call of a turn."""

    name: str
    arguments: dict[str, Any] = {}


class CompanyAction(Action):
    """What an agent does next; `call_tool` and `list_tools` are OpenEnv's own for tools."""

    type: Literal["turn", "call_tool", "list_tools"] = "turn"
    calls: list[ActionCall] = Field(default=[], description="Calls of one turn, made in this order.")
    text: str = Field(
        default="", description="Said to the person who asked; with no calls and no text the episode ends."
    )
    tool_name: str = Field(default="", description="Of `call_tool`: a turn of this one call.")
    arguments: dict[str, Any] = Field(default={}, description="Of `call_tool`.")


class TurnObservation(Observation):
    """What a turn brought."""

    text: str = Field(default="", description="After a reset what the agent is told; then what the person replied.")
    answers: list[str] = Field(default=[], description="Of the calls, in their order.")
    errors: list[bool] = Field(default=[], description="Which answers are errors.")


class CompanyState(State):
    """Which episode this is."""

    task: str = ""
    seed: int = 0
    ended: str = ""


def company_app(world: ExportedWorld, name: str, most: int = 64) -> object:
    """The server of a world.

    Args:
        most: how many episodes may go on at once; one more is refused.
    """

    class CompanyEnvironment(_Environment):
        def __init__(self) -> None:
            super().__init__(world)

    return create_app(
        CompanyEnvironment,
        CompanyAction,
        TurnObservation,
        env_name=name,
        max_concurrent_envs=most,
        state_cls=CompanyState,
    )


class _Environment(Environment):
    """One episode after another."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, world: ExportedWorld) -> None:
        super().__init__()
        self._world = world
        self._key = ""
        self._episode: ExportedEpisode | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._state = CompanyState()

    def reset(self, *_: object, **__: object) -> Observation:
        raise NotImplementedError("the server awaits reset_async")

    def step(self, *_: object, **__: object) -> Observation:
        raise NotImplementedError("the server awaits step_async")

    @property
    def state(self) -> State:
        """Which episode it is, and how many steps it took."""
        return self._state

    async def reset_async(
        self, seed: int | None = None, episode_id: str | None = None, task: str = "", **_: object
    ) -> Observation:
        """Begin an episode of a task that is offered; without one, of the first row's, and with its seed.

        Raises:
            ValueError: it is not offered.
            SandboxUnavailable: it runs code, and there is no sandbox.
        """
        row = next((row for row in self._world.rows if row.task == task or not task), None)
        if row is None:
            offered = dict.fromkeys(row.task for row in self._world.rows)
            raise ValueError(f"expected one of the tasks {', '.join(offered)}, found {task!r}")
        self._world.check(row.task)
        self.close()
        self._loop = asyncio.get_running_loop()
        self._key = f"openenv-{next(_keys)}"
        self._episode = self._world.open(self._key, row.task, seed=row.seed if seed is None else seed)
        session = self._episode.session
        self._state = CompanyState(episode_id=episode_id or self._key, task=row.task, seed=session.seed)
        return TurnObservation(text=row.prompt, metadata={"tools": session.tools})

    async def step_async(self, action: CompanyAction, timeout_s: float | None = None, **_: object) -> Observation:
        """One turn, and the reward where it ends the episode; one that the machine fails at ends it without a reward.

        It is not cut off: the company's clock is not the wall's.
        """
        if self._episode is None:
            raise ValueError("no episode was begun: reset first")
        if action.type == "list_tools":
            tools = self._episode.session.tools
            return ListToolsObservation(tools=[Tool.model_validate(tool) for tool in tools])
        self._state.step_count += 1
        calls = (
            [ActionCall(name=action.tool_name, arguments=action.arguments)]
            if action.type == "call_tool"
            else action.calls
        )
        episode = self._episode
        try:
            made, reply = await self._turned(episode, calls, action.text)
        except Exception:
            if episode.failure is None:
                raise
            made, reply = [], ""
            self._state.ended = "env_error"
        ending: dict[str, Any] = {}
        if episode.ended or episode.failure is not None:
            self._state.ended = episode.ended or self._state.ended
            ending = await self._graded(episode)
        if action.type == "call_tool":
            return CallToolObservation(tool_name=action.tool_name, result=made[0].content if made else "", **ending)
        answers = [answer.content for answer in made]
        return TurnObservation(text=reply, answers=answers, errors=[answer.is_error for answer in made], **ending)

    async def _turned(
        self, episode: ExportedEpisode, calls: Sequence[ActionCall], text: str
    ) -> tuple[list[CallAnswer], str]:
        """What the calls of a turn are answered, and its words; with neither the episode ends."""
        made = await episode.turn([ToolCall(call.name, call.arguments, "") for call in calls])
        if not calls and not text:
            episode.session.stop("done", "the agent does not go on")
        return made, episode.say(text) if text and not episode.ended else ""

    async def _graded(self, episode: ExportedEpisode) -> dict[str, Any]:
        """Reward and ledger; no reward, and why, where the environment is at fault."""
        try:
            outcome: JsonObject = (await run_threaded(episode.outcome(self._world.grading))).document()
        except GradingError as error:
            return {
                "done": True,
                "reward": None,
                "metadata": {"failure": str(error), "failure_kind": error.failure_kind},
            }
        return {"done": True, "reward": outcome["reward"], "metadata": outcome}

    def close(self) -> None:
        """Give the episode's storage back, on the loop that made its calls: the server closes in another thread."""
        key, self._key, self._episode = self._key, "", None
        if key and self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed, and the world with it
                self._loop.call_soon_threadsafe(self._world.release, key)
