"""A copy of a valid world that may be spoiled."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from brownout.catalog import find_spec
from brownout.core.top_level_packages import room_folder


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    """The starter world, or a shipped one, in a folder of its own."""

    def copy(world: str) -> Path:
        source = room_folder("worlds") / "starter" if world == "starter" else find_spec(world)
        return Path(copytree(source, tmp_path / world))

    return copy
