"""Plays a script through TRL's environments as its trainer does: reset, methods by their names, the reward function."""

import asyncio
from collections.abc import Mapping

from brownout.core.values import JsonObject
from brownout.exporters.smoke_test import Play, Script
from brownout.exporters.trl.environment import TaskEnvironment, reward

__all__ = ["play_with"]


def play_with(classes: Mapping[str, type[TaskEnvironment]]) -> Play:
    """A player for these environments. Other episodes go on between its calls."""

    async def play(script: Script) -> JsonObject:
        environment = classes[script.row.task]()
        environment.reset(**script.row.model_dump())
        for call in script.calls:
            await asyncio.sleep(0)
            getattr(environment, call.name)(**call.arguments)
        said: list[JsonObject] = [{"role": "assistant", "content": script.answer}]
        [found] = reward([said], [environment])
        outcome = environment._finish()
        return {**(outcome.document() if outcome else {}), "reward": found}

    return play
