from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlalchemy import ColumnElement, Connection, Integer, String, column, create_engine, select, table, text
from sqlalchemy.exc import OperationalError

from tools.query_languages import github, gmail
from tools.query_languages.ast import (
    EMPTY,
    And,
    Condition,
    Field,
    Not,
    NumberValue,
    Op,
    Or,
    Range,
    Search,
    TextNode,
    TimeSpan,
    Value,
    Values,
    Word,
)
from tools.query_languages.reference_evaluation import Record, matches
from tools.query_languages.sql import compiled, fts_columns, fts_phrase, fts_rowids, name_column, number_column

DOCUMENTS = table(
    "documents", column("id", Integer), column("title", String), column("body", String), column("who", String),
    column("size", Integer),
)  # fmt: skip
WORDS = table("words")

ALPHABET = st.text(alphabet="ab-é\"*' ", max_size=6)
WORD = st.text(alphabet='abé-"*!', min_size=1, max_size=3)
NUMBERS = st.integers(-2, 3)
ROWS = st.lists(
    st.tuples(ALPHABET, ALPHABET, st.none() | st.sampled_from(["a", "B", ""]), st.none() | NUMBERS), max_size=6
)
TEXTS = st.builds(
    TextNode, st.lists(WORD, max_size=3).map(tuple), st.booleans(), st.booleans(), st.sampled_from([(), ("title",)])
)
SPANS = st.builds(TimeSpan, st.none() | NUMBERS, st.none() | NUMBERS, st.just("x"))
RANGES = st.builds(Range, st.none() | NUMBERS, st.none() | NUMBERS)
NUMERIC = st.builds(NumberValue, NUMBERS) | RANGES | SPANS | st.just(EMPTY)
NAMED = st.sampled_from(["A", "b", "c"]).map(Word) | st.builds(NumberValue, NUMBERS) | st.just(EMPTY)
OPS: st.SearchStrategy[Op] = st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"])


def fields(name: str, values: "st.SearchStrategy[Value]") -> st.SearchStrategy[Field]:
    some = values | st.lists(values, max_size=2).map(tuple).map(Values)
    return st.builds(Field, st.just(name), OPS, some)


LEAVES: st.SearchStrategy[Condition] = TEXTS | fields("size", NUMERIC) | fields("who", NAMED) | fields("lost", NAMED)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE documents (id INTEGER PRIMARY KEY, title, body, who, size)"))
        tokenizer = "unicode61 remove_diacritics 2"
        connection.execute(text(f"CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize='{tokenizer}')"))
        yield connection
    engine.dispose()


def words(sought: TextNode) -> ColumnElement[bool]:
    query = fts_phrase(sought.words, sought.phrase, sought.prefix)
    query = fts_columns(sought.within, query) if sought.within else query
    return DOCUMENTS.c.id.in_(fts_rowids(WORDS, query))


BUILDERS = {"size": number_column(DOCUMENTS.c.size), "who": name_column(DOCUMENTS.c.who)}


def fill(connection: Connection, rows: "list[tuple[str, str, str | None, int | None]]") -> dict[int, Record]:
    connection.execute(text("DELETE FROM documents"))
    connection.execute(text("DELETE FROM words"))
    records: dict[int, Record] = {}
    for key, (title, body, who, size) in enumerate(rows, start=1):
        values = {"id": key, "title": title, "body": body, "who": who, "size": size}
        connection.execute(text("INSERT INTO documents VALUES (:id, :title, :body, :who, :size)"), values)
        connection.execute(text("INSERT INTO words (rowid, title, body) VALUES (:id, :title, :body)"), values)
        records[key] = {"text": [title, body], "title": title, "body": body, "who": who, "size": size}
    return records


def found_by_sql(connection: Connection, search: Search | Condition) -> set[int]:
    where = compiled(search, fields=BUILDERS, text=words)
    return set(connection.execute(select(DOCUMENTS.c.id).where(where)).scalars())


@settings(max_examples=120, deadline=None)
@given(rows=ROWS, condition=CONDITIONS)
@example(rows=[("", "", None, None)], condition=Not(Field("size", ">", NumberValue(0))))
@example(rows=[("", "", None, 1)], condition=Field("size", "<=", NumberValue((1 << 63) - 1)))
@example(rows=[("a", "", None, None)], condition=TextNode((), prefix=True))
@example(
    rows=[("8,214 ab", "", None, None), ("8214", "a", None, None)], condition=TextNode(("8214", "-", "a"), prefix=True)
)
@example(
    rows=[("a 8,214", "", None, None), ("a 8214", "", None, None)], condition=TextNode(("a", "8.214"), phrase=True)
)
@example(rows=[("8,214", "", None, None)], condition=TextNode(("8214",), prefix=True, within=("title",)))
def test_sql_finds_what_the_evaluator_finds(
    connection: Connection, rows: "list[tuple[str, str, str | None, int | None]]", condition: Condition
) -> None:
    records = fill(connection, rows)
    expected = {key for key, record in records.items() if matches(condition, record)}
    assert found_by_sql(connection, condition) == expected


@settings(max_examples=150, deadline=None)
@given(words_sought=st.lists(st.text(max_size=8), max_size=3), phrase=st.booleans(), prefix=st.booleans())
@example(words_sought=['"', "OR title : *", "NEAR(a b)", "a\0b", "^x", "-", "{", "a) OR (b"], phrase=False, prefix=True)
@example(words_sought=["\ud800"], phrase=True, prefix=False)
def test_no_text_breaks_out_of_an_fts5_query(
    connection: Connection, words_sought: list[str], phrase: bool, prefix: bool
) -> None:
    fill(connection, [("nothing of the kind", "x", None, None)])
    sought = TextNode(tuple(words_sought), phrase, prefix)
    for within in ((), ("title",), ("title", "body")):
        found_by_sql(connection, TextNode(sought.words, phrase, prefix, within))


def test_an_unquoted_query_would_have_broken(connection: Connection) -> None:
    with pytest.raises(OperationalError):
        connection.execute(fts_rowids(WORDS, 'a" OR'))


def test_queries_as_people_type_them_work_on_a_table(connection: Connection) -> None:
    fill(
        connection,
        [
            ("Retry queue grows", "Cap the retries", "mara", 7),
            ("Rolling restart", "of the retry queue", "jonas", 2),
            ("Lunch", "on Friday", None, None),
        ],
    )
    issues = github.parse('"retry queue" in:title', now=0, zone="UTC")
    assert found_by_sql(connection, issues) == {1}
    assert found_by_sql(connection, github.parse("retry -restart", now=0, zone="UTC")) == {1}
    assert found_by_sql(connection, github.parse("-retry", now=0, zone="UTC")) == {3}
    assert found_by_sql(connection, gmail.parse("larger:1 OR lunch", now=0, zone="UTC")) == {1, 2, 3}
    assert found_by_sql(connection, gmail.parse("-larger:5", now=0, zone="UTC")) == {2, 3}
    assert found_by_sql(connection, gmail.parse("category:social", now=0, zone="UTC")) == set()
    assert found_by_sql(connection, Search(None)) == {1, 2, 3}
