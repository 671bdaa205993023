"""The names that users rely on, and what happens where somebody else has one of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import brownout


def test_the_facade_has_exactly_these_names() -> None:
    assert brownout.__all__ == sorted(brownout.__all__)
    for name in brownout.__all__:
        assert getattr(brownout, name) is not None, name
    for name in ("build", "open_package", "open_session", "open_world"):
        assert name in brownout.__all__


@pytest.mark.parametrize("room", ["generators", "graders", "studio", "tools", "worlds"])
def test_somebody_elses_package_of_a_rooms_name_is_named(tmp_path: Path, room: str) -> None:
    (tmp_path / room).mkdir()
    home = str(Path(brownout.__file__).parents[1])

    def said(*switches: str) -> str:
        command = [sys.executable, *switches, "-c", "import brownout, worlds.spec; print('fine')"]
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": home}, capture_output=True, text=True
        )
        return done.stdout + done.stderr

    assert said() == "fine\n"  # a folder that is no package does no harm
    (tmp_path / room / "__init__.py").touch()
    assert f"Python finds {tmp_path / room}" in said()
    assert "python -P" in said()
    assert said("-P") == "fine\n"
