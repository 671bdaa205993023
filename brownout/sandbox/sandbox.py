"""A long-lived sandbox: a workstation whose commands, files and clock belong to one session."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from signal import SIGKILL, SIGXCPU
from types import TracebackType
from typing import Final, Self

from brownout.core.errors import SandboxError
from brownout.sandbox.command_channel import SubjectReply, fits
from brownout.sandbox.egress import CERTIFICATE, proxy_variables
from brownout.sandbox.file_transfer import difference, fill, receive
from brownout.sandbox.inside.frames import Frame
from brownout.sandbox.inside.messages import CommandRequest
from brownout.sandbox.launch import LaunchPlan, home_of
from brownout.sandbox.limits import Limits, Stop
from brownout.sandbox.machine import Machine, start_machine
from brownout.sandbox.output import Collected
from brownout.sandbox.probe import probe
from brownout.sandbox.resource_watch import Watch
from brownout.sandbox.workspace import Changes, Workspace, WorkspaceEntry

__all__ = ["Finished", "Sandbox"]

_LONGEST_COMMAND: Final = 131_071  # Linux: MAX_ARG_STRLEN
_CANNOT_RUN: Final = 126
_SIGNALLED: Final = 128
_CLOCK_ERROR: Final = 0.5  # seconds: the limit and the account are kept by different clocks


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended.

    Attributes:
        exit_code: as a shell reports it (128 + n after signal n).
        output: standard output and standard error as they came; bounded, with a line that says what is missing.
        truncated: part of the output is missing.
        stop: the limit that ended it, None where it ended by itself. A stop is no score.
        cpu_seconds: processor time of the command and the children it waited for.
        workspace_lost: the sandbox ended with it; fill a new one with `restore`.
    """

    exit_code: int
    output: bytes
    truncated: bool
    stop: Stop | None
    cpu_seconds: float
    workspace_lost: bool = False


class Sandbox:
    """Runs commands as `user` on a machine that exists only for this session.

    Its workspace is the home directory and `/tmp`. It starts at the first use. Not for use by two threads at
    once. Wherever the system cannot run it, `SandboxUnavailable` says what is missing; nothing weaker is used.

    Args:
        user: login name inside; the home directory is `/home/<user>`.
        hostname: of the machine inside.
        environment: variables of every command, above the sandbox's own.
        files: absolute path outside the workspace -> content of more files, read-only for everybody.
        egress: UNIX socket of the session's proxy; without it there is no network at all. With
            `/etc/company-ca.pem` among `files`, clients are told to trust it.
    """

    def __init__(
        self,
        *,
        user: str,
        hostname: str,
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
        files: Mapping[str, bytes] | None = None,
        egress: Path | None = None,
    ) -> None:
        self.user = user
        self.home = home_of(user)
        self.limits = limits or Limits()
        self._entropy = ""
        self._draws = 0
        self._hostname = hostname
        self._files = dict(files or {})
        for path in self._files:
            if path.startswith(("/home/", "/tmp/")):
                raise SandboxError(f"expected a file outside the workspace, found {path!r}; write it with put_tree")
        self._egress = egress
        proxy = proxy_variables(CERTIFICATE in self._files) if egress else {}
        self._environment = {**proxy, **(environment or {})}
        self._machine: Machine | None = None
        self._lost: Stop | None = None
        self._sent: Mapping[bytes, WorkspaceEntry] = {}

    @property
    def is_running(self) -> bool:
        return self._machine is not None

    def seed(self, entropy: str) -> None:
        """Let what the next commands draw follow from this text and from how many they are."""
        self._entropy, self._draws = entropy, 0

    def _key(self) -> str:
        """What the next command's entropy is drawn from."""
        self._draws += 1
        return blake2b(f"{self._entropy} {self._draws}".encode(), digest_size=32).hexdigest()

    def start(self, *, now: float) -> None:
        """Start it, which the first command also does; a second start is harmless.

        Args:
            now: world time in seconds since 1970.

        Raises:
            SandboxUnavailable: the system cannot run sandboxes.
            SandboxError: it ended earlier with its files (`restore` starts it anew), or it did not start.
        """
        self._started(now)

    def _started(self, now: float) -> Machine:
        if self._lost:
            raise SandboxError(f"this sandbox ended ({self._lost}) and took its files along; restore a workspace first")
        if self._machine is None:
            probe()
            plan = LaunchPlan(
                command=(),
                user=self.user,
                hostname=self._hostname,
                limits=self.limits,
                epoch=now,
                entropy=self._key(),
                environment=self._environment,
                files=self._files,
            )
            self._machine = start_machine(plan, self._egress)
            self._sent = {}
        return self._machine

    def run(
        self,
        command: str,
        *,
        now: float,
        stdin: bytes = b"",
        cwd: str | None = None,
        wall_seconds: float | None = None,
    ) -> Finished:
        """Run `sh -c command` and wait for it; programs it left in the background live on.

        Args:
            command: what `sh -c` gets.
            now: world time in seconds since 1970: what `date`, git and new files show.
            stdin: what it can read.
            cwd: absolute directory inside; the home directory if None.
            wall_seconds: real time before it is stopped; the sandbox's limit if None.

        Raises:
            SandboxError: the sandbox ended earlier, or did not start.
        """
        machine = self._started(now)
        request = self._request(command, now, cwd or self.home)
        if isinstance(request, Finished):
            return request
        collected = Collected(self.limits.output_bytes)
        reply = machine.channel.ask(
            request,
            collected.take,
            source=stdin,
            seconds=self.limits.wall_seconds if wall_seconds is None else wall_seconds,
            watch=Watch(machine.pid, self.limits, (self.home, "/tmp", "/dev/shm")),
        )
        if reply.answer is None or reply.stop is Stop.INODES:  # links fill the kernel's memory, not the tmpfs
            self._lost = reply.stop or Stop.CRASHED
            self.close()
        return self._finished(reply, collected)

    def _request(self, command: str, now: float, cwd: str) -> CommandRequest | Finished:
        """What to ask the command server, or how a shell would refuse."""
        micros = round(now * 1_000_000)
        dated = f"@{micros // 1_000_000} +0000"
        environment = {
            "WORLD_TIME": f"{micros // 1_000_000}.{micros % 1_000_000:06d}",
            "WORLD_ENTROPY": self._key(),
            "GIT_AUTHOR_DATE": dated,
            "GIT_COMMITTER_DATE": dated,
        }
        request: CommandRequest = {"op": "run", "command": command, "cwd": cwd, "environment": environment}
        request |= {"now": micros * 1000, "cpu": self.limits.cpu_seconds}
        if "\0" in command + cwd:
            return Finished(_CANNOT_RUN, b"sh: cannot execute: NUL byte in the command\n", False, None, 0.0)
        if len(command.encode("utf-8", "replace")) > _LONGEST_COMMAND or not fits(request):
            return Finished(_CANNOT_RUN, b"sh: Argument list too long\n", False, None, 0.0)
        return request

    def _finished(self, reply: SubjectReply, collected: Collected) -> Finished:
        if reply.answer is None:
            ended = reply.stop or Stop.CRASHED
            return Finished(_SIGNALLED + SIGKILL, collected.output, collected.truncated, ended, 0.0, True)
        code, used = os.waitstatus_to_exitcode(reply.answer["status"]), reply.answer["cpu"]
        code = _SIGNALLED - code if code < 0 else code
        stop = reply.stop
        used_up = used > self.limits.cpu_seconds - _CLOCK_ERROR
        if stop is None and used_up and code in (_SIGNALLED + SIGXCPU, _SIGNALLED + SIGKILL):
            stop = Stop.CPU
        return Finished(code, collected.output, collected.truncated, stop, used, self._lost is not None)

    def put_tree(self, tree: Mapping[str | bytes, tuple[int, bytes]], *, now: float, below: str = "") -> None:
        """Write files: path -> (mode, content). Folders are made as needed; a link's content is its target.

        Args:
            tree: paths relative to `below`; a mode without a type (`0o755`) is a file's.
            now: world time in seconds since 1970, their modification time.
            below: absolute directory in the workspace; the home directory if empty.

        Raises:
            SandboxError: a path that leads elsewhere, or no space.
        """
        machine = self._started(now)
        top = os.fsencode(below or self.home).strip(b"/")
        mtime = round(now * 1_000_000) * 1000
        files = (
            Frame(top + b"/" + os.fsencode(path), mode if stat.S_IFMT(mode) else mode | stat.S_IFREG, mtime, content)
            for path, (mode, content) in tree.items()
        )
        fill(machine.channel, files, self.limits, known=False)

    def restore(self, workspace: Workspace, *, now: float) -> None:
        """Start anew with exactly these files: how a session is forked, rewound or continued.

        Raises:
            SandboxError: they do not fit.
        """
        self.close()
        self._lost = None
        machine = self._started(now)
        files = (
            Frame(path, entry.mode, entry.mtime, workspace.blobs[entry.sha] if entry.sha else b"")
            for path, entry in workspace.entries.items()
        )
        fill(machine.channel, files, self.limits, known=True)
        self._sent = dict(workspace.entries)

    def snapshot(self) -> Workspace:
        """All files of the workspace as they are now; none where it has not started.

        Raises:
            SandboxError: the sandbox ended earlier, or its files could not be read.
        """
        return Workspace().after(self._changes({}, everything=True))

    def capture(self, previous: Workspace) -> Changes:
        """What changed since `previous`. Cheap where that is the state last captured or restored.

        Raises:
            SandboxError: the sandbox ended earlier, or its files could not be read.
        """
        return self._changes(previous.entries, everything=self._sent != previous.entries)

    def _changes(self, previous: Mapping[bytes, WorkspaceEntry], *, everything: bool) -> Changes:
        if self._lost:
            raise SandboxError(f"this sandbox ended ({self._lost}) and took its files along; restore a workspace first")
        if self._machine is None:
            return difference((), {}, previous)[1]
        received = receive(self._machine.channel, self.limits, everything=everything)
        self._sent, changes = difference(received, {} if everything else self._sent, previous)
        return changes

    def close(self) -> None:
        """End it with everything in it; a second close is harmless."""
        machine, self._machine = self._machine, None
        if machine:
            machine.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
