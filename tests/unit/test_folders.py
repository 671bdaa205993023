"""Folders that others could put something into are refused, and the message says what to do."""

from pathlib import Path

import pytest

from brownout.catalog import built_package, kept_package
from brownout.core.errors import UsageError
from brownout.core.folders import own_folder


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
