"""Statements and transactions, tried again when they fail for a moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from bookings import deadline
from bookings.clock import Clock
from bookings.config import DbSettings
from bookings.db.backoff import Backoff
from bookings.db.driver import Connection, Row
from bookings.db.pool import Pool
from bookings.errors import CommitUnknown, TransientDatabaseError
from bookings.metrics import Metrics

T = TypeVar("T")

log = logging.getLogger("bookings.db")

SLOW = 0.5


class Transaction:
    """What the work of a transaction gets."""

    def __init__(self, connection: Connection, timeout: float) -> None:
        self._connection = connection
        self._timeout = timeout

    def query(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        return self._connection.execute(sql, params, deadline.clip(self._timeout)).rows

    def query_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        rows = self.query(sql, params)
        return rows[0] if rows else None

    def execute(self, sql: str, params: Sequence[Any] = ()) -> int:
        return self._connection.execute(sql, params, deadline.clip(self._timeout)).count


class Client:
    """Runs statements and transactions up to `attempts` times. A transaction is repeated as a whole."""

    def __init__(self, pool: Pool, clock: Clock, settings: DbSettings, metrics: Metrics) -> None:
        self._pool = pool
        self._clock = clock
        self._timeout = settings.statement_timeout
        self._attempts = settings.attempts
        self._backoff = Backoff(settings.backoff_base, settings.backoff_cap)
        self._metrics = metrics
        self._tried = 1

    def query(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        return self._logged(sql, lambda connection: Transaction(connection, self._timeout).query(sql, params))

    def query_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        rows = self.query(sql, params)
        return rows[0] if rows else None

    def execute(self, sql: str, params: Sequence[Any] = ()) -> int:
        return self._logged(sql, lambda connection: Transaction(connection, self._timeout).execute(sql, params))

    def transaction(self, work: Callable[[Transaction], T]) -> T:
        return self._logged("transaction", lambda connection: self._in_transaction(connection, work))

    def _logged(self, what: str, call: Callable[[Connection], T]) -> T:
        start = self._clock.monotonic()
        try:
            return self._run(what, call)
        finally:
            took = self._clock.monotonic() - start
            if took >= SLOW:
                log.warning("slow", extra={"statement": " ".join(what.split()[:6]), "ms": int(took * 1000)})

    def _run(self, key: str, call: Callable[[Connection], T]) -> T:
        while True:
            self._metrics.count("db_calls")
            try:
                with self._pool.connection() as connection:
                    found = call(connection)
                self._tried = 1
                return found
            except TransientDatabaseError as exc:
                self._metrics.count("db_failures", kind=type(exc).__name__)
                pause = self._backoff.pause(self._tried, key)
                if self._tried >= self._attempts or not deadline.allows(pause):
                    raise
            # the connection is back in the pool by now, others can work with it
            self._clock.sleep(pause)
            self._tried += 1

    def _in_transaction(self, connection: Connection, work: Callable[[Transaction], T]) -> T:
        connection.begin()
        try:
            result = work(Transaction(connection, self._timeout))
        except BaseException:
            connection.rollback()
            raise
        try:
            connection.commit()
        except TransientDatabaseError as exc:
            connection.rollback()
            raise CommitUnknown("the commit got no answer") from exc
        return result
