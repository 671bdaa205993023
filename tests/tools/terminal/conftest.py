from collections.abc import Iterator

import pytest

from brownout.core.errors import SandboxUnavailable
from brownout.engine.world import World
from brownout.sandbox import probe
from tests.tools.terminal.company import Desk, build, emptied
from worlds.package import Package


@pytest.fixture(autouse=True)
def _works_here(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("sandbox"):
        try:
            probe()
        except SandboxUnavailable as missing:
            pytest.skip(str(missing))


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return build(tmp_path_factory.mktemp("terminal"))


@pytest.fixture
def world(package: Package) -> Iterator[World]:
    with emptied(), World(package, hot=4) as world:
        yield world


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk.at(world)


@pytest.fixture
def other(world: World) -> Desk:
    """The same desk in another session."""
    return Desk.at(world)
