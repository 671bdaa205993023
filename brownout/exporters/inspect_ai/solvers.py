"""The solvers: one opens the session, one lets the model work, one plays the reference solution.

Inspect calls a solver by the package that it stands in, so each export has its own, which are these with its world.
"""
# mypy: disable-error-code="import-not-found"

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState

from brownout.core.values import JsonObject
from brownout.exporters.inside.episodes import ExportedEpisode
from brownout.exporters.inside.opened_export import ExportedWorld
from brownout.exporters.inspect_ai.session_tools import make_turn, shown_tools
from brownout.rollouts.agents import play_steps

__all__ = ["begin", "oracle", "play"]


def begin(world: ExportedWorld, seed: int = 0) -> Solver:
    """Open the session of a sample and give the model its tools."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        number = seed + state.epoch - 1
        episode = world.open(state.uuid, str(state.sample_id), seed=number, listener=_tell)
        state.store.set("trajectory", episode.trajectory)
        state.tools = shown_tools(episode)
        return state

    return solve


def play(world: ExportedWorld) -> Solver:
    """Let the model work until the episode ends: calls are a turn, plain text goes to the requester."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = _episode(world, state)
        while not episode.ended:
            state = await generate(state, tool_calls="none")
            message = state.output.message
            if state.output.stop_reason == "model_length":
                episode.session.stop("context", "the conversation no longer fits the model")
            elif state.output.stop_reason == "content_filter":
                episode.session.stop("content_filter", "the endpoint withheld the model's answer")
            elif message.tool_calls:
                state.messages.extend(await make_turn(episode, state.messages[:-1], message))
            else:
                reply = episode.say(message.text)
                if reply:
                    state.messages.append(ChatMessageUser(content=reply))
            if state.completed:
                break
        return state

    return solve


def oracle(world: ExportedWorld) -> Solver:
    """Play the task's reference solution; no model is asked. It must earn the whole reward."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = _episode(world, state).session
        await play_steps(session, world.solved.oracle(session.task.id), "the reference solution")
        return state

    return solve


def _episode(world: ExportedWorld, state: TaskState) -> ExportedEpisode:
    episode = world.find(state.uuid)
    if episode is None:
        raise RuntimeError("this sample has no session: the task's setup step `begin` did not run")
    return episode


def _tell(event: JsonObject) -> None:
    """Put what happens in the world into the transcript; calls and their answers are there as tool events."""
    if event["kind"] not in ("call", "clock"):
        left_out = ("content", "structured")
        transcript().info({name: value for name, value in event.items() if name not in left_out}, source="world")
