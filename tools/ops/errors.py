"""The ops products' errors, all in PagerDuty's shape: `{"error": {"code", "message", "errors"}}`.

Codes after the errors page of its REST API v2: 1001 already resolved, 2000 internal, 2001 invalid input,
2006 authentication, 2010 access denied, 2020 rate limit, 2100 not found.
"""

from brownout.core.apps import Refusal, VendorError
from brownout.core.instants import SECOND
from brownout.core.values import JsonObject

__all__ = ["OpsError", "invalid", "invalid_arguments", "not_found", "refuse"]


class OpsError(VendorError):
    """An error body with its HTTP status; `errors` says in words what is wrong."""

    def __init__(
        self, status: int, code: int, message: str, *errors: str, headers: dict[str, str] | None = None
    ) -> None:
        content: JsonObject = {"error": {"code": code, "message": message, "errors": [*errors]}}
        super().__init__(str(code), content, status=status, headers=headers)


def invalid(*errors: str) -> OpsError:
    """What was asked for cannot be done so."""
    return OpsError(400, 2001, "Invalid Input Provided", *errors)


def invalid_arguments(detail: str) -> OpsError:
    """The arguments do not fit the operation."""
    return invalid(detail)


def not_found(what: str) -> OpsError:
    """Nothing is called that."""
    return OpsError(404, 2100, "Not Found", what)


def refuse(refusal: Refusal) -> OpsError:
    """An outage of the ops products themselves, as their clients see it."""
    match refusal.kind:
        case "rate_limited":
            seconds = max(1, (refusal.retry_after or 30 * SECOND) // SECOND)
            headers = {"Retry-After": str(seconds), "ratelimit-remaining": "0", "ratelimit-reset": str(seconds)}
            return OpsError(429, 2020, "Rate Limit Exceeded", f"Try again in {seconds} seconds.", headers=headers)
        case "auth_expired":
            return OpsError(401, 2006, "Authentication Failed", "The access token has expired.")
        case "read_only":
            return OpsError(403, 2010, "Access Denied", "The account is read-only during maintenance.")
        case "timeout":
            return OpsError(504, 2000, "Gateway Timeout", "The request was not answered in time.")
        case "unavailable":
            return OpsError(503, 2000, "Service Unavailable", "The service is temporarily unavailable.")
