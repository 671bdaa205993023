from collections.abc import Iterator

import pytest

from brownout.core.values import JsonObject
from brownout.store import Pool
from tests.tools.gmail.office import Office, build_office, open_pool
from tools.docs import app

SETTINGS: JsonObject = {
    "spaces": {"ENG": {"name": "Engineering", "description": "How it works."}, "OPS": {"name": "Operations"}}
}


@pytest.fixture(scope="session")
def wiki_pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    base, pool = open_pool(build_office(tmp_path_factory.mktemp("docs") / "world.sqlite", app, SETTINGS))
    yield pool
    pool.close()
    base.close()


@pytest.fixture
def office(wiki_pool: Pool) -> Office:
    """A wiki with the spaces ENG and OPS; Gareth, a customer, has no account in it."""
    return Office(app, wiki_pool)
