from pathlib import Path

import apsw
import pytest
from sqlalchemy import Column, Integer, MetaData, Table

from brownout.core.errors import StoreError
from brownout.store import Base, Pool, create_world, row_digest
from brownout.store.write_guard import Authorizer
from tests.store.sample import ISSUES, MAILS, issue, mail, write_world


def test_a_base_knows_its_tables_and_largest_keys(base: Base, world_file: Path) -> None:
    assert list(base.schema.tables) == ["issue", "mail"]
    assert base.schema.hidden >= {"mail_search", "mail_search_data", "mail_search_idx"}
    assert base.ids == {"issue": ISSUES, "mail": MAILS}
    assert base.digest == row_digest(world_file)
    assert Base(world_file, "known").digest == "known"


def test_an_empty_table_that_came_later_leaves_digests_as_they_were(tmp_path: Path) -> None:
    def written(name: str, *, later: bool, rows: int = 0, known: bool = True) -> str:
        tables = MetaData()
        old = Table("old", tables, Column("id", Integer, primary_key=True))
        new = (
            Table("new", tables, Column("id", Integer, primary_key=True), info={"came_later": later}) if known else None
        )
        with create_world(tmp_path / name, [tables]) as world:
            world.rows.insert(old)
            for _ in range(rows if new is not None else 0):
                world.rows.insert(new)  # type: ignore[arg-type]
        return row_digest(tmp_path / name)

    before = written("before", later=False, known=False)
    assert written("empty", later=True) == before
    assert written("filled", later=True, rows=1) == written("always", later=False, rows=1) != before
    assert written("always-empty", later=False) != before


@pytest.mark.parametrize(
    "sql",
    [
        "COMMIT",
        "ROLLBACK",
        "BEGIN",
        "SAVEPOINT mine",
        "RELEASE of_call",
        "ATTACH ':memory:' AS other",
        "PRAGMA journal_mode = delete",
        "PRAGMA user_version = 5",
        "CREATE TABLE more (id INTEGER PRIMARY KEY)",
        "CREATE TEMP TABLE more (id INTEGER PRIMARY KEY)",
        "ALTER TABLE issue ADD COLUMN more TEXT",
        "DROP TABLE issue",
        "DELETE FROM mail_search_data",
        "INSERT INTO sqlite_schema VALUES (1, 2, 3, 4, 5)",
        "VACUUM",
        "ANALYZE",
    ],
)
def test_statements_that_could_leave_the_session_are_refused(pool: Pool, sql: str) -> None:
    session = pool.open()
    session.rows.update(issue, 1, status="kept")
    with session.rows.savepoint(), pytest.raises(StoreError, match="refused"):
        session.rows.execute(sql)
    assert [change.key for change in session.diff()] == [1]


def test_the_base_cannot_be_written_even_by_a_commit(base: Base, world_file: Path) -> None:
    before = world_file.read_bytes()
    connection = base.connect(Authorizer())
    connection.set_commit_hook(None)
    connection.execute("BEGIN; UPDATE issue SET status = 'broken'")
    with pytest.raises(apsw.ReadOnlyError):
        connection.execute("COMMIT")
    with pytest.raises(apsw.ReadOnlyError):
        connection.execute("DELETE FROM mail WHERE id < 100")
    connection.close()
    assert world_file.read_bytes() == before


def test_a_commit_hook_stands_before_the_guarded_file(base: Base) -> None:
    connection = base.connect(Authorizer())
    with pytest.raises(apsw.ConstraintError):
        connection.execute("UPDATE issue SET status = 'broken'")


def test_what_a_session_has_changed_leaves_it_room_for_what_it_reads(tmp_path: Path) -> None:
    base = Base(write_world(tmp_path / "world.sqlite", mails=6_000))
    pool = Pool(base, hot=1)
    session = pool.open()

    def misses() -> int:
        assert session._slot is not None
        return int(session._slot.connection.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)[0])

    for key in range(1, 3_001):
        session.rows.update(mail, key, subject="changed")
    before = misses()
    for _ in range(3):
        for key in range(3_100, 6_000, 10):
            session.rows.get(mail, key)
    assert misses() == before, "pages that were not changed are copied from the file again for each read"
    pool.close()
    base.close()


def test_a_base_that_somebody_writes_to_is_noticed_at_the_next_reset(tmp_path: Path) -> None:
    path = write_world(tmp_path / "world.sqlite")
    base = Base(path)
    pool = Pool(base)
    session = pool.open()
    session.rows.update(issue, 1, status="mine")
    vandal = apsw.Connection(str(path))
    vandal.execute("UPDATE issue SET status = 'theirs' WHERE id = 2")
    vandal.close()
    with pytest.raises(StoreError, match="was written to"):
        session.reset()


def test_unusable_files_are_refused_with_their_reason(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No such file"):
        Base(tmp_path / "missing.sqlite")
    text = tmp_path / "text.sqlite"
    text.write_text("not a database, but long enough to look like one " * 100)
    with pytest.raises(StoreError, match="not a database"):
        Base(text)
    with pytest.raises(StoreError, match="not a database"):
        row_digest(text)


def test_tables_that_no_changeset_carries_are_all_named(tmp_path: Path) -> None:
    path = tmp_path / "world.sqlite"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE a (name TEXT); CREATE TABLE b (id INTEGER PRIMARY KEY AUTOINCREMENT)")
    connection.execute("CREATE TABLE c (x INTEGER, y INTEGER, PRIMARY KEY (x, y)); CREATE TABLE d (k TEXT PRIMARY KEY)")
    connection.close()
    with pytest.raises(StoreError) as caught:
        Base(path)
    for complaint in ("table a has no", "table c has no", "table d has no", "AUTOINCREMENT"):
        assert complaint in str(caught.value)


def test_an_error_that_ends_the_transaction_loses_the_session_loudly(pool: Pool) -> None:
    session, other = pool.open(), pool.open()
    session.rows.update(issue, 1, status="mine")
    with pytest.raises(StoreError, match="ended the session's transaction"):
        session.rows.execute("INSERT OR ROLLBACK INTO issue (id, key, status) VALUES (1, 'x', 'y')")
    with pytest.raises(StoreError, match="changes are lost"):
        session.rows.get(issue, 1)
    for _ in range(3):
        assert other.rows.get(issue, 1) is not None
        assert pool.open().rows.get(issue, 1) is not None
    with pytest.raises(StoreError, match="changes are lost"):
        session.digest()
    session.reset()
    assert session.diff() == []
    row = session.rows.get(issue, 1)
    assert row is not None
    assert row["status"] == "open"


def test_a_lost_session_can_be_reset_while_it_is_hot(pool: Pool) -> None:
    session = pool.open()
    with pytest.raises(StoreError):
        session.rows.execute("INSERT OR ROLLBACK INTO issue (id, key, status) VALUES (1, 'x', 'y')")
    session.reset()
    session.rows.update(issue, 1, status="again")
    assert [change.after for change in session.diff()] == [{"status": "again"}]
