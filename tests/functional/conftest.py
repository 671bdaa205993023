"""Fixtures for tests of the product as its users meet it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.todo import installed_todo, unpack_todo


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example app is installed, in a folder that a test may spoil."""
    folder = unpack_todo(tmp_path / "plugins")
    with installed_todo(folder, monkeypatch):
        yield folder
