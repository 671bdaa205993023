"""A sandbox that runs: its processes, its control socket, its way out."""

import socket
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Final

from brownout.sandbox.channel import Channel, greet
from brownout.sandbox.egress import PORT, Relay
from brownout.sandbox.launch import INSIDE, Plan, launch
from brownout.sandbox.runtime import PYTHON

__all__ = ["START_SECONDS", "Machine", "end_process", "inside_programs", "start_machine"]

START_SECONDS: Final = 60.0


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
    _control: socket.socket
    _relay: Relay | None

    def end(self) -> None:
        """End every process inside; its files are gone."""
        self._control.close()
        end_process(self._process)
        if self._relay:
            self._relay.close()


def start_machine(plan: Plan, egress: Path | None) -> Machine:
    """Start the command server of `plan`, whose own command is replaced.

    Raises:
        SandboxUnavailable: the system cannot run sandboxes.
        SandboxError: it did not start.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, ExitStack() as undo:
        undo.callback(ours.close)
        command = [PYTHON, "-E", "-s", "-S", "-B", f"{INSIDE}/shell.py", str(theirs.fileno())]
        if egress:
            command.append(str(PORT))
        programs = inside_programs("shell.py", "tree.py", "frames.py", "messages.py")
        process = launch(replace(plan, command=command, files={**programs, **plan.files}, keep=[theirs.fileno()]))
        undo.callback(end_process, process)
        theirs.close()
        pid, listener = greet(ours, process, START_SECONDS)
        relay = Relay(listener, egress) if listener and egress else None
        undo.pop_all()
    return Machine(pid, Channel(ours), process, ours, relay)


def inside_programs(*names: str) -> Mapping[str, bytes]:
    """Our own programs for the inside: path there -> source."""
    folder = files("brownout.sandbox").joinpath("inside")
    return {f"{INSIDE}/{name}": folder.joinpath(name).read_bytes() for name in names}


def end_process(process: subprocess.Popen[bytes]) -> None:
    """Kill bubblewrap, which ends the sandbox's process namespace at once."""
    process.kill()
    process.wait()
    if process.stderr:
        process.stderr.close()
