"""How people's intents become Jira issues, comments and moves."""

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select

from brownout.core.apps import Call, Intent, IntentHandler, IntentKind
from brownout.core.calls import Account
from brownout.core.rows import Row, Rows
from brownout.core.values import JsonObject
from brownout.store import compile_query
from tools.jira import records, tables
from tools.jira.link_targets import read_reference
from worlds.spec.field_types import Whole

__all__ = ["handlers", "make_project", "open_account", "prepare", "project_names", "user_named"]

_PROJECTS = compile_query(select(tables.project.c.key, tables.project.c.name))


class ProjectSettings(BaseModel):
    """A project as the author declares it."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(description="Its name.")
    lead: str = Field(description="Who leads it.")
    first: Whole = Field(
        default=1, description="Number of the first issue made: a company that has been at it does not start at 1."
    )


class JiraSettings(BaseModel):
    """The world's `apps: jira:` section."""

    model_config = ConfigDict(extra="forbid")
    projects: dict[str, ProjectSettings] = Field(default={}, description="Projects by key, `BOX`.")


def prepare(call: Call, settings: JsonObject) -> None:
    """Make the projects."""
    for key, project in JiraSettings.model_validate(settings).projects.items():
        records.add_project(call, key, project.name, user_named(call, project.lead).number("id"), first=project.first)


def project_names(rows: Rows) -> dict[str, str]:
    """The names of all projects, by key."""
    return {row.text("key"): row.text("name") for row in rows.all(_PROJECTS)}


def make_project(call: Call, key: str, name: str, lead: str) -> None:
    """Make one more project, whose numbers begin at some number that a company would have come to."""
    first = call.stream("jira", "project", key).between(120, 900)
    records.add_project(call, key, name, user_named(call, lead).number("id"), first=first)


def open_account(call: Call, account: Account) -> None:
    """An account for everybody but outsiders."""
    if account.kind != "outsider":
        records.add_user(call, account)


def _open(call: Call, intent: Intent) -> str:
    details = intent.details
    project = records.project_by_key(call, str(details.get("project", "")))
    if project is None:
        raise LookupError(f"{intent.key}: there is no Jira project {details.get('project')!r}")
    assignee = details.get("assignee")
    labels = details.get("labels")
    made = records.create_issue(
        call,
        project,
        user_named(call, intent.who),
        kind=str(details.get("type", "Task")),
        summary=intent.subject,
        description=intent.text,
        priority=str(details.get("priority", "Medium")),
        assignee=user_named(call, str(assignee)).number("id") if assignee else None,
        labels=[str(label) for label in labels] if isinstance(labels, list) else [],
        number=number if isinstance(number := details.get("number"), int) else None,
    )
    return records.path_of_issue(made.text("key"))


def _begin(call: Call, intent: Intent) -> str:
    """Take an issue up: it becomes theirs."""
    issue, me = _issue(call, intent), user_named(call, intent.who)
    records.change_issue(call, issue, me, {"status": "In Progress", "assignee": me.number("id")})
    return records.path_of_issue(issue.text("key"))


def _review(call: Call, intent: Intent) -> str:
    """Have it looked at."""
    issue = _issue(call, intent)
    records.change_issue(call, issue, user_named(call, intent.who), {"status": "In Review"})
    return records.path_of_issue(issue.text("key"))


def _close(call: Call, intent: Intent) -> str:
    issue = _issue(call, intent)
    resolution = str(intent.details.get("resolution", "Done"))
    changes: JsonObject = {"status": "Done", "resolution": resolution, **_root_cause(call, intent)}
    records.change_issue(call, issue, user_named(call, intent.who), changes)
    duplicate = intent.details.get("duplicate_of")
    if isinstance(duplicate, str):
        other = _bound(call, duplicate, intent.key)
        records.link_issues(call, "Duplicate", issue, other)
    return records.path_of_issue(issue.text("key"))


def _root_cause(call: Call, intent: Intent) -> JsonObject:
    """What is said of why it happened, and what it is said to come from: `shop/checkout#12`, or a beat's pull or commit."""
    changes: JsonObject = {}
    cause, link = intent.details.get("root_cause"), intent.details.get("root_cause_link")
    if isinstance(cause, str):
        changes["root_cause"] = cause
    if isinstance(link, str):
        found = read_reference(call.bound(link) or link)
        if found is None or found.kind == "url":
            raise LookupError(f"{intent.key}: {link!r} is no pull request, commit or issue")
        changes["root_cause_link"] = found.target
    return changes


def _comment(call: Call, intent: Intent) -> str:
    issue = _issue(call, intent)
    records.add_comment(call, issue, user_named(call, intent.who), intent.text)
    return records.path_of_issue(issue.text("key"))


def _assign(call: Call, intent: Intent) -> str:
    issue = _issue(call, intent)
    assignee = user_named(call, intent.to[0]).number("id") if intent.to else None
    records.change_issue(call, issue, user_named(call, intent.who), {"assignee": assignee})
    return records.path_of_issue(issue.text("key"))


def _issue(call: Call, intent: Intent) -> Row:
    return _bound(call, intent.thing, intent.key)


def _bound(call: Call, name: str, key: str) -> Row:
    path = name if name.startswith("jira:") else call.bound(name)
    found = records.issue_by_key(call, path.rpartition("/")[2]) if path and path.startswith("jira:") else None
    if found is None:
        raise LookupError(f"{key}: no Jira issue stands for {name!r}")
    return found


def user_named(call: Call, person: str) -> Row:
    """Somebody's account; LookupError where they have none."""
    found = records.user_of(call, person)
    if found is None:
        raise LookupError(f"{person} has no Jira account")
    return found


handlers: dict[IntentKind, IntentHandler] = {
    "open": _open,
    "begin": _begin,
    "review": _review,
    "close": _close,
    "comment": _comment,
    "assign": _assign,
}
