"""Metrics and logs as pure functions of the seed, the service, the minute and its health then. Nothing is stored."""

import re
from collections.abc import Callable
from typing import Final

from brownout.core.apps import Health, LogLine
from brownout.core.instants import MINUTE, SECOND, Duration, Instant, to_datetime
from brownout.core.seeds import Stream
from brownout.engine.simulation_setting import Setting
from brownout.engine.systems.health import health_at, history
from brownout.store import StoreRows

__all__ = ["METRICS", "SystemsView"]

METRICS = ("requests", "error_rate", "latency_p50", "latency_p95", "cpu", "connections", "outbound_calls")
_MOST_POINTS = 500
_RANGE: Final = re.compile(r"\{n:(\d+)\.\.(\d+)(/m)?\}")
_CALLS_EACH: Final = 4
"""Calls to what a service needs that one of its requests makes."""
_BY_HOUR = (8, 5, 4, 3, 3, 5, 12, 28, 52, 70, 82, 90, 96, 92, 88, 90, 94, 100, 98, 92, 78, 54, 30, 15)
"""Percent of the busiest hour's requests at the beginning of each hour (UTC)."""


class SystemsView:
    """The services as apps may see them; it reads the tables it is given and writes nothing."""

    def __init__(self, setting: Setting, rows: Callable[[], StoreRows], now: Callable[[], Instant]) -> None:
        self._setting = setting
        self._rows = rows
        self._now = now

    def services(self) -> list[str]:
        """The names of the company's services, sorted."""
        return sorted(self._setting.services)

    def health(self, service: str, at: Instant | None = None) -> Health:
        """How a service or a vendor's part is, or was."""
        return health_at(self._rows(), service, self._until(at))

    def metric(
        self, service: str, name: str, since: Instant, until: Instant, step: Duration
    ) -> list[tuple[Instant, int]]:
        """Points of a metric, one a step."""
        if service not in self._setting.services or name not in METRICS:
            raise KeyError(name if service in self._setting.services else service)
        step = max(step, MINUTE, (until - since) // _MOST_POINTS)
        until = self._until(until)
        changes = history(self._rows(), service, since, until)
        points = []
        at = since - since % step
        while at <= until:
            if at >= since:
                points.append((at, _value(self._setting, service, name, at, _holding(changes, at))))
            at += step
        return points

    def logs(self, service: str, since: Instant, until: Instant, *, limit: int, contains: str = "") -> list[LogLine]:
        """The newest log lines in a stretch of time, oldest first."""
        if service not in self._setting.services:
            raise KeyError(service)
        until = self._until(until)
        changes = history(self._rows(), service, since, until)
        found: list[LogLine] = []
        minute = until - until % MINUTE
        while minute >= since - MINUTE and len(found) < limit:
            lines = _lines(self._setting, service, minute, _holding(changes, minute))
            found[:0] = [x for x in lines if since <= x.at <= until and contains.lower() in x.text.lower()]
            minute -= MINUTE
        return found[-limit:]

    def _until(self, at: Instant | None) -> Instant:
        """Not after now: the future is not for sale."""
        now = self._now()
        return now if at is None else min(at, now)


def _holding(changes: list[Health], at: Instant) -> Health:
    held = changes[0]
    for change in changes:
        if change.since <= at:
            held = change
    return held


def _value(setting: Setting, service: str, name: str, at: Instant, health: Health) -> int:
    """A metric in one minute. Retries raise the calls that go out, not the requests that come in."""
    stream = Stream(setting.seed, "metric", service, name, at // MINUTE)
    busy = _busy(at)
    usual = setting.services[service].requests or 40 + Stream(setting.seed, "size", service).below(260)
    load = usual * busy * health.load_percent // 10_000
    is_ok = health.state == "ok"
    wobble = stream.between(92, 108)
    match name:
        case "requests":
            return max(1, usual * busy * (100 + health.error_percent // 4) * wobble // 1_000_000)
        case "outbound_calls":
            return max(1, _CALLS_EACH * load * wobble // 100)
        case "error_rate":
            return min(100, health.error_percent * wobble // 100) if health.error_percent else int(stream.chance(4))
        case "latency_p50":
            return max(5, health.latency_ms * wobble // (220 if is_ok else 130))
        case "latency_p95":
            return max(9, health.latency_ms * wobble * (2 if is_ok else 3) // 200)
        case "cpu":
            return min(99, (12 + busy // 4) * health.load_percent * wobble // 10_000)
        case _:
            return min(200, (8 + load // 20) * (1 + health.latency_ms // 1500))


def _busy(at: Instant) -> int:
    """Percent of the busiest hour's requests."""
    moment = to_datetime(at)
    this, following = _BY_HOUR[moment.hour], _BY_HOUR[(moment.hour + 1) % 24]
    return this + (following - this) * moment.minute // 60


_FINE = ("request {id} answered 200 in {ms} ms", "request {id} answered 201 in {ms} ms", "GET /healthz 200 2 ms")
"""What a service writes for which the author has no lines (`prose/systems.yaml`, logs)."""


def _lines(setting: Setting, service: str, minute: Instant, health: Health) -> list[LogLine]:
    """What the service wrote in one minute: some of its requests, and its errors in its own words."""
    stream = Stream(setting.seed, "log", service, minute // MINUTE)
    phrases = setting.phrases.get(f"logs.{service}", {})
    fine = phrases.get("ok", _FINE)
    bad = phrases.get(health.cause, phrases.get(health.state, ()))
    lines: list[LogLine] = []
    for _ in range(2 + _busy(minute) // 25):
        at = minute + stream.below(60) * SECOND + stream.below(1000) * 1000
        is_bad = bool(bad) and health.state != "ok" and stream.below(100) < max(35, health.error_percent)
        pattern = stream.choice(bad if is_bad else fine)
        ms = health.latency_ms * (stream.between(25, 100) if health.state == "ok" else stream.between(60, 160)) // 100
        lasted = max(0, at - health.since) // SECOND
        lines.append(LogLine(at, "ERROR" if is_bad else "INFO", _filled(pattern, ms, lasted, stream)))
    return sorted(lines, key=lambda line: (line.at, line.text))


def _filled(pattern: str, ms: int, lasted: int, stream: Stream) -> str:
    """A log line: `{n}` is a number of six digits, `{n:1..40}` one of those, `{id}` eight hexadecimal digits.

    `{n:2..30/m}` grows by thirty a minute with the trouble, which has lasted so many seconds.
    """
    number = stream.between(100_000, 999_999)
    text = pattern.replace("{ms}", str(ms)).replace("{n}", str(number)).replace("{id}", stream.hex(8))

    def drawn(found: re.Match[str]) -> str:
        least, most = int(found[1]), int(found[2])
        most = max(least, most * lasted // 60) if found[3] else most
        return str(stream.between(least, most))

    return _RANGE.sub(drawn, text)
