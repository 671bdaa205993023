"""What two builds of one text differ in is told by part, table and row."""

import json
from pathlib import Path
from shutil import copytree

import apsw
import pytest

import brownout
from brownout.cli import build
from brownout.store import differing_tables
from tests.functional.commands import Commands
from worlds.package import Package, differing_parts, open_package


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Package, Package]:
    """`tiny` of two seeds, which stand for two builds that are not the same."""
    folder = tmp_path_factory.mktemp("pair")
    first, second = (brownout.build("tiny", seed=seed, out=folder / str(seed)) for seed in (7, 8))
    return first, second


def test_a_package_differs_in_nothing_from_its_copy(pair: tuple[Package, Package], tmp_path: Path) -> None:
    copy = open_package(copytree(pair[0].folder, tmp_path / "copy"))

    assert differing_parts(pair[0], copy) == []


def test_what_differs_is_told_by_part_and_table(pair: tuple[Package, Package]) -> None:
    found = {one.part: one for one in differing_parts(*pair)}

    assert "world.sqlite" in found
    tables = {one.table: one for one in found["world.sqlite"].tables}
    assert tables
    assert all(one.first or one.second for one in tables.values())
    assert any(one.example for one in tables.values())
    assert not any(part.endswith("/rows") for part in found)
    assert json.loads(json.dumps([one.document() for one in found.values()]))


def test_one_row_that_is_another_is_found(pair: tuple[Package, Package], tmp_path: Path) -> None:
    source, changed = pair[0].folder / "world.sqlite", tmp_path / "world.sqlite"
    changed.write_bytes(source.read_bytes())
    connection = apsw.Connection(str(changed))
    connection.execute("UPDATE gmail_message SET subject = 'Another' WHERE id = (SELECT min(id) FROM gmail_message)")
    connection.close()

    (found,) = differing_tables(source, changed)

    assert (found.table, found.first, found.second) == ("gmail_message", 1, 1)
    assert '"Another"' in found.example[1]


def test_a_world_is_built_twice_and_a_difference_is_a_failure(
    spec_folder: Path, tmp_path: Path, pair: tuple[Package, Package], command: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = command("build", spec_folder, "--twice", "--json", "--out", tmp_path / "one")
    assert (same.code, same.document["differs"]) == (0, [])

    # A build that is not the same each time cannot be had; the package of another seed stands for it.
    monkeypatch.setattr(build, "open_package", lambda place: pair[1])
    other = command("build", spec_folder, "--twice", "--out", tmp_path / "two")

    assert other.code == 1
    assert "world.sqlite" in other.out
    assert "rows only in the first" in other.out
