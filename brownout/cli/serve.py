"""What `brownout serve` does."""

import asyncio
import os
import secrets
import sys
from typing import TYPE_CHECKING

import orjson

from brownout.api import open_package
from brownout.cli.output import errors
from brownout.core.errors import UsageError
from brownout.core.extras import need_extra
from brownout.engine.world import World
from brownout.rollouts.agent_options import grading_options
from brownout.rollouts.sandbox_needs import check_sandbox
from brownout.serve.stdio import serve_stdio
from brownout.serve.worker import WorkerSettings
from worlds.package import Package

if TYPE_CHECKING:
    from brownout.serve.server import SessionServer

__all__ = ["serve"]

_HOT = 64


def serve(
    package: str,
    task: str,
    seed: int,
    stdio: bool,
    host: str,
    port: int,
    admin_port: int,
    allow_host: list[str] | None,
    workers: int | None,
    capacity: int,
    idle_minutes: float,
    skip: list[str] | None,
    strict: bool,
    judge_model: str,
    judge_base_url: str,
    judge_key_env: str,
    as_json: bool,
) -> None:
    """Serve until the process is told to stop, or, with --stdio, until stdin ends."""
    grading = grading_options(
        skip=skip or (),
        strict=strict,
        judge_model=judge_model,
        judge_base_url=judge_base_url,
        judge_key_env=judge_key_env,
    )
    if stdio and not task:
        raise UsageError("--stdio is for one session; say of which task: --task TASK")
    if not stdio:
        need_extra("serving sessions", "serve")
    opened = open_package(package)
    if task:
        check_sandbox(opened, task, grading.skip)
    if stdio:
        with World(opened, hot=2) as world:
            serve_stdio(world, task, seed, sys.stdin.buffer, sys.stdout.buffer)
        return
    from brownout.serve.server import ServerOptions, serve_until_stopped  # needs the extra

    settings = WorkerSettings(
        package=opened.folder.absolute(),
        capacity=capacity,
        idle_seconds=60 * idle_minutes,
        hot=_HOT,
        key=secrets.token_hex(32),
        judge=grading.model,
        skip=tuple(sorted(grading.skip)),
        strict=grading.strict,
    )
    options = ServerOptions(
        host=host,
        port=port,
        admin_port=admin_port,
        workers=workers or len(os.sched_getaffinity(0)),
        names=tuple(allow_host or ()),
        task=task,
        seed=seed,
    )
    asyncio.run(serve_until_stopped(settings, options, lambda server: _tell(server, opened, as_json)))


def _tell(server: "SessionServer", package: Package, as_json: bool) -> None:
    """The one line on stdout that programs wait for, and for people what it says."""
    sys.stdout.buffer.write(orjson.dumps(server.document()) + b"\n")
    sys.stdout.buffer.flush()
    if as_json:
        return
    world = package.manifest.world
    errors.print(
        f"Sessions of [bold]{world}[/] at {server.base_url}, grades at {server.admin_url}. Ctrl-C stops it.",
        soft_wrap=True,
    )
    if server.session is not None:
        errors.print(
            f"MCP: {server.base_url}/v1/sessions/{server.session.session_id}/mcp with its own token as bearer."
        )
