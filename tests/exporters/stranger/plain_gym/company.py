"""A company with reset and step, and the player of scripts for its smoke test."""

from itertools import count
from pathlib import Path

from brownout.core.values import JsonObject
from brownout.exporters.inside.opened_export import open_export
from brownout.exporters.smoke_test import Play, Script

__all__ = ["Company", "player"]


class Company:
    """The episodes of one agent, one after another."""

    def __init__(self, folder: Path) -> None:
        self._world = open_export(folder)
        self._keys = map(str, count())
        self._key = ""

    def reset(self, task: str, seed: int) -> str:
        """Begin an episode; what the agent is told."""
        self._world.release(self._key)
        self._key = next(self._keys)
        return self._world.open(self._key, task, seed=seed).session.instructions

    def step(self, name: str, arguments: JsonObject) -> str:
        """Make a call; what is answered."""
        episode = self._world.find(self._key)
        assert episode is not None
        return episode.call(name, arguments).content

    def outcome(self) -> JsonObject:
        """End the episode; its reward, ledger and criteria."""
        episode = self._world.find(self._key)
        assert episode is not None
        return episode.finish(self._world.grading).document()


def player(folder: Path) -> Play:
    """Plays scripts, each in a company of its own."""

    async def play(script: Script) -> JsonObject:
        company = Company(folder)
        company.reset(script.row.task, script.row.seed)
        for call in script.calls:
            company.step(call.name, call.arguments)
        return company.outcome()

    return play
