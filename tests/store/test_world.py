from pathlib import Path

import apsw
import pytest
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Computed,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

from brownout.core.errors import BuildError
from brownout.core.rows import Query
from brownout.store import create_world, row_digest, search_index
from tests.store.sample import FOUND, IN_FOLDER, TABLES, issue, mail, write_world


def test_a_world_has_strict_tables_and_search_kept_in_step(tmp_path: Path) -> None:
    path = write_world(tmp_path / "world.sqlite")
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    tables = {row[1]: row for row in connection.execute("PRAGMA table_list").fetchall()}
    assert all(tables[name][5] for name in ("mail", "issue")), "STRICT"
    assert connection.execute("PRAGMA page_size").get == 4096
    assert connection.execute("SELECT count(*) FROM mail_search WHERE mail_search MATCH 'topic3'").get > 0
    assert connection.execute("SELECT count(*) FROM sqlite_stat1").get > 0
    assert connection.execute("PRAGMA integrity_check").get == "ok"
    assert "sqlite_stat4" not in tables


def test_search_ignores_accents_and_case(tmp_path: Path) -> None:
    with create_world(tmp_path / "world.sqlite", [TABLES]) as world:
        world.rows.insert(mail, folder="f", subject="Café Zürich")
        found = world.rows.execute("SELECT rowid FROM mail_search WHERE mail_search MATCH 'cafe zurich'")
    assert found == [(1,)]


def test_a_failed_build_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), create_world(tmp_path / "world.sqlite", [TABLES]) as world:
        world.rows.insert(mail, folder="f")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_a_failed_build_leaves_the_old_world_as_it_was(tmp_path: Path) -> None:
    path = write_world(tmp_path / "world.sqlite")
    before = path.read_bytes()
    with pytest.raises(RuntimeError), create_world(path, [TABLES]) as world:
        world.rows.insert(mail, folder="f")
        raise RuntimeError
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_reference_to_nothing_is_found_when_the_world_is_finished(tmp_path: Path) -> None:
    tables = MetaData()
    parent = Table("parent", tables, Column("id", Integer, primary_key=True))
    child = Table(
        "child", tables, Column("id", Integer, primary_key=True), Column("of", Integer, ForeignKey("parent.id"))
    )
    with create_world(tmp_path / "good.sqlite", [tables]) as world:
        world.rows.insert(child, of=1)
        world.rows.insert(parent)
    with (
        pytest.raises(BuildError, match="child 1 points at a row of parent"),
        create_world(tmp_path / "bad.sqlite", [tables]) as world,
    ):
        world.rows.insert(child, of=1)
    assert [path.name for path in tmp_path.iterdir()] == ["good.sqlite"]


@pytest.mark.parametrize(("query", "given"), [(FOUND, {"words": "topic"}), (IN_FOLDER, {"folder": "f"})])
def test_a_world_is_finished_though_a_query_was_not_read_to_its_end(
    tmp_path: Path, query: Query, given: dict[str, str]
) -> None:
    with create_world(tmp_path / "world.sqlite", [TABLES]) as world:
        for _ in range(3):
            world.rows.insert(mail, folder="f", subject="topic")
        found = world.rows.one(query, **given)
    assert found is not None
    assert (tmp_path / "world.sqlite").is_file()


def test_every_offence_of_every_table_is_named_at_once(tmp_path: Path) -> None:
    tables = MetaData()
    Table("no_key", tables, Column("name", Text))
    Table("text_key", tables, Column("name", Text, primary_key=True))
    Table("counted", tables, Column("id", Integer, primary_key=True), sqlite_autoincrement=True)
    Table(
        "typed",
        tables,
        Column("id", BigInteger, primary_key=True),
        Column("when", DateTime),
        Column("name", String(20)),
        Column("flag", Boolean),
        Column("twice", Float, Computed("1 + 1")),
        Column("made", Text, default=lambda: "now"),
        info={"search": ("nmae", "flag")},
    )
    Table("word", tables, Column("id", Integer, primary_key=True), Column("text", Text), info={"search": ("text",)})
    Table("word_search", tables, Column("id", Integer, primary_key=True))
    again = MetaData()
    Table("word", again, Column("id", Integer, primary_key=True))
    with pytest.raises(BuildError) as caught:
        create_world(tmp_path / "world.sqlite", [tables, again])
    message = str(caught.value)
    for complaint in (
        "no_key: needs exactly one primary key",
        "text_key: needs exactly one primary key",
        "counted: AUTOINCREMENT",
        "typed: needs exactly one primary key",
        "typed.when: has type DateTime()",
        "typed.name: has type String(length=20)",
        "typed.flag: has type Boolean()",
        "typed.twice: computed",
        "typed.made: a default must be a plain value",
        "searched column nmae does not exist",
        "typed.flag: only Text columns can be searched",
        "word_search: the search index of word needs this name",
        "word: declared more than once",
    ):
        assert complaint in message
    assert list(tmp_path.iterdir()) == []


def test_only_searched_tables_have_an_index(tmp_path: Path) -> None:
    assert search_index(mail).name == "mail_search"
    with pytest.raises(TypeError, match="issue is not searched"):
        search_index(issue)


def test_the_digest_is_of_the_rows_not_of_the_file(tmp_path: Path) -> None:
    first, second = write_world(tmp_path / "1.sqlite"), write_world(tmp_path / "2.sqlite")
    digest = row_digest(first)
    connection = apsw.Connection(str(second))
    connection.execute("PRAGMA page_size = 8192; DELETE FROM issue WHERE id = 3").fetchall()
    assert row_digest(connection) != digest
    connection.execute("INSERT INTO issue VALUES (3, 'BOX-3', 'open', 0.75, x'03', 0)")
    connection.execute("VACUUM; ANALYZE; INSERT INTO mail_search (mail_search) VALUES ('rebuild')").fetchall()
    connection.close()
    assert first.read_bytes() != second.read_bytes()
    assert row_digest(second) == digest


def test_values_that_json_cannot_tell_apart_have_different_digests(tmp_path: Path) -> None:
    digests = set()
    values = [None, float("inf"), float("-inf"), 0.0, 1e300]
    for number, weight in enumerate(values):
        for attachment in (None, b"", b"\0"):
            path = tmp_path / f"{number}.sqlite"
            with create_world(path, [TABLES]) as world:
                world.rows.insert(issue, key="A", weight=weight, attachment=attachment)
            digests.add(row_digest(path))
    assert len(digests) == len(values) * 3
