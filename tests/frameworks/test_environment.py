"""What keeps a framework's tests from running, and what makes them fail."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.frameworks import environment
from tests.frameworks.environment import environment_with, python_of
from tests.frameworks.latest import first_failing_line

pytestmark = pytest.mark.frameworks


def test_a_pin_that_does_not_install_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ROOM", tmp_path)
    with (
        pytest.raises(pytest.fail.Exception, match=r"what is pinned does not install: .*no-such-package==1"),
        environment_with(["no-such-package==1"], "--no-index"),
    ):
        pass


def test_an_environment_that_was_made_in_part_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []
    monkeypatch.setattr(environment, "ROOM", tmp_path)
    monkeypatch.setattr(environment, "make_environment", make_of(made, fails=True))
    with pytest.raises(KeyboardInterrupt), environment_with(["anything"]):
        pass
    monkeypatch.setattr(environment, "make_environment", make_of(made))
    for _ in range(2):
        with environment_with(["anything"]) as found:
            assert found.folder == made[0]
    found.python.unlink()
    with environment_with(["anything"]):
        pass

    assert len(made) == 3


def test_a_second_run_waits_until_the_first_has_done_with_an_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ROOM", tmp_path)
    monkeypatch.setattr(environment, "make_environment", make_of([]))
    with environment_with(["anything"]) as found:
        [lock] = tmp_path.glob("*.lock")
        assert taken(lock)
        with environment_with(["something else"]) as other:
            assert other.folder != found.folder
    assert not taken(lock)


def test_a_python_that_is_not_here_is_a_reason_to_skip() -> None:
    with pytest.raises(pytest.skip.Exception, match=r"needs Python 3\.99, which is not on this machine"):
        python_of("3.99")


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("loading\nTraceback (most recent call last):\n  File x\na.b.NoTool: gone\n", "a.b.NoTool: gone"),
        ("ImportError: one\n\nThe above exception was ...\n\nValueError: two\n", "ImportError: one"),
        ("ERROR: No matching distribution found for x==2\nhint\n", "ERROR: No matching distribution found for x==2"),
        (
            "find-the-change@0: the reference solution earns 0.5, expected 1.0\n",
            "find-the-change@0: the reference solution earns 0.5, expected 1.0",
        ),
        ("", "nothing"),
    ],
)
def test_a_table_of_newest_versions_says_what_failed_first(said: str, line: str) -> None:
    assert first_failing_line(said) == line


def make_of(made: list[Path], *, fails: bool = False) -> Callable[..., None]:
    """What makes an environment's folder, with nothing in it but an interpreter, and notes which."""

    def make(folder: Path, *_: object, **__: object) -> None:
        made.append(folder)
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        (folder / "bin" / "python").touch()
        if fails:
            raise KeyboardInterrupt

    return make


def taken(lock: Path) -> bool:
    """Whether another process would have to wait."""
    return subprocess.run(["flock", "--nonblock", str(lock), "true"], check=False).returncode != 0
