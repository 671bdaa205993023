"""SQLite as this store uses it: STRICT tables, named parameters, literals spelled out where they are safe.

A driver-level call skips SQLAlchemy's result and bind processors, so whatever would need one is refused here,
once, when a statement is compiled.
"""

from math import isfinite
from typing import Any, Final, cast

from sqlalchemy import BindParameter, Boolean, Float
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler, SQLiteDDLCompiler, SQLiteDialect, SQLiteTypeCompiler
from sqlalchemy.types import TypeEngine

__all__ = ["CAME_LATER", "FROZEN", "OPEN", "Dialect", "identifier", "literal"]

_IN_MESSAGE = "in_() with a list has no fixed SQL; use any_of(column, {name!r}) and pass the list as a JSON array"


def identifier(name: str) -> str:
    """The name in double quotes, safe whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """The value as an SQL literal.

    Raises:
        TypeError: it is not an integer, finite float, text, bytes or None.
    """
    match value:
        case None:
            return "NULL"
        case bool() | int():
            return _number(int(value))
        case float() if isfinite(value):
            return _number(value)
        case str() if "\0" not in value:
            return "'" + value.replace("'", "''") + "'"
        case bytes():
            return f"x'{value.hex()}'"
        case _:
            raise TypeError(f"expected a literal integer, finite float, text or bytes in a query, found {value!r}")


def _number(value: float) -> str:
    return f"({value!r})" if value < 0 else repr(value)  # "--" would begin a comment


class _Compiler(SQLiteCompiler):
    """Compiles statements whose only parameters are those their author named."""

    def visit_bindparam(self, bindparam: BindParameter[Any], *args: Any, **options: Any) -> str:
        if bindparam.expanding or bindparam.literal_execute:
            raise TypeError(_IN_MESSAGE.format(name=str(bindparam.key) if not bindparam.unique else "values"))
        self._check_type(bindparam)
        if bindparam.required or not cast(Dialect, self.dialect).spells_literals:
            return str(super().visit_bindparam(bindparam, *args, **options))  # type: ignore[no-untyped-call]
        if not bindparam.unique:
            raise TypeError(f"the parameter {bindparam.key!r} has a value of its own; leave it out or write a literal")
        return literal(bindparam.value)

    def _check_type(self, bindparam: BindParameter[Any]) -> None:
        kind = bindparam.type
        if isinstance(kind, Boolean | Float) or kind.dialect_impl(self.dialect).bind_processor(self.dialect) is None:
            return
        raise TypeError(
            f"the parameter {bindparam.key!r} is {kind!r}; a session binds integers, text, floats and bytes"
        )


CAME_LATER: Final = "/* came later */"
"""Stands in a table's declaration, which a world file keeps word for word."""


class _DdlCompiler(SQLiteDDLCompiler):
    def post_create_table(self, table: Any) -> str:
        return f"\n {CAME_LATER} STRICT" if table.info.get("came_later") else "\n STRICT"


class _TypeCompiler(SQLiteTypeCompiler):
    def visit_FLOAT(self, type_: TypeEngine[Any], **options: Any) -> str:  # noqa: N802 (SQLAlchemy's name)
        return "REAL"


class Dialect(SQLiteDialect):
    """SQLite by SQL text alone.

    Args:
        spells_literals: values written into a statement become SQL literals; otherwise they stay parameters.
    """

    statement_compiler = _Compiler
    ddl_compiler = _DdlCompiler
    type_compiler_cls = _TypeCompiler
    returns_native_bytes = True
    supports_statement_cache = True

    def __init__(self, *, spells_literals: bool) -> None:
        super().__init__(paramstyle="named")
        self.spells_literals = spells_literals


FROZEN: Final = Dialect(spells_literals=True)
"""For what is compiled once, when its module is imported."""
OPEN: Final = Dialect(spells_literals=False)
"""For what is built call by call from somebody's words."""
