"""What `trajectory convert`, `trajectory import` and `trajectory check` do."""

from dataclasses import asdict
from pathlib import Path

import typer

from brownout.cli.output import console, print_json
from brownout.core.reward_words import reward_text
from brownout.rollouts.recorder import read_run
from brownout.trajectories.formats import convert_run, import_runs
from brownout.trajectories.growing_prompts import check_run_history, check_token_file

__all__ = ["check", "convert", "import_file"]


def convert(folder: Path, to: str, out: Path | None, as_json: bool) -> None:
    """Write a run in another format."""
    place = convert_run(read_run(folder), to, out)
    if as_json:
        print_json({"run": str(folder), "format": to, "file": str(place)})
    else:
        console.print(f"{place}", markup=False, soft_wrap=True)


def import_file(source: Path, out: Path, form: str, as_json: bool) -> None:
    """Read runs in."""
    found = import_runs(source, out, form)
    if as_json:
        print_json(
            {
                "runs": [
                    {
                        "run": str(each.folder),
                        "task": each.result.task if each.result is not None else None,
                        "agent": each.result.agent if each.result is not None else None,
                        "steps": each.result.steps if each.result is not None else None,
                        "reward": each.result.reward if each.result is not None else None,
                    }
                    for each in found
                ]
            }
        )
        return
    for each in found:
        reward = each.result.reward if each.result is not None else None
        console.print(f"{each.folder}  reward {reward_text(reward)}", markup=False, soft_wrap=True)


def check(source: Path, as_json: bool) -> None:
    """Check histories; the exit code is 1 where one does not only grow."""
    report = check_run_history(read_run(source)) if source.is_dir() else check_token_file(source)
    if as_json:
        print_json({**asdict(report), "breaks": [asdict(each) for each in report.breaks]})
    else:
        compared = f"{report.prompts} prompts in {report.episodes} episodes, compared by {report.unit}"
        console.print(f"{compared}: {len(report.breaks) or 'no'} breaks", markup=False, soft_wrap=True)
        for each in report.breaks:
            console.print(f"  episode {each.episode}: prompt {each.prompt} {each.why}", markup=False, soft_wrap=True)
    if report.breaks:
        raise typer.Exit(1)
