"""Rows as Jira's JSON."""

from collections.abc import Iterable
from functools import lru_cache

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import to_datetime
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.jira import tables
from tools.jira.workflow import CATEGORIES, LINK_TYPES

__all__ = ["OF_ONE_ISSUE", "comment_json", "issue_json", "issues_json", "moment", "remote_link_json", "user_json"]

_issue, _link, _comment, _user = tables.issue, tables.link, tables.comment, tables.user
_OUTWARD = compile_query(
    select(_link.c.id, _link.c.type, _link.c.inward.label("other"))
    .where(_link.c.outward == bindparam("issue"))
    .order_by(_link.c.id)
)
_INWARD = compile_query(
    select(_link.c.id, _link.c.type, _link.c.outward.label("other"))
    .where(_link.c.inward == bindparam("issue"))
    .order_by(_link.c.id)
)
_LINKED = compile_query(
    select(_issue.c.key, _issue.c.summary, _issue.c.status).where(_issue.c.id == bindparam("issue"))
)
_REMOTE = compile_query(
    select(tables.remote_link).where(tables.remote_link.c.issue == bindparam("issue")).order_by(tables.remote_link.c.id)
)
_COMMENTS = compile_query(select(_comment).where(_comment.c.issue == bindparam("issue")).order_by(_comment.c.id))
OF_ONE_ISSUE = frozenset((_COMMENTS.sql, _LINKED.sql))
"""Statements that see the issue given by its key in the table as `issue`, or what hangs on it, and no other."""


@lru_cache(maxsize=4096)
def moment(at: int) -> str:
    """`2026-03-19T14:02:11.000+0000`, as Jira prints times."""
    return to_datetime(at).isoformat(timespec="milliseconds")[: -len("+00:00")] + "+0000"


def user_json(row: Row | None) -> Json:
    """A user as it stands in a field, null where there is none."""
    if row is None:
        return None
    return {
        "accountId": row.text("account_id"),
        "displayName": row.text("display_name"),
        "emailAddress": row.text("email"),
        "active": bool(row["is_active"]),
    }


def comment_json(call: Call, row: Row, people: dict[int, Json] | None = None) -> JsonObject:
    """A comment with its author.

    Args:
        people: users by key who are known already; who is looked up is added.
    """
    return {
        "id": str(10_000 + row.number("id")),
        "author": _person(call, row["author"], {} if people is None else people),
        "body": row.text("body"),
        "created": moment(row.number("created_us")),
        "updated": moment(row.number("updated_us")),
    }


def remote_link_json(row: Row) -> JsonObject:
    """A link to something outside of Jira."""
    return {
        "id": str(10_000 + row.number("id")),
        "kind": row.text("kind"),
        "target": row.text("target"),
        "title": row.text("title"),
        "relationship": row.text("relationship"),
    }


def issues_json(call: Call, rows: Iterable[Row]) -> list[Json]:
    """Issues as they are listed, each of their people looked up once."""
    people: dict[int, Json] = {}
    return [_issue_json(call, row, people) for row in rows]


def issue_json(call: Call, row: Row) -> JsonObject:
    """A whole issue, with its description, root cause, links and comments."""
    people: dict[int, Json] = {}
    issue = _issue_json(call, row, people)
    comments = [comment_json(call, found, people) for found in call.rows.all(_COMMENTS, issue=row.number("id"))]
    fields = issue["fields"]
    assert isinstance(fields, dict)
    fields["description"] = row.text("description")
    fields["root_cause"] = row.text("root_cause") or None
    fields["root_cause_link"] = row.text("root_cause_link") or None
    fields["issuelinks"] = _links(call, row)
    remote: list[Json] = [remote_link_json(found) for found in call.rows.all(_REMOTE, issue=row.number("id"))]
    fields["remotelinks"] = remote
    fields["comment"] = {"comments": comments, "total": len(comments)}  # type: ignore[dict-item]
    return issue


def _issue_json(call: Call, row: Row, people: dict[int, Json]) -> JsonObject:
    status = row.text("status")
    fields: JsonObject = {
        "summary": row.text("summary"),
        "issuetype": {"name": row.text("type")},
        "status": {"name": status, "statusCategory": {"name": CATEGORIES[status]}},
        "priority": {"name": row.text("priority")},
        "resolution": {"name": row.text("resolution")} if row["resolution"] else None,
        "assignee": _person(call, row["assignee"], people),
        "reporter": _person(call, row["reporter"], people),
        "labels": orjson.loads(row.text("labels")),
        "duedate": row.text("due") or None,
        "created": moment(row.number("created_us")),
        "updated": moment(row.number("updated_us")),
    }
    return {"id": str(10_000 + row.number("id")), "key": row.text("key"), "fields": fields}


def _person(call: Call, key: object, people: dict[int, Json]) -> Json:
    """A user by key, as known from an earlier issue where there was one."""
    if not isinstance(key, int):
        return None
    if key not in people:
        people[key] = user_json(call.rows.get(_user, key))
    return people[key]


def _links(call: Call, row: Row) -> list[Json]:
    shown: list[Json] = []
    for end, query in (("outwardIssue", _OUTWARD), ("inwardIssue", _INWARD)):
        for found in call.rows.all(query, issue=row.number("id")):
            other = call.rows.one(_LINKED, issue=found.number("other"))
            if other is None:
                continue
            outward, inward = LINK_TYPES[found.text("type")]
            shown.append(
                {
                    "id": str(10_000 + found.number("id")),
                    "type": {"name": found.text("type"), "outward": outward, "inward": inward},
                    end: {
                        "key": other.text("key"),
                        "fields": {"summary": other.text("summary"), "status": {"name": other.text("status")}},
                    },
                }
            )
    return shown
