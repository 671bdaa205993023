"""What keeps a framework's tests from running, and what makes them fail."""

from pathlib import Path

import pytest

from tests.frameworks import environment
from tests.frameworks.environment import environment_with, python_of
from tests.frameworks.latest import first_failing_line

pytestmark = pytest.mark.frameworks


def test_a_pin_that_does_not_install_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ROOM", tmp_path)
    with pytest.raises(pytest.fail.Exception, match=r"what is pinned does not install: .*no-such-package==1"):
        environment_with(["no-such-package==1"], "--no-index")


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
