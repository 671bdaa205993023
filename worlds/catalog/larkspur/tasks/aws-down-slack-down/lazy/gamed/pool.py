"""A few connections, shared."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from bookings import deadline
from bookings.clock import Clock
from bookings.config import DbSettings
from bookings.db.driver import Connection, Driver
from bookings.errors import ConnectionLost, PoolExhausted, TransientDatabaseError
from bookings.metrics import Metrics

_POLL = 0.1


class Pool:
    def __init__(self, driver: Driver, clock: Clock, settings: DbSettings, metrics: Metrics) -> None:
        self._driver = driver
        self._clock = clock
        self._settings = settings
        self._metrics = metrics
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._used = 0

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection for a while. One that was lost does not come back."""
        with self._metrics.timed("pool_wait_seconds"):
            connection = self._acquire()
        lost = False
        try:
            yield connection
        except ConnectionLost:
            lost = True
            connection.close()
            raise
        finally:
            self._give_back(None if lost else connection)

    @property
    def in_use(self) -> int:
        return self._used

    def close(self) -> None:
        """Close what is idle. What is in use is closed by nobody, the process ends anyway."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _acquire(self) -> Connection:
        self._take_place()
        try:
            return self._idle_one() or self._connect()
        except BaseException:
            self._give_back(None)
            raise

    def _take_place(self) -> None:
        give_up = self._clock.monotonic() + deadline.clip(self._settings.acquire_timeout)
        while True:
            with self._lock:
                if self._used < self._settings.pool_size:
                    self._used += 1
                    self._metrics.gauge("pool_in_use", self._used)
                    return
            if self._clock.monotonic() >= give_up or not deadline.allows(_POLL):
                raise PoolExhausted("every connection is in use")
            self._clock.sleep(_POLL)

    def _idle_one(self) -> Connection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _connect(self) -> Connection:
        pause = self._settings.connect_pause
        attempt = 1
        while True:
            try:
                return self._driver.connect(deadline.clip(self._settings.connect_timeout))
            except TransientDatabaseError:
                if attempt >= self._settings.connect_attempts or not deadline.allows(pause):
                    raise
            self._clock.sleep(pause)
            attempt += 1

    def _give_back(self, connection: Connection | None) -> None:
        with self._lock:
            self._used -= 1
            if connection is not None:
                self._idle.append(connection)
