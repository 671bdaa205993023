"""Where else a thing is spoken of: what other products find by its key or its title. So a mail leads to its ticket, and a ticket to its talk."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from brownout.core.values import JsonObject
from studio.company.company_view import PersonView, ViewRefused
from studio.company.pane_content import Block, Link, PreviewReading, SurfaceName
from studio.company.vendor_json import items, number, part, text

__all__ = ["with_mentions"]

_MOST = 5
"""Places in one product."""
_LEAST_WORDS = 3
"""Fewer words are no title that one could look for."""
_PREFIX = re.compile(r"^((re|fwd?|aw|wg)\s*:\s*)+", re.IGNORECASE)
_Finder: TypeAlias = Callable[[PersonView, str], Iterator[Link]]


def with_mentions(eyes: PersonView, surface: SurfaceName, reading: PreviewReading) -> PreviewReading:
    """A reading, with whatever else that these eyes can see speaks of the thing."""
    phrase = _phrase(surface, reading)
    if not phrase:
        return reading
    found: dict[tuple[str, str], Link] = {}
    for app, find in _FINDERS.items():
        if app not in eyes.viewing.setting.apps:
            continue
        try:
            for link in find(eyes, phrase):
                if (link.surface, link.item) != (surface, reading.id):
                    found.setdefault((link.surface, link.item), link)
        except ViewRefused:
            continue
    if not found:
        return reading
    return replace(reading, blocks=(*reading.blocks, Block(title="Spoken of in", links=tuple(found.values()))))


def _phrase(surface: SurfaceName, reading: PreviewReading) -> str:
    """What others would call it: an issue by its key, the rest by their title, if that says enough."""
    if surface == "issues":
        return reading.id
    if surface == "chat" or (":" in reading.id and surface == "code"):
        return ""
    title = _PREFIX.sub("", reading.title).replace('"', " ").replace("\\", " ").strip()
    is_name = surface in ("customers",) and not reading.id.startswith("conversation/")
    return title if is_name or len(title.split()) >= _LEAST_WORDS else ""


def _issues(eyes: PersonView, phrase: str) -> Iterator[Link]:
    jql = 'text ~ "\\"' + phrase + '\\"" ORDER BY updated DESC'
    for issue in items(eyes.ask("jira_search_issues", jql=jql, max_results=_MOST), "issues"):
        key = text(issue, "key")
        yield Link("issue", "issues", key, key, text(issue, "fields", "summary"))


def _mails(eyes: PersonView, phrase: str) -> Iterator[Link]:
    for message in items(eyes.ask("gmail_search", q=f'"{phrase}"', max_results=_MOST), "messages"):
        headers = items(message, "payload", "headers")
        named = {text(header, "name"): text(header, "value") for header in headers}
        sender = named.get("From", "").partition("<")[0].strip() or "Mail"
        yield Link("mail", "mail", text(message, "id"), sender, named.get("Subject", ""))


def _messages(eyes: PersonView, phrase: str) -> Iterator[Link]:
    found = part(eyes.ask("slack_search_messages", query=f'"{phrase}"', limit=_MOST), "messages")
    for message in items(found, "matches"):
        channel = text(message, "channel", "name")
        if channel:
            said = " ".join(text(message, "text").split())
            yield Link("chat", "chat", f"#{channel}/{text(message, 'ts')}", f"#{channel}", said)


def _pulls(eyes: PersonView, phrase: str) -> Iterator[Link]:
    for pull in items(eyes.ask("github_search_pulls", query=f'"{phrase}"', per_page=_MOST), "items"):
        repo, key = text(pull, "repository"), number(pull, "number")
        yield Link("pull request", "code", f"{repo}#{key}", f"{repo}#{key}", text(pull, "title"))


def _pages(eyes: PersonView, phrase: str) -> Iterator[Link]:
    for result in items(eyes.ask("docs_search", query=f'"{phrase}"', limit=_MOST), "results"):
        page: JsonObject = part(result, "content")
        yield Link("document", "docs", text(page, "id"), text(page, "title"))


_FINDERS: Mapping[str, _Finder] = MappingProxyType(
    {"jira": _issues, "github": _pulls, "slack": _messages, "gmail": _mails, "docs": _pages}
)
