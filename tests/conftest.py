"""Fixtures that every room's tests share."""

import gc
import os
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import HealthCheck, settings

from brownout.catalog import built_package, find_spec
from brownout.core.errors import SandboxUnavailable
from brownout.engine.world import World
from brownout.sandbox import probe
from tests.functional.commands import Commands
from worlds.package import Package

_LONGEST = (
    "tests/functional/test_bookings.py",
    "tests/browser",
    "tests/wheel",
    "tests/exporters/test_export.py",
    "tests/functional/test_boxoffice.py",
    "tests/functional/test_larkspur_tasks.py",
    "tests/functional/test_agents.py",
    "tests/graders/test_unit_tests.py",
    "tests/sandbox",
    "tests/functional",
)
"""What takes longest, in files or in single tests. It begins first, so that no worker is left alone with it at the end. Of the first
few files only one needs larkspur: the others need not wait while it is built."""


def pytest_configure() -> None:
    """Look for cycles less often: what tests make is mostly large and soon gone, and the walks took an eighth of the suite's
    processor time. Nor does an example fail for being slow: how long something takes on a busy machine says nothing of it.
    """
    gc.set_threshold(20_000, 20, 20)
    settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("busy")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(
        key=lambda item: next((n for n, name in enumerate(_LONGEST) if item.nodeid.startswith(name)), len(_LONGEST))
    )


def pytest_collection_finish() -> None:
    """What was collected stays to the end: no walk goes through it again."""
    gc.collect()
    gc.freeze()


def shared_package(world: str, factory: pytest.TempPathFactory) -> Package:
    """A shipped world as the package of its text and code that the machine keeps: whoever needs it first builds it.

    So all workers, commands in processes of their own, and the next run of tests open the same one.
    """
    own = factory.getbasetemp()
    lock_file = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / f"{world}.lock"
    with lock_file.open("w") as lock:
        flock(lock, LOCK_EX)
        return built_package(world)


@pytest.fixture(scope="session")
def tiny_package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The shipped world `tiny`, built once."""
    return shared_package("tiny", tmp_path_factory)


@pytest.fixture(scope="session")
def larkspur_package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The shipped world `larkspur`, built once."""
    return shared_package("larkspur", tmp_path_factory)


@pytest.fixture
def tiny(tiny_package: Package) -> Iterator[World]:
    """`tiny`, open."""
    with World(tiny_package, hot=4) as world:
        yield world


@pytest.fixture
def larkspur(larkspur_package: Package) -> Iterator[World]:
    """`larkspur`, open."""
    with World(larkspur_package, hot=4) as world:
        yield world


@pytest.fixture
def spec_folder(tmp_path: Path) -> Path:
    """A copy of `tiny`'s text that a test may spoil."""
    folder = tmp_path / "spoiled"
    copytree(find_spec("tiny"), folder)
    return folder


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    """The command line, in a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    return Commands(capsys, monkeypatch)


@pytest.fixture(autouse=True)
def sandboxed(request: pytest.FixtureRequest) -> None:
    """A test marked `sandbox` is skipped, saying what to install, where the sandbox cannot run."""
    if request.node.get_closest_marker("sandbox") is None:
        return
    try:
        probe()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
