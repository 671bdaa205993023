"""What an outage does to a request, apart from how any vendor words it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from pydantic import BaseModel

from brownout.core.instants import Duration, Instant
from brownout.core.seeds import Stream

__all__ = ["ActiveOutage", "Failing", "Fault", "FaultMode", "ModeWords", "Refusal", "RefusalKind", "Request"]


RefusalKind: TypeAlias = Literal["unavailable", "timeout", "rate_limited", "read_only", "auth_expired"]
Failing: TypeAlias = Literal["down", "slow", "errors"]
"""What people who work with something broken see of it."""


@dataclass(frozen=True, slots=True)
class ModeWords:
    """A fault mode as people speak of it. A mode that has none is called by its name.

    Attributes:
        said: what follows a service's name: `limits requests`.
        badge: in a list of services: `Limiting requests`.
        symptom: on a status page, after "We are investigating": `throttled requests`.
        seen: what whoever works with it sees at once; None where that is nothing.
        is_severe: hardly anything works with it.
    """

    said: str
    badge: str
    symptom: str = "a degradation"
    seen: Failing | None = None
    is_severe: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a service does not serve a request; each app says it in its vendor's words."""

    kind: RefusalKind
    retry_after: Duration | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One vendor request: it is authenticated, limited, broken and charged once.

    Attributes:
        in_minute: how many requests the app has served in this minute of world time.
    """

    app: str
    operation: str
    person: str
    writes: bool
    at: Instant
    in_minute: int


@dataclass(frozen=True, slots=True)
class ActiveOutage:
    """An outage that holds now.

    Attributes:
        parameters: the mode's own settings, already validated by its `parameters` model.
        until: when it ends, None while that hangs on something yet to happen.
    """

    name: str
    target: str
    mode: str
    since: Instant
    until: Instant | None
    parameters: BaseModel


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one request.

    Attributes:
        refusal: it is not served.
        delay: it is served, this much later.
        stale_as_of: it is served from the state of that moment.
        loses_answer: it takes effect, and the caller is told that it timed out.
        held_until: it takes effect, and whoever it is meant for hears of it no sooner than then.
    """

    outage: str
    refusal: Refusal | None = None
    delay: Duration = 0
    stale_as_of: Instant | None = None
    loses_answer: bool = False
    held_until: Instant | None = None


class FaultMode(Protocol):
    """One way for a service to fail. Its attribute `words` (`ModeWords`) says how people speak of it; it may be left out."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> type[BaseModel]: ...

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        """What happens to the request, None where it gets through unharmed."""
        ...

    def health(self, outage: ActiveOutage) -> Mapping[str, int]:
        """Figures of the broken service while it lasts: `error_percent`, `latency_ms`, `down` (0 or 1)."""
        ...
