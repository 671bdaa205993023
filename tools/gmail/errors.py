"""Gmail's errors, in Google's words: `{"error": {"code", "message", "errors": [{…, "reason"}], "status"}}`.

Envelope and reasons from the Gmail API's guide "Resolve errors"; wordings as clients of it have recorded them.
"""

from brownout.core.apps import Refusal, VendorError
from brownout.core.instants import SECOND

__all__ = ["GmailError", "invalid_arguments", "invalid_label", "no_mailbox", "not_found", "refuse"]

_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class GmailError(VendorError):
    """An error body with its HTTP status."""

    def __init__(
        self,
        status: int,
        message: str,
        reason: str = "invalidArgument",
        *,
        domain: str = "global",
        word: str = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        content: dict[str, object] = {
            "error": {
                "code": status,
                "message": message,
                "errors": [{"message": message, "domain": domain, "reason": reason}],
                "status": word or _STATUSES[status],
            }
        }
        super().__init__(reason, content, status=status, headers=headers)  # type: ignore[arg-type]


def not_found() -> GmailError:
    """There is no such message, thread or draft in this mailbox."""
    return GmailError(404, "Requested entity was not found.", "notFound")


def invalid_label(name: str) -> GmailError:
    """The label is not there, or cannot be put on or taken off."""
    return GmailError(400, f"Invalid label: {name}")


def no_mailbox() -> GmailError:
    """The account has no mail."""
    return GmailError(400, "Mail service not enabled", "failedPrecondition", word="FAILED_PRECONDITION")


def invalid_arguments(detail: str) -> GmailError:
    """The arguments do not fit the operation."""
    return GmailError(400, f"Invalid JSON payload received. {detail}", "badRequest")


def refuse(refusal: Refusal) -> GmailError:
    """An outage, as Gmail's clients see it."""
    match refusal.kind:
        case "rate_limited":
            seconds = max(1, (refusal.retry_after or 30 * SECOND) // SECOND)
            return GmailError(
                429,
                f"User-rate limit exceeded.  Retry after {seconds} seconds.",
                "rateLimitExceeded",
                domain="usageLimits",
                headers={"Retry-After": str(seconds)},
            )
        case "auth_expired":
            message = (
                "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other "
                "valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
            )
            return GmailError(401, message, "authError")
        case "read_only":
            return GmailError(400, "Precondition check failed.", "failedPrecondition", word="FAILED_PRECONDITION")
        case "timeout":
            return GmailError(504, "Deadline expired before operation could complete.", "backendError")
        case "unavailable":
            return GmailError(503, "The service is currently unavailable.", "backendError")
