"""The wheel, built and installed once. `make release-check` installs what it needs from the registry, the suite does not."""

import os
from pathlib import Path

import pytest

from tests.wheel.installation import Installation, build_wheel, install


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is to be released, else this checkout's."""
    if named := os.environ.get("BROWNOUT_WHEEL"):
        return Path(named).resolve()
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel, installed where nothing of the checkout can be found."""
    from_registry = "BROWNOUT_WHEEL" in os.environ
    return install(wheel, tmp_path_factory.mktemp("installed"), from_registry=from_registry)
