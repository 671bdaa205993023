"""A session server of an export's world, as a process of its own: for frameworks whose tools and scores run in other processes."""

import atexit
import ctypes
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from brownout.client import HttpTransport, SessionClient
from brownout.client.answers import GradeAnswer
from brownout.client.requests import CloseSession, GradeSession, ReadState, StopSession, TakeTurn
from brownout.core.errors import ExportError

__all__ = ["LocalServer", "client_of", "graded"]

_START = "import sys; from brownout.cli import main; sys.argv[0] = 'brownout'; main()"


class LocalServer:
    """The server. It ends with this process, however that ends.

    Attributes:
        base_url: of the agent's port.
        client: may do everything.
    """

    def __init__(self, world: Path, *, capacity: int = 1024) -> None:
        """Start, and wait until it answers.

        Args:
            world: the package's folder.
            capacity: how many sessions may be open at once.

        Raises:
            ExportError: it does not start; the message has its last words.
        """
        words = ["serve", str(world), "--port", "0", "--json", "--capacity", str(capacity)]
        for option, word in (
            ("--judge-model", "MODEL"),
            ("--judge-base-url", "BASE_URL"),
            ("--judge-key-env", "KEY_ENV"),
        ):
            if given := os.environ.get(f"BROWNOUT_JUDGE_{word}"):
                words += [option, given]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_end_with_parent,
        )  # fmt: skip
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = self._process.stdout.readline()
        try:
            told = json.loads(line)
            self.base_url = str(told["base_url"])
        except (json.JSONDecodeError, KeyError) as error:
            self._process.kill()
            said = self._process.stderr.read().decode("utf-8", "replace").strip().splitlines()
            raise ExportError(f"the session server did not start: {(said or ['it said nothing'])[-1]}") from error
        self.client = SessionClient(HttpTransport(self.base_url, told["token"], told["admin_url"], told["admin_token"]))
        atexit.register(self.close)

    def close(self) -> None:
        """Stop it; a second time is harmless."""
        self.client.close()
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()


def client_of(base_url: str, token: str) -> SessionClient:
    """A client that may do what the agent of one session may: nothing can be graded or read with it."""
    return SessionClient(HttpTransport(base_url, token))


async def graded(client: SessionClient, key: str, said: str) -> GradeAnswer:
    """The grade of a session whose agent does not go on; the session is closed then.

    Args:
        said: the agent's last words, to the person who asked; they are not heard where the episode has ended.

    Raises:
        RequestRefused: there is no such session, or it was lost.
    """
    state = await client.ask(ReadState(session_id=key))
    if said and not state.ended:
        await client.ask(TakeTurn(session_id=key, text=said, calls=()))
        state = await client.ask(ReadState(session_id=key))
    if not state.ended:
        await client.ask(StopSession(session_id=key, reason="done", detail="the agent does not go on"))
    grade = await client.ask(GradeSession(session_id=key, skip=(), strict=False))
    await client.ask(CloseSession(session_id=key))
    return grade


def _end_with_parent() -> None:
    """In the new process: be told to stop when the one that started it dies, were it killed."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)
