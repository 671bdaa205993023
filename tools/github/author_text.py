"""What an author may say of GitHub."""

from collections.abc import Mapping
from typing import Final

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Vocabulary, WorldNames
from tools.github.settings import DeclaredRepositories

__all__ = ["text"]

_PULL: Final = (
    "repository", "number", "title", "body", "state", "merged", "author", "merged_by", "base", "head", "sha",
    "merge_sha", "files", "approved_by", "changes_requested_by", "reviewers", "checks",
)  # fmt: skip
_OTHERS: Final = ("name", "default_branch", "protected", "branch", "message")
_FIELDS: Final[Mapping[str, FieldSpec]] = {name: FieldSpec() for name in (*_PULL, *_OTHERS)} | {
    "state": FieldSpec(("open", "closed", "merged")),
    "checks": FieldSpec(("success", "failure", "neutral", "pending", "none")),
}


def _words(*names: str) -> dict[str, FieldSpec]:
    return {name: FieldSpec() for name in names}


def _vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    names = [*DeclaredRepositories.model_validate(settings).repositories]
    repo = {"repo": FieldSpec([*names], is_required=True)}
    return Vocabulary(
        details={
            "open": repo | _words("branch", "patch", "base", "message", "reviewers", "checks", "issue"),
            "push": repo | _words("patch", "message", "author", "branch"),
            "comment": _words("pull", "path", "line"),
            "review": _words("pull", "state"),
            "approve": _words("pull"),
            "close": _words("pull"),
            "merge": _words("pull", "method", "title", "message", "delete_branch"),
        },
        fields=lambda thing: _FIELDS,
        requests=["github_fetch", "github_push"],
    )


text = AppText(DeclaredRepositories, _vocabulary)
