"""Issues: projects, JQL and one issue with everything on it, read through Jira's own operations."""

import re

from brownout.core.values import JsonObject
from studio.company.company_view import PersonView, ViewRefused
from studio.company.pane_content import (
    Block,
    Card,
    Link,
    PreviewQuestion,
    PreviewReading,
    ShownChange,
    ShownField,
    ShownLine,
    ShownLines,
    ShownName,
    ShownPlace,
    ShownTag,
    SurfaceName,
    TimelineEntry,
    Tone,
)
from studio.company.vendor_json import instant, items, part, text

__all__ = ["Issues"]

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]*-\d+")
_CATEGORY: dict[str, Tone] = {"To Do": "gray", "In Progress": "blue", "Done": "green"}
_PRIORITY: dict[str, Tone] = {"Highest": "red", "High": "orange"}

_FILTERS = {"": "All issues", "@me": "Assigned to them", "@open": "Open"}


class Issues:
    """The Jira site."""

    name: SurfaceName = "issues"
    app = "jira"

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """Everything, the person's own, then each project."""
        projects = items(eyes.ask("jira_list_projects"), "values")
        mine = [ShownPlace(place, label, "Filters") for place, label in _FILTERS.items()]
        return [*mine, *(ShownPlace(text(p, "key"), text(p, "name"), "Projects", text(p, "key")) for p in projects)]

    def lines(self, eyes: PersonView, asked: PreviewQuestion) -> ShownLines:
        """Issues, last changed first."""
        page = eyes.ask(
            "jira_search_issues", jql=_jql(asked), max_results=min(asked.most, 100), next_page_token=asked.cursor
        )
        lines = tuple(_line(issue) for issue in items(page, "issues"))
        return ShownLines(lines, text(page, "nextPageToken"))

    def names(self, eyes: PersonView) -> list[ShownName]:
        """Its projects' keys."""
        projects = items(eyes.ask("jira_list_projects"), "values")
        return [ShownName("project", text(project, "key"), "issues") for project in projects]

    def reading(self, eyes: PersonView, item: str) -> PreviewReading:
        """An issue with its links, comments and history."""
        try:
            issue = eyes.ask("jira_get_issue", issue=item)
        except ViewRefused as error:
            raise ViewRefused(f"Issue {item} not found") from error
        history = items(eyes.ask("jira_get_changelog", issue=item), "values")
        fields = part(issue, "fields")
        key = text(issue, "key")
        blocks = [Block(title="Description", text=text(fields, "description") or "No description.")]
        if cause := "\n".join(filter(None, (text(fields, "root_cause"), text(fields, "root_cause_link")))):
            blocks.append(Block(title="Root cause", text=cause))
        if remote := tuple(_remote(link) for link in items(fields, "remotelinks")):
            blocks.append(Block(title="Links", cards=remote))
        if links := tuple(_link(link) for link in items(fields, "issuelinks")):
            blocks.append(Block(title="Linked issues", links=links))
        if comments := tuple(_comment(key, comment) for comment in items(fields, "comment", "comments")):
            blocks.append(Block(title="Comments", entries=comments))
        if changes := tuple(change for entry in history for change in _changes(entry)):
            blocks.append(Block(title="History", changes=changes))
        return PreviewReading(
            id=key,
            kicker=f"{key} · {text(fields, 'issuetype', 'name')}",
            title=text(fields, "summary"),
            path=_path(key),
            tags=_tags(fields),
            fields=_fields(fields),
            blocks=tuple(blocks),
            places=(key.partition("-")[0], *_FILTERS),
            written=instant(fields, "created"),
        )


def _jql(asked: PreviewQuestion) -> str:
    terms = []
    if asked.place == "@me":
        terms.append("assignee = currentUser()")
    elif asked.place == "@open":
        terms.append("statusCategory != Done")
    elif asked.place:
        terms.append(f"project = {_quoted(asked.place)}")
    if _KEY.fullmatch(asked.q.strip()):
        terms.append(f"key = {_quoted(asked.q.strip().upper())}")
    elif asked.q.strip():
        terms.append(f"text ~ {_quoted(asked.q)}")
    return " AND ".join(terms) + " ORDER BY updated DESC"


def _quoted(words: str) -> str:
    safe = words.replace("\\", " ").replace('"', " ")
    return f'"{safe}"'


def _line(issue: JsonObject) -> ShownLine:
    fields = part(issue, "fields")
    key = text(issue, "key")
    assignee = text(fields, "assignee", "displayName") or "Unassigned"
    return ShownLine(
        id=key,
        at=instant(fields, "updated"),
        who=assignee,
        head=f"{key} · {assignee}",
        title=text(fields, "summary"),
        path=_path(key),
        tags=_tags(fields),
    )


def _tags(fields: JsonObject) -> tuple[ShownTag, ...]:
    status = ShownTag(
        text(fields, "status", "name"), _CATEGORY.get(text(fields, "status", "statusCategory", "name"), "gray")
    )
    priority = text(fields, "priority", "name")
    return (status, ShownTag(priority, _PRIORITY[priority])) if priority in _PRIORITY else (status,)


def _fields(fields: JsonObject) -> tuple[ShownField, ...]:
    labels = fields.get("labels")
    shown = {
        "Assignee": text(fields, "assignee", "displayName") or "Unassigned",
        "Reporter": text(fields, "reporter", "displayName"),
        "Priority": text(fields, "priority", "name"),
        "Resolution": text(fields, "resolution", "name") or "Unresolved",
        "Labels": ", ".join(str(label) for label in labels) if isinstance(labels, list) else "",
        "Due": text(fields, "duedate"),
    }
    return tuple(ShownField(name, value) for name, value in shown.items() if value)


def _link(link: JsonObject) -> Link:
    side = "outward" if part(link, "outwardIssue") else "inward"
    other = part(link, f"{side}Issue")
    key = text(other, "key")
    status = text(other, "fields", "status", "name")
    tone: Tone = "green" if status == "Done" else "gray"
    return Link(
        text(link, "type", side), "issues", key, key, text(other, "fields", "summary"), (ShownTag(status, tone),)
    )


def _remote(link: JsonObject) -> Card:
    """A pull request, a commit or a page."""
    target = text(link, "target")
    return Card(title=text(link, "title") or target, about=text(link, "relationship"), note=target)


def _comment(key: str, comment: JsonObject) -> TimelineEntry:
    number = text(comment, "id")
    row = int(number) - 10_000 if number.isdigit() else 0
    return TimelineEntry(
        text(comment, "author", "displayName"),
        instant(comment, "created"),
        text(comment, "body"),
        f"{_path(key)}.comment/{row}",
    )


def _changes(entry: JsonObject) -> list[ShownChange]:
    who, at = text(entry, "author", "displayName"), instant(entry, "created")
    return [
        ShownChange(at, who, text(item, "field"), text(item, "fromString"), text(item, "toString"))
        for item in items(entry, "items")
    ]


def _path(key: str) -> str:
    return f"jira:{key.partition('-')[0]}.issue/{key}"
