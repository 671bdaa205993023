"""What a changeset says, as sorted row changes and as a digest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isinf
from tempfile import SpooledTemporaryFile
from typing import IO, Final, cast

import apsw

from brownout.core.calls import EffectKind
from brownout.core.errors import StoreError
from brownout.core.rows import Row, Value
from brownout.core.values import Json, canonical, digest_in_pieces
from brownout.store.schema import Schema, StoredTable

__all__ = ["Extent", "RowDifference", "changes_in", "digest_of_changeset", "extent_of"]

_IN_MEMORY: Final = 8 << 20
"""Bytes of spelled rows beyond which they are put into a file until they are in order."""


@dataclass(frozen=True, slots=True)
class RowDifference:
    """One row that differs from the start state.

    Attributes:
        before: the row at the start, None where there was none. For an update only the columns that differ.
        after: the row now, likewise.
    """

    table: str
    key: int
    kind: EffectKind
    before: Row | None
    after: Row | None


@dataclass(frozen=True, slots=True)
class Extent:
    """How far changes reach.

    Attributes:
        rows: how many rows they change.
        largest: the largest key that they name in each table.
    """

    rows: int
    largest: Mapping[str, int]


def changes_in(changeset: bytes, schema: Schema) -> list[RowDifference]:
    """The changes sorted by table and key; equal states above one start give equal lists.

    Raises:
        StoreError: the bytes are no changeset, or one of other tables.
    """
    try:
        found = [_change(change, _table(change, schema)) for change in apsw.Changeset.iter(changeset)]
    except apsw.Error as error:
        raise _not_a_changeset(error) from error
    found.sort(key=lambda change: (change.table, change.key))
    return found


def extent_of(changeset: bytes, schema: Schema) -> Extent:
    """How far the changes reach, without making them: a world's later starts are some hundred thousand rows.

    Raises:
        StoreError: the bytes are no changeset, or one of other tables.
    """
    rows = 0
    largest: dict[str, int] = {}
    try:
        for change in apsw.Changeset.iter(changeset):
            table = _table(change, schema)
            key = _key(change, table)
            if key > largest.get(table.name, 0):
                largest[table.name] = key
            rows += 1
    except apsw.Error as error:
        raise _not_a_changeset(error) from error
    return Extent(rows, largest)


def digest_of_changeset(changeset: bytes, schema: Schema, *above: str) -> str:
    """The digest of a state: of the changes by table and key, and of the digests they stand above.

    It spells what `changes_in` gives, row by row and without making it, and what is long into a file: a world's later starts
    are some hundred thousand rows.
    """
    places: list[tuple[str, int, int, int]] = []
    with SpooledTemporaryFile(_IN_MEMORY) as spelled:
        for change in apsw.Changeset.iter(changeset):
            table, key, row = _digested(change, _table(change, schema))
            places.append((table, key, spelled.tell(), len(row)))
            spelled.write(row)
        places.sort()
        size = spelled.tell() + max(len(places) - 1, 0) + len(b"[]")
        return digest_in_pieces(*above, size=size, pieces=_listed(places, spelled))


def _listed(places: Sequence[tuple[str, int, int, int]], spelled: IO[bytes]) -> Iterator[bytes]:
    """What stands at these places, as a list has it."""
    yield b"["
    for number, (_, _, at, size) in enumerate(places):
        spelled.seek(at)
        yield spelled.read(size) if number == 0 else b"," + spelled.read(size)
    yield b"]"


def _digested(change: apsw.TableChange, table: StoredTable) -> tuple[str, int, bytes]:
    """The table, the key, and the whole as a digest has it."""
    old, new = change.old, change.new
    kind, key, place = change.op.lower(), _key(change, table), table.key_index
    if kind != "update":
        whole = _spelled_row(table, dict(zip(table.columns, new or old or (), strict=True)))
        return table.name, key, canonical([table.name, key, kind, *((None, whole) if new else (whole, None))])
    changed = [index for index, value in enumerate(new or ()) if value is not apsw.no_change and index != place]
    sides = ({table.columns[index]: values[index] for index in changed} for values in (old or (), new or ()))
    return table.name, key, canonical([table.name, key, kind, *(_spelled_row(table, side) for side in sides)])


def _spelled_row(table: StoredTable, row: dict[str, object]) -> dict[str, Json]:
    values = cast(dict[str, Value], row)
    return (
        {name: _spelled(value) for name, value in values.items()} if table.has_special else cast(dict[str, Json], row)
    )


def _not_a_changeset(error: apsw.Error) -> StoreError:
    return StoreError(f"these bytes are not a changeset of this world: {error}")


def _key(change: apsw.TableChange, table: StoredTable) -> int:
    return cast(int, (change.old or change.new or ())[table.key_index])


def _table(change: apsw.TableChange, schema: Schema) -> StoredTable:
    table = schema.tables.get(change.name)
    if table is None:
        raise StoreError(f"the changeset has rows of {change.name}, a table that this world does not have")
    if change.column_count != len(table.columns):
        message = f"the changeset's {change.name} has {change.column_count} columns, "
        raise StoreError(message + f"this world's has {len(table.columns)}")
    return table


def _change(change: apsw.TableChange, table: StoredTable) -> RowDifference:
    old, new = change.old, change.new
    kind = cast(EffectKind, change.op.lower())
    key, place = _key(change, table), table.key_index
    if kind == "insert":
        return RowDifference(table.name, key, kind, None, _named(table, new or ()))
    if kind == "delete":
        return RowDifference(table.name, key, kind, _named(table, old or ()), None)
    changed = [index for index, value in enumerate(new or ()) if value is not apsw.no_change and index != place]
    return RowDifference(table.name, key, kind, _picked(table, old or (), changed), _picked(table, new or (), changed))


def _named(table: StoredTable, values: tuple[object, ...]) -> Row:
    return Row(zip(table.columns, cast(tuple[Value, ...], values), strict=True))


def _picked(table: StoredTable, values: tuple[object, ...], places: list[int]) -> Row:
    return Row((table.columns[place], cast(Value, values[place])) for place in places)


def _spelled(value: Value) -> Json:
    """As `row_digest` spells it; columns are STRICT, so no two values become alike."""
    if isinstance(value, bytes):
        return value.hex().upper()
    if isinstance(value, float) and isinf(value):
        return "9.0e+999" if value > 0 else "-9.0e+999"
    return value
