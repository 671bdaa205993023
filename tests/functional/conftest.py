"""Fixtures for tests of the product as its users meet it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.core import plugins
from brownout.core.plugins import load_plugin
from tests.functional.commands import Commands


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    """The command line, in a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    return Commands(capsys, monkeypatch)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The stranger's package is installed."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "plugin_package"))
    plugins._targets.cache_clear()
    load_plugin.cache_clear()
    yield
    plugins._targets.cache_clear()
    load_plugin.cache_clear()
    for name in [name for name in sys.modules if name.startswith("strange_todo")]:
        del sys.modules[name]
