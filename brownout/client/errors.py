"""Why a session server did not do what it was asked; each class is one code on the wire.

RequestRefused
  BadRequest          400  malformed JSON, a missing field, a wrong type
  Unauthorized        401  no token, or another one
  ForeignHost         421  a request for a host that this server is not
  NoSuchPath          404  there is nothing at that address
  NoSuchSession       404  no session of that id was ever created here
  NoSuchTask          404  the package has no such task
  WrongMethod         405  the address answers another method
  SessionConflict     409  the id is taken by a session with other arguments
  SessionGone         409  the session was closed, by its owner or because it was idle for too long
  CallConflict        409  the call id was used for another call
  EpisodeEnded        409  the episode has ended, no call can be made
  EpisodeGoesOn       409  what was asked for can be had when the episode has ended
  SessionInUse        409  a call is being made; ask again
  SessionLost         410  the worker that held the session was killed
  BodyTooLarge            413  the body is larger than the server reads
  ServerDefect        500  a mistake of ours
  EnvironmentFailed   500  sandbox, storage or machine failed; the episode has no reward
  AtCapacity          503  no room for one more session; ask again
  Unavailable         503  the worker is starting, or the server is going; ask again
  Unreachable           -  no answer came; said by the client, never by a server
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar, cast, get_args

from brownout.core.errors import BrownoutError, FailureKind, kind_of
from brownout.core.values import Json, JsonObject

__all__ = [
    "AtCapacity",
    "BadRequest",
    "BodyTooLarge",
    "CallConflict",
    "EnvironmentFailed",
    "EpisodeEnded",
    "EpisodeGoesOn",
    "ForeignHost",
    "NoSuchPath",
    "NoSuchSession",
    "NoSuchTask",
    "RequestRefused",
    "ServerDefect",
    "SessionConflict",
    "SessionGone",
    "SessionInUse",
    "SessionLost",
    "Unauthorized",
    "Unavailable",
    "Unreachable",
    "WrongMethod",
    "refusal_of",
]


class RequestRefused(BrownoutError):
    """What was asked for was not done.

    Attributes:
        status: of the HTTP answer; 0 where there is none.
        retryable: whether the same request may succeed later, though nobody changes anything.
        is_environments: whether the environment is at fault, so that the episode has no reward.
    """

    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    is_environments: ClassVar[bool] = False

    def __init__(self, message: str, failure_kind: FailureKind | None = None) -> None:
        """The refusal.

        Args:
            failure_kind: why the episode has no reward; None where it is what the class says.
        """
        super().__init__(message)
        if failure_kind is not None:
            self.failure_kind = failure_kind

    @property
    def code(self) -> str:
        """The error's name on the wire: `session_conflict`."""
        return kind_of(self)

    def document(self) -> JsonObject:
        """The error as JSON: `{"error": {"code", "message", "retryable"}}`; `failure_kind` too where the episode has no reward."""
        told: JsonObject = {"code": self.code, "message": str(self), "retryable": self.retryable}
        return {"error": told | ({"failure_kind": self.failure_kind} if self.is_environments else {})}


class BadRequest(RequestRefused):
    """The request cannot be read; the message says what was expected and what was found."""

    status = 400


class Unauthorized(RequestRefused):
    """The request has no token, or one that does not open this address."""

    status = 401


class NoSuchPath(RequestRefused):
    """There is nothing at the address."""

    status = 404


class NoSuchSession(RequestRefused):
    """No session of that id was created."""

    status = 404
    failure_kind = "session_gone"


class NoSuchTask(RequestRefused):
    """The package has no task of that name."""

    status = 404


class WrongMethod(RequestRefused):
    """The address answers another method."""

    status = 405


class SessionConflict(RequestRefused):
    """A session of that id exists, and was created with other arguments."""

    status = 409


class SessionGone(RequestRefused):
    """The session was closed; its id is not given out again."""

    status = 409
    failure_kind = "session_gone"


class CallConflict(RequestRefused):
    """The call's id was used before, for another call. A retry repeats a call to the letter; a new call has a new id."""

    status = 409


class EpisodeEnded(RequestRefused):
    """The episode has ended; the call was not made."""

    status = 409


class EpisodeGoesOn(RequestRefused):
    """An episode is graded when it has ended."""

    status = 409


class SessionInUse(RequestRefused):
    """Another call to the session is being made; nothing was done."""

    status = 409
    retryable = True


class SessionLost(RequestRefused):
    """The worker process that held the session was killed. Others go on; this one has no reward."""

    status = 410
    is_environments = True
    failure_kind = "session_lost"


class BodyTooLarge(RequestRefused):
    """The request's body is larger than the server reads."""

    status = 413


class ForeignHost(RequestRefused):
    """The request is for a host that this server is not, or comes from a page of another one."""

    status = 421


class ServerDefect(RequestRefused):
    """Nobody foresaw it: a mistake in the server."""

    status = 500


class EnvironmentFailed(RequestRefused):
    """The sandbox, the storage or the machine failed. The episode is over and has no reward."""

    status = 500
    is_environments = True


class AtCapacity(RequestRefused):
    """There is no room for one more session."""

    status = 503
    retryable = True
    failure_kind = "not_begun"


class Unavailable(RequestRefused):
    """The server is starting or going."""

    status = 503
    retryable = True
    failure_kind = "unreachable"


class Unreachable(RequestRefused):
    """No answer came, so it is not known whether the request was carried out."""

    status = 0
    retryable = True
    is_environments = True
    failure_kind = "unreachable"


def _tree(above: type[RequestRefused]) -> Iterator[type[RequestRefused]]:
    for below in above.__subclasses__():
        yield below
        yield from _tree(below)


def refusal_of(told: Mapping[str, Json]) -> RequestRefused:
    """The error that a server's answer tells; one whose code is not known here is a defect of the server.

    Args:
        told: what `RequestRefused.document` has under `error`.

    Raises:
        KeyError: it has no code, or no message.
    """
    code, message, why = str(told["code"]), str(told["message"]), told.get("failure_kind")
    for kind in _tree(RequestRefused):
        made = kind(message)
        if made.code == code:
            return kind(message, cast("FailureKind", why)) if why in get_args(FailureKind) else made
    return ServerDefect(f"{code}: {message}" if code else message)
