"""`brownout record-judge`: have the texts of a task's own scripts judged, and keep the answers with the task."""

import asyncio
from pathlib import Path

import typer

from brownout.api import open_world
from brownout.catalog import find_spec
from brownout.cli.output import complain, console, counted, print_json
from brownout.core.values import Json
from brownout.rollouts.agent_options import grading_options
from brownout.rollouts.recorded_judgements import OpenQuestion, record_judgements, recording_of

__all__ = ["record_judge"]


def record_judge(
    world: str, task: list[str] | None, judge_model: str, judge_base_url: str, judge_key_env: str, as_json: bool
) -> None:
    """Record what a judge says of a task's reference solution and cases; without a model, list what is to be answered."""
    folder = find_spec(world)
    model = grading_options(
        judge_model=judge_model, judge_base_url=judge_base_url, judge_key_env=judge_key_env
    ).model  # fmt: skip
    found: list[OpenQuestion] = []
    recorded: dict[str, int] = {}
    with open_world(str(folder), hot=2) as opened:
        for name in [opened.package.task(one).id for one in task or ()] or [*opened.package.tasks]:
            path = recording_of(folder, name)
            before = _lines(path)
            found += asyncio.run(record_judgements(opened, folder, name, model))
            recorded[name] = _lines(path) - before
    if as_json:
        added: dict[str, Json] = dict(recorded)
        print_json({"recorded": added, "open": [one.document() for one in found]})
    else:
        _show(recorded, found)
    raise typer.Exit(1 if found else 0)


def _show(recorded: dict[str, int], found: list[OpenQuestion]) -> None:
    for task, count in recorded.items():
        is_open = sum(one.task == task for one in found)
        console.print(f"{task}: {counted(count, 'answer')} recorded, {is_open} open")
    for one in found:
        key, _ = one.question.key
        console.print(f"\n[bold]{one.task} · {one.script}[/] · key {key}")
        console.print(one.question.prompt.messages[-1].content, markup=False)
    if found:
        complain("name a model with --judge-model, or write the answers by hand; --json has the lines to fill in")


def _lines(path: Path) -> int:
    return sum(bool(line.strip()) for line in path.read_bytes().splitlines()) if path.is_file() else 0
