from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.core.errors import SandboxUnavailable
from brownout.sandbox import probe
from brownout.store import Base, Pool
from tests.tools.github.shop import Shop, write_company
from tools.github import ci


@pytest.fixture(scope="session")
def company_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_company(tmp_path_factory.mktemp("github"))


@pytest.fixture(scope="session")
def company_base(company_folder: Path) -> Iterator[Base]:
    base = Base(company_folder / "world.sqlite")
    yield base
    base.close()


@pytest.fixture
def pool(company_base: Base) -> Iterator[Pool]:
    pool = Pool(company_base, hot=2)
    yield pool
    pool.close()


@pytest.fixture
def shop(company_folder: Path, pool: Pool) -> Shop:
    return Shop.open(company_folder, pool)


@pytest.fixture
def twin(company_folder: Path, pool: Pool) -> Shop:
    """The same company in another session."""
    return Shop.open(company_folder, pool)


@pytest.fixture(autouse=True)
def _sandbox(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only tests that say so run code; for all others this is a system without a sandbox."""
    if request.node.get_closest_marker("sandbox"):
        try:
            probe()
        except SandboxUnavailable as missing:
            pytest.skip(str(missing))
        return

    def unavailable(*_: object, **__: object) -> None:
        raise SandboxUnavailable("not in this test")

    monkeypatch.setattr(ci, "kept_visible_run", unavailable)
