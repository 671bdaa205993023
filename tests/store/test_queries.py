from decimal import Decimal
from math import inf

import orjson
import pytest
from sqlalchemy import Column, DateTime, Integer, MetaData, Numeric, SelectBase, Table, Text, bindparam, func, select

from brownout.store import Pool, any_of, compile_query, compile_search
from tests.store.sample import issue, mail

odd = Table(
    "odd", MetaData(), Column("id", Integer), Column("day", DateTime), Column("price", Numeric), Column("t", Text)
)


def test_named_parameters_stay_and_literals_become_part_of_the_sql() -> None:
    query = compile_query(select(issue.c.id).where(issue.c.key == bindparam("key"), issue.c.status == "it's").limit(5))
    assert "= :key" in query.sql
    assert "= 'it''s'" in query.sql
    assert "LIMIT 5" in query.sql
    assert query.columns == ("id",)


def test_column_names_are_plain_strings() -> None:
    for query in (compile_query(select(issue)), compile_search(select(issue))[0]):
        assert {type(name) for name in query.columns} == {str}
        assert orjson.dumps(dict.fromkeys(query.columns, 1))


def test_negative_literals_do_not_begin_a_comment(pool: Pool) -> None:
    query = compile_query(
        select((-(issue.c.id - -5)).label("n"), (issue.c.id * -1.5).label("m")).where(issue.c.id == 1)
    )
    assert pool.open().rows.all(query) == [{"n": -6, "m": -1.5}]


def test_hostile_text_stays_text(pool: Pool) -> None:
    hostile = "x'; DROP TABLE issue; -- \" :key ?"
    session = pool.open()
    session.rows.update(issue, 1, status=hostile)
    statement = select(issue.c.id).where(issue.c.status == hostile)
    assert session.rows.all(compile_query(statement)) == [{"id": 1}]
    query, values = compile_search(statement)
    assert hostile not in query.sql
    assert session.rows.all(query, **values) == [{"id": 1}]


def test_any_of_takes_a_list_of_any_length(pool: Pool) -> None:
    query = compile_query(select(mail.c.id).where(any_of(mail.c.id, "keys")).order_by(mail.c.id))
    rows = pool.open().rows
    for keys in ([], [3], [9, 3, 999, 5]):
        found = rows.tuples(query, {"keys": orjson.dumps(keys).decode()})
        assert found == [(key,) for key in sorted(keys) if key < 999]


def test_truth_values_are_one_and_zero(pool: Pool) -> None:
    query = compile_query(select((issue.c.id == 1).label("first")).order_by(issue.c.id).limit(2))
    assert pool.open().rows.all(query) == [{"first": 1}, {"first": 0}]


def test_searches_of_one_shape_share_their_sql_but_not_their_values(pool: Pool) -> None:
    def search(status: str, least: int) -> SelectBase:
        return select(issue.c.id).where(issue.c.status == status, issue.c.id >= least).limit(2)

    (one, first), (two, second) = compile_search(search("open", 7)), compile_search(search("done", 9))
    assert one is two
    assert set(first.values()) == {"open", 7, 2, 0}
    assert set(second.values()) == {"done", 9, 2, 0}
    rows = pool.open().rows
    assert rows.all(one, **first) == [{"id": 7}, {"id": 8}]
    assert rows.all(two, **second) == []


def test_a_search_may_have_parameters_for_the_caller_to_add(pool: Pool) -> None:
    query, values = compile_search(select(issue.c.id).where(issue.c.id == bindparam("key"), issue.c.status == "open"))
    assert list(values.values()) == ["open"]
    assert pool.open().rows.all(query, **values, key=4) == [{"id": 4}]


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        (select(issue.c.id).where(issue.c.id.in_([1, 2])), r"any_of\(column"),
        (select(issue.c.id).where(issue.c.id.in_(bindparam("ids", expanding=True))), r"any_of\(column, 'ids'\)"),
        (select(odd.c.day), "column 'day' is DateTime"),
        (select((issue.c.id / 2).label("half")), "column 'half' is Numeric"),
        (select(odd.c.id).where(odd.c.day == bindparam("day")), "parameter 'day' is DateTime"),
        (select(issue.c.id, mail.c.id), "more than one column is called id"),
    ],
)
def test_what_sqlite_would_not_hold_as_it_is_gets_refused(statement: SelectBase, complaint: str) -> None:
    for compiled in (compile_query, compile_search):
        with pytest.raises(TypeError, match=complaint):
            compiled(statement)


def test_a_frozen_query_has_no_room_for_other_values() -> None:
    with pytest.raises(TypeError, match="has a value of its own"):
        compile_query(select(issue.c.id).where(issue.c.id == bindparam("key", 5)))
    with pytest.raises(TypeError, match="is Numeric"):
        compile_query(select(issue.c.id).where(issue.c.weight == Decimal(1)))
    with pytest.raises(TypeError, match="literal"):
        compile_query(select(issue.c.id).where(issue.c.weight == inf))
    with pytest.raises(TypeError, match="literal"):
        compile_query(select(issue.c.id).where(func.length(issue.c.key) == "nul\0"))
