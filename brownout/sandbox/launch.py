"""Starts one bubblewrap sandbox. Nothing weaker is ever tried.

The list below is the product of an attack survey: besides the namespaces it closes what `--unshare-all` leaves
open (writable root and /dev, capabilities and nested user namespaces, the launcher's environment and arguments
in /proc/1, no process limit under root). Host paths travel by descriptor, never on a command line.
"""

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from brownout.core.errors import SandboxError, SandboxUnavailable
from brownout.sandbox.clock_library import clock_library
from brownout.sandbox.interpreter_copy import PYTHON_HOME, runtime
from brownout.sandbox.limits import Limits
from brownout.sandbox.proc_files import HOST_FILES, host_files
from brownout.sandbox.seccomp import seccomp_filter

__all__ = ["BUBBLEWRAP", "INSIDE", "ROOM", "LaunchPlan", "bubblewrap", "home_of", "launch", "memory_file", "tool"]

BUBBLEWRAP: Final = "BROWNOUT_BUBBLEWRAP"
"""Environment variable: the bubblewrap to use instead of the `bwrap` that is found."""

INSIDE: Final = "/opt/session"
"""Where the sandbox's own programs lie inside."""

_HOST_USER: Final = 61_000
"""Host user and group of sandboxes started by root: outside the ranges for people, services and dynamic users.
The kernel counts no processes for root, so a root launcher would have no process limit."""

_USER: Final = 1000
ROOM: Final = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What to start, and where.

    Attributes:
        command: program and arguments inside.
        files: absolute path inside -> content; read-only once the sandbox runs.
        trees: absolute path inside -> folder of the host, bound read-only.
        epoch: seconds since 1970 that programs see when their environment was cleared.
        entropy: 64 hexadecimal digits, what their entropy is drawn from then.
        keep: descriptors of this process that the command inherits, under the same numbers.
        cpu_seconds: processor time of the command itself; None where it bounds its own children.
    """

    command: Sequence[str]
    user: str
    hostname: str
    limits: Limits
    epoch: float
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    trees: Mapping[str, Path] = field(default_factory=dict)
    keep: Sequence[int] = ()
    cpu_seconds: int | None = None
    entropy: str = "0" * 64

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,30}", self.user) or self.user == "root":
            raise SandboxError(f"expected a login name such as 'mara', found {self.user!r}")
        if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?", self.hostname):
            raise SandboxError(f"expected a host name such as 'build-7', found {self.hostname!r}")
        for path in (*self.files, *self.trees):
            if not path.startswith("/") or os.path.normpath(path) != path or "\0" in path:
                raise SandboxError(f"expected an absolute, plain path inside the sandbox, found {path!r}")


def home_of(user: str) -> str:
    """The home directory inside the sandbox."""
    return f"/home/{user}"


def tool(name: str, package: str) -> str:
    """The absolute path of a program of the host.

    Raises:
        SandboxUnavailable: it is not installed.
    """
    found = shutil.which(name) or shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    if found is None:
        raise SandboxUnavailable(f"the sandbox needs {package}: apt-get install {package}")
    return os.path.realpath(found)


def bubblewrap() -> str:
    """The absolute path of bubblewrap: what BROWNOUT_BUBBLEWRAP names, and nothing else where it names something.

    Raises:
        SandboxUnavailable: it is not there.
    """
    named = os.environ.get(BUBBLEWRAP)
    if not named:
        return tool("bwrap", "bubblewrap")
    if not Path(named).is_absolute() or not os.access(named, os.X_OK):
        raise SandboxUnavailable(
            f"the sandbox needs bubblewrap (apt-get install bubblewrap); {BUBBLEWRAP} names {named}, which is no program"
        )
    return os.path.realpath(named)


def memory_file(stack: ExitStack, content: bytes) -> int:
    """A descriptor from which `content` can be read; closed with the stack. Nobody can change or grow it."""
    descriptor = os.memfd_create("data", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    stack.callback(os.close, descriptor)
    with open(descriptor, "wb", closefd=False) as stream:
        stream.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE)
    return descriptor


def _account_files(plan: LaunchPlan) -> dict[str, bytes]:
    user, home, host = plan.user, home_of(plan.user), plan.hostname
    return {
        "/etc/passwd": f"root:x:0:0:root:/root:/bin/sh\n{user}:x:{_USER}:{_USER}::{home}:/bin/sh\n".encode(),
        "/etc/group": f"root:x:0:\n{user}:x:{_USER}:\n".encode(),
        "/etc/hosts": f"127.0.0.1 localhost\n::1 localhost\n127.0.1.1 {host}\n".encode(),
        "/etc/hostname": f"{host}\n".encode(),
        "/etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files dns\n",
        "/etc/resolv.conf": b"",
        "/etc/ld.so.preload": f"{INSIDE}/clock.so\n".encode(),
        f"{INSIDE}/clock.so": clock_library(),
        f"{INSIDE}/epoch": f"{plan.epoch:.6f}\n".encode(),
        f"{INSIDE}/entropy": f"{plan.entropy}\n".encode(),
    }


def _variables(plan: LaunchPlan) -> dict[str, str]:
    home = home_of(plan.user)
    return {
        "PATH": f"{PYTHON_HOME}/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "USER": plan.user,
        "LOGNAME": plan.user,
        "SHELL": "/bin/sh",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "WORLD_TIME": "off",  # for our own programs; each command gets its time and its entropy
        "WORLD_ENTROPY": "off",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        **plan.environment,
    }


def _arguments(plan: LaunchPlan, stack: ExitStack) -> tuple[list[str], list[int]]:
    """The arguments of bubblewrap, and the descriptors they name."""
    limits, home = plan.limits, home_of(plan.user)
    # fmt: off
    words = ["--unshare-all", "--unshare-user", "--disable-userns", "--new-session", "--die-with-parent",
             "--uid", str(_USER), "--gid", str(_USER), "--hostname", plan.hostname, "--cap-drop", "ALL", "--clearenv",
             "--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev",
             "--size", str(32 << 20), "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
             "--perms", "1777", "--size", str(limits.tmp_bytes), "--tmpfs", "/tmp",
             "--perms", "0755", "--dir", "/home",
             "--perms", "0700", "--size", str(limits.home_bytes), "--tmpfs", home,
             "--ro-bind", str(runtime().folder), PYTHON_HOME]
    # fmt: on
    for folder in ("/etc", "/etc/ssl", "/run", INSIDE):
        words += ["--perms", "0755", "--dir", folder]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        if Path("/", name).exists():
            words += ["--symlink", f"usr/{name}", f"/{name}"]
    for path in ("/etc/ssl/certs", "/etc/alternatives", "/etc/ld.so.cache"):
        words += ["--ro-bind-try", path, path]
    if ROOM.is_relative_to("/usr"):  # installed system-wide: the worlds' hidden tests lie there
        words += ["--tmpfs", str(ROOM), "--remount-ro", str(ROOM)]
    shown = host_files()
    for name in HOST_FILES:
        words += ["--ro-bind", str(shown / name.replace("/", "-")), f"/proc/{name}"]
    for place, tree in plan.trees.items():
        words += ["--ro-bind", str(tree), place]
    descriptors = []
    for path, content in {**_account_files(plan), **plan.files}.items():
        descriptors.append(memory_file(stack, content))
        words += ["--perms", "0644", "--file", str(descriptors[-1]), path]
    for name, value in _variables(plan).items():
        words += ["--setenv", name, value]
    descriptors.append(memory_file(stack, seccomp_filter()))
    words += ["--remount-ro", "/", "--chdir", home, "--seccomp", str(descriptors[-1])]
    if any("\0" in word for word in words):
        raise SandboxError("a NUL byte in the environment of a sandbox")
    return words, descriptors


def _bounds(limits: Limits) -> list[str]:
    """Resource limits that also hold bubblewrap's own process: programs inside can write to its memory."""
    data = f"--data={limits.memory_bytes}"
    return [data, f"--fsize={limits.file_bytes}", f"--nofile={max(limits.open_files, 128)}", "--core=0", "--memlock=0"]


def launch(plan: LaunchPlan) -> subprocess.Popen[bytes]:
    """Start the sandbox. Its standard input and output are empty; `stderr` is a pipe with its complaints.

    Raises:
        SandboxUnavailable: a program this needs is missing.
        SandboxError: the system refused to start it.
    """
    program, prlimit = bubblewrap(), tool("prlimit", "util-linux")
    outer = [prlimit, *_bounds(plan.limits), "--", tool("setarch", "util-linux"), "-R", program]
    inner = ["/usr/bin/prlimit", f"--nproc={plan.limits.processes}", f"--nofile={plan.limits.open_files}"]
    if plan.cpu_seconds is not None:
        inner.append(f"--cpu={plan.cpu_seconds}:{plan.cpu_seconds + 1}")
    with ExitStack() as stack:
        words, descriptors = _arguments(plan, stack)
        descriptors.append(memory_file(stack, b"".join(os.fsencode(word) + b"\0" for word in words)))
        command = [*outer, "--args", str(descriptors[-1]), "--", *inner, "--", *plan.command]
        try:
            return _starter().submit(_spawn, command, [*descriptors, *plan.keep]).result()
        except OSError as error:
            raise SandboxError(f"bubblewrap could not be started: {error}") from error


def _spawn(command: list[str], descriptors: list[int]) -> subprocess.Popen[bytes]:
    root = os.geteuid() == 0
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd="/",
        env={},
        umask=0o022,
        pass_fds=descriptors,
        user=_HOST_USER if root else None,
        group=_HOST_USER if root else None,
        extra_groups=[] if root else None,
    )


_starters: list[ThreadPoolExecutor] = []


def _starter() -> ThreadPoolExecutor:
    """One thread that starts every sandbox and lives as long as this process.

    `--die-with-parent` means the *thread* that started it: a sandbox started by a worker of some pool would be
    killed when that worker ends.
    """
    if not _starters:
        _starters.append(ThreadPoolExecutor(1, thread_name_prefix="sandbox-starter"))
    return _starters[0]


os.register_at_fork(after_in_child=_starters.clear)
