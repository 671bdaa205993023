from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.store import Base, Pool
from tests.store.sample import write_world


@pytest.fixture(scope="session")
def world_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_world(tmp_path_factory.mktemp("world") / "world.sqlite")


@pytest.fixture
def base(world_file: Path) -> Iterator[Base]:
    before = world_file.read_bytes()
    base = Base(world_file)
    yield base
    base.close()
    assert world_file.read_bytes() == before, "the base file changed"


@pytest.fixture
def pool(base: Base) -> Iterator[Pool]:
    pool = Pool(base, hot=2)
    yield pool
    pool.close()
