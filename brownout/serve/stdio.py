"""One session over MCP on stdin and stdout: a line of JSON in, a line of JSON out. What desktop clients start."""

from typing import BinaryIO, Final

from brownout.client.client import SessionClient
from brownout.core.blocking_steps import run_inline
from brownout.engine.world import World
from brownout.serve.host import Host
from brownout.serve.mcp import mcp_steps

__all__ = ["serve_stdio"]

_SESSION: Final = "session"


def serve_stdio(world: World, task: str, seed: int, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line until there are no more.

    Raises:
        RequestRefused: the session cannot be opened.
    """
    host = Host(world, capacity=1)
    SessionClient(host).create(_SESSION, task, seed=seed)
    for line in lines:
        if not line.strip():
            continue
        answer = run_inline(mcp_steps(host, _SESSION, line))
        if answer.body:
            answers.write(answer.body + b"\n")
            answers.flush()
    host.close()
