"""Fixtures for tests of the product as its users meet it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.engine.world import World
from generators.build import build_world
from tests.functional.playing import lively_spec
from tests.todo import installed_todo, unpack_todo
from worlds.package import Package


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example app is installed, in a folder that a test may spoil."""
    folder = unpack_todo(tmp_path / "plugins")
    with installed_todo(folder, monkeypatch):
        yield folder


@pytest.fixture(scope="session")
def lively_package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """`tiny` with everyday life, built once."""
    return build_world(lively_spec(), out=tmp_path_factory.mktemp("lively") / "tiny")


@pytest.fixture
def lively(lively_package: Package) -> Iterator[World]:
    """`tiny` with everyday life, open."""
    with World(lively_package, hot=4) as world:
        yield world
