"""Finds out, once a process and bubblewrap, whether this system can run the sandbox; says what is missing and how to get it."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import Final

from brownout.core.errors import SandboxError, SandboxUnavailable
from brownout.sandbox.clock_library import clock_library
from brownout.sandbox.interpreter_copy import runtime
from brownout.sandbox.launch import BUBBLEWRAP, LaunchPlan, bubblewrap, launch
from brownout.sandbox.limits import Limits
from brownout.sandbox.machine import end_process

__all__ = ["cure_for", "probe"]

_SECONDS: Final = 60.0
_ONE_AT_A_TIME: Final = Lock()
_NAMESPACES: Final = (
    "the system does not let this user make namespaces. Allow it with one of: "
    "sysctl user.max_user_namespaces=15000; sysctl kernel.unprivileged_userns_clone=1 (Debian); "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 23.10 and later); in Docker: "
    "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined"
)
_CURES: Final = (
    (r"Unknown option --disable-userns", "bubblewrap is too old: --disable-userns needs 0.8"),
    (r"(?i)creating new namespace|no permissions to create|uid map|setting up .*namespace|unshare", _NAMESPACES),
    (r"(?i)can't mount proc|mount proc", f"/proc is masked here; in Docker: --security-opt systempaths=unconfined. Or {_NAMESPACES}"),
    (r"(?i)seccomp", "the kernel lacks seccomp filters (CONFIG_SECCOMP_FILTER)"),
    (r"(?i)setgroups|setuid|Operation not permitted: 'setarch'", _NAMESPACES),
)  # fmt: skip


def probe() -> None:
    """Return if the sandbox works here: the real launch list was run with `true`.

    Raises:
        SandboxUnavailable: it does not; the message names the cure.
    """
    with _ONE_AT_A_TIME:  # who comes while it is found out waits for that
        trouble = _trouble(os.environ.get(BUBBLEWRAP, ""))
    if trouble:
        raise SandboxUnavailable(trouble)


def cure_for(complaint: str) -> str:
    """What to do about bubblewrap's words."""
    for pattern, cure in _CURES:
        if re.search(pattern, complaint):
            return f"{cure} (bubblewrap said: {complaint})"
    return f"bubblewrap failed: {complaint or 'without a word'}"


@cache
def _trouble(named: str) -> str:
    """What is wrong with the sandbox, empty where nothing is; `named` is the bubblewrap that was asked for."""
    if sys.platform != "linux":
        return "the sandbox is not available on this system: use the Linux container image"
    try:
        version = subprocess.run([bubblewrap(), "--version"], capture_output=True, check=False).stdout
        found = re.search(rb"(\d+)\.(\d+)", version)
        if found and (int(found[1]), int(found[2])) < (0, 8):
            return f"bubblewrap is too old: expected 0.8 (--disable-userns), found {found[0].decode()}"
        with ThreadPoolExecutor(1) as beside:  # a compiler's time, which the interpreter's copy need not wait for
            library = beside.submit(clock_library)
            runtime()
            library.result()
        process = launch(LaunchPlan(command=["/bin/true"], user="probe", hostname="probe", limits=Limits(), epoch=1.0))
    except (SandboxUnavailable, SandboxError) as error:
        return str(error)
    try:
        _, complaint = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return f"bubblewrap did not answer within {_SECONDS:.0f} seconds"
    finally:
        end_process(process)
    return cure_for(complaint.decode(errors="replace").strip()) if process.returncode else ""
