"""What `brownout serve` takes; `brownout.cli.serve` does it, so that its help costs no server."""

from typing import Annotated

import typer

from brownout.cli.arguments import AsJson, JudgeBaseUrl, JudgeKeyEnv, JudgeModel, Package, Skip, Strict
from brownout.cli.commands import done_by

__all__ = ["serve"]


@done_by("brownout.cli.serve:serve")
def serve(
    package: Package,
    task: Annotated[str, typer.Option(help="Open a session of this task at once.")] = "",
    seed: Annotated[int, typer.Option(help="Run seed of that session.")] = 0,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Speak MCP on stdin and stdout for that session, for a desktop client.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The agents' port; 0 takes a free one.")] = 0,
    admin_port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port for grades, states and logs; 0 takes a free one.")
    ] = 0,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A host name by which clients may ask, beside this machine's own.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Worker processes; one a core where none is given.")
    ] = None,
    capacity: Annotated[int, typer.Option(min=1, help="Sessions there may be at once.")] = 10_000,
    idle_minutes: Annotated[
        float, typer.Option(min=0.01, help="A session that nobody asks anything for so long is closed.")
    ] = 60.0,
    skip: Skip = None,
    strict: Strict = False,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeBaseUrl = "",
    judge_key_env: JudgeKeyEnv = "",
    as_json: AsJson = False,
) -> None:
    """Serve sessions of a package over HTTP and MCP; one line of JSON on stdout says where, when it is ready."""
