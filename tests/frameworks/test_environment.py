"""What keeps a framework's tests from running, and what makes them fail."""

from pathlib import Path

import pytest

from tests.frameworks import environment
from tests.frameworks.environment import environment_with, python_of

pytestmark = pytest.mark.frameworks


def test_a_pin_that_does_not_install_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ROOM", tmp_path)
    with pytest.raises(pytest.fail.Exception, match=r"what is pinned does not install: .*no-such-package==1"):
        environment_with(["no-such-package==1"], "--no-index")


def test_a_python_that_is_not_here_is_a_reason_to_skip() -> None:
    with pytest.raises(pytest.skip.Exception, match=r"needs Python 3\.99, which is not on this machine"):
        python_of("3.99")
