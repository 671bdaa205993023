"""The register's errors, after HubSpot's: `{"status": "error", "message", "category"}`.

Categories from the CRM API's guide "Error handling"; the correlationId is left out, it names a line of HubSpot's own log.
"""

from brownout.core.apps import Refusal, VendorError
from brownout.core.instants import SECOND
from brownout.core.values import JsonObject

__all__ = ["CustomersError", "conflict", "forbidden", "invalid", "invalid_arguments", "not_found", "refuse"]


class CustomersError(VendorError):
    """An error body with its HTTP status."""

    def __init__(self, status: int, category: str, message: str, *, headers: dict[str, str] | None = None) -> None:
        content: JsonObject = {"status": "error", "message": message, "category": category}
        super().__init__(category, content, status=status, headers=headers)


def not_found(what: str) -> CustomersError:
    """Nothing is called that."""
    return CustomersError(404, "OBJECT_NOT_FOUND", f"resource not found: {what}")


def invalid(message: str) -> CustomersError:
    """What was asked for makes no sense."""
    return CustomersError(400, "VALIDATION_ERROR", message)


def conflict(message: str) -> CustomersError:
    """There is one already."""
    return CustomersError(409, "CONFLICT", message)


def forbidden() -> CustomersError:
    """The account has no seat."""
    return CustomersError(403, "MISSING_SCOPES", "This user does not have a seat in this account.")


def invalid_arguments(detail: str) -> CustomersError:
    """The arguments do not fit the operation."""
    return invalid(f"Invalid input JSON: {detail}")


def refuse(refusal: Refusal) -> CustomersError:
    """An outage, as HubSpot's clients see it."""
    match refusal.kind:
        case "rate_limited":
            seconds = max(1, (refusal.retry_after or 10 * SECOND) // SECOND)
            message = "You have reached your ten_secondly_rolling limit."
            return CustomersError(429, "RATE_LIMITS", message, headers={"Retry-After": str(seconds)})
        case "auth_expired":
            return CustomersError(401, "EXPIRED_AUTHENTICATION", "The OAuth token used to make this call expired.")
        case "read_only":
            return CustomersError(423, "LOCKED", "This account is read-only during maintenance.")
        case "timeout":
            return CustomersError(504, "TIMEOUT", "The request was not answered in time.")
        case "unavailable":
            return CustomersError(503, "SERVICE_UNAVAILABLE", "The service is temporarily unavailable.")
