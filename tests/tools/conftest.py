from collections.abc import Iterator

import pytest

from brownout.engine.session import Session
from brownout.engine.world import World
from tests.tools.larger import TASK, build_larger
from worlds.package import Package


@pytest.fixture(scope="session")
def larger_package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """`tiny` with a calendar and a customer register."""
    return build_larger(tmp_path_factory.mktemp("larger"))


@pytest.fixture(scope="session")
def larger(larger_package: Package) -> Iterator[World]:
    with World(larger_package, hot=4) as world:
        yield world


@pytest.fixture
def session(larger: World) -> Iterator[Session]:
    """Wren in the larger world, on Tuesday 24 March 2026, early in the afternoon."""
    with larger.open_session(TASK) as session:
        yield session
