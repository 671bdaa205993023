"""A start that changes much of the base has a file of its own: the same rows, changes and digests, and light connections."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.core.errors import StoreError
from brownout.store import Base, Pool, connection_slot, start_files
from tests.store.sample import FOUND, issue, mail


@pytest.fixture
def later(pool: Pool) -> bytes:
    """A start that has more mails, and an issue that is done."""
    with_more = pool.open()
    for number in range(400):
        with_more.rows.insert(mail, folder="f", body=f"mail {number} about rooms and doors")
    with_more.rows.update(issue, 1, status="done")
    return with_more.changeset()


@pytest.fixture
def on_files(base: Base, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """A pool that thinks every start heavy."""
    monkeypatch.setattr(connection_slot, "HEAVY", 1)
    pool = Pool(base, hot=2)
    yield pool
    pool.close()


def _lived(pool: Pool, later: bytes) -> list[object]:
    """What sessions at the base and at a later start, by turns, find and leave behind."""
    one, two, three = pool.open(later), pool.open(), pool.open(later)
    found: list[object] = []
    for number in range(3):
        for session in (one, two, three):
            session.rows.insert(mail, folder="g", body=f"own {number}")
            session.rows.update(issue, 2, status=f"state {number}")
            found.append(session.rows.execute("SELECT count(*), max(id) FROM mail"))
    one.reset()
    twin = three.fork()
    for session in (one, two, three, twin):
        found += [session.digest(), session.diff(), dict(session.ids)]
        found.append(session.rows.execute("SELECT count(*) FROM mail_search WHERE mail_search MATCH 'doors OR own'"))
    return found


def test_a_start_with_a_file_is_the_start_without(pool: Pool, on_files: Pool, later: bytes) -> None:
    assert _lived(on_files, later) == _lived(pool, later)


def test_a_connection_at_such_a_start_holds_none_of_its_pages(pool: Pool, on_files: Pool, later: bytes) -> None:
    for one in (pool, on_files):
        one.open(later).rows.get(issue, 1)

    assert on_files.stats.hot_bytes < pool.stats.hot_bytes


def test_the_index_of_such_a_file_is_in_few_pieces(on_files: Pool, later: bytes) -> None:
    rows = on_files.open(later).rows
    rows.get(issue, 1)
    assert rows._connection.execute("SELECT count(DISTINCT segid) FROM mail_search_idx").get <= 2


def test_what_such_a_start_changed_is_found_by_its_last_words(pool: Pool, on_files: Pool) -> None:
    changed = pool.open()
    changed.rows.update(mail, 1, subject="a zebra")
    changed.rows.update(mail, 7, body="a quagga", folder="f9")
    changed.rows.delete(mail, 3)
    rows, wanted = on_files.open(changed.changeset()).rows, ("zebra", "quagga", "topic1", "topic3", "mail")
    found = [[row["id"] for row in rows.all(FOUND, words=words)] for words in wanted]
    assert found == [[row["id"] for row in changed.rows.all(FOUND, words=words)] for words in wanted]
    assert found[:2] == [[1], [7]]


def test_the_files_go_with_the_pool(
    on_files: Pool, later: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_files, "mkdtemp", lambda prefix: str(_made(tmp_path / prefix)))
    on_files.open(later).rows.get(issue, 1)
    assert len([*tmp_path.glob("*/*.sqlite")]) == 1
    on_files.close()
    assert not [*tmp_path.iterdir()]


def test_without_room_for_files_a_start_is_rows_above_the_base(
    pool: Pool, on_files: Pool, later: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(start_files, "copyfile", full)
    assert _lived(on_files, later) == _lived(pool, later)


def test_a_start_that_does_not_fit_is_refused_with_a_file_too(pool: Pool, on_files: Pool) -> None:
    above = pool.open(_one_more(pool, b""))
    changed = above.rows.get(mail, 1)
    assert changed is not None
    above.rows.delete(mail, above.rows.ids.get("mail") or pool.base.ids["mail"] + 1)
    with pytest.raises(StoreError, match="do not fit"):
        _ = on_files.open(above.changeset()).rows


def _one_more(pool: Pool, start: bytes) -> bytes:
    session = pool.open(start)
    session.rows.insert(mail, folder="f", body="one more")
    return session.changeset()


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
