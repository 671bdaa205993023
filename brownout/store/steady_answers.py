"""Answers to questions about steady tables, remembered once for all sessions of a start.

Who has an account, which rooms there are and who reads them is asked in every call and changed in hardly any. A table that declares
`info={"steady": True}` says so. A session takes an answer from here as long as it has written none of the tables that the question reads
since it began at the start; from its first write on, undone or not, it asks the tables. So an answer is that of the rows, and what one
session writes no other one sees.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self, TypeAlias, cast

import apsw

from brownout.core.rows import Value
from brownout.store.schema import Schema

__all__ = ["Answer", "Question", "SteadyAnswers", "WrittenTables", "question"]

_MOST: Final = 2048
_MOST_ROWS: Final = 128
_LONG: Final = 200
"""Characters of a parameter that is somebody's text and not a name."""

Answer: TypeAlias = Sequence[tuple[Value, ...]]
Question: TypeAlias = tuple[object, ...]
RowKey: TypeAlias = tuple[str, int]
"""A table and the key of one of its rows."""


@dataclass(frozen=True, slots=True)
class WrittenTables:
    """Which tables a session has written since its start.

    Attributes:
        some: those to which anything was written.
        changed: those whose rows of the start may be others or gone.
        rows: these rows, each by its table and its key.
    """

    some: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    rows: set[RowKey] = field(default_factory=set)

    @classmethod
    def of(cls, changeset: bytes, schema: Schema, floor: Mapping[str, int]) -> Self:
        """Those that a changeset is about.

        Args:
            floor: the largest key of each table at the start.
        """
        found = cls()
        for change in apsw.Changeset.iter(changeset) if changeset else ():
            table = schema.tables[change.name]
            key = cast(int, (change.old or change.new or ())[table.key_index])
            found.some.add(table.name)
            if change.opcode != apsw.SQLITE_INSERT or key <= floor.get(table.name, 0):
                found.change(table.name, key)
        return found

    def change(self, table: str, key: int) -> None:
        """A row with a key that the start had, or may have had, is another or gone."""
        self.changed.add(table)
        self.rows.add((table, key))

    def clear(self) -> None:
        """The rows are those of the start."""
        self.some.clear()
        self.changed.clear()
        self.rows.clear()


@dataclass(slots=True)
class Sources:
    """What something was worked out from.

    Attributes:
        steady: tables that must not have been written for it to hold in another session.
        lasting: tables whose rows of the start must not have been changed.
        rows: rows of the start that must not have been changed.
        is_own: what this session has written to steady tables or added to lasting ones, so that it holds in no other session, and in this
            one until it writes such a table again.
        is_other: something else, so that it holds nowhere but now.
        asked: what was asked, statements with their parameters and tables with a key.
    """

    steady: set[str] = field(default_factory=set)
    lasting: set[str] = field(default_factory=set)
    rows: set[RowKey] = field(default_factory=set)
    is_own: bool = False
    is_other: bool = False
    asked: list[tuple[str, Sequence[Value] | Mapping[str, Value] | int]] = field(default_factory=list)

    def hold(self, written: WrittenTables) -> bool:
        """Whether they are in a session that has written these tables what they were at the start."""
        return (
            written.some.isdisjoint(self.steady)
            and written.changed.isdisjoint(self.lasting)
            and written.rows.isdisjoint(self.rows)
        )

    def join(self, others: Self) -> None:
        """Something that was worked out from others is one of these."""
        self.steady |= others.steady
        self.lasting |= others.lasting
        self.rows |= others.rows
        self.is_own |= others.is_own
        self.is_other |= others.is_other
        self.asked += others.asked


class SteadyAnswers:
    """What was found at one start by questions about its steady tables."""

    __slots__ = ("_known", "_worked_out")

    def __init__(self) -> None:
        self._known: dict[Question, Answer] = {}
        self._worked_out: dict[Question, tuple[object, Sources]] = {}

    def of(self, asked: Question) -> Answer | None:
        """What was found, None where nobody has asked. It is everybody's: make rows of it, never change it."""
        return self._known.get(asked)

    def remember(self, asked: Question, found: Answer) -> None:
        """Keep an answer, if it is a short one."""
        if len(found) > _MOST_ROWS:
            return
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[asked] = found

    def worked_out(self, asked: Question) -> tuple[object, Sources] | None:
        """What was made of answers, and of which."""
        return self._worked_out.get(asked)

    def forget(self) -> None:
        """Nothing of it holds any more."""
        if self._worked_out:
            self._worked_out.clear()

    def keep(self, asked: Question, made: object, sources: Sources) -> None:
        """Keep what was made of answers alone."""
        if len(self._worked_out) >= _MOST:
            self._worked_out.clear()
        self._worked_out[asked] = made, sources


def question(sql: str, parameters: Sequence[Value] | Mapping[str, Value]) -> Question | None:
    """A statement with its parameters; None where one of them is neither a whole number nor a name.

    Others are left out because equal ones may mean different things to SQLite: 1 and 1.0, compared with a text.
    """
    values: Collection[Value] = parameters.values() if isinstance(parameters, dict) else parameters
    for value in values:
        if type(value) is not int and (type(value) is not str or len(value) > _LONG):
            return None
    return (sql, *parameters, *values) if isinstance(parameters, dict) else (sql, *values)
