from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.store import Base, Pool, StoreSession
from brownout.store.git import BaseRepository, Built, Repository
from tests.store_git.sample import NAME, build, write_world


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("package") / "shop.git")


@pytest.fixture(scope="session")
def base(built: Built) -> BaseRepository:
    return BaseRepository(built.path)


@pytest.fixture(scope="session")
def world_file(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_world(tmp_path_factory.mktemp("world") / "world.sqlite", built.refs)


@pytest.fixture
def pool(world_file: Path) -> Iterator[Pool]:
    world = Base(world_file)
    pool = Pool(world, hot=2)
    yield pool
    pool.close()
    world.close()


@pytest.fixture
def session(pool: Pool) -> StoreSession:
    return pool.open()


@pytest.fixture
def repository(session: StoreSession, base: BaseRepository) -> Repository:
    return Repository(session.rows, NAME, base)
