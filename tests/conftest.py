"""Fixtures that every room's tests share."""

import os
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.catalog import find_spec
from brownout.core.errors import SandboxUnavailable
from brownout.engine.world import World
from brownout.sandbox import probe
from worlds.package import Package, open_package


def shared_package(world: str, factory: pytest.TempPathFactory) -> Package:
    """A shipped world as a package that all workers of a run share: the first to need it builds it."""
    own = factory.getbasetemp()
    shelf = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "packages"
    shelf.mkdir(exist_ok=True)
    with (shelf / f"{world}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        place = shelf / world
        return open_package(place) if place.is_dir() else brownout.build(world, out=place)


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


@pytest.fixture(autouse=True)
def sandboxed(request: pytest.FixtureRequest) -> None:
    """A test marked `sandbox` is skipped, saying what to install, where the sandbox cannot run."""
    if request.node.get_closest_marker("sandbox") is None:
        return
    try:
        probe()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
