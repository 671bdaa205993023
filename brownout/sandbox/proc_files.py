"""What `/proc` tells of the machine and differs from one to the next: fixed, the same in every sandbox."""

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from brownout.sandbox.cache import built

__all__ = ["HOST_FILES", "host_files"]

_MEMORY_KB: Final = 8 << 20
_FREE_KB: Final = 6 << 20

HOST_FILES: Final = {
    "uptime": "259200.00 1036800.00\n",  # three days, four processors idle
    "loadavg": "0.00 0.00 0.00 1/3 3\n",
    "meminfo": "".join(
        f"{name + ':':<16}{kilobytes:>8} kB\n"
        for name, kilobytes in {
            "MemTotal": _MEMORY_KB, "MemFree": _FREE_KB, "MemAvailable": _FREE_KB, "Buffers": 0, "Cached": 0,
            "SwapCached": 0, "Active": 0, "Inactive": 0, "SwapTotal": 0, "SwapFree": 0, "Shmem": 0, "Slab": 0,
            "SReclaimable": 0,
        }.items()
    ),
    "sys/kernel/random/boot_id": "6f3c2a58-91d4-4e07-b6aa-0d1c57e2f943\n",
    "sys/kernel/random/entropy_avail": "256\n",
}  # fmt: skip
"""Path below `/proc` -> content; `inside/entropy.c` answers `sysinfo` in the same way."""


@cache
def host_files() -> Path:
    """A folder with the files, the slashes in their names replaced by `-`."""
    digest = blake2b(repr(HOST_FILES).encode(), digest_size=6).hexdigest()
    return built(f"machine-{digest}", _write)


def _write(draft: Path) -> None:
    for name, content in HOST_FILES.items():
        (draft / name.replace("/", "-")).write_text(content)
