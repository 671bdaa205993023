"""Google Calendar's errors: `{"error": {"errors": [{"domain", "reason", "message"}], "code", "message"}}`.

Envelope, reasons and wordings from the Calendar API's guide "Handle API errors".
"""

from brownout.core.apps import Refusal, VendorError
from brownout.core.instants import SECOND
from brownout.core.values import JsonObject

__all__ = [
    "CalendarError",
    "forbidden",
    "gone",
    "invalid",
    "invalid_arguments",
    "no_access",
    "no_account",
    "not_found",
    "refuse",
]


class CalendarError(VendorError):
    """An error body with its HTTP status."""

    def __init__(
        self,
        status: int,
        reason: str,
        message: str,
        *,
        domain: str = "global",
        headers: dict[str, str] | None = None,
    ) -> None:
        error: JsonObject = {"domain": domain, "reason": reason, "message": message}
        content: JsonObject = {"error": {"errors": [error], "code": status, "message": message}}
        super().__init__(reason, content, status=status, headers=headers)


def not_found(hint: str = "") -> CalendarError:
    """There is no such calendar or event, or it is not for you; `hint` says which was meant."""
    return CalendarError(404, "notFound", f"Not Found{hint}")


def gone() -> CalendarError:
    """The event was deleted before."""
    return CalendarError(410, "deleted", "Resource has been deleted")


def invalid(message: str) -> CalendarError:
    """What was asked for makes no sense."""
    return CalendarError(400, "invalid", message)


def invalid_arguments(detail: str) -> CalendarError:
    """The arguments do not fit the operation."""
    return CalendarError(400, "badRequest", f"Bad Request: {detail}")


def forbidden() -> CalendarError:
    """A guest wants to change what is everybody's."""
    message = "Shared properties can only be changed by the organizer of the event."
    return CalendarError(403, "forbiddenForNonOrganizer", message, domain="calendar")


def no_access() -> CalendarError:
    """The event is on somebody else's calendar, and you are not invited."""
    message = "You need to have writer access to this calendar."
    return CalendarError(403, "requiredAccessLevel", message, domain="calendar")


def no_account() -> CalendarError:
    """The account has no calendar."""
    return CalendarError(403, "notACalendarUser", "The user must be signed up for Google Calendar.", domain="calendar")


def refuse(refusal: Refusal) -> CalendarError:
    """An outage, as Google Calendar's clients see it."""
    match refusal.kind:
        case "rate_limited":
            seconds = max(1, (refusal.retry_after or 30 * SECOND) // SECOND)
            headers = {"Retry-After": str(seconds)}
            return CalendarError(403, "rateLimitExceeded", "Rate Limit Exceeded", domain="usageLimits", headers=headers)
        case "auth_expired":
            return CalendarError(401, "authError", "Invalid Credentials")
        case "read_only":
            return CalendarError(403, "forbidden", "Calendar is in read-only mode for maintenance.")
        case "timeout":
            return CalendarError(504, "backendError", "Deadline exceeded")
        case "unavailable":
            return CalendarError(503, "backendError", "Backend Error")
