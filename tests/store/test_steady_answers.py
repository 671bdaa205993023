"""What is remembered of steady tables is what the rows say, in every session and whatever was written, undone, reset or swapped."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import bindparam, select, text

from brownout.core.errors import StoreError, StoreLost
from brownout.core.rows import Query
from brownout.store import Pool, StoreRows, any_of, compile_query, search_index
from brownout.store.steady_answers import SteadyAnswers, question
from tests.store.sample import BY_KEY, CLOSED, FOUND, IN_FOLDER, MAIL, NAMED, OLD, issue, mail


@contextmanager
def _asked(rows: StoreRows) -> Iterator[list[str]]:
    """The statements that reach SQLite meanwhile."""
    execute, seen = rows._execute, list[str]()

    def noted(sql: str, parameters: object = ()) -> object:
        seen.append(sql)
        return execute(sql, parameters)

    rows._execute = noted  # type: ignore[assignment]
    try:
        yield seen
    finally:
        rows._execute = execute


def _status(rows: StoreRows, key: str = "BOX-7") -> str:
    found = rows.one(BY_KEY, key=key)
    return found.text("status") if found else ""


def test_the_sessions_of_a_start_ask_once(pool: Pool) -> None:
    one, other = pool.open(), pool.open()
    assert _status(one.rows) == "open"
    rows = other.rows
    with _asked(rows) as seen:
        assert _status(rows) == "open"
        assert rows.get(issue, 7) is not None
        assert rows.get(issue, 7) == rows.one(BY_KEY, key="BOX-7")
        assert rows.scalar(BY_KEY, key="BOX-7") == 7
    assert len([sql for sql in seen if "issue" in sql]) == 1, "by its key, the first time"


def test_what_is_not_there_is_remembered_as_not_there_until_it_is(pool: Pool) -> None:
    rows = pool.open().rows
    assert rows.one(BY_KEY, key="BOX-999") is None
    assert rows.one(BY_KEY, key="BOX-999") is None
    rows.insert(issue, key="BOX-999")
    assert _status(rows, "BOX-999") == "open"


def test_who_writes_a_steady_table_reads_what_they_wrote_and_nobody_else_does(pool: Pool) -> None:
    writer, reader = pool.open(), pool.open()
    for session in (writer, reader):
        assert _status(session.rows) == "open"
    writer.rows.update(issue, 7, status="closed")
    assert (_status(writer.rows), _status(reader.rows)) == ("closed", "open")
    writer.rows.insert_many(issue, ("key", "status"), [("BOX-200", "closed")])
    writer.rows.delete(issue, 8)
    assert [row["id"] for row in writer.rows.all(CLOSED, status="closed")] == [7, 101]
    assert reader.rows.all(CLOSED, status="closed") == []
    assert (writer.rows.get(issue, 8), reader.rows.get(issue, 8) is None) == (None, False)


def test_a_reset_session_reads_the_start_again_and_so_does_one_opened_after_it(pool: Pool) -> None:
    session = pool.open()
    session.rows.update(issue, 7, status="closed")
    assert _status(session.rows) == "closed"
    session.reset()
    assert _status(session.rows) == "open"
    session.close()
    assert _status(pool.open().rows) == "open"


def test_an_undone_write_leaves_what_was_there(pool: Pool) -> None:
    rows = pool.open().rows
    with pytest.raises(ZeroDivisionError), rows.savepoint():
        rows.update(issue, 7, status="closed")
        assert _status(rows) == "closed"
        raise ZeroDivisionError
    assert _status(rows) == "open"


def test_what_was_read_inside_an_undone_savepoint_is_not_kept_for_others(pool: Pool) -> None:
    session = pool.open()
    rows = session.rows
    with pytest.raises(ZeroDivisionError), rows.savepoint():
        rows.insert(issue, key="BOX-555")
        assert _status(rows, "BOX-555") == "open"
        raise ZeroDivisionError
    assert _status(rows, "BOX-555") == ""
    assert _status(pool.open().rows, "BOX-555") == ""


def test_forks_and_swapped_and_loaded_sessions_read_what_they_changed(pool: Pool) -> None:
    session = pool.open()
    session.rows.update(issue, 7, status="closed")
    twin = session.fork()
    loaded = pool.open()
    loaded.load(session.changeset(), session.ids)
    for _ in range(3):  # the pool has two connections
        for each in (session, twin, loaded):
            assert _status(each.rows) == "closed"
        assert _status(pool.open().rows) == "open"


def test_a_later_start_has_answers_of_its_own(pool: Pool) -> None:
    assert _status(pool.open().rows) == "open"
    author = pool.open()
    author.rows.update(issue, 7, status="closed")
    later = pool.open(author.changeset())
    assert (_status(later.rows), _status(pool.open().rows)) == ("closed", "open")
    later.rows.update(issue, 7, status="open again")
    later.reset()
    assert _status(later.rows) == "closed"


def test_a_statement_of_ones_own_that_writes_is_seen(pool: Pool) -> None:
    session = pool.open()
    rows = session.rows
    assert _status(rows) == "open"
    rows.execute("UPDATE issue SET status = 'closed' WHERE id = 7")
    assert _status(rows) == "closed"
    session.reset()
    assert _status(session.rows) == "open"


def test_an_answer_is_ones_own_to_change(pool: Pool) -> None:
    rows = pool.open().rows
    for _ in range(2):
        found = rows.one(BY_KEY, key="BOX-7")
        assert found is not None
        assert found["status"] == "open"
        found["status"] = "closed"
        listed = rows.all(CLOSED, status="open")
        assert len(listed) == 100
        listed[0]["key"] = "mine"
        listed.clear()
        rows.tuples(CLOSED, {"status": "open"}).clear()


def test_rows_of_a_session_that_was_swapped_out_answer_nothing(pool: Pool) -> None:
    session = pool.open()
    rows = session.rows
    assert _status(rows) == "open"
    rows.detach()
    with pytest.raises(StoreLost):
        _status(rows)
    with pytest.raises(StoreLost):
        rows.get(issue, 7)


def test_a_parameter_too_few_is_an_error_each_time(pool: Pool) -> None:
    rows = pool.open().rows
    for _ in range(2):
        with pytest.raises(StoreError, match="key"):
            rows.one(BY_KEY)


def test_a_lasting_row_is_found_once_for_all_sessions_whatever_is_added(pool: Pool) -> None:
    rows = pool.open().rows
    first = rows.one(MAIL, number=3)
    other = pool.open().rows
    other.insert(mail, folder="f1", subject="one more")
    with _asked(other) as seen:
        assert other.one(MAIL, number=3) == first
    assert not seen


def test_a_row_that_a_session_added_is_found_in_that_session_alone(pool: Pool) -> None:
    author, reader = pool.open(), pool.open()
    key = author.rows.insert(mail, folder="f1", subject="mine")
    for _ in range(2):
        assert author.rows.one(MAIL, number=key) is not None
        assert reader.rows.one(MAIL, number=key) is None
    assert reader.rows.insert(mail, folder="f2", subject="theirs") == key
    assert [each.rows.one(MAIL, number=key)["subject"] for each in (author, reader)] == ["mine", "theirs"]  # type: ignore[index]


def test_a_lasting_row_that_was_changed_or_removed_is_not_remembered_there(pool: Pool) -> None:
    changer, remover, reader = pool.open(), pool.open(), pool.open()
    before = reader.rows.one(MAIL, number=3)
    changer.rows.update(mail, 3, subject="other")
    remover.rows.delete(mail, 3)
    twins = [changer.fork(), remover.fork()]
    for _ in range(2):
        found = [each.rows.one(MAIL, number=3) for each in (changer, remover, reader, *twins)]
        assert found[0] is not None
        assert (found[0]["subject"], found[1], found[2]) == ("other", None, before)
        assert found[3:] == found[:2]
    changer.reset()
    assert changer.rows.one(MAIL, number=3) == before


def test_a_lasting_row_is_remembered_where_others_of_its_table_were_changed_or_removed(pool: Pool) -> None:
    one, other = pool.open(), pool.open()
    found = [one.rows.one(MAIL, number=3), one.rows.get(issue, 5), one.rows.one(NAMED, key="BOX-5")]
    other.rows.update(mail, 4, subject="other")
    other.rows.update(issue, 6, status="closed")
    other.rows.delete(mail, 5)
    twin = other.fork()
    for rows in (other.rows, twin.rows):
        with _asked(rows) as seen:
            assert [rows.one(MAIL, number=3), rows.get(issue, 5), rows.one(NAMED, key="BOX-5")] == found
        assert not seen
        subject = rows.remembered(("subject", 4), lambda rows=rows: rows.one(MAIL, number=4))  # type: ignore[misc]
        assert subject["subject"] == "other"
    other.rows.update(mail, 4, subject="another")
    for session, expected in ((other, "another"), (twin, "other"), (one, "mail 4")):
        rows = session.rows
        found_there = rows.remembered(("subject", 4), lambda rows=rows: rows.one(MAIL, number=4))  # type: ignore[misc]
        assert found_there is not None
        assert found_there["subject"] == expected


def test_who_takes_the_name_of_another_row_is_found_by_it_in_that_session_alone(pool: Pool) -> None:
    one, other = pool.open(), pool.open()
    one.rows.update(issue, 3, key="gone")
    one.rows.update(issue, 4, key="BOX-3")
    one.rows.delete(issue, 8)
    one.rows.insert(issue, id=8, key="BOX-888")
    twin = one.fork()
    for _ in range(2):
        for session, expected in ((one, (4, None, 3, 8)), (other, (3, 4, None, None)), (twin, (4, None, 3, 8))):
            keys = ("BOX-3", "BOX-4", "gone", "BOX-888")
            assert tuple(session.rows.scalar(NAMED, key=key) for key in keys) == expected
        assert [each.rows.get(issue, 8)["key"] for each in (one, other, twin)] == ["BOX-888", "BOX-8", "BOX-888"]  # type: ignore[index]


def test_a_later_start_knows_the_lasting_rows_that_were_added_before_it(pool: Pool) -> None:
    author = pool.open()
    key = author.rows.insert(mail, folder="f1", subject="mine")
    later = author.changeset()
    assert pool.open(later).rows.one(MAIL, number=key) is not None
    rows = pool.open(later).rows
    with _asked(rows) as seen:
        assert rows.one(MAIL, number=key) is not None
    assert not seen


def test_that_there_is_nothing_up_to_the_start_is_remembered_until_a_row_is_changed(pool: Pool) -> None:
    one, other = pool.open().rows, pool.open().rows
    until = one.largest_at_start(mail)
    assert one.all(OLD, folder="new", until=until) == []
    other.insert(mail, folder="new", subject="since")
    with _asked(other) as seen:
        assert other.all(OLD, folder="new", until=until) == []
    assert not seen
    assert [row["id"] for row in other.all(OLD, folder="new", until=until + 1)] == [until + 1]
    assert one.all(OLD, folder="new", until=until + 1) == []
    other.update(mail, 3, folder="new")
    assert [row["id"] for row in other.all(OLD, folder="new", until=until)] == [3]
    assert one.all(OLD, folder="new", until=until) == []


def test_of_a_steady_table_that_was_only_added_to_the_rows_of_the_start_are_remembered(pool: Pool) -> None:
    first = pool.open().rows
    for key in ("BOX-7", "BOX-300"):
        first.one(NAMED, key=key)
    for number in (7, 101):
        first.get(issue, number)
    rows = pool.open().rows
    added = rows.insert(issue, key="BOX-300")
    with _asked(rows) as seen:
        assert rows.one(NAMED, key="BOX-7") == rows.get(issue, 7)
    assert not seen
    assert rows.one(NAMED, key="BOX-300") == rows.get(issue, added)
    assert added == 101
    assert first.one(NAMED, key="BOX-300") is first.get(issue, added) is None
    rows.update(issue, 7, status="closed")
    assert rows.one(NAMED, key="BOX-7") == rows.get(issue, 7)
    assert _status(rows) == "closed"


def test_a_lasting_query_has_its_tables_key_first() -> None:
    with pytest.raises(TypeError, match="key first"):
        compile_query(select(mail.c.subject, mail.c.id), lasting=mail)
    assert MAIL.lasting == "mail"


_hidden = compile_query(select(issue.c.id).where(text("id IN (SELECT id FROM mail)")))
_joined = compile_query(select(issue.c.id, mail.c.subject).join(mail, mail.c.id == issue.c.id))
_within = compile_query(select(issue.c.id).where(issue.c.id.in_(select(mail.c.id).where(mail.c.folder == "f1"))))
_counted = compile_query(select(issue.c.id).where(issue.c.id > select(mail.c.id).limit(1).scalar_subquery()))
_searched = compile_query(select(search_index(mail).c.rowid))


@pytest.mark.parametrize("query", [_hidden, _joined, _within, _counted, _searched, IN_FOLDER, FOUND])
def test_a_query_that_reads_any_other_table_is_not_steady(query: Query) -> None:
    assert not query.steady


def test_a_query_of_steady_tables_alone_is_steady() -> None:
    alias = issue.alias("other")
    twice = compile_query(select(issue.c.id).join(alias, alias.c.id == issue.c.id).where(alias.c.key == bindparam("k")))
    assert BY_KEY.steady == CLOSED.steady == twice.steady == {"issue"}
    assert not compile_query(select(issue.c.id).where(any_of(issue.c.key, "keys"))).steady


def test_equal_parameters_that_sqlite_tells_apart_are_not_taken_for_each_other() -> None:
    assert question("q", {"a": 1}) == question("q", {"a": 1})
    assert question("q", {"a": 1}) != question("q", {"a": "1"})
    assert question("q", {"a": 1}) != question("q", {"b": 1})
    for other in (1.0, True, None, b"1", "x" * 1000):
        assert question("q", {"a": other}) is None
        assert question("q", (other,)) is None


def test_what_is_remembered_is_bounded() -> None:
    answers = SteadyAnswers()
    for number in range(10_000):
        answers.remember((number,), [(number,)])
    answers.remember(("long",), [(number,) for number in range(1000)])
    assert len(answers._known) < 3_000
    assert answers.of((9_999,)) == [(9_999,)]
    assert answers.of(("long",)) is None


def _worked_out(rows: StoreRows, seen: list[str], key: str = "BOX-7") -> str:
    def find() -> str:
        seen.append(key)
        return _status(rows, key) + "!"

    return rows.remembered(("status", key), find)


def test_what_is_made_of_steady_answers_is_made_once_until_the_session_writes_their_tables(pool: Pool) -> None:
    one, other = pool.open(), pool.open()
    seen: list[str] = []
    assert _worked_out(one.rows, seen) == _worked_out(other.rows, seen) == _worked_out(one.rows, seen) == "open!"
    assert len(seen) == 1
    one.rows.update(issue, 7, status="closed")
    assert (_worked_out(one.rows, seen), _worked_out(other.rows, seen)) == ("closed!", "open!")
    twin = one.fork()
    assert (_worked_out(twin.rows, seen), _worked_out(one.rows, seen)) == ("closed!", "closed!")
    one.reset()
    before = len(seen)
    assert _worked_out(one.rows, seen) == "open!"
    assert len(seen) == before


def test_what_is_made_of_lasting_rows_holds_until_one_is_changed_and_of_new_rows_nowhere_else(pool: Pool) -> None:
    one, other = pool.open(), pool.open()

    def subject(rows: StoreRows, key: int) -> str:
        found = rows.remembered(("subject", key), lambda: rows.one(MAIL, number=key))
        return found.text("subject") if found else ""

    assert subject(one.rows, 3) == subject(other.rows, 3) == "mail 3"
    new = one.rows.insert(mail, folder="f1", subject="mine")
    assert (subject(one.rows, new), subject(other.rows, new), subject(one.rows, 3)) == ("mine", "", "mail 3")
    assert other.rows.insert(mail, folder="f1", subject="theirs") == new
    assert (subject(one.rows, new), subject(other.rows, new)) == ("mine", "theirs")
    other.rows.update(mail, 3, subject="other")
    assert (subject(one.rows, 3), subject(other.rows, 3)) == ("mail 3", "other")


def test_what_asks_anything_else_is_made_each_time(pool: Pool) -> None:
    rows = pool.open().rows
    for find in (
        lambda: len(rows.all(IN_FOLDER, folder="f1")),
        lambda: rows.get(mail, 3),
        lambda: rows.largest(mail),
        lambda: rows.execute("SELECT count(*) FROM issue"),
        lambda: (_status(rows), rows.one(MAIL, number=9_999)),
        lambda: rows.remembered(("inner",), lambda: rows.get(mail, 4)),
    ):
        seen: list[int] = []
        for number in range(2):
            rows.remembered(("other",), lambda find=find, seen=seen, number=number: (seen.append(number), find()))  # type: ignore[misc]
        assert seen == [0, 1]


def test_what_is_made_of_something_made_depends_on_what_that_depends_on(pool: Pool) -> None:
    one, other = pool.open(), pool.open()

    def outer(rows: StoreRows) -> str:
        return rows.remembered(("outer",), lambda: _worked_out(rows, []) + "?")

    for rows in (one.rows, other.rows):
        _worked_out(rows, [])  # known already when the other one is made
        assert outer(rows) == "open!?"
    one.rows.update(issue, 7, status="closed")
    assert (outer(one.rows), outer(other.rows)) == ("closed!?", "open!?")


class _Closer:
    """Has a row still to write, and does so before anybody can miss it."""

    def __init__(self, rows: StoreRows) -> None:
        self._rows = rows

    def touched(self, what: str, given: object = ()) -> None:
        if "issue" in what and self._rows.late is self:
            self._rows.late = None
            self._rows.update(issue, 7, status="closed")

    def left(self, depth: int, *, undone: bool) -> None: ...


def test_what_is_late_is_written_before_something_is_remembered_of_its_tables(pool: Pool) -> None:
    first = pool.open().rows
    assert _worked_out(first, []) == "open!"
    for ask in (
        lambda rows: _worked_out(rows, [])[:-1],
        _status,
        lambda rows: (rows.get(issue, 7) or {}).get("status"),
        lambda rows: rows.remembered(("outermost",), lambda: _worked_out(rows, []))[:-1],
    ):
        session = pool.open()
        rows = session.rows
        rows.late = _Closer(rows)
        assert ask(rows) == "closed"
        session.close()
    assert _worked_out(first, []) == "open!"


def test_a_mistake_while_something_is_made_is_not_remembered(pool: Pool) -> None:
    rows = pool.open().rows
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            rows.remembered(("wrong",), lambda: 1 // 0)
    assert rows.remembered(("wrong",), lambda: 3) == 3


def test_what_is_made_of_ones_own_rows_is_made_again_when_one_writes_or_takes_back(pool: Pool) -> None:
    session, reader = pool.open(), pool.open()
    rows = session.rows
    added = rows.insert(issue, key="BOX-300")
    seen: list[str] = []
    for _ in range(3):
        assert _worked_out(rows, seen, "BOX-300") == "open!"
    assert len(seen) == 1
    rows.insert(mail, folder="f1", subject="of no steady table")
    assert _worked_out(rows, seen, "BOX-300") == "open!"
    assert len(seen) == 1
    with pytest.raises(ZeroDivisionError), rows.savepoint():
        rows.update(issue, added, status="closed")
        assert _worked_out(rows, seen, "BOX-300") == "closed!"
        raise ZeroDivisionError
    assert _worked_out(rows, seen, "BOX-300") == "open!"
    with pytest.raises(ZeroDivisionError), rows.savepoint():
        rows.insert_many(issue, ("key", "status"), [("BOX-301", "new")])
        assert _worked_out(rows, seen, "BOX-301") == "new!"
        raise ZeroDivisionError
    assert _worked_out(rows, seen, "BOX-301") == "!"
    rows.insert(issue, key="BOX-301")
    assert _worked_out(rows, seen, "BOX-301") == "open!"
    rows.execute("UPDATE issue SET status = 'closed' WHERE key = 'BOX-301'")
    assert _worked_out(rows, seen, "BOX-301") == "closed!"
    assert _worked_out(reader.rows, seen, "BOX-300") == "!"
    rows.delete(issue, added)
    assert _worked_out(rows, seen, "BOX-300") == "!"
    session.reset()
    assert _worked_out(session.rows, seen, "BOX-301") == "!"
