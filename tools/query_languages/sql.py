"""A search as SQL: the tree compiled to a SQLAlchemy expression, and words made safe for FTS5.

The expression is two-valued: where a column is NULL a comparison is false and its negation true, as in `evaluate`.
A field that the app does not build matches nothing, as one that a record does not hold.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from sqlalchemy import (
    ColumnElement,
    Select,
    TableClause,
    and_,
    false,
    func,
    literal_column,
    not_,
    or_,
    select,
    true,
)

from tools.query_languages.ast import (
    And,
    Condition,
    Empty,
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
from tools.query_languages.words import spellings, tokens

__all__ = [
    "FieldBuilder",
    "TextBuilder",
    "compiled",
    "fts_columns",
    "fts_phrase",
    "fts_rowids",
    "name_column",
    "number_column",
]

FieldBuilder: TypeAlias = Callable[[Op, Value], ColumnElement[bool]]
"""Makes the comparison of one field."""
TextBuilder: TypeAlias = Callable[[TextNode], ColumnElement[bool]]
"""Makes the search for words, in the fields that the text names or in the app's own choice."""

_EQUALS: frozenset[Op] = frozenset({"=", "in", "is"})
_OPPOSITES: dict[Op, Op] = {"!=": "=", "not in": "in", "is not": "is"}
_LARGEST = (1 << 63) - 1


def compiled(
    search: Search | Condition, *, fields: Mapping[str, FieldBuilder], text: TextBuilder
) -> ColumnElement[bool]:
    """The condition of a search as SQL, true for one without.

    Args:
        search: a search, whose order is left to the app, or a condition.
        fields: builders by our name of the field; the two below build none of the app's functions, so give the
            search to `resolved` first.
        text: builds the search for words, usually `id.in_(fts_rowids(...))`.
    """
    condition = search.condition if isinstance(search, Search) else search
    return true() if condition is None else _built(condition, fields, text)


def _built(condition: Condition, fields: Mapping[str, FieldBuilder], text: TextBuilder) -> ColumnElement[bool]:
    match condition:
        case And(parts):
            return and_(*(_built(part, fields, text) for part in parts))
        case Or(parts):
            return or_(*(_built(part, fields, text) for part in parts))
        case Not(part):
            return not_(func.coalesce(_built(part, fields, text), false()))
        case TextNode():
            return text(condition)
        case Field(name, op, value):
            build = fields.get(name)
            return build(op, value) if build else _missing(op, value)


def _missing(op: Op, value: Value) -> ColumnElement[bool]:
    """A field that no row holds: empty is all that it is."""
    items = value.items if isinstance(value, Values) else (value,)
    return true() if op in _EQUALS and any(isinstance(item, Empty) for item in items) else false()


def number_column(column: ColumnElement[int]) -> FieldBuilder:
    """A builder for a nullable column of numbers or instants, with the meaning of `evaluate`."""

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        if op in _OPPOSITES:
            return _opposite(column.is_not(None), build(_OPPOSITES[op], value), value)
        match value:
            case Empty():
                return column.is_(None) if op in _EQUALS else false()
            case Values(items):
                return or_(false(), *(build("=", item) for item in items)) if op in _EQUALS else false()
            case NumberValue(number):
                return _between(column, op, number, number + 1)
            case Range(low, high):
                return _between(column, op, low, None if high is None else high + 1)
            case TimeSpan(start, end):
                return _between(column, op, start, end)
            case _:
                return false()

    return build


def name_column(column: ColumnElement[str]) -> FieldBuilder:
    """A builder for a nullable column with one name, compared without regard to the case of ASCII letters."""
    has_value = and_(column.is_not(None), column != "")

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        if op in _OPPOSITES:
            return _opposite(has_value, build(_OPPOSITES[op], value), value)
        match value:
            case Empty() if op in _EQUALS:
                return not_(has_value)
            case Word(text) if op in _EQUALS:
                return func.lower(column) == text.lower()
            case NumberValue(number) if op in _EQUALS:
                return column == str(number)
            case Values(items) if op in _EQUALS:
                return or_(false(), *(build("=", item) for item in items))
            case _:
                return false()

    return build


def _opposite(has_value: ColumnElement[bool], found: ColumnElement[bool], value: Value) -> ColumnElement[bool]:
    """`!=` and its kind leave out what is empty."""
    return has_value if isinstance(value, Empty) else and_(has_value, not_(func.coalesce(found, false())))


def _between(column: ColumnElement[int], op: Op, start: int | None, end: int | None) -> ColumnElement[bool]:
    """Compare with everything from `start` to before `end`; a side that is open lies beyond every value."""
    last = None if end is None or end > _LARGEST else end
    from_start = column.is_not(None) if start is None else column >= start
    to_end = column.is_not(None) if last is None else column < last
    match op:
        case "<":
            return false() if start is None else column < start
        case "<=":
            return to_end
        case ">":
            return false() if last is None else column >= last
        case ">=":
            return from_start
        case _:
            return and_(from_start, to_end) if op in _EQUALS else false()


def fts_phrase(words: Sequence[str], phrase: bool, prefix: bool) -> str:
    """An FTS5 query that finds the words as `TextNode` means them; whatever they hold, it is never more than words.

    Each string is quoted as FTS5 defines, so that no column, operator, bracket or star in it counts. Words without a
    letter or digit find nothing alone and do not count beside others. A number is looked for in each of its spellings.
    """
    strings = [" ".join(words)] if phrase else list(words)
    choices = [spellings(text) for text in strings]
    if prefix and choices:
        choices[-1] = choices[-1][:1]
    if all(len(choice) == 1 for choice in choices):
        return " ".join(map(_string, strings or [""])) + "*" * prefix
    star = "*" if prefix and tokens(strings[-1]) else ""
    counted = [
        f"({' OR '.join(map(_string, choice))})" for choice in choices[: -1 if star else None] if tokens(choice[0])
    ]
    return " AND ".join([*counted, *([_string(strings[-1]) + star] if star else [])])


def fts_columns(columns: Sequence[str], query: str) -> str:
    """The query restricted to columns of the FTS5 table."""
    return f"{{{' '.join(map(_string, columns))}}} : ({query})"


def fts_rowids(words: TableClause, query: str) -> Select[int]:
    """The rows of an FTS5 table that an FTS5 query finds, to stand in `id.in_(...)`.

    The query gets a parameter of its own: `text("t MATCH :query")` would share one name among all words of a search,
    and only the last would count.
    """
    rowid: ColumnElement[int] = literal_column("rowid")
    return select(rowid).select_from(words).where(literal_column(words.name).op("MATCH", is_comparison=True)(query))


def _string(text: str) -> str:
    """An FTS5 string. NUL would end the query and a lone surrogate cannot be stored; both become spaces."""
    plain = "".join(" " if character == "\0" or "\ud800" <= character <= "\udfff" else character for character in text)
    return '"' + plain.replace('"', '""') + '"'
