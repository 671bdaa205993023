"""Documents: spaces, pages with their history and comments, read through the wiki's own operations."""

from brownout.core.values import JsonObject
from studio.company.company_view import PersonView, ViewRefused
from studio.company.pane_content import (
    Block,
    PreviewQuestion,
    PreviewReading,
    ShownChange,
    ShownField,
    ShownLine,
    ShownLines,
    ShownName,
    ShownPlace,
    SurfaceName,
    TimelineEntry,
)
from studio.company.paths import page_key
from studio.company.vendor_json import instant, items, number, text

__all__ = ["Documents"]

_MOST = 100
_TITLES = 500
"""How many titles are links in other texts."""


class Documents:
    """The wiki."""

    name: SurfaceName = "docs"
    app = "docs"

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """Everything, then each space."""
        spaces = items(eyes.ask("docs_list_spaces"), "results")
        return [
            ShownPlace("", "All documents", "Wiki"),
            *(ShownPlace(text(s, "key"), text(s, "name"), "Spaces", text(s, "description")) for s in spaces),
        ]

    def lines(self, eyes: PersonView, asked: PreviewQuestion) -> ShownLines:
        """Pages: last changed first, or those with the words searched for."""
        most = min(asked.most, _MOST)
        if asked.q:
            page = eyes.ask("docs_search", query=asked.q, space=asked.place, limit=most, cursor=asked.cursor)
            found = tuple(_line(hit.get("content"), text(hit, "excerpt")) for hit in items(page, "results"))
            return ShownLines(found, text(page, "nextCursor"), number(page, "totalSize"))
        page = eyes.ask("docs_list_pages", space=asked.place, limit=most, cursor=asked.cursor)
        return ShownLines(tuple(_line(one, "") for one in items(page, "results")), text(page, "nextCursor"))

    def names(self, eyes: PersonView) -> list[ShownName]:
        """The titles of its pages."""
        found: list[ShownName] = []
        cursor = ""
        while len(found) < _TITLES:
            page = eyes.ask("docs_list_pages", limit=_MOST, cursor=cursor)
            found += [ShownName("title", text(p, "title"), "docs", item=text(p, "id")) for p in items(page, "results")]
            cursor = text(page, "nextCursor")
            if not cursor:
                break
        return found

    def reading(self, eyes: PersonView, item: str) -> PreviewReading:
        """A page with its comments and versions."""
        try:
            page = eyes.ask("docs_get_page", page=item)
        except ViewRefused as error:
            raise ViewRefused(f"Document {item} not found") from error
        key = text(page, "id")
        blocks = [Block(text=text(page, "body", "value"))]
        comments = tuple(_comment(key, one) for one in items(eyes.ask("docs_list_comments", page=key), "results"))
        if comments:
            blocks.append(Block(title="Comments", entries=comments))
        versions = items(eyes.ask("docs_get_history", page=key), "results")
        blocks.append(Block(title="History", changes=tuple(_version(one) for one in versions)))
        shown = {
            "Space": text(page, "spaceKey"),
            "Written by": text(page, "authorName"),
            "Version": text(page, "version", "number"),
        }
        return PreviewReading(
            id=key,
            kicker=f"{text(page, 'spaceKey')} · version {text(page, 'version', 'number')}",
            title=text(page, "title"),
            path=page_key(key),
            fields=tuple(ShownField(name, value) for name, value in shown.items() if value),
            blocks=tuple(blocks),
            places=(text(page, "spaceKey"), ""),
            written=instant(page, "createdAt"),
        )


def _line(page: object, excerpt: str) -> ShownLine:
    known: JsonObject = page if isinstance(page, dict) else {}
    key = text(known, "id")
    who = text(known, "version", "authorName") or text(known, "authorName")
    return ShownLine(
        id=key,
        at=instant(known, "version", "createdAt"),
        who=who,
        head=f"{text(known, 'spaceKey')} · {who}",
        title=text(known, "title"),
        text=excerpt,
        path=page_key(key),
    )


def _comment(page: str, comment: JsonObject) -> TimelineEntry:
    return TimelineEntry(
        text(comment, "authorName"), instant(comment, "createdAt"), text(comment, "body", "value"), page_key(page)
    )


def _version(version: JsonObject) -> ShownChange:
    said = text(version, "message") or "no message"
    return ShownChange(
        instant(version, "createdAt"), text(version, "authorName"), f"version {text(version, 'number')}:", "", said
    )
