"""A session beside a private file copy that is driven with plain SQL: whatever one shows, the other must show."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import apsw
import pytest

from brownout.core.calls import Effect
from brownout.core.errors import StoreError
from brownout.core.rows import Row, Value
from brownout.store import RowDifference, StoreSession
from tests.store.sample import BY_KEY, FOUND, IN_FOLDER, MAIL, MAILS, NAMED, OLD, TABLES, issue, mail

WORDS = [f"topic{number}" for number in range(12)] + ["zebra", "café", "Straße"]
COLUMNS = {name: tuple(str(column.name) for column in table.columns) for name, table in TABLES.tables.items()}


class Copy:
    """A world file of its own; every statement is committed."""

    def __init__(self, source: Path, path: Path) -> None:
        shutil.copyfile(source, path)
        self.path = path
        self.connection = apsw.Connection(str(path))
        self.connection.execute("PRAGMA journal_mode = memory; PRAGMA synchronous = off").fetchall()

    def run(self, sql: str, *values: Value) -> list[tuple[Value, ...]]:
        return self.connection.execute(sql, values).fetchall()

    def row(self, table: str, key: int) -> Row | None:
        found = self.run(f"SELECT * FROM {table} WHERE id = ?", key)
        return Row(zip(COLUMNS[table], found[0], strict=True)) if found else None

    def dump(self) -> dict[tuple[str, int], Row]:
        return {
            (table, int(str(values[0]))): Row(zip(columns, values, strict=True))
            for table, columns in COLUMNS.items()
            for values in self.run(f"SELECT * FROM {table}")
        }

    def close(self) -> None:
        self.connection.close()
        self.path.unlink()


@dataclass
class Twin:
    """One session and its copy.

    Attributes:
        start: the rows of the start state; `start_file` a world file in that state.
        floor: the largest key of each table at the start; `ids` the largest ever used.
    """

    session: StoreSession
    copy: Copy
    start: dict[tuple[str, int], Row]
    start_file: Path
    floor: dict[str, int]
    ids: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ids = self.ids or dict(self.floor)

    def insert(self, draw: Random) -> None:
        name, values = _new_row(draw)
        columns, marks = ", ".join(["id", *values]), ", ".join("?" * (len(values) + 1))
        key = self.ids[name] + 1
        sql = f"INSERT INTO {name} ({columns}) VALUES ({marks})"
        rows = self.session.rows
        try:
            self.copy.run(sql, key, *values.values())
        except apsw.ConstraintError:
            with pytest.raises(StoreError, match=name):
                rows.insert(TABLES.tables[name], **values)
            return
        assert rows.insert(TABLES.tables[name], **values) == key
        self.ids[name] = key
        self._check_effect(Effect("insert", name, key, None, self.copy.row(name, key)))

    def update(self, draw: Random) -> None:
        name, key = self._some_row(draw)
        changes = draw.choice(_changes(name, draw))
        before = self.copy.row(name, key)
        self.copy.run(
            f"UPDATE {name} SET {', '.join(f'{c} = ?' for c in changes)} WHERE id = ?", *changes.values(), key
        )
        after = self.copy.row(name, key)
        self.session.rows.update(TABLES.tables[name], key, **changes)
        self._check_effect(None if before == after else Effect("update", name, key, before, after))

    def exchange(self, draw: Random) -> None:
        """Two issues exchange their unique keys."""
        found = self.copy.run("SELECT id, key FROM issue ORDER BY id")
        (one, first), (two, second) = draw.sample(found, 2)
        for place, key in ((one, "between"), (two, first), (one, second)):
            self.copy.run("UPDATE issue SET key = ? WHERE id = ?", key, place)
            self.session.rows.update(issue, int(str(place)), key=key)
        assert len(self.session.rows.take_effects()) == 3

    def delete(self, draw: Random) -> None:
        name, key = self._some_row(draw)
        before = self.copy.row(name, key)
        self.copy.run(f"DELETE FROM {name} WHERE id = ?", key)
        self.session.rows.delete(TABLES.tables[name], key)
        self._check_effect(Effect("delete", name, key, before, None))

    def write_in_vain(self, draw: Random) -> None:
        """Writes under a savepoint that is rolled back; only the keys stay used."""
        rows = self.session.rows
        number = draw.randrange(1, 4)
        with pytest.raises(RuntimeError), rows.savepoint():
            for _ in range(number):
                rows.insert(mail, folder="f1", subject=_text(draw))
            name, key = self._some_row(draw)
            rows.delete(TABLES.tables[name], key)
            raise RuntimeError
        self.ids["mail"] += number
        self._check_effect(None)

    def read(self, draw: Random) -> None:
        name, number = self._some_row(draw)
        assert self.session.rows.get(TABLES.tables[name], number) == self.copy.row(name, number)
        folder = f"f{draw.randrange(6)}"
        found = self.copy.connection.execute(IN_FOLDER.sql, {"folder": folder}).fetchall()
        assert self.session.rows.tuples(IN_FOLDER, {"folder": folder}) == found
        key = f"BOX-{draw.randrange(120)}"
        found = self.copy.connection.execute(BY_KEY.sql, {"key": key}).fetchall()
        assert self.session.rows.tuples(BY_KEY, {"key": key}) == found
        found = self.copy.connection.execute(NAMED.sql, {"key": key}).fetchall()
        rows = self.session.rows
        assert rows.tuples(NAMED, {"key": key}) == found
        assert rows.remembered(("named", key), lambda: rows.tuples(NAMED, {"key": key})) == found
        assert rows.remembered(("by key", key), lambda: rows.tuples(BY_KEY, {"key": key})) == found
        assert (
            rows.remembered(
                ("both", key), lambda: rows.remembered(("by key", key), lambda: rows.tuples(BY_KEY, {"key": key}))
            )
            == found
        )
        until = self.session.rows.largest_at_start(mail) + draw.choice((0, 0, 5))
        found = self.copy.connection.execute(OLD.sql, {"folder": folder, "until": until}).fetchall()
        assert self.session.rows.tuples(OLD, {"folder": folder, "until": until}) == found
        number = draw.randrange(1, MAILS + 40)
        found = self.copy.connection.execute(MAIL.sql, {"number": number}).fetchall()
        assert self.session.rows.tuples(MAIL, {"number": number}) == found
        assert rows.remembered(("mail", number), lambda: rows.tuples(MAIL, {"number": number})) == found
        one = rows.remembered(("row", number), lambda: rows.get(issue, number))
        assert one == self.copy.row("issue", number)

    def search(self, draw: Random) -> None:
        words = draw.choice(["{0}", "{0} {1}", "{0} OR {1}", "subject: {0}", "{0} NOT {1}"])
        words = words.format(*draw.sample(WORDS, 2))
        found = self.copy.connection.execute(FOUND.sql, {"words": words}).fetchall()
        assert self.session.rows.tuples(FOUND, {"words": words}) == found

    def check_state(self) -> None:
        """The diff and every row."""
        state = self.copy.dump()
        expected = [
            change
            for key in sorted({*state, *self.start})
            if (change := _change(key, self.start.get(key), state.get(key)))
        ]
        assert self.session.diff() == expected
        for table, columns in COLUMNS.items():
            rows = self.session.rows.execute(f"SELECT * FROM {table}")
            assert [Row(zip(columns, row, strict=True)) for row in rows] == [
                row for (name, _), row in sorted(state.items()) if name == table
            ]

    def reset(self) -> None:
        self.session.reset()
        path = self.copy.path
        self.copy.close()
        self.copy = Copy(self.start_file, path)
        self.ids = dict(self.floor)

    def close(self) -> None:
        self.session.close()
        self.copy.close()

    def _some_row(self, draw: Random) -> tuple[str, int]:
        name = draw.choice(["mail", "issue"])
        keys = self.copy.run(f"SELECT id FROM {name} ORDER BY id")
        return name, int(str(draw.choice(keys)[0]))

    def _check_effect(self, expected: Effect | None) -> None:
        assert self.session.rows.take_effects() == (() if expected is None else (expected,))


def _new_row(draw: Random) -> tuple[str, dict[str, Value]]:
    if draw.random() < 0.5:
        values: dict[str, Value] = {"folder": f"f{draw.randrange(6)}", "subject": _text(draw), "body": _text(draw)}
        if draw.random() < 0.7:
            values["at"] = draw.randrange(1000)
        return "mail", values
    status = draw.choice(["open", "open", ""])
    attachment = draw.choice([None, b"", draw.randbytes(8)])
    values = {"key": f"N-{draw.randrange(400)}", "status": status, "weight": draw.choice([None, 1, 0.5])}
    return "issue", {**values, "attachment": attachment, "is_done": draw.randrange(2)}


def _changes(table: str, draw: Random) -> list[dict[str, Value]]:
    if table == "mail":
        return [{"subject": _text(draw)}, {"body": _text(draw), "at": 3}, {"folder": f"f{draw.randrange(6)}"}]
    return [{"status": draw.choice(["open", "done"])}, {"weight": 2}, {"is_done": True}, {"attachment": None}]


def _text(draw: Random) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randrange(1, 6)))


def _change(place: tuple[str, int], before: Row | None, after: Row | None) -> RowDifference | None:
    table, key = place
    if before == after:
        return None
    if before is None or after is None:
        return RowDifference(table, key, "insert" if before is None else "delete", before, after)
    differ = [name for name in before if before[name] != after[name]]
    return RowDifference(table, key, "update", Row((n, before[n]) for n in differ), Row((n, after[n]) for n in differ))
