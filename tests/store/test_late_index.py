"""What was written is found at once, though a session's full-text index is written only when somebody searches."""

import pytest

from brownout.store import Pool, StoreRows
from tests.store.sample import FOUND, mail


def _indexed(rows: StoreRows) -> int:
    """How many rows are in the index; asked of SQLite itself, for the rows would take it for a search."""
    return int(rows._connection.execute("SELECT count(*) FROM mail_search_docsize").get)


def _found(rows: StoreRows, words: str) -> list[int]:
    return [row.number("id") for row in rows.all(FOUND, words=words)]


def test_a_message_is_indexed_when_somebody_searches_and_not_before(pool: Pool) -> None:
    rows = pool.open().rows
    before = _indexed(rows)
    key = rows.insert(mail, folder="f1", subject="about a zebra")
    assert _indexed(rows) == before
    assert _found(rows, "zebra") == [key]
    assert _indexed(rows) != before


def test_many_rows_at_once_are_found_too(pool: Pool) -> None:
    rows = pool.open().rows
    first = rows.insert_many(mail, ("folder", "subject"), [("f1", "a zebra"), ("f1", "a quagga"), ("f1", "a zebra")])
    assert (_found(rows, "zebra"), _found(rows, "quagga")) == ([first, first + 2], [first + 1])


def test_a_text_that_was_changed_before_anybody_searched_is_found_by_its_last_words_alone(pool: Pool) -> None:
    rows = pool.open().rows
    key = rows.insert(mail, folder="f1", subject="a zebra")
    rows.update(mail, key, subject="a quagga")
    rows.update(mail, 1, body="an okapi")
    rows.update(mail, 1, body="a tapir", folder="f2")
    assert (_found(rows, "zebra"), _found(rows, "quagga"), _found(rows, "okapi")) == ([], [key], [])
    assert _found(rows, "tapir") == [1]
    rows.delete(mail, key)
    assert _found(rows, "quagga") == []


@pytest.mark.parametrize("is_searched", [True, False])
def test_what_is_taken_back_is_not_found_whether_it_was_searched_for_or_not(pool: Pool, is_searched: bool) -> None:
    rows = pool.open().rows
    kept = rows.insert(mail, folder="f1", subject="a zebra")
    with pytest.raises(RuntimeError), rows.savepoint():
        rows.insert(mail, folder="f1", subject="a zebra and a tapir")
        rows.update(mail, kept, subject="an okapi")
        if is_searched:
            assert _found(rows, "okapi") == [kept]
        raise RuntimeError
    assert (_found(rows, "zebra"), _found(rows, "okapi"), _found(rows, "tapir")) == ([kept], [], [])


def test_what_was_searched_for_in_an_inner_savepoint_is_indexed_once(pool: Pool) -> None:
    rows = pool.open().rows
    with rows.savepoint():
        first = rows.insert(mail, folder="f1", subject="a zebra")
        with rows.savepoint():
            assert _found(rows, "zebra") == [first]
        second = rows.insert(mail, folder="f1", subject="a zebra")
    assert _found(rows, "zebra") == [first, second]
    rows.delete(mail, first)
    assert _found(rows, "zebra") == [second]


def test_a_session_that_was_away_finds_what_it_wrote_changed_and_removed(pool: Pool) -> None:
    session = pool.open()
    key = session.rows.insert(mail, folder="f1", subject="a zebra")
    session.rows.update(mail, 1, body="an okapi")
    session.rows.delete(mail, 2)
    about = session.rows.get(mail, 1)
    for _ in range(3):
        _ = pool.open().rows  # somebody else takes the connection
    assert not session.is_hot
    rows = session.rows
    assert (_found(rows, "zebra"), _found(rows, "okapi")) == ([key], [1])
    assert about is not None
    assert _found(rows, f'"{about.text("subject")}" OR "mail 2"') == [1]


def test_a_twin_and_a_session_that_began_anew_find_what_they_have(pool: Pool) -> None:
    session = pool.open()
    key = session.rows.insert(mail, folder="f1", subject="a zebra")
    twin = session.fork()
    session.reset()
    assert (_found(session.rows, "zebra"), _found(twin.rows, "zebra")) == ([], [key])


def test_rows_that_a_plain_statement_wrote_are_found(pool: Pool) -> None:
    rows = pool.open().rows
    rows.execute("UPDATE mail SET subject = 'a zebra' WHERE id < 4")
    assert _found(rows, "zebra") == [1, 2, 3]


def test_searching_is_no_change(pool: Pool) -> None:
    session = pool.open()
    session.rows.insert(mail, folder="f1", subject="a zebra")
    before = session.digest(), session.changeset()
    assert _found(session.rows, "zebra")
    assert (session.digest(), session.changeset()) == before
