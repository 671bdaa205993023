"""Fixtures that every room's tests share."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.catalog import find_spec
from brownout.engine.world import World
from worlds.package import Package


@pytest.fixture(scope="session")
def tiny_package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The shipped world `tiny`, built once."""
    return brownout.build("tiny", out=tmp_path_factory.mktemp("packages") / "tiny")


@pytest.fixture
def tiny(tiny_package: Package) -> Iterator[World]:
    """`tiny`, open."""
    with World(tiny_package, hot=4) as world:
        yield world


@pytest.fixture
def spec_folder(tmp_path: Path) -> Path:
    """A copy of `tiny`'s text that a test may spoil."""
    folder = tmp_path / "spoiled"
    copytree(find_spec("tiny"), folder)
    return folder
