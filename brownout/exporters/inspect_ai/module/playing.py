"""The solvers: one opens the session, one lets the model work, one plays the reference solution."""
# mypy: disable-error-code="import-not-found,untyped-decorator"

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from brownout.core.values import JsonObject
from brownout.exporters.episodes import ExportedEpisode
from brownout.exporters.inspect_ai.module.calling import make_turn, shown_tools
from brownout.exporters.inspect_ai.module.opening import episodes
from brownout.rollouts.agents import OracleAgent
from brownout.rollouts.options import AgentOptions

__all__ = ["begin", "close", "oracle", "play"]


@solver
def begin(seed: int = 0) -> Solver:
    """Open the session of a sample and give the model its tools."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        number = seed + state.epoch - 1
        episode = episodes().open(state.uuid, str(state.sample_id), seed=number, listener=_tell)
        state.store.set("trajectory", episode.trajectory)
        state.tools = shown_tools(episode)
        return state

    return solve


@solver
def play() -> Solver:
    """Let the model work until the episode ends: calls are a turn, plain text goes to the requester."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = _episode(state)
        while not episode.ended:
            state = await generate(state, tool_calls="none")
            message = state.output.message
            if state.output.stop_reason == "model_length":
                episode.session.stop("context", "the conversation no longer fits the model")
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


@solver
def oracle() -> Solver:
    """Play the task's reference solution; no model is asked. It must earn the whole reward."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        await OracleAgent(AgentOptions()).play(_episode(state).session)
        return state

    return solve


async def close(state: TaskState) -> None:
    """Give the sample's session back."""
    episodes().release(state.uuid)


def _episode(state: TaskState) -> ExportedEpisode:
    episode = episodes().find(state.uuid)
    if episode is None:
        raise RuntimeError("this sample has no session: the task's setup step `begin` did not run")
    return episode


def _tell(event: JsonObject) -> None:
    """Put what happens in the world into the transcript; calls and their answers are there as tool events."""
    if event["kind"] not in ("call", "clock"):
        left_out = ("content", "structured")
        transcript().info({name: value for name, value in event.items() if name not in left_out}, source="world")
