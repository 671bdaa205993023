"""Where the sandbox cannot run, that is said, with the cure; nothing weaker is tried."""

import subprocess
import sys
from pathlib import Path

import pytest

from brownout.core.errors import SandboxUnavailable
from brownout.sandbox import clock_library, probe
from brownout.sandbox.cache import built, cache_folder
from brownout.sandbox.launch import tool

ROOT = Path(__file__).parents[2]


@pytest.mark.sandbox
def test_a_working_system_is_probed_once() -> None:
    probe()
    probe()


def test_a_missing_program_is_named_with_its_package() -> None:
    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        tool("bwrap-that-is-not-there", "bubblewrap")


def fake(folder: Path, words: str, version: str = "bubblewrap 0.8.0") -> str:
    program = folder / "bwrap"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}" && exit\necho "bwrap: {words}" >&2\nexit 1\n'
    )
    program.chmod(0o755)
    folder.chmod(0o755)
    code = "from brownout.sandbox import *\nfor _ in 1, 2:\n  try: probe()\n  except Exception as e: print(type(e).__name__, e)"
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.sandbox
def test_a_refusal_of_the_system_names_the_switch(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == tmp_path.stat().st_uid and folder.parent != folder:
            folder.chmod(folder.stat().st_mode | 0o055)
    lines = fake(tmp_path, "No permissions to create new namespace").splitlines()
    assert len(lines) == 2
    assert lines[0] == lines[1]
    assert lines[0].startswith("SandboxUnavailable the system does not let this user make namespaces")


def test_an_old_bubblewrap_is_named(tmp_path: Path) -> None:
    assert "expected 0.8 (--disable-userns), found 0.4" in fake(tmp_path, "", "bubblewrap 0.4.1")


def test_a_missing_compiler_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("BROWNOUT_SANDBOX_CACHE", str(tmp_path / "cache"))
    clock_library.clock_library.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="apt-get install gcc"):
            clock_library.clock_library()
    finally:
        clock_library.clock_library.cache_clear()


def test_a_cached_folder_that_lost_files_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWNOUT_SANDBOX_CACHE", str(tmp_path / "own"))
    builds = []

    def build(folder: Path) -> None:
        builds.append(folder)
        (folder / "a").mkdir()
        (folder / "a" / "b").write_text("b")

    place = built("thing-1", build)
    assert built("thing-1", build) == place
    assert len(builds) == 1
    (place / "a" / "b").unlink()
    assert (built("thing-1", build) / "a" / "b").read_text() == "b"
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["thing-1"]


def test_a_cache_others_can_write_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    monkeypatch.setenv("BROWNOUT_SANDBOX_CACHE", str(tmp_path / "cache"))
    with pytest.raises(SandboxUnavailable, match="only this user"):
        cache_folder()
    monkeypatch.setenv("BROWNOUT_SANDBOX_CACHE", str(tmp_path / "own"))
    assert cache_folder().stat().st_mode & 0o777 == 0o711
