"""The same recorded actions here and in a framework: what both must agree on, and how the framework is asked."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from brownout.core.values import Json, JsonObject
from brownout.engine.world import World
from brownout.exporters.export_request import ExportRow
from brownout.exporters.smoke_test import Script, ScriptedCall
from brownout.rollouts.recorder import RunResult, read_run
from tests.frameworks.environment import Environment
from tests.functional.playing import play
from worlds.package import Package

__all__ = ["Recorded", "ledger_of", "play_there", "recorded_actions"]


_CALL_ID = re.compile(r"\b(?:call|step|good|lazy|noop)-\d+(?:-\d+)?\b")


@dataclass(frozen=True)
class Recorded:
    """An episode that `brownout run` played: its actions, and what it came to."""

    script: Script
    result: RunResult


def recorded_actions(package: Package, folder: Path, tasks: Sequence[str] = (), seed: int = 3) -> list[Recorded]:
    """Each task's reference solution, its first half, and every good and lazy script: full, part of and no reward."""
    found = []
    with World(package, hot=4) as world:
        for task in tasks or package.tasks:
            half = package.task(task).oracle_calls // 2
            plays: list[tuple[str, str, int | None]] = [("oracle", "", None), ("oracle", "", half), ("noop", "", None)]
            plays += [("good", name, None) for name in [*package.cases(task, "good")][:2]]
            plays += [("lazy", name, None) for name in [*package.cases(task, "lazy")][:2]]
            for number, (agent, answer, stop_after) in enumerate(plays):
                place = folder / f"{task}-{number}"
                result = play(world, place, task, agent, seed=seed, answer=answer, stop_after=stop_after)
                found.append(Recorded(_script(place, task, seed), result))
    return found


def _script(folder: Path, task: str, seed: int) -> Script:
    calls = [event for event in read_run(folder).events if event.kind == "call"]
    row = ExportRow(task=task, seed=seed, split="train", prompt="")
    return Script(row=row, calls=tuple(ScriptedCall(name=call.name, arguments=call.arguments) for call in calls))


def play_there(
    environment: Environment, command: str, recorded: list[Recorded], folder: Path, cwd: Path
) -> list[JsonObject]:
    """What the same actions come to in a framework, by its export's smoke test.

    Args:
        command: the README's, `python -m brownout_tiny.smoke`.
    """
    scripts = folder / "scripts.jsonl"
    scripts.write_text("".join(f"{each.script.model_dump_json()}\n" for each in recorded))
    done = environment.run(f"{command} --scripts {scripts}", cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def ledger_of(outcome: JsonObject | RunResult) -> list[Json]:
    """The lines of a ledger, without what names events and calls: each framework has ids of its own for them."""
    lines = outcome.ledger if isinstance(outcome, RunResult) else outcome["ledger"]
    lines = json.loads(_CALL_ID.sub("a call", json.dumps(lines)))
    return [
        {name: value for name, value in line.items() if name != "evidence"} for line in lines if isinstance(line, dict)
    ]
