"""Edits of several files are written together or not at all, and never over somebody else's."""

import os
from pathlib import Path
from shutil import copytree

import pytest

from brownout.core.errors import AuthoringError, EditRefused
from generators.world_check import mistakes_in
from worlds.editing import WorldEdit

STARTER = Path(__file__).parents[3] / "worlds/starter"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copytree(STARTER, tmp_path / "bakery")


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def with_cleo(folder: Path) -> WorldEdit:
    edit = WorldEdit(folder)
    edit.insert("people.yaml", (), "cleo", {"name": "Cleo Lime", "role": "clerk", "manager": "ana"})
    edit.set("world.yaml", ("title",), "Crumb")
    return edit


def test_all_files_are_written(folder: Path) -> None:
    before = content(folder)
    changes = with_cleo(folder).write(mistakes_in)
    after = content(folder)

    assert [change.file for change in changes] == ["people.yaml", "world.yaml"]
    assert after["people.yaml"] == before["people.yaml"] + b"cleo: {name: Cleo Lime, role: clerk, manager: ana}\n"
    assert {name for name in after if after[name] != before.get(name)} == {"people.yaml", "world.yaml"}


def test_a_file_that_was_not_there_is_made(folder: Path) -> None:
    edit = WorldEdit(folder)
    edit.insert("outsiders.yaml", (), "rae", {"name": "Rae", "email": "rae@else.test"}, comment="Nobody's customer.")
    edit.write(mistakes_in)

    assert (
        folder / "outsiders.yaml"
    ).read_text() == "# Nobody's customer.\nrae:\n  name: Rae\n  email: rae@else.test\n"


def test_a_whole_world_is_not_broken(folder: Path) -> None:
    before = content(folder)
    edit = with_cleo(folder)
    edit.set("people.yaml", ("cleo", "manager"), "anna")

    with pytest.raises(
        AuthoringError, match=r"people.yaml:3: cleo.manager: there is no person 'anna'; did you mean 'ana'"
    ):
        edit.write(mistakes_in)
    assert content(folder) == before


def test_a_world_with_mistakes_of_its_own_can_be_edited(folder: Path) -> None:
    people = folder / "people.yaml"
    people.write_text(people.read_text().replace("manager: ana", "manager: anna"))
    with_cleo(folder).write(mistakes_in)

    assert "cleo" in people.read_text()


def test_somebody_elses_change_is_not_lost(folder: Path) -> None:
    edit = with_cleo(folder)
    (folder / "world.yaml").write_bytes((folder / "world.yaml").read_bytes() + b"# mine\n")
    before = content(folder)

    with pytest.raises(EditRefused, match=r"world\.yaml: somebody has changed it since it was read"):
        edit.write()
    assert content(folder) == before


def test_what_fails_halfway_is_taken_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, replace = content(folder), os.replace

    def failing(source: Path, target: Path) -> None:
        if target.name == "world.yaml":
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(OSError, match="No space"):
        with_cleo(folder).write()
    assert content(folder) == before


def test_rights_of_files_stay(folder: Path) -> None:
    (folder / "people.yaml").chmod(0o640)
    with_cleo(folder).write()

    assert (folder / "people.yaml").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("file", ["../people.yaml", "/etc/passwd", "storylines/../../x.yaml", "", "a\0b", "storylines"])
def test_files_outside_the_folder_are_refused(folder: Path, file: str) -> None:
    with pytest.raises(EditRefused, match="expected the path of a file below"):
        WorldEdit(folder).insert(file, (), "a", 1)


def test_a_link_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "else.yaml").write_text("a: 1\n")
    (folder / "customers.yaml").symlink_to(tmp_path / "else.yaml")

    with pytest.raises(EditRefused, match="expected the path of a file below"):
        WorldEdit(folder).set("customers.yaml", ("a",), 2)


def test_the_diff_shows_what_changes_and_a_place_is_named_by_its_file(folder: Path) -> None:
    edit = with_cleo(folder)

    assert "+cleo: {name: Cleo Lime, role: clerk, manager: ana}" in edit.diff.splitlines()
    with pytest.raises(
        EditRefused, match=r"^people.yaml: ana: there is no entry 'nam'; did you mean 'name'|^people.yaml: line"
    ):
        edit.remove("people.yaml", ("ana", "nam"))
