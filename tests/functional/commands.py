"""The command line as a function: what a command exits with and prints."""

import json
import sys
from dataclasses import dataclass

import pytest

from brownout.cli.main import main


@dataclass(frozen=True)
class Done:
    """A command that has ended; `err` in one line."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, object]:
        """The one document on stdout."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


class Commands:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: object) -> Done:
        self._capsys.readouterr()
        self._monkeypatch.setattr(sys, "argv", ["brownout", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        found = self._capsys.readouterr()
        return Done(int(stop.value.code or 0), found.out, " ".join(found.err.split()))
