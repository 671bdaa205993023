"""Runs of an author's own world are replayed, judged and looked at wherever its folder lies and whatever it is called."""

import json
from pathlib import Path
from shutil import copytree, move, rmtree

import pytest

import brownout
import brownout.catalog
from brownout.catalog import built_package, find_spec
from brownout.core.plugins import plugin_stamp
from tests.functional.commands import Commands
from worlds.spec import read_world

TASK = "find-the-change"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a world of one's own in `my-world`, called `bakery`, and a cache."""
    folder = tmp_path / "home"
    text = copytree(find_spec("tiny"), folder / "my-world") / "world.yaml"
    text.write_text(text.read_text().replace("world: tiny", "world: bakery"))
    monkeypatch.setattr(brownout.catalog, "default_cache", lambda: folder / "cache")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(command: Commands, home: Path) -> Path:
    """A run of it."""
    done = command("run", "my-world", "--task", TASK, "--agent", "noop", "--answer", "Done.")
    assert done.code == 0, done.err
    return home / "runs" / f"{TASK}-noop-s0"


def test_a_run_says_where_its_package_and_its_world_are(run: Path) -> None:
    document = json.loads((run / "run.json").read_text())

    assert document["world"] == "bakery"
    assert document["world_folder"] == "../../my-world"
    assert document["package_folder"].startswith("../../cache/bakery-")


def test_it_is_replayed_and_judged(command: Commands, run: Path) -> None:
    assert command("replay", run, "--check").code == 0
    assert command("grade", run).code == 0


def test_it_is_replayed_after_everything_was_moved_together(
    command: Commands, home: Path, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(brownout.catalog, "default_cache", lambda: tmp_path / "no-cache")
    move(home, tmp_path / "elsewhere")

    assert command("replay", tmp_path / "elsewhere" / "runs" / run.name, "--check").code == 0


def test_it_is_found_in_the_cache_by_its_digest(command: Commands, home: Path, run: Path) -> None:
    (run / "run.json").unlink()
    rmtree(home / "my-world")

    assert command("replay", run, "--check").code == 0


def test_it_is_built_again_where_the_cache_was_cleared(command: Commands, home: Path, run: Path) -> None:
    rmtree(home / "cache")

    assert command("replay", run, "--check").code == 0


def test_without_package_and_text_the_option_is_named(command: Commands, home: Path, run: Path) -> None:
    rmtree(home / "cache")
    rmtree(home / "my-world")
    done = command("replay", run, "--check")

    assert done.code == 2
    assert "of world bakery, which is neither where it was nor in the cache; name it with --package FOLDER" in done.err


def test_a_text_that_was_changed_since_is_said_so(command: Commands, home: Path, run: Path) -> None:
    rmtree(home / "cache")
    text = home / "my-world" / "people.yaml"
    text.write_text(text.read_text().replace("Yuki Tanabe", "Yuki Tanaka"))
    done = command("replay", run, "--check")

    assert done.code == 2
    assert "because its text or the code has changed" in done.err


def test_a_package_outside_the_cache_is_found_where_it_lay(command: Commands, home: Path) -> None:
    built = brownout.build("my-world", out=home / "packages" / "bakery")
    assert command("run", built.folder, "--task", TASK, "--agent", "noop", "--answer", "Done.").code == 0

    assert command("replay", home / "runs" / f"{TASK}-noop-s0", "--check").code == 0


# -- the cache ----------------------------------------------------------------------------------------------


def test_a_build_without_a_place_is_kept(home: Path) -> None:
    package = brownout.build("my-world")

    assert package.folder.parent == home / "cache"
    assert brownout.build("my-world").folder == package.folder


def test_an_unknown_world_is_said_in_a_sentence() -> None:
    with pytest.raises(
        brownout.BrownoutError, match=r"^expected a folder with a world.yaml or a world's name, found 'nope'"
    ):
        brownout.build("nope")


def test_a_fresh_build_is_made_though_there_is_one(command: Commands, home: Path) -> None:
    folder = built_package("my-world").folder
    mark = (folder / "manifest.json").stat().st_mtime_ns
    assert command("build", "my-world").code == 0
    assert (folder / "manifest.json").stat().st_mtime_ns == mark

    done = command("build", "my-world", "--fresh", "--json")

    assert done.document["package"] == str(folder)
    assert (folder / "manifest.json").stat().st_mtime_ns > mark


def test_four_numbers_are_printed_and_the_rest_on_request(command: Commands, home: Path) -> None:
    brief, long = command("build", "my-world"), command("build", "my-world", "--verbose")

    assert len(brief.out.splitlines()) <= 5
    assert "6 people · 3 tasks · " in brief.out
    assert "slack_message" not in brief.out
    assert "slack_message" in long.out


def test_a_plugins_code_is_part_of_what_a_package_is_kept_under(installed: Path, home: Path) -> None:
    text = home / "my-world" / "world.yaml"
    without = brownout.catalog.package_folder(read_world(home / "my-world"))
    text.write_text(text.read_text().replace("  jira:\n", "  todo: {}\n  jira:\n", 1))
    spec = read_world(home / "my-world")
    before, stamp = brownout.catalog.package_folder(spec), plugin_stamp("apps", "todo")
    assert before == brownout.catalog.package_folder(spec)
    assert stamp.startswith("apps/todo==1.0@")

    source = installed / "todo_app" / "__init__.py"
    source.write_text(source.read_text() + "\n# another state\n")

    assert plugin_stamp("apps", "todo") != stamp
    assert len({without, before, brownout.catalog.package_folder(spec)}) == 3
    assert plugin_stamp("apps", "slack") == ""
