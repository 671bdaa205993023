"""GitHub's errors, in GitHub's words: `{"message", "documentation_url", "status"}` and sometimes `"errors"`.

Shapes from the REST API's guide "Troubleshooting" and OpenAPI description; wordings as clients of it have recorded
them in public threads, among them BobAnkh/auto-generate-changelog#78 (protected branch), agorapulse/pierrot#45 (stale
blob), piceaTech/node-gitlab-2-github#91 (no commits) and ovity/octotree#557 (pull request already there).
"""

from brownout.core.apps import Refusal, VendorError
from brownout.core.instants import SECOND
from brownout.core.values import Json, JsonObject

__all__ = [
    "GithubError",
    "conflict",
    "invalid_arguments",
    "no_permission",
    "not_found",
    "not_mergeable",
    "refuse",
    "validation_failed",
]

_DOCS = "https://docs.github.com/rest"
_RESUBMIT = "Sorry about that. Please try resubmitting your request and contact us if the problem persists."


class GithubError(VendorError):
    """An error body with its HTTP status."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        page: str = "",
        errors: list[Json] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        content: JsonObject = {"message": message, "documentation_url": _DOCS + page, "status": str(status)}
        if errors is not None:
            content["errors"] = errors
        super().__init__(str(status), content, status=status, headers=headers)


def not_found(message: str = "Not Found", *, page: str = "") -> GithubError:
    """It is not there, or not for you."""
    return GithubError(404, message, page=page)


def no_permission(message: str, *, page: str = "") -> GithubError:
    """It is there, but you may not do that."""
    return GithubError(403, message, page=page)


def conflict(message: str, *, page: str = "") -> GithubError:
    """It is not as the caller last saw it."""
    return GithubError(409, message, page=page)


def not_mergeable(message: str = "Pull Request is not mergeable") -> GithubError:
    """The pull request cannot be merged as it is."""
    return GithubError(405, message, page="/pulls/pulls#merge-a-pull-request")


def validation_failed(resource: str, field: str, code: str, message: str = "", *, page: str = "") -> GithubError:
    """A field of a request does not make sense: `code` is `missing_field`, `invalid`, `already_exists` or `custom`."""
    detail: JsonObject = {"resource": resource, "code": code}
    if field:
        detail["field"] = field
    if message:
        detail["message"] = message
    return GithubError(422, "Validation Failed", page=page, errors=[detail])


def invalid_arguments(detail: str) -> GithubError:
    """The arguments do not fit the operation."""
    return GithubError(422, f"Invalid request.\n\n{detail}")


def refuse(refusal: Refusal) -> GithubError:
    """An outage, as GitHub's clients see it."""
    match refusal.kind:
        case "rate_limited":
            seconds = max(1, (refusal.retry_after or 60 * SECOND) // SECOND)
            return GithubError(
                429,
                "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
                page="/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits",
                headers={"Retry-After": str(seconds), "X-RateLimit-Remaining": "0"},
            )
        case "auth_expired":
            return GithubError(401, "Bad credentials")
        case "read_only":
            return GithubError(503, "GitHub is in read-only mode while we recover. Please try again later.")
        case "timeout":
            return GithubError(504, f"We couldn't respond to your request in time. {_RESUBMIT}")
        case "unavailable":
            return GithubError(503, f"No server is currently available to service your request. {_RESUBMIT}")
