"""One export of `tiny`, and a way to run Python where only that export is to be found by name."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from brownout.exporters.exporter import export_world
from worlds.package import Package


@pytest.fixture(scope="session")
def exported(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_world("inspect", tiny_package, tmp_path_factory.mktemp("exports") / "tiny")


@pytest.fixture(scope="session")
def in_export(exported: Path) -> Callable[..., str]:
    """Runs a program in another process beside the export; returns what it printed."""

    def run(program: str, folder: Path = exported) -> str:
        done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
