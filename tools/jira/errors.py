"""Jira's errors, in Jira's words: `{"errorMessages": […], "errors": {field: message}}`.

Shapes and wording after the Cloud REST API v3 reference; 429 after its rate-limiting page.
"""

from brownout.core.apps import Refusal, VendorError
from brownout.core.instants import SECOND

__all__ = ["JiraError", "invalid_arguments", "no_issue", "refuse"]


class JiraError(VendorError):
    """An error body with its HTTP status."""

    def __init__(
        self, status: int, *messages: str, fields: dict[str, str] | None = None, headers: dict[str, str] | None = None
    ) -> None:
        content: dict[str, object] = {"errorMessages": list(messages), "errors": dict(fields or {})}
        super().__init__(str(status), content, status=status, headers=headers)  # type: ignore[arg-type]


def no_issue() -> JiraError:
    """The issue is not there, or not for you."""
    return JiraError(404, "Issue does not exist or you do not have permission to see it.")


def invalid_arguments(detail: str) -> JiraError:
    """The arguments do not fit the operation."""
    return JiraError(400, f"Invalid request payload. {detail}")


def refuse(refusal: Refusal) -> JiraError:
    """An outage, as Jira's clients see it."""
    match refusal.kind:
        case "rate_limited":
            seconds = max(1, (refusal.retry_after or 30 * SECOND) // SECOND)
            return JiraError(
                429,
                "Rate limit exceeded.",
                headers={"Retry-After": str(seconds), "RateLimit-Reason": "jira-burst-based"},
            )
        case "auth_expired":
            return JiraError(401, "Client must be authenticated to access this resource.")
        case "read_only":
            return JiraError(403, "Jira is in read-only mode for maintenance.")
        case "timeout":
            return JiraError(504, "Gateway Timeout")
        case "unavailable":
            return JiraError(503, "Service Unavailable")
