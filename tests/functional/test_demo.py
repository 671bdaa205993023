"""`brownout demo`: the flagship, or the first task that this machine can play."""

from pathlib import Path

import pytest

from brownout.sandbox.launch import BUBBLEWRAP
from tests.functional.commands import Commands
from worlds.package import Package


def test_it_plays_the_flagship_twice_and_replays_it(command: Commands, tiny_package: Package, tmp_path: Path) -> None:
    done = command("demo", tiny_package.folder, "--out", tmp_path)

    assert done.code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["find-the-change-noop-s0", "find-the-change-oracle-s0"]
    assert "reward 1 " in done.out
    assert "reward 0 " in done.out
    assert "came out as recorded" in done.out


def test_without_a_sandbox_it_plays_another_and_says_what_to_install(
    command: Commands, spec_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUBBLEWRAP, str(tmp_path / "bwrap"))
    text = (spec_folder / "world.yaml").read_text("utf-8")
    (spec_folder / "world.yaml").write_text(text.replace("flagship: find-the-change", "flagship: release-the-seats"))
    done = command("demo", spec_folder, "--out", tmp_path / "runs")

    assert done.code == 0
    assert "bubblewrap" in done.err
    assert "Playing find-the-change instead." in done.err
