"""Confluence's errors, in Confluence's words: `{"errors": [{"status", "code", "title", "detail"}]}`.

The REST API v2's shape; what the gateway in front of it answers has v1's, `{"statusCode", "message"}`. Codes and
titles as clients of Confluence Cloud have recorded them.
"""

from brownout.core.apps import Refusal, VendorError
from brownout.core.instants import SECOND
from brownout.core.values import JsonObject

__all__ = [
    "DocsError",
    "GatewayError",
    "ambiguous",
    "invalid_arguments",
    "no_space",
    "not_found",
    "refuse",
    "stale",
    "title_taken",
    "too_large",
]


class DocsError(VendorError):
    """An error of the API."""

    def __init__(self, status: int, code: str, title: str, detail: str | None = None) -> None:
        error: JsonObject = {"status": status, "code": code, "title": title, "detail": detail}
        super().__init__(code, {"errors": [error]}, status=status)


class GatewayError(VendorError):
    """An error of what stands before the API."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(str(status), {"statusCode": status, "message": message}, status=status, headers=headers)


def not_found() -> DocsError:
    """The page is not there, or not for you."""
    return DocsError(404, "NOT_FOUND", "Not Found")


def no_space(name: str) -> DocsError:
    """There is no such space."""
    return DocsError(404, "NOT_FOUND", f"Cannot find [space] entity with key [{name}]")


def ambiguous(title: str) -> DocsError:
    """Pages of several spaces have the title."""
    return DocsError(
        400,
        "INVALID_REQUEST_PARAMETER",
        f"More than one page is titled '{title}'",
        "Name the space, or use the page's id.",
    )


def title_taken() -> DocsError:
    """Another page of the space has the title."""
    title = "A page with this title already exists: A page already exists with the same TITLE in this space"
    return DocsError(400, "INVALID_REQUEST_PARAMETER", title)


def stale(current: int, provided: int) -> DocsError:
    """Somebody has changed the page since the version that the change was made from."""
    title = f"Version must be incremented when updating a page. Current Version: [{current}]. Provided version: [{provided}]"
    return DocsError(409, "CONFLICT", title)


def too_large(limit: int) -> DocsError:
    """A body is too long."""
    return DocsError(413, "REQUEST_ENTITY_TOO_LARGE", f"Body is larger than the limit of {limit} bytes")


def invalid_arguments(detail: str) -> DocsError:
    """The arguments do not fit the operation."""
    return DocsError(400, "INVALID_REQUEST_PARAMETER", detail)


def refuse(refusal: Refusal) -> GatewayError:
    """An outage, as Confluence's clients see it."""
    match refusal.kind:
        case "rate_limited":
            seconds = max(1, (refusal.retry_after or 30 * SECOND) // SECOND)
            headers = {"Retry-After": str(seconds), "X-RateLimit-Remaining": "0"}
            return GatewayError(429, "Rate limit exceeded. Retry later.", headers)
        case "auth_expired":
            return GatewayError(401, "Unauthorized")
        case "read_only":
            return GatewayError(405, "Confluence is in read-only mode for maintenance.")
        case "timeout":
            return GatewayError(504, "Gateway Timeout")
        case "unavailable":
            return GatewayError(503, "Service Unavailable")
