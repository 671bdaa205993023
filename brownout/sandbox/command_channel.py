"""The supervisor's end of a sandbox's command server: one request at a time, watched while it runs."""

import json
import os
import select
import socket
import struct
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final, cast

from brownout.core.errors import SandboxError
from brownout.sandbox.inside.messages import CommandAnswer, CommandRequest
from brownout.sandbox.launch import memory_file
from brownout.sandbox.limits import Stop
from brownout.sandbox.resource_watch import Pace, Watch

__all__ = ["Channel", "Greeting", "SubjectReply", "control_sockets", "fits", "greet"]

_LONGEST_REQUEST: Final = 200_000  # the kernel's default for a packet socket is a little more
_PATIENCE: Final = 3.0
_AFTERMATH: Final = 1 << 20
_CREDENTIALS: Final = struct.Struct("3i")


@dataclass(frozen=True, slots=True)
class SubjectReply:
    """How a request ended: `answer` is None when the sandbox itself is gone."""

    answer: CommandAnswer | None
    stop: Stop | None


@dataclass(frozen=True, slots=True)
class Greeting:
    """The first word from inside.

    Attributes:
        pid: the process that sent it, as the host numbers it.
        init: a pidfd of the sandbox's first process, which takes all others with it when it is killed.
        listener: the egress listener if there is one.
    """

    pid: int
    init: int
    listener: socket.socket | None


def control_sockets(kind: socket.SocketKind) -> tuple[socket.socket, socket.socket]:
    """The supervisor's end and the sandbox's. Whoever writes is named from the first word on: a process may be quick."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


def greet(control: socket.socket, process: subprocess.Popen[bytes], seconds: float) -> Greeting:
    """Wait for the program inside to say that it is ready.

    Args:
        control: ours of `control_sockets`.

    Raises:
        SandboxError: it did not come up.
    """
    waiting = select.poll()
    waiting.register(control, select.POLLIN)
    if not waiting.poll(seconds * 1000):
        process.kill()
    data, ancillary, _, _ = control.recvmsg(64, socket.CMSG_SPACE(_CREDENTIALS.size) + socket.CMSG_SPACE(4))
    if data != b"ready":
        process.kill()
        complaint = process.stderr.read().decode(errors="replace").strip() if process.stderr else ""
        raise SandboxError(f"the sandbox did not start: {complaint or 'no answer'}")
    pid, listener = 0, None
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            pid = _CREDENTIALS.unpack(payload)[0]
        elif level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            listener = socket.socket(fileno=struct.unpack("i", payload[:4])[0])
    control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
    return Greeting(pid, os.pidfd_open(int(parent)), listener)


def fits(request: CommandRequest) -> bool:
    """Whether the control socket can carry the request."""
    return len(_message(request)) <= _LONGEST_REQUEST


def _message(request: CommandRequest) -> bytes:
    return json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")


class Channel:
    """Sends requests over the control socket and supervises what they do."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control

    def ask(
        self,
        request: CommandRequest,
        take: Callable[[bytes], Stop | None],
        *,
        source: bytes = b"",
        seconds: float,
        watch: Watch | None = None,
    ) -> SubjectReply:
        """Send `request`, give its output to `take` piece by piece, and wait for the answer.

        Args:
            request: its `op` decides what else it holds.
            take: may name a reason to stop; it is still given what follows.
            source: what the request reads.
            seconds: real time until it is stopped with `deadline`.
            watch: looks at the other limits.
        """
        with ExitStack() as stack:
            output, written = os.pipe2(os.O_CLOEXEC)
            stack.callback(os.close, output)
            try:
                descriptors = [written, memory_file(stack, source)] if source else [written]
                self._send(request, descriptors)
            except OSError:
                return SubjectReply(None, Stop.CRASHED)
            finally:
                os.close(written)
            exchange = _Exchange(self._control, output, take, monotonic() + seconds, watch)
            return exchange.finish(lambda: self._send({"op": "kill"}, ()))

    def _send(self, request: CommandRequest, descriptors: Sequence[int]) -> None:
        socket.send_fds(self._control, [_message(request)], descriptors)


class _Exchange:
    """One request on its way: the loop over its output, its answer, its limits."""

    def __init__(
        self,
        control: socket.socket,
        output: int,
        take: Callable[[bytes], Stop | None],
        deadline: float,
        watch: Watch | None,
    ) -> None:
        self._control = control
        self._output = output
        self._take = take
        self._deadline = deadline
        self._watch = watch
        self._stop: Stop | None = None
        self._message: bytes | None = None
        self._pace = Pace()
        self._waiting = select.poll()
        self._waiting.register(control, select.POLLIN)
        self._waiting.register(output, select.POLLIN)

    def finish(self, kill: Callable[[], None]) -> SubjectReply:
        """Run until the answer is there; `kill` is called once when a limit is exceeded."""
        patience = 0.0
        while self._message is None:
            self._turn()
            if self._pace.seconds and self._stop is None:
                continue
            now = monotonic()
            self._stop = self._stop or self._exceeded(now)
            if self._stop and not patience:
                patience = now + _PATIENCE
                with suppress(OSError):
                    kill()
            elif patience and now > patience:  # the server itself was stopped or killed
                return SubjectReply(None, self._stop)
            self._pace.looked()
        self._drain()
        return SubjectReply(cast("CommandAnswer", json.loads(self._message)) if self._message else None, self._stop)

    def _turn(self) -> None:
        for descriptor, _ in self._waiting.poll(self._pace.seconds * 1000 + 1):
            if descriptor == self._output:
                data = os.read(self._output, 65536)
                if data:
                    self._stop = self._take(data) or self._stop
                else:
                    self._waiting.unregister(self._output)
            else:
                try:
                    self._message = self._control.recv(65536)
                except ConnectionError:
                    self._message = b""

    def _exceeded(self, now: float) -> Stop | None:
        if now > self._deadline:
            return Stop.DEADLINE
        return self._watch.check() if self._watch else None

    def _drain(self) -> None:
        """What the command left in the pipe; a program it left behind may go on writing, so not for ever."""
        os.set_blocking(self._output, False)
        total = 0
        with suppress(BlockingIOError):
            while total < _AFTERMATH and (data := os.read(self._output, 65536)):
                total += len(data)
                self._take(data)
