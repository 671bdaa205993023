"""How the studio writes texts, paths and commands."""

import shlex
from pathlib import Path

import pytest

from studio.terminal_commands import short_path, terminal_command
from worlds.shipped_worlds import shipped_worlds


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_command_names_what_lies_below_where_the_studio_was_started_from_there(here: Path) -> None:
    assert (
        terminal_command(["qa", str(here / "worlds" / "lark"), "--rule", "noop"])
        == "brownout qa worlds/lark --rule noop"
    )


def test_a_command_names_a_shipped_world_and_leaves_other_places_as_they_are(here: Path) -> None:
    name, folder = next(iter(shipped_worlds().items()))
    elsewhere = here.parent / "elsewhere"
    assert (
        terminal_command(["export", str(folder), "--to", str(elsewhere)]) == f"brownout export {name} --to {elsewhere}"
    )


def test_a_command_can_be_pasted_whatever_its_words_hold(here: Path) -> None:
    words = ["annotate", "export", "--runs", str(here / "my runs"), "--tag", "it's $HOME"]
    assert shlex.split(terminal_command(words)) == [
        "brownout",
        "annotate",
        "export",
        "--runs",
        "my runs",
        "--tag",
        "it's $HOME",
    ]


def test_a_command_to_be_pasted_prints_what_people_read() -> None:
    assert terminal_command(["run", "tiny", "--json"]) == "brownout run tiny"


def test_a_path_elsewhere_is_written_whole(here: Path) -> None:
    assert short_path(here / "a") == "a"
    assert short_path(here.parent) == str(here.parent)
