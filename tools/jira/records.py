"""The only writer of Jira's tables, for operations and for the people of the world alike."""

import re

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.mentions import called
from brownout.core.rows import Row
from brownout.core.values import JsonObject
from brownout.store import compile_query
from tools.jira import tables
from tools.jira.link_targets import Reference

__all__ = [
    "ISSUE_BY_KEY",
    "PROJECT_BY_KEY",
    "add_comment",
    "add_project",
    "add_remote_link",
    "add_user",
    "change_comment",
    "change_issue",
    "comment_of",
    "create_issue",
    "issue_by_key",
    "link_issues",
    "path_of_issue",
    "project_by_key",
    "remove_link",
    "remove_remote_link",
    "user_named",
    "user_of",
]

_user, _project, _issue, _comment = tables.user, tables.project, tables.issue, tables.comment
_link, _history, _remote = tables.link, tables.history, tables.remote_link

_USER_OF = compile_query(select(_user).where(_user.c.person == bindparam("person")))
_USER_NAMED = compile_query(
    select(_user).where(
        (_user.c.account_id == bindparam("name"))
        | (_user.c.person == bindparam("name"))
        | (_user.c.email == bindparam("name"))
        | (_user.c.display_name == bindparam("name"))
    )
)
_PROJECT = compile_query(select(_project).where(_project.c.key == bindparam("key")))
_BY_KEY = compile_query(select(_issue).where(_issue.c.key == bindparam("key")))
ISSUE_BY_KEY, PROJECT_BY_KEY = _BY_KEY.sql, _PROJECT.sql
"""The statements that find the one issue, and the one project, whose key is given as `key`."""
_LINKED = compile_query(
    select(_link.c.id).where(
        _link.c.type == bindparam("type"),
        _link.c.outward == bindparam("outward"),
        _link.c.inward == bindparam("inward"),
    )
)
_REMOTE = compile_query(
    select(_remote).where(_remote.c.issue == bindparam("issue"), _remote.c.target == bindparam("target"))
)
_ACCOUNT = re.compile(r"\[~(?:accountid:)?([^\]\s]+)\]")
_SHOWN_IN_HISTORY = (
    "summary",
    "status",
    "resolution",
    "priority",
    "assignee",
    "due",
    "labels",
    "description",
    "root_cause",
    "root_cause_link",
)


def path_of_issue(key: str) -> str:
    """`jira:BOX.issue/BOX-41`."""
    return f"jira:{key.partition('-')[0]}.issue/{key}"


def add_user(call: Call, account: Account) -> int:
    """Make somebody's account."""
    account_id = "5b" + call.stream("jira", "user", account.person).hex(22)
    return call.rows.insert(
        _user, account_id=account_id, person=account.person, display_name=account.name, email=account.email
    )


def user_of(call: Call, person: str) -> Row | None:
    """The account of somebody in the world, None for those who have none."""
    return call.rows.one(_USER_OF, person=person)


def user_named(call: Call, name: str) -> Row | None:
    """The account with that account id, short name, mail address or display name."""
    return call.rows.one(_USER_NAMED, name=name.removeprefix("@"))


def add_project(call: Call, key: str, name: str, lead: int, *, first: int = 1) -> int:
    """Make a project whose next issue is number `first`."""
    return call.rows.insert(_project, key=key, name=name, lead=lead, next_number=first)


def project_by_key(call: Call, key: str) -> Row | None:
    return call.rows.one(_PROJECT, key=key.upper())


def issue_by_key(call: Call, key: str) -> Row | None:
    return call.rows.one(_BY_KEY, key=key.strip().upper())


def create_issue(
    call: Call,
    project: Row,
    reporter: Row,
    *,
    kind: str,
    summary: str,
    description: str,
    priority: str,
    assignee: int | None,
    labels: list[str],
    number: int | None = None,
) -> Row:
    """Make an issue and tell the person it is assigned to.

    Args:
        number: of its key, where it is known beforehand; those before it that nobody took stay free for ever.

    Raises:
        LookupError: that number is taken or was passed over.
    """
    following = project.number("next_number")
    if number is not None and number < following:
        raise LookupError(f"{project.text('key')}-{number} cannot be made any more; the next one is {following}")
    number = following if number is None else number
    call.rows.update(_project, project.number("id"), next_number=number + 1)
    made = call.rows.insert(
        _issue,
        key=f"{project.text('key')}-{number}",
        project=project.number("id"),
        number=number,
        type=kind,
        summary=summary,
        description=description,
        status="To Do",
        priority=priority,
        reporter=reporter.number("id"),
        assignee=assignee,
        labels=orjson.dumps(labels).decode(),
        created_us=call.now,
        updated_us=call.now,
    )
    issue = _row(call, made)
    _tell_assignee(call, issue, reporter)
    return issue


def change_issue(call: Call, issue: Row, author: Row, changes: JsonObject) -> Row:
    """Change columns, keep the history, and tell a new assignee; what is already so is not a change."""
    key = issue.number("id")
    real = {name: value for name, value in changes.items() if issue[name] != value}
    if not real:
        return issue
    for name in _SHOWN_IN_HISTORY:
        if name in real:
            old, new = _shown(call, name, issue[name]), _shown(call, name, real[name])
            call.rows.insert(
                _history, issue=key, author=author.number("id"), at_us=call.now, field=name, old=old, new=new
            )
    call.rows.update(_issue, key, **real, updated_us=call.now)  # type: ignore[arg-type]
    changed = _row(call, key)
    if "assignee" in real:
        _tell_assignee(call, changed, author)
    return changed


def add_comment(call: Call, issue: Row, author: Row, body: str) -> Row:
    """Comment on an issue and tell its reporter, its assignee and everyone mentioned."""
    made = call.rows.insert(
        _comment,
        issue=issue.number("id"),
        author=author.number("id"),
        body=body,
        created_us=call.now,
        updated_us=call.now,
    )
    _stamp(call, issue.number("id"))
    line = f"{author.text('display_name')} on {issue.text('key')}: {body}"
    assigned = [issue.number("assignee")] if issue["assignee"] else []
    for key in sorted({issue.number("reporter"), *assigned, *_mentioned(call, body)}):
        if key != author["id"]:
            call.reach(_person(call, key), "mention", path_of_issue(issue.text("key")), line)
    found = call.rows.get(_comment, made)
    assert found is not None
    return found


def comment_of(call: Call, issue: Row, key: int) -> Row | None:
    """The comment of that key, None where the issue has none."""
    found = call.rows.get(_comment, key)
    return found if found is not None and found["issue"] == issue["id"] else None


def change_comment(call: Call, issue: Row, comment: Row, author: Row, body: str) -> Row:
    """Let a comment say something else, and tell those whom only the new words mention."""
    if body == comment["body"]:
        return comment
    key = comment.number("id")
    call.rows.update(_comment, key, body=body, updated_us=call.now)
    _stamp(call, issue.number("id"))
    line = f"{author.text('display_name')} on {issue.text('key')}: {body}"
    for user in sorted({*_mentioned(call, body)} - {*_mentioned(call, comment.text("body")), author.number("id")}):
        call.reach(_person(call, user), "mention", path_of_issue(issue.text("key")), line)
    found = call.rows.get(_comment, key)
    assert found is not None
    return found


def _mentioned(call: Call, text: str) -> list[int]:
    """Those a text mentions, as @name or in the markup that Jira's editor writes."""
    found = (user_named(call, name) for name in [*called(text), *_ACCOUNT.findall(text)])
    return [user.number("id") for user in found if user is not None]


def link_issues(call: Call, kind: str, outward: Row, inward: Row) -> bool:
    """Link two issues; False where they were linked so already."""
    ends = {"outward": outward.number("id"), "inward": inward.number("id")}
    if call.rows.scalar(_LINKED, type=kind, **ends) is not None:
        return False
    call.rows.insert(_link, type=kind, **ends)
    for end in (outward, inward):
        _stamp(call, end.number("id"))
    return True


def remove_link(call: Call, link: Row) -> None:
    """Let two issues no longer be linked so."""
    call.rows.delete(_link, link.number("id"))
    for end in ("outward", "inward"):
        _stamp(call, link.number(end))


def add_remote_link(call: Call, issue: Row, reference: Reference, *, title: str, relationship: str) -> Row:
    """Link an issue to something outside of Jira; what it is linked to already is given these words."""
    key = issue.number("id")
    known = call.rows.one(_REMOTE, issue=key, target=reference.target)
    if known is None:
        words = {"title": title, "relationship": relationship}
        with call.rows.adding():
            made = call.rows.insert(_remote, issue=key, kind=reference.kind, target=reference.target, **words)
    else:
        made = known.number("id")
        call.rows.update(_remote, made, title=title, relationship=relationship)
    _stamp(call, key)
    found = call.rows.get(_remote, made)
    assert found is not None
    return found


def remove_remote_link(call: Call, link: Row) -> None:
    """Let an issue no longer be linked to something outside."""
    call.rows.delete(_remote, link.number("id"))
    _stamp(call, link.number("issue"))


def _stamp(call: Call, issue: int) -> None:
    """Note that something that hangs on an issue has changed, which by itself changes nothing of it."""
    with call.rows.harmlessly():
        call.rows.update(_issue, issue, updated_us=call.now)


def _row(call: Call, key: int) -> Row:
    found = call.rows.get(_issue, key)
    assert found is not None
    return found


def _person(call: Call, key: int) -> str:
    found = call.rows.get(_user, key)
    return found.text("person") if found else ""


def _shown(call: Call, field: str, value: object) -> str:
    if field == "assignee" and isinstance(value, int):
        found = call.rows.get(_user, value)
        return found.text("display_name") if found else ""
    return "" if value is None else str(value)


def _tell_assignee(call: Call, issue: Row, author: Row) -> None:
    if issue["assignee"] is not None and issue["assignee"] != author["id"]:
        person = _person(call, issue.number("assignee"))
        text = f"{author.text('display_name')} assigned {issue.text('key')} to you: {issue.text('summary')}"
        call.reach(person, "assigned", path_of_issue(issue.text("key")), text)
