"""Rows of one world on one SQLite connection: generic writes that leave effects, and compiled reads."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Protocol, TypeAlias, cast

import apsw
from sqlalchemy import Table

from brownout.core.calls import Effect, EffectKind
from brownout.core.errors import BeyondLimits, SessionError, StoreError, StoreLost
from brownout.core.rows import Query, Row, T, Value
from brownout.store.late_index import IndexMark, LateIndex
from brownout.store.statements import statements_of
from brownout.store.steady_answers import Answer, Sources, SteadyAnswers, WrittenTables, question
from brownout.store.write_guard import Authorizer

__all__ = ["Late", "Savepoint", "StoreRows"]

_BETWEEN_CHECKS: Final = 1023  # a mask
_UNFIT: Final = (OverflowError, UnicodeError, apsw.TooBigError)
"""What a value that SQLite cannot hold raises: an integer over 64 bits, a lone surrogate, a text over its length."""
_MEDIUM: Final = (
    apsw.CorruptError, apsw.IOError, apsw.NoMemError, apsw.FullError, apsw.CantOpenError, apsw.NotADBError,
)  # fmt: skip
"""What the file and the machine below a statement fail at, whatever the statement is."""
_LIMITS: Final = ("too large", "too big", "too complex", "too many", "stack overflow", "too long")
"""In what SQLite says where a statement is over one of its limits (https://sqlite.org/limits.html)."""
_Found: TypeAlias = list[tuple[Value, ...]]
_Parameters: TypeAlias = Sequence[Value] | Mapping[str, Value]


class Late(Protocol):
    """Somebody who has rows still to write, and does so before anybody can miss them."""

    def touched(self, what: str, given: "_Parameters | int" = ()) -> None:
        """Tables are about to be read or written: write what belongs there.

        Args:
            what: a statement, or the name of a table that is written.
            given: the statement's parameters; of a table the columns of the one row that is added, or the key of the one that is read.
        """
        ...

    def left(self, depth: int, *, undone: bool) -> None:
        """A savepoint was left, and so many are open now; where it was undone, so was what was written in it."""
        ...


class StoreRows:
    """The tables behind one connection.

    The object of a session is valid until that session is swapped out of its connection; after that every method
    raises, so that nothing reaches a stranger's rows. Take `session.rows` anew for each call.

    Args:
        connection: whose tables they are.
        floor: the largest key ever used in each table before this object; tables not named start at 0.
        authorizer: lifted around savepoints; None outside sessions.
        check_room: called once every 1,024 writes; may raise to say that there are too many.
        index: is told what is written, where no triggers keep the full-text indexes in step.
        steady: what was found at the start of the session whose tables they are; None outside sessions.
        written: the tables that differ from that start already.

    Attributes:
        record: writes leave effects. Off while a world is being built, and for the engine's own tables.
        harmless, addition: what effects from now on are declared as.
        effects: what was written and not yet taken, oldest first.
        ids: the largest key used in each table that grew above the floor. Keys only grow: what a savepoint rolls
            back is not used again.
        writes: how many writes were tried, rolled back or not.
        rollbacks: how many savepoints were rolled back.
        depth: how many savepoints are open.
        late: who has rows still to write and is told before tables are touched; None where nothing is late.
    """

    __slots__ = (
        "_authorizer", "_check_room", "_connection", "_execute", "_floor", "_index", "_own", "_sources", "_start", "_steady", "_written", "addition",
        "depth", "effects", "harmless", "ids", "late", "record", "rollbacks", "writes",
    )  # fmt: skip

    def __init__(
        self,
        connection: apsw.Connection,
        *,
        floor: Mapping[str, int] | None = None,
        authorizer: Authorizer | None = None,
        check_room: Callable[[], None] | None = None,
        index: LateIndex | None = None,
        steady: SteadyAnswers | None = None,
        written: WrittenTables | None = None,
    ) -> None:
        self._connection = connection
        self._authorizer = authorizer
        self._check_room = check_room
        self._index = index
        self._start = self._steady = steady
        self._written = written or WrittenTables()
        self._own = SteadyAnswers()
        self._sources: Sources | None = None
        self._execute: Callable[..., apsw.Cursor] = connection.cursor().execute
        self._floor = floor or {}
        self.record = True
        self.harmless = False
        self.addition = False
        self.effects: list[Effect] = []
        self.ids: dict[str, int] = {}
        self.writes = 0
        self.rollbacks = 0
        self.depth = 0
        self.late: Late | None = None

    def insert(self, table: Table, /, **values: Value) -> int:
        """The key of the new row; columns not named take their default.

        The key may be given; otherwise it is one more than the largest ever used in the table.

        Raises:
            StoreError: a constraint of the table is broken; the message names table and column.
            TypeError: the table has no such column.
        """
        plan = statements_of(table)
        name = plan.table
        if self.late is not None:
            self.late.touched(name, values)
        self._written.some.add(name)
        if plan.steady:
            self._own.forget()
        largest = self.ids.get(name) or self._floor.get(name, 0)
        given = values.pop(plan.key, None)
        key = largest + 1 if given is None else cast(int, given)
        if key <= self._floor.get(name, 0):
            self._written.change(name, key)
            self._own.forget()
        statement = plan.insert(tuple(values))
        parameters = (key, *values.values(), *statement.constants)
        if not self.record:
            self._write(statement.sql, parameters, "insert", name)
        elif statement.template is not None and plan.keeps(values):
            self._write(statement.sql, parameters, "insert", name)
            after = Row(statement.template)
            after.update(values)
            after[plan.key] = key
            self._note("insert", name, key, None, after)
        else:
            row = self._write(statement.returning, parameters, "insert", name)[0]
            self._note("insert", name, key, None, _row(plan.columns, row))
        if self._index is not None:
            self._index.inserted(name, range(key, key + 1))
        if key > largest:
            self.ids[name] = key
        return key

    def insert_many(
        self, table: Table, columns: Sequence[str], rows: Sequence[Sequence[Value]], /, *, keys: Sequence[int] = ()
    ) -> int:
        """The key of the first of the new rows; the others' follow it, and columns not named take their default.

        For the past and for what nobody does in a session: it leaves no effects, and is some times as fast as `insert`.

        Args:
            keys: of the rows, one each, all of which `reserve` gave; without, they follow the largest that was ever used.

        Raises:
            StoreError: a constraint of the table is broken; the message names table and column.
            TypeError: the table has no such column.
        """
        plan = statements_of(table)
        name = plan.table
        if self.late is not None:
            self.late.touched(name)
        first = (self.ids.get(name) or self._floor.get(name, 0)) + 1
        if not rows:
            return first
        self._written.some.add(name)
        if plan.steady:
            self._own.forget()
        statement = plan.insert(tuple(columns))
        taken = keys or range(first, first + len(rows))
        given = [(key, *row, *statement.constants) for key, row in zip(taken, rows, strict=True)]
        before = self.writes
        self.writes += len(rows)
        if self._check_room and before // (_BETWEEN_CHECKS + 1) != self.writes // (_BETWEEN_CHECKS + 1):
            self._check_room()
        if self._index is not None:
            for key in keys:
                self._index.inserted(name, range(key, key + 1))
            if not keys:
                self._index.inserted(name, range(first, first + len(rows)))
        try:
            self._connection.cursor().executemany(statement.sql, given)
        except (apsw.Error, *_UNFIT) as error:
            raise self._failure(error, f"insert in {name}") from error
        if not keys:
            self.ids[name] = first + len(rows) - 1
        return taken[0]

    def reserve(self, table: Table, /) -> int:
        """A key that no other row of the table will have, for one that is inserted with it later."""
        name = statements_of(table).table
        key = self.ids[name] = (self.ids.get(name) or self._floor.get(name, 0)) + 1
        return key

    def update(self, table: Table, key: int, /, **changes: Value) -> None:
        """Change columns of the row with that key; values that are already so leave no effect.

        Raises:
            StoreError: there is no such row, or a constraint of the table is broken.
            TypeError: the table has no such column, or it is the key.
        """
        plan = statements_of(table)
        if self.late is not None:
            self.late.touched(plan.table)
        before = self.get(table, key)
        if before is None:
            raise StoreError(f"cannot update {plan.table}: it has no row {key}")
        changed = {name: value for name, value in changes.items() if name not in before or before[name] != value}
        if not changed:
            return
        self._written.some.add(plan.table)
        self._written.change(plan.table, key)
        self._own.forget()
        statement = plan.update(tuple(changed))
        parameters = (*changed.values(), key)
        if not self.record:
            self._write(statement.sql, parameters, "update", plan.table)
            after = None
        elif plan.keeps(changed):
            self._write(statement.sql, parameters, "update", plan.table)
            after = Row(before)
            after.update(changed)
        else:
            after = _row(plan.columns, self._write(statement.returning, parameters, "update", plan.table)[0])
        if self._index is not None:
            self._index.changed(plan.table, key, before, changed)
        if after is not None and after != before:
            self._note("update", plan.table, key, before, after)

    def delete(self, table: Table, key: int, /) -> None:
        """Remove the row with that key.

        Raises:
            StoreError: there is no such row.
        """
        plan = statements_of(table)
        if self.late is not None:
            self.late.touched(plan.table)
        self._written.some.add(plan.table)
        self._written.change(plan.table, key)
        self._own.forget()
        found = self._write(plan.delete_returning, (key,), "delete", plan.table)
        if not found:
            raise StoreError(f"cannot delete from {plan.table}: it has no row {key}")
        if key > (self.ids.get(plan.table) or self._floor.get(plan.table, 0)):
            self.ids[plan.table] = key
        before = _row(plan.columns, found[0])
        if self._index is not None:
            self._index.changed(plan.table, key, before, None)
        if self.record:
            self._note("delete", plan.table, key, before, None)

    def get(self, table: Table, key: int, /) -> Row | None:
        """The row with that key."""
        plan = statements_of(table)
        if self.late is not None:
            self.late.touched(plan.table, key)
        if plan.steady and self._steady is not None and (plan.table, key) not in self._written.rows:
            steadily = self._recalled_row(self._steady, plan.select, (key,), plan.table, key=key, is_steady=True)
            return _row(plan.columns, steadily[0]) if steadily else None
        self._ask_of_session()
        try:
            found = self._execute(plan.select, (key,)).fetchall()
        except (apsw.Error, *_UNFIT) as error:
            raise self._failure(error, f"reading {plan.table}") from error
        return _row(plan.columns, found[0]) if found else None

    def one(self, query: Query, /, **parameters: Value) -> Row | None:
        """The first row found."""
        found = self._read(query, parameters)
        row = found.fetchone() if isinstance(found, apsw.Cursor) else next(iter(found), None)
        return None if row is None else _row(query.columns, row)

    def all(self, query: Query, /, **parameters: Value) -> list[Row]:
        """Every row found, in the query's order."""
        columns = query.columns
        return [Row(zip(columns, row)) for row in self._read(query, parameters)]  # noqa: B905

    def scalar(self, query: Query, /, **parameters: Value) -> Value:
        """The first column of the first row found, None where there is none."""
        found = self._read(query, parameters)
        row = found.fetchone() if isinstance(found, apsw.Cursor) else next(iter(found), None)
        return None if row is None else cast(Value, row[0])

    def tuples(self, query: Query, parameters: _Parameters, /) -> _Found:
        """Every row found as a plain tuple: the fast way for long lists."""
        return cast(_Found, [*self._read(query, parameters)])

    def remembered(self, asked: tuple[Value, ...], find: Callable[[], T], /) -> T:
        """What `find` finds by asking these rows, and nothing else that changes, for what is `asked`.

        It is worked out once for all sessions of a start, where everything that it asks of the rows is remembered itself.
        """
        steady, outer = self._steady, self._sources
        if steady is None:
            return find()
        known = self._own.worked_out(asked) or steady.worked_out(asked)
        for what, given in known[1].asked if known is not None and self.late is not None else ():
            if self.late is not None:
                self.late.touched(what, given)
        if known is not None and known[1].is_own:
            known = self._own.worked_out(asked)  # what was late may have been written to its tables
        if known is not None and known[1].hold(self._written):
            if outer is not None:
                outer.join(known[1])
            return cast(T, known[0])
        self._sources = sources = Sources()
        try:
            found = find()
        finally:
            self._sources = outer
        if outer is not None:
            outer.join(sources)
        if not sources.is_other:
            (self._own if sources.is_own else steady).keep(asked, found, sources)
        return found

    def largest_at_start(self, table: Table, /) -> int:
        """The largest key that a table had when the session began, 0 where it had none: rows up to it were there then."""
        return self._floor.get(statements_of(table).table, 0)

    def largest(self, table: Table, /) -> int:
        """The largest key ever used in a table, 0 where none was: nothing can be found above it."""
        self._ask_of_session()
        name = statements_of(table).table
        return self.ids.get(name) or self._floor.get(name, 0)

    def execute(self, sql: str, parameters: _Parameters = (), /) -> _Found:
        """The rows that a plain SQL statement returns; it leaves no effects and counts no keys.

        For the engine's own tables only. Transactions, schema changes, pragmas and ATTACH are refused.

        Raises:
            StoreError: the statement is refused or fails.
        """
        self._ask_of_session()
        if self.late is not None:
            self.late.touched(sql)
        if self._index is not None:
            self._index.before(sql, is_final=not self.depth)
        before = self._connection.total_changes()
        try:
            found = cast(_Found, self._execute(sql, parameters).fetchall())
        except (apsw.Error, KeyError, *_UNFIT) as error:
            raise self._failure(error, "statement") from error
        written = self._connection.total_changes() - before
        self.writes += written
        if written:
            self._steady = None
            self._own.forget()
            if self._index is not None:
                self._index.written(sql)
        if written > _BETWEEN_CHECKS and self._check_room:
            self._check_room()
        return found

    def take_effects(self) -> tuple[Effect, ...]:
        """The effects since the last time they were taken, oldest first."""
        taken = tuple(self.effects)
        self.effects.clear()
        return taken

    def savepoint(self) -> "Savepoint":
        """A `with` block that on an exception takes back its writes and its effects not yet taken."""
        return Savepoint(self)

    @contextmanager
    def harmlessly(self) -> Iterator[None]:
        """While it lasts, effects are declared harmless."""
        harmless, self.harmless = self.harmless, True
        try:
            yield
        finally:
            self.harmless = harmless

    @contextmanager
    def adding(self) -> Iterator[None]:
        """While it lasts, effects are declared additions."""
        addition, self.addition = self.addition, True
        try:
            yield
        finally:
            self.addition = addition

    def restart(self) -> None:
        """Forget effects, keys and counts, because the rows are those of the start again."""
        self.effects.clear()
        self.ids.clear()
        self.writes = 0
        self.late = None
        self._steady = self._start
        self._written.clear()
        self._own.forget()
        if self._index is not None:
            self._index.clear()
        self.record, self.harmless, self.addition = True, False, False
        if self._execute is _lost:
            self._execute = self._connection.cursor().execute

    def detach(self) -> None:
        """Make every later use raise; the store calls it when the connection goes to another session."""
        self._execute = _swapped_out
        self._steady = None

    def _read(self, query: Query, parameters: _Parameters) -> "apsw.Cursor | Answer":
        if self.late is not None:
            self.late.touched(query.sql, parameters)
        if query.steady and self._steady is not None and self._written.some.isdisjoint(query.steady):
            return self._recalled(self._steady, query.sql, parameters, query.steady)
        if query.lasting and self._steady is not None:
            table, until = query.lasting, parameters.get("until") if isinstance(parameters, dict) else None
            if until is None:
                return self._recalled_row(self._steady, query.sql, parameters, table, is_steady=bool(query.steady))
            if until == self._floor.get(table, 0) and table not in self._written.changed:
                return self._recalled(self._steady, query.sql, parameters, lasting=table)
        if query.steady and self._sources is not None:
            return self._asked_of_own(query.sql, parameters, query.sql, parameters)
        return self._asked(query.sql, parameters)

    def _asked_of_own(self, sql: str, parameters: _Parameters, what: str, given: _Parameters | int) -> Answer:
        """What the session's own rows say, while something is worked out that holds until it writes their tables again."""
        sources, self._sources = self._sources, None
        try:
            return self._asked(sql, parameters).fetchall()
        finally:
            self._sources = sources
            if sources is not None:
                sources.is_own = True
                sources.asked.append((what, given))

    def _ask_of_session(self) -> None:
        """Something is asked that is not, or may not be, what it was at the start."""
        if self._sources is not None:
            self._sources.is_other = True

    def _asked(self, sql: str, parameters: _Parameters) -> apsw.Cursor:
        self._ask_of_session()
        try:
            if self._index is not None:
                self._index.before(sql, is_final=not self.depth)
            return self._execute(sql, parameters)
        except (apsw.Error, KeyError, *_UNFIT) as error:
            raise self._failure(error, "query") from error

    def _recalled(
        self,
        steady: SteadyAnswers,
        sql: str,
        parameters: _Parameters,
        tables: frozenset[str] = frozenset(),
        lasting: str = "",
    ) -> Answer:
        """What was found at the start, asked once for all its sessions, none of which has written what it is found in since.

        Args:
            tables: that it reads.
            lasting: the one that it reads up to the start's largest key.
        """
        asked = question(sql, parameters)
        found = steady.of(asked) if asked is not None else None
        if found is None:
            sources, self._sources = self._sources, None
            found = self._asked(sql, parameters).fetchall()
            self._sources = sources
            if asked is not None:
                steady.remember(asked, found)
        if self._sources is not None:
            self._sources.steady |= tables
            if lasting:
                self._sources.lasting.add(lasting)
            self._sources.asked.append((sql, parameters))
        return found

    def _recalled_row(
        self,
        steady: SteadyAnswers,
        sql: str,
        parameters: _Parameters,
        table: str,
        *,
        key: int | None = None,
        is_steady: bool = False,
    ) -> Answer:
        """The one row of a table that was found at the start, asked once for all its sessions, or the session's own.

        Args:
            key: of the row, where it is asked for by its key.
            is_steady: that one is written when a steady table is, whatever is found in it or not.
        """
        asked = question(sql, parameters)
        found = steady.of(asked) if asked is not None else None
        if not found or not self._is_of_start(found, table, key):
            sources = self._sources
            try:
                found = self._execute(sql, parameters).fetchall()
            except (apsw.Error, KeyError, *_UNFIT) as error:
                raise self._failure(error, "query") from error
            if not found or not self._is_of_start(found, table, key):
                if sources is not None and (found or is_steady):
                    sources.is_own = True
                    sources.asked.append((sql, parameters) if key is None else (table, key))
                elif sources is not None:
                    sources.is_other = True
                return found
            if asked is not None:
                steady.remember(asked, found)
        if self._sources is not None:
            self._sources.rows.add((table, cast(int, found[0][0] if key is None else key)))
            self._sources.asked.append((sql, parameters) if key is None else (table, key))
        return found

    def _is_of_start(self, found: Answer, table: str, key: int | None) -> bool:
        """Whether the one row that was found was there at the start, and the session has not changed it."""
        number = cast(int, found[0][0] if key is None else key)
        return number <= self._floor.get(table, 0) and (table, number) not in self._written.rows

    def _write(self, sql: str, parameters: tuple[Value, ...], what: str, table: str) -> _Found:
        self.writes += 1
        if not self.writes & _BETWEEN_CHECKS and self._check_room:
            self._check_room()
        try:
            found: _Found = self._execute(sql, parameters).fetchall()
            return found
        except (apsw.Error, *_UNFIT) as error:
            raise self._failure(error, f"{what} in {table}") from error

    def _note(self, kind: EffectKind, table: str, key: int, before: Row | None, after: Row | None) -> None:
        self.effects.append(Effect(kind, table, key, before, after, self.harmless, self.addition))

    def _failure(self, error: Exception, what: str) -> SessionError:
        if self._authorizer and not self._connection.in_transaction:
            self._execute, self._steady = _lost, None
            return StoreLost(f"{what} ended the session's transaction, its changes are lost: {error}")
        if isinstance(error, _MEDIUM):
            return StoreLost(f"{what} failed: {error}")
        if isinstance(error, KeyError):
            return StoreError(f"the {what} needs a parameter called {error}")
        is_limit = isinstance(error, _UNFIT) or any(word in str(error) for word in _LIMITS)
        return (BeyondLimits if is_limit else StoreError)(f"{what} refused: {error}")

    def control(self, sql: str) -> None:
        """Run one of the store's own transaction statements."""
        authorizer = self._authorizer
        if authorizer:
            authorizer.lifted = True
        try:
            self._execute(sql)
        except apsw.Error as error:
            raise self._failure(error, sql) from error
        finally:
            if authorizer:
                authorizer.lifted = False


class Savepoint:
    """Writes that stand or fall together; savepoints may be nested."""

    __slots__ = ("_indexed", "_mark", "_rows")

    def __init__(self, rows: StoreRows) -> None:
        self._rows = rows
        self._mark = 0
        self._indexed: IndexMark = {}

    def __enter__(self) -> None:
        self._mark = len(self._rows.effects)
        if self._rows._index is not None:
            self._indexed = self._rows._index.mark()
        self._rows.control("SAVEPOINT of_call")
        self._rows.depth += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        rows = self._rows
        rows.depth -= 1
        if kind is None:
            rows.control("RELEASE of_call")
        else:
            rows.rollbacks += 1
            rows._own.forget()
            del rows.effects[self._mark :]
            if rows._index is not None:
                rows._index.undo(self._indexed)
            rows.control("ROLLBACK TO of_call")
            rows.control("RELEASE of_call")
        if rows.late is not None:
            rows.late.left(rows.depth, undone=kind is not None)


def _row(columns: tuple[str, ...], values: tuple[Value, ...]) -> Row:
    return Row(zip(columns, values, strict=True))


def _lost(sql: str, parameters: object = None) -> apsw.Cursor:
    raise StoreLost("the session's transaction was ended by an error, its changes are lost; reset it")


def _swapped_out(sql: str, parameters: object = None) -> apsw.Cursor:
    raise StoreLost("these rows belong to a session that was swapped out; take session.rows again")
