"""What an account may do in Jira, after the Cloud REST API v3 (descriptions and comments as plain text)."""

from typing import Annotated

import orjson
from pydantic import Field
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import SECOND
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.jira import records, serializers, tables, workflow
from tools.jira.errors import JiraError, no_issue
from tools.jira.link_targets import Reference, read_reference
from tools.jira.search import search_issues as search

__all__ = ["OF_ONE_ISSUE", "operations"]

operations = Operations("jira")

Key = Annotated[str, Field(min_length=3)]
Limit = Annotated[int, Field(ge=1, le=100)]
CommentBody = Annotated[str, Field(description="@name mentions.", min_length=1, max_length=32_767)]
LinkId = Annotated[str, Field(description="From jira_get_issue.", min_length=1, max_length=20)]
_REFERENCE = "shop/checkout#12, shop/checkout@1a2b3c4 or OPS-7."
_ID_DIGITS = 15
User = Annotated[str, Field(description="accountId, address or name.")]

_PROJECTS = compile_query(select(tables.project).order_by(tables.project.c.key))
_USERS = compile_query(
    select(tables.user)
    .where(tables.user.c.display_name.like(bindparam("like")) | tables.user.c.email.like(bindparam("like")))
    .order_by(tables.user.c.id)
    .limit(bindparam("most"))
)
_HISTORY = compile_query(
    select(tables.history, tables.user.c.display_name.label("by"))
    .join(tables.user, tables.user.c.id == tables.history.c.author)
    .where(tables.history.c.issue == bindparam("issue"))
    .order_by(tables.history.c.id)
)
OF_ONE_ISSUE = frozenset((_HISTORY.sql,))
"""The statement that sees what was changed of the issue given by its key in the table as `issue`."""


@operations.read
def list_projects(call: Call) -> Json:
    """List the projects you can see."""
    _me(call)
    projects: list[Json] = []
    for row in call.rows.all(_PROJECTS):
        lead = serializers.user_json(call.rows.get(tables.user, row.number("lead")))
        projects.append({"key": row.text("key"), "name": row.text("name"), "lead": lead})
    return {"values": projects, "total": len(projects), "isLast": True}


@operations.read
def search_issues(
    call: Call,
    jql: Annotated[str, Field(description='JQL, e.g. project = OPS AND text ~ "login" ORDER BY updated DESC.')],
    max_results: Limit = 20,
    next_page_token: str = "",
) -> Json:
    """Search issues with JQL. Descriptions, links and comments: jira_get_issue."""
    _me(call)
    page = search(call, jql, limit=max_results, token=next_page_token)
    answer: JsonObject = {
        "issues": serializers.issues_json(call, page.rows),
        "isLast": not page.token,
    }
    return {**answer, "nextPageToken": page.token} if page.token else answer


@operations.read
def get_issue(call: Call, issue: Key) -> Json:
    """Get an issue with its description, root cause, links and comments."""
    return serializers.issue_json(call, _issue(call, issue))


@operations.read
def get_changelog(call: Call, issue: Key) -> Json:
    """Get who changed which fields of an issue, and when."""
    rows = call.rows.all(_HISTORY, issue=_issue(call, issue).number("id"))
    return {
        "values": [
            {
                "author": {"displayName": row.text("by")},
                "created": serializers.moment(row.number("at_us")),
                "items": [{"field": row.text("field"), "fromString": row.text("old"), "toString": row.text("new")}],
            }
            for row in rows
        ],
        "total": len(rows),
        "isLast": True,
    }


@operations.write(addition=True)
def create_issue(
    call: Call,
    project: Annotated[str, Field(description="Key, e.g. OPS.")],
    summary: Annotated[str, Field(min_length=1, max_length=255)],
    issue_type: Annotated[str, Field(description="Bug, Task, Story or Incident.")] = "Task",
    description: str = "",
    priority: Annotated[str, Field(description="Highest, High, Medium, Low or Lowest.")] = "Medium",
    assignee: Annotated[str, Field(description="accountId, address or name; empty for nobody.")] = "",
    labels: list[str] = [],  # noqa: B006 (a schema's default, never changed)
) -> Json:
    """Create an issue."""
    found = records.project_by_key(call, project)
    if found is None:
        raise JiraError(400, fields={"project": "valid project is required"})
    made = records.create_issue(
        call,
        found,
        _me(call),
        kind=_one_of("issuetype", issue_type, workflow.TYPES),
        summary=summary,
        description=description,
        priority=_one_of("priority", priority, workflow.PRIORITIES),
        assignee=_user(call, assignee).number("id") if assignee else None,
        labels=labels,
    )
    return {"id": str(10_000 + made.number("id")), "key": made.text("key")}


@operations.write()
def update_issue(
    call: Call,
    issue: Key,
    summary: str | None = None,
    description: str | None = None,
    priority: Annotated[str | None, Field(description="Highest, High, Medium, Low or Lowest.")] = None,
    assignee: Annotated[str | None, Field(description="accountId, address or name; empty for nobody.")] = None,
    labels: Annotated[list[str] | None, Field(description="All that it shall have.")] = None,
    due_date: Annotated[str | None, Field(description="YYYY-MM-DD; empty for none.")] = None,
    root_cause: Annotated[str | None, Field(description="In words.", max_length=32_767)] = None,
    root_cause_link: Annotated[str | None, Field(description=f"{_REFERENCE} Empty for none.")] = None,
) -> Json:
    """Change fields of an issue; what is not given stays. Status: jira_transition_issue."""
    row = _issue(call, issue)
    changes: JsonObject = {}
    if summary is not None:
        changes["summary"] = summary
    if description is not None:
        changes["description"] = description
    if priority is not None:
        changes["priority"] = _one_of("priority", priority, workflow.PRIORITIES)
    if assignee is not None:
        changes["assignee"] = _user(call, assignee).number("id") if assignee else None
    if labels is not None:
        changes["labels"] = orjson.dumps(labels).decode()
    if due_date is not None:
        changes["due"] = due_date
    if root_cause is not None:
        changes["root_cause"] = root_cause.strip()
    if root_cause_link is not None:
        changes["root_cause_link"] = (
            _reference(call, row, "root_cause_link", root_cause_link).target if root_cause_link else ""
        )
    records.change_issue(call, row, _me(call), changes)
    changed: list[Json] = [*sorted(changes)]
    return {"key": row.text("key"), "updated": changed}


@operations.read
def list_transitions(call: Call, issue: Key) -> Json:
    """List the statuses an issue can be moved to now."""
    status = _issue(call, issue).text("status")
    return {
        "transitions": [
            {"id": workflow.transition_id(name), "name": name, "to": {"name": name}}
            for name in workflow.TRANSITIONS[status]
        ]
    }


@operations.write()
def transition_issue(
    call: Call,
    issue: Key,
    transition: Annotated[str, Field(description="Id or name, e.g. Done.")],
    resolution: Annotated[str, Field(description="Done, Duplicate, Won't Do or Cannot Reproduce; with Done.")] = "Done",
) -> Json:
    """Move an issue to another status."""
    row = _issue(call, issue)
    status = row.text("status")
    ways = {workflow.transition_id(name): name for name in workflow.TRANSITIONS[status]}
    name = ways.get(transition) or next((n for n in ways.values() if n.lower() == transition.strip().lower()), None)
    if name is None:
        raise JiraError(400, f"It is not possible to transition from {status} with the transition '{transition}'.")
    outcome = _one_of("resolution", resolution, workflow.RESOLUTIONS) if name == "Done" else ""
    records.change_issue(call, row, _me(call), {"status": name, "resolution": outcome})
    return {"key": row.text("key"), "status": {"name": name}}


@operations.write(addition=True)
def add_comment(call: Call, issue: Key, body: CommentBody) -> Json:
    """Comment on an issue."""
    return serializers.comment_json(call, records.add_comment(call, _issue(call, issue), _me(call), body))


@operations.write(cost=SECOND)
def update_comment(
    call: Call,
    issue: Key,
    comment: Annotated[str, Field(description="From jira_get_issue.", min_length=1, max_length=20)],
    body: CommentBody,
) -> Json:
    """Edit a comment of your own."""
    owner, me = _issue(call, issue), _me(call)
    found = records.comment_of(call, owner, _number(comment))
    if found is None:
        raise JiraError(404, f"Can not find a comment for the id: {comment}.")
    if found["author"] != me["id"]:
        raise JiraError(400, f"{me.text('display_name')}, you do not have the permission to edit this comment.")
    return serializers.comment_json(call, records.change_comment(call, owner, found, me, body))


@operations.write(addition=True, cost=SECOND)
def link_issues(
    call: Call,
    link_type: Annotated[str, Field(description="Duplicate, Blocks, Relates or Cause.")],
    issue: str,
    other: str,
) -> Json:
    """Link two issues: `issue` duplicates, blocks or causes `other`."""
    kind = _one_of("type", link_type, tuple(workflow.LINK_TYPES))
    outward, inward = _issue(call, issue), _issue(call, other)
    if outward["id"] == inward["id"]:
        raise JiraError(400, "You cannot link an issue to itself.")
    records.link_issues(call, kind, outward, inward)
    says, _ = workflow.LINK_TYPES[kind]
    return {"link": f"{outward.text('key')} {says} {inward.text('key')}"}


@operations.write(cost=SECOND)
def delete_link(call: Call, link: LinkId) -> Json:
    """Delete a link between two issues."""
    _me(call)
    found = call.rows.get(tables.link, _number(link))
    if found is None:
        raise JiraError(404, f"No issue link with id '{link}' exists.")
    records.remove_link(call, found)
    return {"deleted": link}


@operations.write(cost=SECOND)
def add_remote_link(
    call: Call,
    issue: Key,
    target: Annotated[str, Field(description=f"{_REFERENCE[:-1]}, or any address.", min_length=1, max_length=2_000)],
    title: Annotated[str, Field(max_length=255)] = "",
    relationship: Annotated[str, Field(description="e.g. fixed by", max_length=100)] = "",
) -> Json:
    """Link an issue to a pull request, a commit or a page."""
    found = _issue(call, issue)
    reference = _reference(call, found, "target", target)
    made = records.add_remote_link(call, found, reference, title=title.strip(), relationship=relationship.strip())
    return serializers.remote_link_json(made)


@operations.write(cost=SECOND)
def delete_remote_link(call: Call, issue: Key, link: LinkId) -> Json:
    """Delete a link of an issue to a pull request, a commit or a page."""
    owner = _issue(call, issue)
    found = call.rows.get(tables.remote_link, _number(link))
    if found is None or found["issue"] != owner["id"]:
        raise JiraError(404, f"The remote issue link with id '{link}' does not exist.")
    records.remove_remote_link(call, found)
    return {"deleted": link}


@operations.read
def search_users(call: Call, query: Annotated[str, Field(description="Part of a name or address.")]) -> Json:
    """Find users by name or mail address."""
    _me(call)
    safe = query.replace("%", "").replace("_", " ")
    return [serializers.user_json(row) for row in call.rows.all(_USERS, like=f"%{safe}%", most=50)]


def _me(call: Call) -> Row:
    """The actor's account; nobody else may read or write here."""
    found = records.user_of(call, call.actor.person)
    if found is None:
        raise JiraError(401, "Client must be authenticated to access this resource.")
    return found


def _issue(call: Call, key: str) -> Row:
    _me(call)
    found = records.issue_by_key(call, key)
    if found is None:
        raise no_issue()
    return found


def _number(link: str) -> int:
    """The key of a row by the id that Jira shows; of none where it is no such id."""
    return int(link) - 10_000 if len(link) <= _ID_DIGITS and link.isascii() and link.isdecimal() else 0


def _reference(call: Call, issue: Row, field: str, text: str) -> Reference:
    """What a link names; an issue must be there, and be another one."""
    found = read_reference(text)
    if found is None or (field == "root_cause_link" and found.kind == "url"):
        raise JiraError(400, fields={field: f"'{text}' is not a link that can be set; expected {_REFERENCE}"})
    if found.kind == "issue" and records.issue_by_key(call, found.target) is None:
        raise JiraError(400, fields={field: f"Issue '{found.target}' does not exist."})
    if found.target == issue["key"]:
        raise JiraError(400, "You cannot link an issue to itself.")
    return found


def _user(call: Call, name: str) -> Row:
    found = records.user_named(call, name)
    if found is None:
        raise JiraError(400, fields={"assignee": f"User '{name}' does not exist."})
    return found


def _one_of(field: str, value: str, allowed: tuple[str, ...]) -> str:
    for name in allowed:
        if name.lower() == value.strip().lower():
            return name
    raise JiraError(400, fields={field: f"'{value}' is not valid; expected one of: {', '.join(allowed)}."})
