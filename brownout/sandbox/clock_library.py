"""Builds the preloaded library that shows the session's time and entropy to programs in the sandbox.

`inside/clock.c` and `inside/entropy.c` are one source, in this order.
"""

import os
import platform
import shutil
import subprocess
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

from brownout.core.errors import SandboxUnavailable
from brownout.sandbox.cache import built

__all__ = ["clock_library"]


@cache
def clock_library() -> bytes:
    """The shared object for this machine, compiled at first use.

    Raises:
        SandboxUnavailable: no C compiler, or it failed.
    """
    folder = files("brownout.sandbox").joinpath("inside")
    source = b"".join(folder.joinpath(name).read_bytes() for name in ("clock.c", "entropy.c"))
    libc = os.confstr("CS_GNU_LIBC_VERSION") or ""
    digest = blake2b(source + f"{platform.machine()} {libc}".encode(), digest_size=6).hexdigest()
    place = built(f"clock-{digest}", lambda draft: _compile(source, draft / "clock.so"))
    return (place / "clock.so").read_bytes()


def _compile(source: bytes, library: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise SandboxUnavailable("the sandbox's clock needs a C compiler, once: apt-get install gcc libc6-dev")
    command = [compiler, "-O2", "-fPIC", "-shared", "-x", "c", "-", "-o", str(library), "-ldl"]
    done = subprocess.run(command, input=source, capture_output=True, check=False)
    if done.returncode:
        raise SandboxUnavailable(
            "the sandbox's clock could not be compiled; is libc6-dev installed? "
            f"{compiler} said: {done.stderr.decode(errors='replace')[-400:]}"
        )
