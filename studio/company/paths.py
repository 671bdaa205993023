"""Where a path of the engine's (`jira:BOX.issue/BOX-41.comment/7`) is shown in the studio.

Lists and texts name what they show by a key of their own, so that provenance can be laid beside it. Where a
path is the same for every eye the key is the path; a mail has another path in every mailbox, so its key is
its Message-ID; a page of the wiki keeps its id when it is renamed, so its key is that.
"""

import re
from dataclasses import dataclass

from studio.company.company_view import Viewing, ViewRefused
from studio.company.pane_content import SurfaceName

__all__ = ["Destination", "commit_key", "destination_of", "key_of", "mail_key", "page_key", "pull_key"]

_CHAT = re.compile(r"slack:([#@][^/]+)\.message/(\d+\.\d+)")
_ISSUE = re.compile(r"jira:[^/]+\.issue/([A-Z][A-Z0-9]*-\d+)(\.comment/\d+)?")
_MAIL = re.compile(r"gmail:([^/]+)\.message/([0-9a-f]+)")
_PAGE = re.compile(r"docs:.*\.page/(\d+)(\.version/\d+|\.comment/\d+)?")
_PULL = re.compile(r"github:(.+?)\.pull/(\d+)")
_EVENT = re.compile(r"calendar:.+\.event/([0-9a-z]+(?:_\d{8}T\d{6}Z)?)(\.guest/.+)?")
_TALK = re.compile(r"customers:(conversation/(\d+))(\..+)?")
_ACCOUNT = re.compile(r"customers:([a-z0-9][a-z0-9-]*)(\..+)?")
_COMMIT = re.compile(r"github:(.+?)\.commit/([0-9a-f]+)")


@dataclass(frozen=True, slots=True)
class Destination:
    """A thing on a surface."""

    surface: SurfaceName
    item: str
    label: str


def destination_of(path: str, title: str = "") -> Destination | None:
    """Where to look at what is at a path or key, None where no surface shows it.

    Args:
        title: what it is called, where the path does not say.
    """
    if found := _CHAT.fullmatch(path):
        return Destination("chat", f"{found[1]}/{found[2]}", found[1])
    if found := _ISSUE.match(path):
        return Destination("issues", found[1], f"{found[1]} comment" if found[2] else found[1])
    if found := _PAGE.fullmatch(path):
        return Destination("docs", found[1], title or path.removeprefix("docs:").partition(".page/")[0])
    if found := _PULL.match(path):
        return Destination("code", f"{found[1]}#{found[2]}", f"#{found[2]}")
    if found := _COMMIT.match(path):
        return Destination("code", f"{found[1]}@{found[2]}", found[2][:7])
    if found := _EVENT.fullmatch(path):
        return Destination("calendar", found[1], title or "Meeting")
    if found := _TALK.fullmatch(path):
        return Destination("customers", found[1], f"Conversation {found[2]}")
    if found := _ACCOUNT.fullmatch(path):
        return Destination("customers", found[1], found[1])
    if path.startswith("mail:"):
        return Destination("mail", f"rfc:{path.removeprefix('mail:')}", title or "Mail")
    return None


def key_of(viewing: Viewing, path: str) -> tuple[str, str]:
    """The key under which a path is shown, and the title of what is there where the path does not say it."""
    if found := _MAIL.fullmatch(path):
        try:
            answer = viewing.as_person(found[1]).ask("gmail_get_message", message_id=found[2], format="metadata")
        except ViewRefused:
            return path, ""
        payload = answer.get("payload")
        headers = payload.get("headers") if isinstance(payload, dict) else None
        named = (
            {str(h["name"]): str(h["value"]) for h in headers if isinstance(h, dict)}
            if isinstance(headers, list)
            else {}
        )
        return mail_key(named.get("Message-ID", "")), named.get("Subject", "")
    if found := _PAGE.fullmatch(path):
        return page_key(found[1]), path.removeprefix("docs:").partition(".page/")[0]
    return path, ""


def mail_key(message_id: str) -> str:
    """The key of a mail by its Message-ID header."""
    return f"mail:{message_id.strip('<>')}"


def page_key(page: str) -> str:
    """The key of a page by its id."""
    return f"docs:.page/{page}"


def pull_key(repo: str, number: int) -> str:
    """The key of a pull request."""
    return f"github:{repo}.pull/{number}"


def commit_key(repo: str, sha: str) -> str:
    """The key of a commit."""
    return f"github:{repo}.commit/{sha}"
