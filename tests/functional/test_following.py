"""`brownout dev`: what is saved is built at once."""

from pathlib import Path
from shutil import copytree

import pytest

from brownout.catalog import find_spec
from brownout.cli.dev import Follower


@pytest.fixture
def world(tmp_path: Path) -> Path:
    copytree(find_spec("tiny"), tmp_path / "acme")
    return tmp_path / "acme"


def test_what_is_saved_is_built_and_what_is_wrong_is_said(world: Path, tmp_path: Path) -> None:
    follower = Follower(world, tmp_path / "cache")
    first = follower.look()
    assert first is not None
    assert first.package is not None
    assert follower.look() is None

    people = world / "people.yaml"
    people.write_text(people.read_text().replace("manager: priya", "manager: priyq", 1))
    broken = follower.look()
    assert broken is not None
    assert broken.package is None
    assert "no person 'priyq'" in broken.wrong[0]

    people.write_text(people.read_text().replace("priyq", "priya").replace("backend engineer", "code gardener"))
    again = follower.look()
    assert again is not None
    assert again.package is not None
    assert again.package.manifest.digest != first.package.manifest.digest
