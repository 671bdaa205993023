"""One export of `tiny` for all tests that only look at it."""

from pathlib import Path

import pytest

from brownout.exporters.exporter import export_world
from worlds.package import Package


@pytest.fixture(scope="session")
def exported(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_world("trl", tiny_package, tmp_path_factory.mktemp("exports") / "tiny")
