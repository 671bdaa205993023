"""Plays an export through its framework without a model: reference solutions must earn 1, and doing nothing 0."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

from brownout.core.errors import BrownoutError
from brownout.core.values import Json, JsonObject, canonical
from brownout.exporters.export_request import ExportRow
from brownout.exporters.inside.opened_export import ExportedWorld, open_export
from brownout.exporters.lock import read_lock
from brownout.rollouts.agents import play_steps

__all__ = ["Play", "Script", "ScriptedCall", "Tried", "smoke_test", "solution", "try_export"]

_SOLUTION = "the reference solution"
_NOTHING = "doing nothing"


class ScriptedCall(BaseModel):
    """A call that a script makes."""

    model_config = ConfigDict(frozen=True)

    name: str
    arguments: dict[str, Json]


class Script(BaseModel):
    """What a policy without a model does in one episode.

    Attributes:
        calls: one a turn.
        answer: said in plain text at the end; empty says nothing.
    """

    model_config = ConfigDict(frozen=True)

    row: ExportRow
    calls: tuple[ScriptedCall, ...] = ()
    answer: str = ""


Play: TypeAlias = Callable[[Script], Awaitable[JsonObject]]
"""Plays a script through a framework and returns the outcome as the framework has it: `reward`, `ledger`, `criteria`."""


class Tried(BaseModel):
    """What a script earned in an export.

    Attributes:
        script: `the reference solution` or `doing nothing`.
        reward: None where it could not be played or judged, and `why` says why.
        expected: what it must earn.
    """

    model_config = ConfigDict(frozen=True)

    task: str
    seed: int
    script: str
    reward: float | None
    expected: float
    why: str = ""

    @property
    def is_right(self) -> bool:
        """Whether it earned what it must."""
        return self.reward == self.expected


def try_export(folder: Path, told: Callable[[float], None] = lambda share: None) -> list[Tried]:
    """Play the solution of each task and nothing at all in an export's own world, without the framework.

    Args:
        folder: the export's.
        told: is given how much is done, 0 to 1.

    Raises:
        ExportError: it was changed since it was written.
    """
    found: list[Tried] = []
    with open_export(folder / read_lock(folder).module) as world:
        rows = _first_rows(world)
        for row in rows:
            for script, expected in ((_SOLUTION, 1.0), (_NOTHING, 0.0)):
                found.append(_tried(world, row, script, expected))
                told(len(found) / (2 * len(rows)))
    return found


def _tried(world: ExportedWorld, row: ExportRow, script: str, expected: float) -> Tried:
    tried = Tried(task=row.task, seed=row.seed, script=script, reward=None, expected=expected)
    key = f"{script} {row.id}"
    try:
        world.check(row.task)
        calls = solution(world, row).calls if script == _SOLUTION else ()
        episode = world.open(key, row.task, seed=row.seed)
        for number, call in enumerate(calls):
            episode.call(call.name, call.arguments, f"s{number}")
        return tried.model_copy(update={"reward": episode.finish().reward})
    except BrownoutError as error:
        return tried.model_copy(update={"why": str(error)})
    finally:
        world.release(key)


def solution(world: ExportedWorld, row: ExportRow) -> Script:
    """A row's reference solution as calls.

    Raises:
        PackageError: the reference solutions are not on this machine.
    """
    episode = world.open(f"solution {row.id}", row.task, seed=row.seed)
    try:
        asyncio.run(play_steps(episode.session, world.solved.oracle(row.task), "the reference solution"))
        calls = [act.call for act in episode.session.acts]
    finally:
        world.release(f"solution {row.id}")
    return Script(row=row, calls=tuple(ScriptedCall(name=call.name, arguments=call.arguments) for call in calls))


def smoke_test(folder: str | Path, play: Play, arguments: Sequence[str] | None = None) -> int:
    """Play, print a line an episode, and return the exit code.

    Args:
        folder: of the export's Python package.
        arguments: of the command line; those of this process where none are given.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=1, metavar="N", help="play each script N times, all at once")
    parser.add_argument(
        "--scripts", type=Path, metavar="FILE", help="play these (JSON lines) and print what comes of them"
    )
    given = parser.parse_args(arguments)
    if given.scripts:
        scripts = [Script.model_validate_json(line) for line in given.scripts.read_text("utf-8").splitlines()]
        outcomes = asyncio.run(_played(play, scripts * given.episodes))
        sys.stdout.writelines(f"{canonical(outcome).decode()}\n" for outcome in outcomes)
        return 0
    with open_export(folder) as world:
        place = world.evaluation
        wanted = list(_scripts(world))
    outcomes = asyncio.run(_played(play, [script for _, script, _ in wanted for _ in range(given.episodes)]))
    bad = 0
    for number, (name, script, reward) in enumerate(wanted):
        found = {outcome["reward"] for outcome in outcomes[number * given.episodes : (number + 1) * given.episodes]}
        bad += found != {reward}
        shown = ", ".join(map(str, sorted(found, key=str)))
        sys.stdout.write(
            f"{script.row.id}: {name} earns {shown}{'' if found == {reward} else f', expected {reward}'}\n"
        )
    if not place.is_file():
        sys.stdout.write(f"the reference solutions were not played: no {place.name} at {place}\n")
    return 1 if bad else 0


async def _played(play: Play, scripts: Sequence[Script]) -> list[JsonObject]:
    return list(await asyncio.gather(*map(play, scripts)))


def _scripts(world: ExportedWorld) -> Iterator[tuple[str, Script, float]]:
    """Name, script and expected reward: the reference solution, if it is here, and nothing at all, for each task's first row."""
    for row in _first_rows(world):
        if world.evaluation.is_file():
            yield _SOLUTION, solution(world, row), 1.0
        yield _NOTHING, Script(row=row), 0.0


def _first_rows(world: ExportedWorld) -> list[ExportRow]:
    """The first row of each task."""
    first: dict[str, ExportRow] = {}
    for row in world.rows:
        first.setdefault(row.task, row)
    return [*first.values()]
