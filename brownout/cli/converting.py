"""What `trajectory convert` and `trajectory import` do."""

from pathlib import Path

from brownout.cli.output import console, print_json, reward_text
from brownout.rollouts.recorder import read_run
from brownout.trajectories.formats import convert_run, import_runs

__all__ = ["convert", "import_file"]


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
