"""A sandbox that runs: its processes, its control socket, its way out."""

import os
import signal
import socket
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Final

from brownout.sandbox.command_channel import Channel, control_sockets, greet
from brownout.sandbox.egress import PORT, SocketRelay
from brownout.sandbox.interpreter_copy import PYTHON
from brownout.sandbox.launch import INSIDE, LaunchPlan, launch

__all__ = ["START_SECONDS", "Machine", "end_process", "inside_programs", "start_machine"]

START_SECONDS: Final = 60.0
_END_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Machine:
    """One running sandbox.

    Attributes:
        pid: its command server, as the host numbers it.
        channel: where requests go.
    """

    pid: int
    channel: Channel
    _process: subprocess.Popen[bytes]
    _init: int
    _control: socket.socket
    _relay: SocketRelay | None

    def end(self) -> None:
        """End every process inside; its files are gone."""
        self._control.close()
        end_process(self._process, self._init)
        if self._relay:
            self._relay.close()


def start_machine(plan: LaunchPlan, egress: Path | None) -> Machine:
    """Start the command server of `plan`, whose own command is replaced.

    Raises:
        SandboxUnavailable: the system cannot run sandboxes.
        SandboxError: it did not start.
    """
    ours, theirs = control_sockets(socket.SOCK_SEQPACKET)
    with theirs, ExitStack() as undo:
        undo.callback(ours.close)
        command = [PYTHON, "-E", "-s", "-S", "-B", f"{INSIDE}/shell.py", str(theirs.fileno())]
        if egress:
            command.append(str(PORT))
        programs = inside_programs("shell.py", "tree.py", "frames.py", "messages.py")
        process = launch(replace(plan, command=command, files={**programs, **plan.files}, keep=[theirs.fileno()]))
        undo.callback(end_process, process)
        theirs.close()
        greeting = greet(ours, process, START_SECONDS)
        relay = SocketRelay(greeting.listener, egress) if greeting.listener and egress else None
        undo.pop_all()
    return Machine(greeting.pid, Channel(ours), process, greeting.init, ours, relay)


def inside_programs(*names: str) -> Mapping[str, bytes]:
    """Our own programs for the inside: path there -> source."""
    folder = files("brownout.sandbox").joinpath("inside")
    return {f"{INSIDE}/{name}": folder.joinpath(name).read_bytes() for name in names}


def end_process(process: subprocess.Popen[bytes], init: int | None = None) -> None:
    """End a sandbox and all its processes.

    Args:
        process: bubblewrap.
        init: a pidfd of the sandbox's first process, closed here. Killing it lets bubblewrap reap what is its own;
            killing bubblewrap instead leaves that to the host's init, which some containers do not have.
    """
    if init is not None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(init, signal.SIGKILL)
        os.close(init)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
    process.kill()
    process.wait()
    if process.stderr:
        process.stderr.close()
