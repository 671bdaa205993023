"""Folders that others could put something into are refused, and the message says what to do."""

from pathlib import Path
from unittest.mock import Mock

import pytest

import generators.world_check
from brownout.catalog import built_package, kept_package
from brownout.core.errors import AuthoringError, UsageError
from brownout.core.own_folders import own_folder


def test_a_folder_is_made_for_its_user_alone(tmp_path: Path) -> None:
    assert own_folder(tmp_path / "a" / "b", mode=0o700) == ""
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o722, 0o777, 0o1777])
def test_packages_are_not_taken_from_a_folder_that_others_can_write_to(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "packages"
    folder.mkdir()
    folder.chmod(mode)

    with pytest.raises(UsageError, match="chmod go-w"):
        built_package("tiny", folder=folder)
    with pytest.raises(UsageError, match=f"found mode {mode:o}"):
        kept_package("0" * 32, folder=folder)
    assert list(folder.iterdir()) == []


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = tmp_path.stat().st_uid
    monkeypatch.setattr("os.geteuid", lambda: uid + 1)

    assert f"belong to user {uid + 1}, found user {uid}" in own_folder(tmp_path, mode=0o700)


def test_a_link_to_a_folder_is_none(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("real")

    assert "found something else" in own_folder(tmp_path / "link", mode=0o700)


def test_a_file_in_the_way_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    assert "cannot be made" in own_folder(tmp_path / "file" / "below", mode=0o700)


def test_a_text_that_was_built_is_not_read_again_until_it_changes(
    spec_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "packages"
    first = built_package(spec_folder, folder=folder)
    read = Mock(side_effect=generators.world_check.read_whole)
    monkeypatch.setattr(generators.world_check, "read_whole", read)

    assert built_package(spec_folder, folder=folder).folder == first.folder
    assert not read.called
    assert built_package(spec_folder, folder=folder, seed=8).folder != first.folder
    assert read.call_count == 1
    people = spec_folder / "people.yaml"
    people.write_text(people.read_text("utf-8") + "\nnonsense\n", "utf-8")
    with pytest.raises(AuthoringError):
        built_package(spec_folder, folder=folder)


@pytest.mark.parametrize("content", [b"", b"gone", b"..", b"../elsewhere", b"\xff"])
def test_a_note_that_leads_nowhere_costs_a_reading_and_nothing_else(tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "packages"
    first = built_package("tiny", folder=folder)
    [note] = (folder / "texts").iterdir()
    note.write_bytes(content)

    assert built_package("tiny", folder=folder).folder == first.folder
    assert note.read_text("utf-8") == first.folder.name
