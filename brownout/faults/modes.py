"""The built-in fault modes. Each decides about one request from the request, the outage and a keyed stream."""

from collections.abc import Mapping
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, Field

from brownout.core.apps import Refusal
from brownout.core.faults import ActiveOutage, Fault, FaultMode, ModeWords, Request
from brownout.core.instants import MINUTE, SECOND, Duration
from brownout.core.seeds import Stream
from brownout.core.strict_model import StrictModel
from worlds.expressions import parse_duration, parse_percent
from worlds.spec.field_types import Whole

__all__ = [
    "AUTH_EXPIRED",
    "DELAYED_DELIVERY",
    "DOWN",
    "ERRORS",
    "LOST_ACK",
    "RATE_LIMITED",
    "READ_ONLY",
    "SLOW",
    "STALE_READS",
]

Share = Annotated[int, BeforeValidator(lambda value: parse_percent(value))]
Span = Annotated[Duration, BeforeValidator(lambda value: parse_duration(value) if isinstance(value, str) else value)]
P = TypeVar("P", bound=BaseModel)


class NoParameters(StrictModel):
    """No parameters."""


class ShareParameters(StrictModel):
    """A share of the requests is hit."""

    share: Share = Field(default=100, description="Percent of the requests that it hits.")


class Latency(ShareParameters):
    """A share of the requests takes longer."""

    latency: Span = Field(default=9 * SECOND, description="How much longer a request takes that is hit.")


class Limit(StrictModel):
    """A number of requests a minute gets through."""

    per_minute: Whole = Field(
        default=4, ge=0, description="Requests that get through in each minute, for everyone together."
    )
    retry_after: Span = 30 * SECOND


class Delay(StrictModel):
    """What is sent arrives late."""

    by: Span = Field(default=20 * MINUTE, description="How late.")


class _Mode(Generic[P]):
    name: str
    words: ModeWords
    parameters: type[P]

    def settings(self, outage: ActiveOutage) -> P:
        assert isinstance(outage.parameters, self.parameters)
        return outage.parameters

    def health(self, outage: ActiveOutage) -> Mapping[str, int]:
        """Nothing that a monitor would see."""
        return {}


class _Down(_Mode[NoParameters]):
    name = "down"
    words = ModeWords("is down", "Down", "an outage", "down", is_severe=True)
    parameters = NoParameters

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """Every request is refused."""
        return Fault(outage.name, refusal=Refusal("unavailable"))

    def health(self, outage: ActiveOutage) -> Mapping[str, int]:
        """It does not answer."""
        return {"down": 1, "error_percent": 100}


class _Errors(_Mode[ShareParameters]):
    name = "errors"
    words = ModeWords("fails now and then", "Failing in part", "elevated error rates", "errors", is_severe=True)
    parameters = ShareParameters

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """A share of the requests is refused."""
        is_hit = stream.chance(self.settings(outage).share)
        return Fault(outage.name, refusal=Refusal("unavailable")) if is_hit else None

    def health(self, outage: ActiveOutage) -> Mapping[str, int]:
        """That share of its answers are errors."""
        return {"error_percent": self.settings(outage).share}


class _Slow(_Mode[Latency]):
    name = "slow"
    words = ModeWords("is slow", "Slow", "elevated latency", "slow")
    parameters = Latency
    patience = 30 * SECOND
    """A caller waits no longer than this, then takes it for a timeout."""

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """A share of the requests takes longer; too long is a timeout."""
        settings = self.settings(outage)
        if not stream.chance(settings.share):
            return None
        delay = settings.latency * stream.between(50, 150) // 100
        if delay >= self.patience:
            return Fault(outage.name, refusal=Refusal("timeout"), delay=self.patience)
        return Fault(outage.name, delay=delay)

    def health(self, outage: ActiveOutage) -> Mapping[str, int]:
        """Its answers take that long."""
        settings = self.settings(outage)
        return {"latency_ms": settings.latency // 1000, "slow_percent": settings.share}


class _RateLimited(_Mode[Limit]):
    name = "rate_limited"
    words = ModeWords("limits requests", "Limiting requests", "throttled requests", "errors")
    parameters = Limit

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """Requests beyond so many a minute are refused, with the time to try again."""
        settings = self.settings(outage)
        if request.in_minute < settings.per_minute:
            return None
        return Fault(outage.name, refusal=Refusal("rate_limited", retry_after=settings.retry_after))


class _ReadOnly(_Mode[NoParameters]):
    name = "read_only"
    words = ModeWords("is read-only", "Read-only", "failing writes", "errors")
    parameters = NoParameters

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """Writes are refused."""
        return Fault(outage.name, refusal=Refusal("read_only")) if request.writes else None


class _StaleReads(_Mode[NoParameters]):
    name = "stale_reads"
    words = ModeWords("shows an old state", "Showing an old state", "delayed data")
    parameters = NoParameters

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """Reads are answered from how things were when it began."""
        return None if request.writes else Fault(outage.name, stale_as_of=outage.since)


class _LostAck(_Mode[ShareParameters]):
    name = "lost_ack"
    words = ModeWords("does not confirm what it does", "Losing answers", "requests that time out")
    parameters = ShareParameters

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """Writes take effect, and the caller is told that they timed out."""
        is_hit = request.writes and stream.chance(self.settings(outage).share)
        return Fault(outage.name, loses_answer=True) if is_hit else None


class _DelayedDelivery(_Mode[Delay]):
    name = "delayed_delivery"
    words = ModeWords("delivers late", "Delivering late", "delayed messages")
    parameters = Delay

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """What is sent takes effect, and reaches whoever it is meant for late."""
        return Fault(outage.name, held_until=request.at + self.settings(outage).by) if request.writes else None


class _AuthExpired(_Mode[NoParameters]):
    name = "auth_expired"
    words = ModeWords("refuses every login", "Refusing logins", "failing sign-ins", "down", is_severe=True)
    parameters = NoParameters

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """Nobody's credentials are accepted."""
        return Fault(outage.name, refusal=Refusal("auth_expired"))


DOWN: FaultMode = _Down()
ERRORS: FaultMode = _Errors()
SLOW: FaultMode = _Slow()
RATE_LIMITED: FaultMode = _RateLimited()
READ_ONLY: FaultMode = _ReadOnly()
STALE_READS: FaultMode = _StaleReads()
LOST_ACK: FaultMode = _LostAck()
DELAYED_DELIVERY: FaultMode = _DelayedDelivery()
AUTH_EXPIRED: FaultMode = _AuthExpired()
