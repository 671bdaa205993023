import pytest
from sqlalchemy import bindparam, select

from brownout.core import rows as core_rows
from brownout.core.calls import Effect
from brownout.core.errors import BeyondLimits, StoreError
from brownout.core.rows import Row
from brownout.store import Pool, StoreRows, compile_query
from tests.store.sample import IN_FOLDER, ISSUES, issue, mail


@pytest.fixture
def rows(pool: Pool) -> StoreRows:
    return pool.open().rows


def test_it_is_what_the_core_promises(rows: StoreRows) -> None:
    promised: core_rows.Rows = rows
    assert promised.get(issue, 1) is not None


def test_an_insert_fills_in_defaults_and_leaves_the_whole_row_as_its_effect(rows: StoreRows) -> None:
    key = rows.insert(mail, folder="f1")
    row = Row(id=key, folder="f1", at=0, subject="", body=None)
    assert rows.get(mail, key) == row
    assert rows.effects == [Effect("insert", "mail", key, None, row)]


def test_an_effect_shows_what_is_stored_not_what_was_given(rows: StoreRows) -> None:
    key = rows.insert(issue, key="A", weight=1, is_done=True)
    rows.update(issue, 1, weight=True, is_done=True)
    for effect in rows.effects:
        assert effect.after is not None
        assert effect.after["weight"] == 1.0
        assert [type(effect.after[name]) for name in ("weight", "is_done")] == [float, int]
        assert effect.after == rows.get(issue, effect.key)
    assert [effect.key for effect in rows.effects] == [key, 1]


def test_an_effect_keeps_the_order_of_the_columns(rows: StoreRows) -> None:
    key = rows.insert(issue, is_done=0, key="A")
    rows.update(issue, key, is_done=1)
    for effect in rows.effects:
        assert list(effect.after or ()) == ["id", "key", "status", "weight", "attachment", "is_done"]


def test_an_update_to_the_same_values_leaves_no_effect(rows: StoreRows) -> None:
    rows.update(issue, 1, status="open", is_done=False, weight=0.25)
    assert rows.effects == []


def test_made_and_undone_leaves_two_effects(rows: StoreRows) -> None:
    key = rows.insert(issue, key="A")
    rows.delete(issue, key)
    assert [effect.kind for effect in rows.take_effects()] == ["insert", "delete"]


def test_harmless_writes_are_marked(rows: StoreRows) -> None:
    rows.harmless = True
    rows.update(mail, 1, folder="read")
    rows.harmless = False
    rows.update(mail, 2, folder="read")
    assert [effect.harmless for effect in rows.effects] == [True, False]


def test_nothing_is_recorded_while_recording_is_off(rows: StoreRows) -> None:
    rows.record = False
    key = rows.insert(issue, key="A")
    rows.update(issue, key, status="done")
    rows.delete(issue, key)
    assert rows.effects == []


def test_a_key_is_never_used_twice(rows: StoreRows) -> None:
    rows.delete(issue, ISSUES)
    first = rows.insert(issue, key="A")
    assert first == ISSUES + 1
    rows.delete(issue, first)
    assert rows.insert(issue, key="A") == first + 1
    rows.insert(issue, id=500, key="B")
    assert rows.insert(issue, key="C") == 501


def test_a_rolled_back_savepoint_takes_its_effects_but_not_its_keys(rows: StoreRows) -> None:
    rows.update(issue, 1, status="kept")
    with pytest.raises(RuntimeError), rows.savepoint():
        assert rows.insert(issue, key="A") == ISSUES + 1
        with rows.savepoint():
            rows.update(issue, 2, status="inner")
        raise RuntimeError
    assert [effect.key for effect in rows.effects] == [1]
    assert rows.insert(issue, key="A") == ISSUES + 2
    row = rows.get(issue, 2)
    assert row is not None
    assert row["status"] == "open"


def test_an_inner_savepoint_falls_alone(rows: StoreRows) -> None:
    with rows.savepoint():
        rows.update(issue, 1, status="outer")
        with pytest.raises(StoreError), rows.savepoint():
            rows.update(issue, 2, status="inner")
            rows.insert(issue, key="BOX-1")
    assert [effect.key for effect in rows.effects] == [1]
    assert rows.depth == 0


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"key": "BOX-1"}, r"issue.*UNIQUE.*issue\.key"),
        ({"key": None}, r"issue.*NOT NULL.*issue\.key"),
        ({"key": "A", "status": ""}, r"issue.*CHECK.*status"),
        ({"key": "A", "weight": "heavy"}, r"issue.*TEXT value in REAL column issue\.weight"),
    ],
)
def test_a_broken_constraint_names_table_and_column(rows: StoreRows, values: dict[str, int], complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint):
        rows.insert(issue, **values)
    assert rows.effects == []
    assert rows.insert(issue, key="A") == ISSUES + 1


@pytest.mark.parametrize("value", [1 << 63, -(1 << 63) - 1, 10**400])
def test_a_number_over_64_bits_is_beyond_limits_wherever_it_stands(rows: StoreRows, value: int) -> None:
    by_status = compile_query(select(issue).where(issue.c.is_done == bindparam("is_done")))
    for ask in (
        lambda: rows.insert(issue, key="A", is_done=value),
        lambda: rows.update(issue, 1, is_done=value),
        lambda: rows.get(issue, value),
        lambda: rows.delete(issue, value),
        lambda: rows.one(by_status, is_done=value),
        lambda: rows.all(by_status, is_done=value),
        lambda: rows.tuples(by_status, {"is_done": value}),
        lambda: rows.execute("SELECT ?", (value,)),
    ):
        with pytest.raises(BeyondLimits):
            ask()
    assert rows.effects == []
    assert rows.get(issue, 1) is not None


def test_a_search_over_the_limits_of_sqlite_is_beyond_limits(rows: StoreRows) -> None:
    deep = "SELECT 1 WHERE " + "1 AND " * 3000 + "1"
    with pytest.raises(BeyondLimits, match="too large"):
        rows.execute(deep)
    with pytest.raises(BeyondLimits, match="too complex"):
        rows.execute("SELECT 'a' LIKE ?", ("%" * 60_000,))


def test_unknown_columns_are_named_with_those_there_are(rows: StoreRows) -> None:
    with pytest.raises(TypeError, match="no column to write called titel; it has key, status"):
        rows.insert(issue, titel="x")
    with pytest.raises(TypeError, match="called titel"):
        rows.update(issue, 1, titel="x")
    with pytest.raises(TypeError, match="called id"):
        rows.update(issue, 1, id=5)


def test_rows_that_are_not_there_cannot_be_changed(rows: StoreRows) -> None:
    with pytest.raises(StoreError, match="issue: it has no row 999"):
        rows.update(issue, 999, status="done")
    with pytest.raises(StoreError, match="issue: it has no row 999"):
        rows.delete(issue, 999)
    assert rows.get(issue, 999) is None


def test_queries_give_rows_scalars_and_tuples(rows: StoreRows) -> None:
    found = rows.all(IN_FOLDER, folder="f1")
    assert [row["id"] for row in found] == [196, 191, 186, 181, 176, 171, 166, 161, 156, 151]
    assert rows.one(IN_FOLDER, folder="f1") == found[0] == Row(id=196, subject="mail 196")
    assert rows.scalar(IN_FOLDER, folder="f1") == 196
    assert rows.tuples(IN_FOLDER, {"folder": "f1"})[0] == (196, "mail 196")
    assert rows.one(IN_FOLDER, folder="none") is None
    assert rows.scalar(IN_FOLDER, folder="none") is None


def test_a_forgotten_parameter_is_named(rows: StoreRows) -> None:
    with pytest.raises(StoreError, match="needs a parameter called 'folder'"):
        rows.all(IN_FOLDER)


def test_a_plain_statement_leaves_no_effect_but_is_in_the_diff(pool: Pool) -> None:
    session = pool.open()
    assert session.rows.execute("SELECT count(*) FROM issue") == [(ISSUES,)]
    session.rows.execute("UPDATE issue SET status = :status WHERE id = 4", {"status": "done"})
    assert session.rows.effects == []
    assert [change.key for change in session.diff()] == [4]
