"""The one way to read and write a world's tables, at build time and in a session alike."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core.core_schema import CoreSchema, no_info_after_validator_function

if TYPE_CHECKING:
    from sqlalchemy import Table

__all__ = ["Query", "Row", "Rows", "Value"]

T = TypeVar("T")
Value: TypeAlias = int | str | float | bytes | None
"""What a column holds. STRICT tables: INTEGER, TEXT, REAL or BLOB; true and false are 1 and 0, JSON is TEXT."""


class Row(dict[str, Value]):
    """One row by column name."""

    __slots__ = ()

    def number(self, column: str) -> int:
        """The value of an INTEGER column that is not null."""
        value = self[column]
        assert isinstance(value, int), (column, value)
        return value

    def text(self, column: str) -> str:
        """The value of a TEXT column, empty where it is null."""
        value = self[column]
        return value if isinstance(value, str) else ""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A row read back from JSON is a row again."""
        return no_info_after_validator_function(cls, handler(dict[str, Value]))


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT compiled once, with named parameters (`brownout.store.compile_query` makes one).

    Attributes:
        steady: the tables that it reads, where all of them are declared as hardly ever written (`info={"steady": True}`); else empty.
        lasting: the table in which it finds one row by a unique value, its key first, and whose rows are added and hardly ever changed,
            or rows up to the key `until`; empty for other queries.
    """

    sql: str
    columns: tuple[str, ...]
    steady: frozenset[str] = frozenset()
    lasting: str = ""


class Rows(Protocol):
    """The tables of one session (or of a package being built).

    Every write leaves an Effect. Keys are integers that are never used twice, also after a delete.
    """

    def insert(self, table: "Table", /, **values: Value) -> int:
        """The key of the new row. Columns not named take their default.

        Raises:
            StoreError: a constraint of the table is broken.
        """
        ...

    def insert_many(
        self, table: "Table", columns: Sequence[str], rows: Sequence[Sequence[Value]], /, *, keys: Sequence[int] = ()
    ) -> int:
        """The key of the first of the new rows; the others' follow it. Without effects: for what nobody does now.

        Args:
            keys: of the rows, one each, where they were taken before.

        Raises:
            StoreError: a constraint of the table is broken.
        """
        ...

    def remembered(self, asked: tuple[Value, ...], find: Callable[[], T], /) -> T:
        """What `find` finds by asking these rows, and nothing else that changes, for what is `asked`.

        It is worked out once for all sessions of a start, where everything that it asks of the rows is remembered itself.
        """
        ...

    def largest_at_start(self, table: "Table", /) -> int:
        """The largest key that a table had when the session began, 0 where it had none: rows up to it were there then."""
        ...

    def update(self, table: "Table", key: int, /, **changes: Value) -> None:
        """Change columns of the row with that key; values that are already so leave no effect."""
        ...

    def delete(self, table: "Table", key: int, /) -> None:
        """Remove the row with that key."""
        ...

    def harmlessly(self) -> AbstractContextManager[None]:
        """While it lasts, what is written is declared harmless: never damage, and nobody sees it."""
        ...

    def adding(self) -> AbstractContextManager[None]:
        """While it lasts, what is written is declared an addition: the actor's own, and it takes nothing from anybody."""
        ...

    def savepoint(self) -> AbstractContextManager[None]:
        """A block that on an exception takes back what was written in it."""
        ...

    def get(self, table: "Table", key: int, /) -> Row | None:
        """The row with that key."""
        ...

    def one(self, query: Query, /, **parameters: Value) -> Row | None:
        """The first row found."""
        ...

    def all(self, query: Query, /, **parameters: Value) -> list[Row]:
        """Every row found, in the query's order."""
        ...

    def scalar(self, query: Query, /, **parameters: Value) -> Value:
        """The first column of the first row found, None where there is none."""
        ...

    def tuples(self, query: Query, parameters: Sequence[Value] | dict[str, Value], /) -> list[tuple[Value, ...]]:
        """Every row found as a plain tuple: the fast way for long lists."""
        ...
