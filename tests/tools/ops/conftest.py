from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.store import Base, Pool
from tests.tools.ops.desk import Desk, sit_down, write_company


@pytest.fixture(scope="session")
def company_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_company(tmp_path_factory.mktemp("ops") / "world.sqlite")


@pytest.fixture
def pool(company_file: Path) -> Iterator[Pool]:
    base = Base(company_file)
    pool = Pool(base, hot=2)
    yield pool
    pool.close()
    base.close()


@pytest.fixture
def desk(pool: Pool) -> Desk:
    return sit_down(pool.open())


@pytest.fixture
def twin(pool: Pool) -> Desk:
    """The same person in another session."""
    return sit_down(pool.open())
