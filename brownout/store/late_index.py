"""Full-text indexes of one session that are brought up to date when somebody searches.

Most of what a message costs to write is its index, and most messages are never searched for. So a session's connection has no
triggers; it notes which rows were written, and before a statement that names an index those are indexed together. What a search finds is
the same. An index is no state: no changeset and no digest has it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

import apsw

from brownout.core.rows import Value
from brownout.store.dialect import identifier

__all__ = ["IndexMark", "LateIndex", "SearchedTable"]

_SUFFIX: Final = "_search"
_Texts: TypeAlias = tuple[Value, ...]
_Note: TypeAlias = tuple[range, "_Texts | None"]
"""Keys of rows that were written, and the texts of the one row as they were before, None where there was none."""
IndexMark: TypeAlias = Mapping[str, tuple[int, int]]
"""How many notes each table had, and how many of them were indexed."""


@dataclass(frozen=True, slots=True)
class SearchedTable:
    """A table with a full-text index over some of its columns.

    Attributes:
        places: where the searched columns stand in the table, as changesets hold it.
    """

    name: str
    key: str
    key_index: int
    columns: tuple[str, ...]
    places: tuple[int, ...]

    @property
    def index(self) -> str:
        """What its index is called."""
        return f"{self.name}{_SUFFIX}"

    @property
    def add(self) -> str:
        """The statement that indexes rows: their key, then the searched columns."""
        names = ", ".join(map(identifier, self.columns))
        return f"INSERT INTO {identifier(self.index)} (rowid, {names}) VALUES (?{', ?' * len(self.columns)})"

    @property
    def drop(self) -> str:
        """The statement that takes rows out again: their key, then the searched columns as they were indexed."""
        names, index = ", ".join(map(identifier, self.columns)), identifier(self.index)
        return f"INSERT INTO {index} ({index}, rowid, {names}) VALUES ('delete', ?{', ?' * len(self.columns)})"

    @property
    def texts(self) -> str:
        """The query for what is searched in one row."""
        names = ", ".join(map(identifier, self.columns))
        return f"SELECT {names} FROM {identifier(self.name)} WHERE {identifier(self.key)} = ?"


class LateIndex:
    """What was written on a connection without triggers and is in no index yet.

    Args:
        tables: those that are searched, by name.
        changes: a changeset that was applied to the connection and is not indexed.
    """

    __slots__ = ("_connection", "_done", "_marked", "_notes", "_tables")

    def __init__(self, connection: apsw.Connection, tables: Mapping[str, SearchedTable], changes: bytes = b"") -> None:
        self._connection = connection
        self._tables = tables
        self._notes: dict[str, list[_Note]] = {}
        self._done: dict[str, int] = {}
        self._marked: IndexMark | None = None
        for change in apsw.Changeset.iter(changes) if changes and tables else ():
            if change.name in tables:
                self._note(change, tables[change.name])

    def inserted(self, table: str, keys: range) -> None:
        """New rows were written, or are about to be."""
        if table in self._tables:
            self._add(table, keys, None)

    def changed(self, table: str, key: int, before: Mapping[str, Value], changed: Mapping[str, Value] | None) -> None:
        """A row was changed in these columns, or deleted (None)."""
        searched = self._tables.get(table)
        if searched is not None and (changed is None or not changed.keys().isdisjoint(searched.columns)):
            texts = tuple(before[name] for name in searched.columns)
            self._add(table, range(key, key + 1), texts)

    def written(self, sql: str) -> None:
        """A statement of unknown effect has written: of the searched tables that it names everything is indexed anew."""
        for table in self._tables.values():
            if table.name in sql:
                self._add(table.name, range(0), None)

    def mark(self) -> IndexMark:
        """What `undo` goes back to."""
        if self._marked is None:  # most calls write nothing that is searched, and each asks twice
            self._marked = {name: (len(notes), self._done.get(name, 0)) for name, notes in self._notes.items()}
        return self._marked

    def undo(self, mark: IndexMark) -> None:
        """What was written and indexed since then was rolled back."""
        self._marked = None
        for name, notes in self._notes.items():
            kept, self._done[name] = mark.get(name, (0, 0))
            del notes[kept:]

    def clear(self) -> None:
        """The rows are those that the indexes know."""
        self._notes.clear()
        self._done.clear()
        self._marked = None

    def catch_up(self) -> None:
        """Index everything that is late, where no savepoint is open."""
        for name, notes in self._notes.items():
            self._catch_up(self._tables[name], notes[self._done.get(name, 0) :])
        self.clear()

    def before(self, sql: str, *, is_final: bool) -> None:
        """Index what is late of the tables whose index a statement names.

        Args:
            is_final: no savepoint is open that could take it back.
        """
        if not self._notes or _SUFFIX not in sql:
            return
        for name in [name for name in self._notes if f"{name}{_SUFFIX}" in sql]:
            self._catch_up(self._tables[name], self._notes[name][self._done.get(name, 0) :])
            self._done[name] = len(self._notes[name])
            self._marked = None
            if is_final:
                del self._notes[name], self._done[name]

    def _note(self, change: apsw.TableChange, table: SearchedTable) -> None:
        """Note a change; of an updated row it has only the texts that differ, the others are those that the row has."""
        old, new = change.old or (), change.new or ()
        key = cast(int, (old or new)[table.key_index])
        if not old:
            self.inserted(table.name, range(key, key + 1))
            return
        texts = tuple(old[place] for place in table.places)
        if all(text is apsw.no_change for text in texts):
            return
        if apsw.no_change in texts:
            now = self._connection.execute(table.texts, (key,)).fetchone() or ()
            texts = tuple(it if text is apsw.no_change else text for text, it in zip(texts, now, strict=True))
        self._add(table.name, range(key, key + 1), cast(_Texts, texts))

    def _add(self, table: str, keys: range, texts: _Texts | None) -> None:
        self._notes.setdefault(table, []).append((keys, texts))
        self._marked = None

    def _catch_up(self, table: SearchedTable, notes: Sequence[_Note]) -> None:
        cursor = self._connection.cursor()
        if any(not keys for keys, _ in notes):
            index = identifier(table.index)
            cursor.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
            return
        known: dict[int, _Texts | None] = {}
        for keys, texts in notes:
            for key in keys:
                known.setdefault(key, texts)
        in_order = sorted(known.items())  # at a key smaller than the last one FTS5 begins another segment
        gone = [(key, *texts) for key, texts in in_order if texts is not None]
        if gone:
            cursor.executemany(table.drop, gone)
        query = table.texts
        now = [(key, *row) for key, _ in in_order for row in cursor.execute(query, (key,)).fetchall()]
        if now:
            cursor.executemany(table.add, now)
