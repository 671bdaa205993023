"""Playing a task by hand: lines in, answers out, and a mistyped line costs nothing."""

import io
from pathlib import Path

import pytest

from brownout.engine.world import World
from brownout.rollouts.recorder import RunResult
from tests.functional.playing import play

TASK = "mend-the-help-page"


def typed(world: World, folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> RunResult:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return play(world, folder / "run", TASK, "hand")


def test_calls_words_and_the_end(
    tiny: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = typed(
        tiny, tmp_path, monkeypatch, 'slack_read_channel {"channel": "#general"}', "say on it", "submit Done, resolved."
    )

    shown = capsys.readouterr().err
    assert (result.status, result.stop, result.steps, result.reward) == ("ok", "submit", 2, 0.0)
    assert "You are Wren" in shown
    assert '"messages":[' in shown
    assert "Yuki" in shown


def test_what_cannot_be_read_is_explained_and_is_no_call(
    tiny: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ("", "dance", "slack_list_channels {oops", "slack_list_channels [1]", "tools zebra", "help dance", "submit")
    result = typed(tiny, tmp_path, monkeypatch, *lines)

    shown = capsys.readouterr().err
    assert result.steps == 1  # an empty submit is a call, and refused
    assert result.stop == "stopped"
    assert "there is no tool 'dance'" in shown
    assert "the arguments are not JSON" in shown
    assert "the arguments are a JSON object" in shown
    assert "no tool has 'zebra' in its name" in shown


def test_help_shows_arguments(
    tiny: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(tiny, tmp_path, monkeypatch, "help slack_send_message", "tools docs_")

    shown = capsys.readouterr().err
    assert '"channel"' in shown
    assert "docs_get_page" in shown
