"""Full-text search over tables that declare `info={"search": ("subject", "body")}`.

With `"stems": True` beside it English words are found by their stems: `moving` finds `moved`.
"""

from sqlalchemy import Table, TableClause, column
from sqlalchemy import table as table_clause
from sqlalchemy.types import Float, Integer, Text

from brownout.store.dialect import identifier, literal

__all__ = ["index_name", "search_ddl", "search_index", "searched"]

_TOKENIZER = "unicode61 remove_diacritics 2"


def searched(table: Table) -> tuple[str, ...]:
    """The columns that the table declares for full-text search, none where it is not searched."""
    return tuple(str(name) for name in table.info.get("search", ()))


def index_name(table: Table) -> str:
    """What the table's search index is called."""
    return f"{table.name}_search"


def _tokenizer(table: Table) -> str:
    return f"porter {_TOKENIZER}" if table.info.get("stems") else _TOKENIZER


def search_index(table: Table) -> TableClause:
    """The table's search index, to be joined on `rowid`.

    Its columns: `rowid` (the table's key), `rank` (bm25, best first), the searched columns, and one of the
    index's own name for MATCH: `index.c[index.name].op("MATCH")(bindparam("words"))`.

    Raises:
        TypeError: the table declares no searched columns.
    """
    columns = searched(table)
    if not columns:
        raise TypeError(f'table {table.name} is not searched; declare info={{"search": ("column", ...)}}')
    name = index_name(table)
    texts = (column(text, Text) for text in (*columns, name))
    return table_clause(name, column("rowid", Integer), column("rank", Float), *texts)


def search_ddl(table: Table) -> list[str]:
    """The statements that make the table's index and the triggers which keep it in step."""
    columns = searched(table)
    if not columns:
        return []
    key, own = identifier(str(next(iter(table.primary_key)).name)), identifier(str(table.name))
    name = index_name(table)
    index = identifier(name)
    listed = ", ".join(map(identifier, columns))
    options = f"content={literal(str(table.name))}, content_rowid={key}, tokenize={literal(_tokenizer(table))}"
    new = ", ".join(f"new.{text}" for text in (key, *map(identifier, columns)))
    old = ", ".join(f"old.{text}" for text in (key, *map(identifier, columns)))
    add = f"INSERT INTO {index} (rowid, {listed}) VALUES ({new});"
    drop = f"INSERT INTO {index} ({index}, rowid, {listed}) VALUES ('delete', {old});"

    def trigger(event: str, when: str, body: str) -> str:
        return f"CREATE TRIGGER {identifier(f'{name}_{event}')} AFTER {when} ON {own} BEGIN {body} END"

    return [
        f"CREATE VIRTUAL TABLE {index} USING fts5({listed}, {options})",
        trigger("insert", "INSERT", add),
        trigger("delete", "DELETE", drop),
        trigger("update", f"UPDATE OF {key}, {listed}", f"{drop} {add}"),
    ]
