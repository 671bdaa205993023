"""What `brownout run`, `replay` and `grade` take; `brownout.cli.runs` does it, so that their help costs no engine."""

from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.arguments import (
    AsJson,
    JudgeBaseUrl,
    JudgeKeyEnv,
    JudgeModel,
    Package,
    PackageOfRun,
    Skip,
    Strict,
)
from brownout.cli.commands import done_by
from brownout.core.plugins import plugin_names

__all__ = ["grade_run", "replay_run", "run"]


@done_by("brownout.cli.runs:run", begun_by="brownout.cli.sandbox_warm_up:begin")
def run(
    package: Package,
    task: Annotated[str, typer.Option(help="The task's id; see `brownout tasks`.")],
    agent: Annotated[str, typer.Option(help=f"Who plays: {', '.join(plugin_names('agents'))}.")],
    answer: Annotated[str, typer.Option(help="What noop submits, or which script lazy or good plays.")] = "",
    model: Annotated[str, typer.Option(help="The llm agent's model, as litellm names it: provider/NAME.")] = "",
    base_url: Annotated[
        str, typer.Option(help="An OpenAI-compatible endpoint that has it, e.g. http://127.0.0.1:8000/v1.")
    ] = "",
    api_key_env: Annotated[str, typer.Option(help="Environment variable that holds its key.")] = "OPENAI_API_KEY",
    timeout: Annotated[float, typer.Option(help="Seconds to wait for one completion.")] = 300.0,
    patience: Annotated[
        float,
        typer.Option(
            min=0,
            help="Seconds for which a 429, a 5xx or a lost connection is tried again: after Retry-After, else after 1, 2, 4 … seconds.",
        ),
    ] = 60.0,
    stop_after: Annotated[int | None, typer.Option(help="Stop the oracle after so many calls.")] = None,
    seed: Annotated[
        int, typer.Option(help="Run seed of the first session, which chance is drawn by while the agent plays.")
    ] = 0,
    episodes: Annotated[int, typer.Option(min=1, help="How many sessions, with successive run seeds.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="How many at a time.")] = 4,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="How many processes play; as many as there are cores if left out and there are more episodes."
        ),
    ] = None,
    servers: Annotated[
        Path | None,
        typer.Option(help="Play on servers: a file with the line that `brownout serve` printed, one for each."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the runs.")] = Path("runs"),
    skip: Skip = None,
    strict: Strict = False,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeBaseUrl = "",
    judge_key_env: JudgeKeyEnv = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep finished runs of the same name, play the rest.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run an agent through a task and print its reward."""


@done_by("brownout.cli.runs:replay_run")
def replay_run(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    check: Annotated[bool, typer.Option("--check", help="Run it again and compare every observation.")] = False,
    package: PackageOfRun = "",
    as_json: AsJson = False,
) -> None:
    """Show the steps of a recorded run; with --check, run it again and compare every observation."""


@done_by("brownout.cli.runs:grade_run")
def grade_run(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    package: PackageOfRun = "",
    skip: Skip = None,
    strict: Strict = False,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeBaseUrl = "",
    judge_key_env: JudgeKeyEnv = "",
    as_json: AsJson = False,
) -> None:
    """Judge a recorded run again with today's graders, and show what that changes."""
