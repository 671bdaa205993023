"""Which of the packages that are kept the studio shows of a world."""

import os
import re
from pathlib import Path
from shutil import copytree

import pytest

import studio.known_worlds
from brownout.catalog import built_package, find_spec, package_folder
from brownout.core.top_level_packages import room_folder
from brownout.engine.world import World
from studio.known_worlds import BuildState, built_state, find_world, known_worlds, package_of, package_of_run
from tests.functional.playing import play
from worlds.package import Package, open_package
from worlds.spec import read_world


def test_a_package_is_kept_where_the_catalogue_says(cache: Path, package: Package) -> None:
    spec = read_world(find_spec("tiny"))

    assert package_folder(spec, folder=cache) == package.folder
    assert package_folder(spec, seed=8, folder=cache) != package.folder


def test_what_new_worlds_start_from_is_nobodys_world(at_home: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a checkout it stands in the folder in which the studio looks for worlds."""
    copytree(find_spec("tiny"), tmp_path / "mine")
    (tmp_path / "worlds").symlink_to(room_folder("worlds"))

    own = [world.name for world in known_worlds().values() if not world.is_shipped]
    assert own == ["mine"]


def test_an_own_world_stands_in_the_place_of_the_shipped_one_of_its_name(
    at_home: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert known_worlds()["tiny"].is_shipped
    copytree(find_spec("tiny"), tmp_path / "tiny")

    shown = known_worlds()["tiny"]
    assert (shown.folder, shown.is_shipped) == (tmp_path / "tiny", False)


def test_of_two_packages_of_one_text_the_one_that_the_catalogue_opens_is_shown(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = copytree(package.folder, tmp_path / package.folder.name)
    other = copytree(package.folder, tmp_path / "tiny-by-other-code")
    later = (other / "manifest.json").stat().st_mtime + 60
    os.utime(other / "manifest.json", (later, later))
    monkeypatch.setattr(studio.known_worlds, "default_cache", lambda: tmp_path)

    shown = package_of(known_worlds()["tiny"])

    assert shown is not None
    assert shown.folder == right


def test_of_two_folders_with_a_world_of_one_name_each_shows_its_own_package(
    cache: Path, at_home: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, title in (("first", "The first"), ("second", "The second")):
        text = copytree(find_spec("tiny"), tmp_path / name) / "world.yaml"
        text.write_text(re.sub(r"(?m)^title:.*$", f"title: {title}", text.read_text()))
    worlds = known_worlds()

    built_package(tmp_path / "first", folder=cache)
    assert package_of(worlds["second"]) is None
    built_package(tmp_path / "second", folder=cache)
    text.write_text(text.read_text().replace("The second", "The second, again"))

    first, second = (package_of(worlds[name]) for name in ("first", "second"))
    assert first is not None
    assert second is not None
    assert first.manifest.title == "The first"
    assert second.manifest.title == "The second"
    assert built_state(worlds["first"], first) is BuildState.BUILT
    assert built_state(worlds["second"], second) is BuildState.OUT_OF_DATE


def test_a_world_is_found_by_its_folders_name_and_by_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = copytree(find_spec("tiny"), tmp_path / "my-world") / "world.yaml"
    text.write_text(text.read_text().replace("world: tiny", "world: bakery"))
    monkeypatch.chdir(tmp_path)

    assert [world.name for name in ("my-world", "bakery") if (world := find_world(name))] == ["my-world", "my-world"]
    assert find_world("nowhere") is None


def test_a_run_of_a_package_that_is_not_kept_is_shown_with_it(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = copytree(package.folder, tmp_path / "mine")
    monkeypatch.setattr(studio.known_worlds, "default_cache", lambda: tmp_path / "empty")
    with World(open_package(Path(mine)), hot=1) as world:
        result = play(world, tmp_path / "run", "find-the-change", "noop", answer="Done.")

    found = package_of_run(tmp_path / "run", result.package, result)

    assert found is not None
    assert found.folder.resolve() == Path(mine)
    assert package_of_run(tmp_path / "run", result.package, None) is None
