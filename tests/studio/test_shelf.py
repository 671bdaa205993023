"""Which of the packages that are kept the studio shows of a world."""

import os
from pathlib import Path
from shutil import copytree

import pytest

import studio.shelf
from brownout.catalog import find_spec, package_folder
from studio.shelf import known_worlds, package_of
from worlds.package import Package
from worlds.spec import read_world


def test_a_package_is_kept_where_the_catalogue_says(cache: Path, package: Package) -> None:
    spec = read_world(find_spec("tiny"))

    assert package_folder(spec, folder=cache) == package.folder
    assert package_folder(spec, seed=8, folder=cache) != package.folder


def test_of_two_packages_of_one_text_the_one_that_the_catalogue_opens_is_shown(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = copytree(package.folder, tmp_path / package.folder.name)
    other = copytree(package.folder, tmp_path / "tiny-by-other-code")
    later = (other / "manifest.json").stat().st_mtime + 60
    os.utime(other / "manifest.json", (later, later))
    monkeypatch.setattr(studio.shelf, "default_cache", lambda: tmp_path)

    shown = package_of(known_worlds()["tiny"])

    assert shown is not None
    assert shown.folder == right
