from collections.abc import Iterator

import pytest

from brownout.core.errors import SandboxUnavailable
from brownout.sandbox import Limits, Sandbox, probe

MONDAY = 1_775_466_000  # 2026-04-06 09:00 UTC
SMALL = Limits(
    cpu_seconds=2,
    wall_seconds=30,
    memory_bytes=256 << 20,
    file_bytes=16 << 20,
    tmp_bytes=24 << 20,
    home_bytes=32 << 20,
    processes=40,
    inodes=5000,
)


@pytest.fixture(autouse=True)
def _works_here(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("sandbox"):
        try:
            probe()
        except SandboxUnavailable as missing:
            pytest.skip(str(missing))


@pytest.fixture
def box() -> Iterator[Sandbox]:
    with Sandbox(user="mara", hostname="laptop-mara", limits=SMALL) as sandbox:
        yield sandbox


@pytest.fixture
def now() -> float:
    return MONDAY
