from collections.abc import Iterator

import pytest

from brownout.core.values import JsonObject
from brownout.store import Pool
from tests.tools.gmail.office import Office, build_office, open_pool
from tools.gmail import app

SETTINGS: JsonObject = {"groups": {"support": ["marcus", "tomas"], "all": "everyone"}}


@pytest.fixture(scope="session")
def mail_pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    base, pool = open_pool(build_office(tmp_path_factory.mktemp("gmail") / "world.sqlite", app, SETTINGS))
    yield pool
    pool.close()
    base.close()


@pytest.fixture
def office(mail_pool: Pool) -> Office:
    """Five people with mail, and the groups support@ (Marcus, Tomás) and all@."""
    return Office(app, mail_pool)
