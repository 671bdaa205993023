"""GitHub's operations, each seen to succeed and to fail."""

from brownout.core.values import JsonObject
from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"message", "documentation_url"})
_NONE = "Not Found"
_BOX: JsonObject = {"repo": "boxoffice"}
_NOWHERE: JsonObject = {"repo": "nowhere"}
_PULL: JsonObject = {"repo": "boxoffice", "number": 15}
_NO_PULL: JsonObject = {"repo": "boxoffice", "number": 999}
_BRANCH = Step("github_create_branch", {"repo": "boxoffice", "branch": "try"})
_FILE = Step(
    "github_put_file", {"repo": "boxoffice", "path": "TRY.md", "content": "try\n", "message": "Try", "branch": "try"}
)
_OPENED = Step("github_create_pull", {"repo": "boxoffice", "title": "Try", "head": "try"}, {"number": "number"})
_OWN: JsonObject = {"repo": "boxoffice", "number": "$number"}

CASES = (
    Case("github_list_repositories", {}, {"page": 0}, "Invalid request"),
    Case("github_get_file", {**_BOX, "path": "README.md"}, {**_BOX, "path": "NONE.md"}, _NONE),
    Case("github_list_directory", {**_BOX}, {**_BOX, "path": "nowhere"}, _NONE),
    Case("github_list_branches", {**_BOX}, {**_NOWHERE}, _NONE),
    Case("github_get_blame", {**_BOX, "path": "README.md"}, {**_BOX, "path": "NONE.md"}, _NONE),
    Case("github_search_code", {"query": "hold repo:pennywhistle/boxoffice"}, {}, "Invalid request"),
    Case("github_list_commits", {**_BOX}, {**_BOX, "ref": "nowhere"}, "No commit found"),
    Case("github_get_commit", {**_BOX, "sha": "main"}, {**_BOX, "sha": "0" * 40}, "No commit found"),
    Case(
        "github_compare",
        {**_BOX, "base": "main~1", "head": "main"},
        {**_BOX, "base": "nowhere", "head": "main"},
        "No commit found",
    ),
    Case("github_create_branch", {**_BOX, "branch": "try"}, {**_BOX, "branch": "main"}, "Reference already exists"),
    Case(
        "github_delete_branch",
        {**_BOX, "branch": "try"},
        {**_BOX, "branch": "nowhere"},
        "Reference does not exist",
        (_BRANCH,),
    ),
    Case(
        "github_put_file",
        {**_BOX, "path": "TRY.md", "content": "x\n", "message": "Try", "branch": "try"},
        {**_BOX, "path": "README.md", "content": "x\n", "message": "Try", "branch": "try", "sha": "0" * 40},
        "does not match",
        (_BRANCH,),
    ),
    Case(
        "github_push_files",
        {**_BOX, "branch": "try", "message": "Try", "files": [{"path": "TRY.md", "content": "x\n"}]},
        {**_BOX, "branch": "nowhere", "message": "Try", "files": [{"path": "TRY.md", "content": "x\n"}]},
        "Branch nowhere not found",
        (_BRANCH,),
    ),
    Case("github_list_pulls", {**_BOX, "state": "all"}, {**_NOWHERE}, _NONE),
    Case("github_search_pulls", {"query": "is:merged refund"}, {}, "Invalid request"),
    Case("github_get_pull", _PULL, _NO_PULL, _NONE),
    Case("github_get_pull_files", _PULL, _NO_PULL, _NONE),
    Case("github_list_pull_comments", _PULL, _NO_PULL, _NONE),
    Case("github_list_pull_reviews", _PULL, _NO_PULL, _NONE),
    Case(
        "github_create_pull",
        {**_BOX, "title": "Try", "head": "try"},
        {**_BOX, "title": "Try", "head": "nowhere"},
        "Validation Failed",
        (_BRANCH, _FILE),
    ),
    Case(
        "github_update_pull",
        {**_OWN, "title": "Tried", "body": "It holds."},
        {**_OWN, "base": "nowhere"},
        "was not found",
        (_BRANCH, _FILE, _OPENED),
    ),
    Case("github_close_pull", _OWN, _NO_PULL, _NONE, (_BRANCH, _FILE, _OPENED)),
    Case("github_comment_pull", {**_PULL, "body": "x"}, {**_NO_PULL, "body": "x"}, _NONE),
    Case(
        "github_review_pull",
        {**_OWN, "event": "COMMENT", "body": "x"},
        {**_OWN, "event": "APPROVE"},
        "approve your own",
        (_BRANCH, _FILE, _OPENED),
    ),
    Case(
        "github_request_review",
        {**_OWN, "reviewers": ["ida"]},
        {**_OWN, "reviewers": ["nobody"]},
        "collaborators",
        (_BRANCH, _FILE, _OPENED),
    ),
    Case("github_merge_pull", _OWN, _PULL, "not mergeable", (_BRANCH, _FILE, _OPENED)),
    Case(
        "github_rerun_checks",
        {**_BOX, "check_run_id": "$run"},
        {**_BOX, "check_run_id": 99_999},
        _NONE,
        (Step("github_get_checks", {**_PULL}, {"run": "check_runs[0].id"}),),
    ),
    Case("github_get_checks", {**_BOX, "ref": "main"}, {**_BOX, "ref": "nowhere"}, "No commit found"),
)

NAMED = (
    NamedThing("github", "boxoffice"),
    NamedThing("github", "pennywhistle/boxoffice"),
    NamedThing("github", "#15"),
    NamedThing("github", "boxoffice.pull/*"),
    NamedThing("github", "boxoffice.branch/main"),
    NamedThing("github", "boxoffice.branch/t*", (_BRANCH,)),
    NamedThing("github", "Try", (_BRANCH, _FILE, _OPENED)),
)
"""A commit is found too, but what is written of it is the push or the pull that it came with."""
