"""What a link of an issue names: a pull request, a commit, another issue, or any page by its address.

Pull requests are written `shop/checkout#12`, commits `shop/checkout@1a2b3c4`, issues `OPS-7`; their addresses mean the same.
"""

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["Reference", "read_reference"]

_REPOSITORY = r"(?P<repository>[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*?)"
_PATTERNS = {
    "pull": re.compile(
        rf"(?:(?:https?://)?(?:www\.)?github\.com/{_REPOSITORY}/pull/(?P<number>[1-9]\d{{0,9}})(?:[/?#].*)?"
        rf"|{_REPOSITORY.replace('repository', 'short')}(?:#|\.pull/)(?P<after>[1-9]\d{{0,9}}))"
    ),
    "commit": re.compile(
        rf"(?:(?:https?://)?(?:www\.)?github\.com/{_REPOSITORY}/commit/(?P<number>[0-9a-fA-F]{{7,40}})(?:[/?#].*)?"
        rf"|{_REPOSITORY.replace('repository', 'short')}(?:@|\.commit/)(?P<after>[0-9a-fA-F]{{7,40}}))"
    ),
}
_ISSUE = re.compile(r"(?:https?://[^/\s]+/browse/)?([A-Za-z][A-Za-z0-9_]*-[1-9]\d{0,9})")
_JIRA_PATH = re.compile(r"^jira:(?:[A-Z][A-Z0-9_]*\.issue/)?")
_URL = re.compile(r"https?://[^\s/]+\S*")
_SIGNS = {"pull": "#", "commit": "@"}

Kind = Literal["pull", "commit", "issue", "url"]


@dataclass(frozen=True, slots=True)
class Reference:
    """What a link names, written in one way.

    Attributes:
        target: `shop/checkout#12`, `shop/checkout@1a2b3c4`, `OPS-7` or an address.
    """

    kind: Kind
    target: str


def read_reference(text: str) -> Reference | None:
    """What a text names; None where it is none of these."""
    wanted = _JIRA_PATH.sub("", text.strip()).removeprefix("github:")
    for kind in ("pull", "commit"):
        found = _PATTERNS[kind].fullmatch(wanted)
        if found is not None:
            repository, item = found["repository"] or found["short"], found["number"] or found["after"]
            return Reference("pull" if kind == "pull" else "commit", f"{repository}{_SIGNS[kind]}{item.lower()}")
    issue = _ISSUE.fullmatch(wanted)
    if issue is not None:
        return Reference("issue", issue[1].upper())
    return Reference("url", wanted) if _URL.fullmatch(wanted) else None
