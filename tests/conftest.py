"""Fixtures that every room's tests share."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.catalog import find_spec
from brownout.core.errors import SandboxUnavailable
from brownout.engine.world import World
from brownout.sandbox import probe
from worlds.package import Package


@pytest.fixture(scope="session")
def tiny_package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The shipped world `tiny`, built once."""
    return brownout.build("tiny", out=tmp_path_factory.mktemp("packages") / "tiny")


@pytest.fixture(scope="session")
def larkspur_package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The shipped world `larkspur`, built once."""
    return brownout.build("larkspur", out=tmp_path_factory.mktemp("packages") / "larkspur")


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
