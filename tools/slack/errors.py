"""Slack's errors, in Slack's words: HTTP 200 with `ok: false`, except when it is rate limiting or gone.

Codes from the Web API's method pages; 429 with Retry-After from its rate-limit page.
"""

from brownout.core.apps import Refusal, VendorError
from brownout.core.instants import SECOND

__all__ = ["SlackError", "invalid_arguments", "refuse"]


class SlackError(VendorError):
    """`{"ok": false, "error": code}`."""

    def __init__(self, code: str, *, status: int = 200, detail: str = "", retry_after: int | None = None) -> None:
        content: dict[str, object] = {"ok": False, "error": code}
        if detail:
            content["response_metadata"] = {"messages": [detail]}
        headers = {"Retry-After": str(retry_after)} if retry_after is not None else {}
        super().__init__(code, content, status=status, headers=headers)  # type: ignore[arg-type]
        self.retry_after = retry_after


def invalid_arguments(detail: str) -> SlackError:
    """The arguments do not fit the operation."""
    return SlackError("invalid_arguments", detail=f"[ERROR] {detail}")


def refuse(refusal: Refusal) -> SlackError:
    """An outage, as Slack's clients see it."""
    match refusal.kind:
        case "rate_limited":
            seconds = max(1, (refusal.retry_after or 30 * SECOND) // SECOND)
            return SlackError("ratelimited", status=429, retry_after=seconds, detail=f"Retry-After: {seconds}")
        case "auth_expired":
            return SlackError("token_expired")
        case "read_only":
            return SlackError("team_access_not_granted", detail="This workspace is temporarily read-only.")
        case "timeout":
            return SlackError("request_timeout", status=504)
        case "unavailable":
            return SlackError("service_unavailable", status=503, detail="Slack is experiencing an outage.")
