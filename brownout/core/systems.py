"""The company's services as the products that watch them see them: health, metrics, logs."""

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from brownout.core.instants import Duration, Instant

__all__ = ["Health", "HealthState", "LogLine", "Systems"]

HealthState: TypeAlias = Literal["ok", "slow", "errors", "down"]


@dataclass(frozen=True, slots=True)
class Health:
    """How a service (or a vendor's part) is, from a moment on.

    Attributes:
        error_percent: share of its requests that fail.
        latency_ms: what a typical request takes.
        load_percent: of the usual load; retries and queues raise it.
        cause: what it comes from: the need or behaviour that broke it, empty where nothing did.
    """

    service: str
    since: Instant
    state: HealthState
    error_percent: int
    latency_ms: int
    load_percent: int
    cause: str = ""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a service's log."""

    at: Instant
    level: Literal["INFO", "WARNING", "ERROR"]
    text: str


class Systems(Protocol):
    """The company's services and the vendors they hang on, as the products that watch them may see them."""

    def services(self) -> list[str]:
        """The names of the company's services, sorted."""
        ...

    def health(self, service: str, at: Instant | None = None) -> Health:
        """How a service or a vendor's part is now, or was at a moment not after now.

        Raises:
            KeyError: nothing is called that.
        """
        ...

    def metric(
        self, service: str, name: str, since: Instant, until: Instant, step: Duration
    ) -> list[tuple[Instant, int]]:
        """Points of a metric: `requests` (a minute), `error_rate` (percent), `latency_p50`, `latency_p95` (ms), `cpu`
        (percent), `connections`.

        Raises:
            KeyError: no such service or metric.
        """
        ...

    def logs(self, service: str, since: Instant, until: Instant, *, limit: int, contains: str = "") -> list[LogLine]:
        """The newest log lines in a stretch of time, oldest first.

        Raises:
            KeyError: no such service.
        """
        ...
