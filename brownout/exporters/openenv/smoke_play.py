"""Plays scripts against the server of an export by OpenEnv's own client, each in a WebSocket of its own."""
# mypy: disable-error-code="import-not-found"

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from openenv.core.generic_client import GenericEnvClient

from brownout.core.values import JsonObject
from brownout.exporters.smoke_test import Play, Script

__all__ = ["play_against", "served"]

_SECONDS = 120.0


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of the app, served on a free port until the end of the block."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def play_against(address: str, most: int) -> Play:
    """A player against a server; where more than `most` would play at once, the others wait."""
    room = asyncio.Semaphore(most)

    async def play(script: Script) -> JsonObject:
        client = GenericEnvClient(base_url=address, message_timeout_s=_SECONDS)
        async with room, client as company:
            found = await company.reset(task=script.row.task, seed=script.row.seed)
            for call in script.calls:
                found = await company.step({"type": "call_tool", "tool_name": call.name, "arguments": call.arguments})
            if script.answer and not found.done:
                found = await company.step({"text": script.answer})
            if not found.done:
                found = await company.step({})
            return {**found.metadata, "reward": found.reward}

    return play
