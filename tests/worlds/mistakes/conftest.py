"""A copy of a valid world that may be spoiled."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from shutil import copytree

import pytest

from brownout.catalog import find_spec


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    """The starter world, or a shipped one, in a folder of its own."""

    def copy(world: str) -> Path:
        source = Path(str(files("worlds"))) / "starter" if world == "starter" else find_spec(world)
        return Path(copytree(source, tmp_path / world))

    return copy
