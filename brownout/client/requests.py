"""What can be asked of a session server. A request is a value: it goes through a function call or over HTTP.

Each knows its own address. Fields that stand in the path are not repeated in the body.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Generic, Self, TypeVar

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from brownout.client.answers import (
    Closed,
    GradeAnswer,
    ServerMetrics,
    SessionLog,
    SessionOpened,
    SessionState,
    ToolAnswer,
    TurnTaken,
)
from brownout.client.errors import BadRequest
from brownout.core.call_validation import not_too_deep
from brownout.core.values import JsonObject
from brownout.core.wrong_fields import wrong_fields

__all__ = [
    "REQUESTS",
    "AnySession",
    "CallTool",
    "CloseSession",
    "CreateSession",
    "Endpoint",
    "ForkSession",
    "GradeSession",
    "ReadLog",
    "ReadMetrics",
    "ReadState",
    "SessionId",
    "SessionRequest",
    "StopSession",
    "SubmitAnswer",
    "TakeTurn",
    "TurnCall",
    "read_request",
    "request_of",
]

A = TypeVar("A", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

SessionId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$")]
CallId = Annotated[str, Field(max_length=200)]
Arguments = Annotated[JsonObject, BeforeValidator(not_too_deep)]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a request goes over HTTP.

    Attributes:
        path: with the names of fields in braces.
        answer: what comes back.
        is_admin: on the admin's port only.
    """

    path: str
    answer: type[BaseModel]
    is_admin: bool = False
    method: str = "POST"


class SessionRequest(BaseModel, Generic[A]):
    """Something to be done; `A` is what is answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    endpoint: ClassVar[Endpoint]

    @property
    def is_repeatable(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return True


class AnySession(SessionRequest[A], Generic[A]):
    """A request about one session."""

    session_id: SessionId


class CreateSession(AnySession[SessionOpened]):
    """Create a session under an id of the caller's choice. The same request again is answered with the same session."""

    endpoint: ClassVar = Endpoint("/v1/sessions", SessionOpened)

    task: str
    seed: Annotated[int, Field(strict=True, ge=-(1 << 63), lt=1 << 63)] = 0


class TurnCall(BaseModel):
    """One call of a turn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    arguments: Arguments = {}
    call_id: CallId = ""


class CallTool(AnySession[ToolAnswer]):
    """Make one call as a turn of its own. A call id that was used for the same call gets the answer that it got then."""

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/tools/{name}", ToolAnswer)

    name: str
    arguments: Arguments = {}
    call_id: CallId = ""

    @property
    def is_repeatable(self) -> bool:
        """Whether it has an id to be known by."""
        return bool(self.call_id)


class TakeTurn(AnySession[TurnTaken]):
    """What a model said: calls, made in their order at the cost of one turn, or else a text for the requester.

    Attributes:
        text: beside calls it is the model's own remark, which nobody hears.
        turn_id: makes a text that is sent twice be said once.
    """

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/turn", TurnTaken)

    text: str = ""
    calls: tuple[TurnCall, ...] = ()
    turn_id: CallId = ""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.calls and "text" not in self.model_fields_set:
            raise ValueError("expected calls, or a text for the requester, which may be empty")
        return self

    @property
    def is_repeatable(self) -> bool:
        """Whether everything in it has an id to be known by."""
        return all(call.call_id for call in self.calls) if self.calls else bool(self.turn_id)


class SubmitAnswer(AnySession[ToolAnswer]):
    """Hand in the answer and end. The same answer again gets the same."""

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/submit", ToolAnswer)

    answer: str


class GradeSession(AnySession[GradeAnswer]):
    """Judge an episode that has ended; nothing is changed.

    Attributes:
        skip: graders to leave out, beside those that the server leaves out.
        strict: no reward where something would be left out because nobody can read it.
    """

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/grade", GradeAnswer, is_admin=True)

    skip: tuple[str, ...] = ()
    strict: Annotated[bool, Field(strict=True)] = False


class StopSession(AnySession[SessionState]):
    """End an episode because its agent does not go on; harmless where it has ended."""

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/stop", SessionState, is_admin=True)

    reason: Annotated[str, Field(min_length=1, max_length=200)] = "stopped"
    detail: Annotated[str, Field(max_length=2000)] = ""


class ReadState(AnySession[SessionState]):
    """The digest of a session's state, and every row that differs from its start."""

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/state", SessionState, is_admin=True)


class ReadLog(AnySession[SessionLog]):
    """Events of the trajectory.

    Attributes:
        since: the `seq` of the first one.
        most: how many at once.
    """

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/log", SessionLog, is_admin=True)

    since: Annotated[int, Field(strict=True, ge=0)] = 0
    most: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 100_000


class ForkSession(AnySession[SessionOpened]):
    """A second session that has come as far as this one.

    Attributes:
        to: its id. The same request again is answered with the same session, however far the first has come meanwhile.
    """

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/fork", SessionOpened, is_admin=True)

    to: SessionId


class CloseSession(AnySession[Closed]):
    """Give a session's room back. Its id is not given out again, also where no session ever had it."""

    endpoint: ClassVar = Endpoint("/v1/sessions/{session_id}/close", Closed, is_admin=True)


class ReadMetrics(SessionRequest[ServerMetrics]):
    """Counts since the server started."""

    endpoint: ClassVar = Endpoint("/v1/metrics", ServerMetrics, is_admin=True)


REQUESTS: Final = (
    CreateSession,
    CallTool,
    TakeTurn,
    SubmitAnswer,
    GradeSession,
    StopSession,
    ReadState,
    ReadLog,
    ForkSession,
    CloseSession,
    ReadMetrics,
)
"""Every kind of request."""


def read_request(kind: type[R], path: dict[str, str], body: bytes) -> R:
    """The request that came over HTTP.

    Args:
        path: the fields that stood in its path.
        body: a JSON object, or nothing.

    Raises:
        BadRequest: it cannot be read.
    """
    try:
        given = orjson.loads(body) if body.strip() else {}
    except orjson.JSONDecodeError as error:
        raise BadRequest(f"expected a JSON object in the body, found no JSON: {error}") from error
    if not isinstance(given, dict):
        raise BadRequest(f"expected a JSON object in the body, found {type(given).__name__}")
    if twice := path.keys() & given.keys():
        raise BadRequest(f"{', '.join(sorted(twice))}: stands in the path; leave it out of the body")
    return request_of(kind, given | path)


def request_of(kind: type[R], given: JsonObject) -> R:
    """The request with those fields.

    Raises:
        BadRequest: they are not what it needs.
    """
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise BadRequest("; ".join(wrong_fields(error))) from error
