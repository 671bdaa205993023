"""What Jira's rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Cell, Thing
from brownout.core.rows import Row, Rows
from brownout.core.values import Json, JsonObject
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.jira import tables
from tools.jira.records import path_of_issue
from tools.jira.workflow import LINK_TYPES

__all__ = ["find", "path_of"]

_issue, _link, _user = tables.issue, tables.link, tables.user
_ISSUES = compile_query(select(_issue).order_by(_issue.c.id))
_BY_KEY = compile_query(select(_issue).where(_issue.c.key == bindparam("key")))
_OUT = compile_query(
    select(_link.c.id, _link.c.type, _issue.c.key)
    .join(_issue, _issue.c.id == _link.c.inward)
    .where(_link.c.outward == bindparam("issue"))
    .order_by(_link.c.id)
)
_IN = compile_query(
    select(_link.c.id, _link.c.type, _issue.c.key)
    .join(_issue, _issue.c.id == _link.c.outward)
    .where(_link.c.inward == bindparam("issue"))
    .order_by(_link.c.id)
)


_REMOTE = compile_query(
    select(tables.remote_link).where(tables.remote_link.c.issue == bindparam("issue")).order_by(tables.remote_link.c.id)
)


def path_of(rows: Rows, table: str, row: Row) -> str:
    """`jira:BOX.issue/BOX-41`, with `.comment/7`, `.history/9` or `.link/3` for what hangs on it."""
    kind = table.removeprefix("jira_")
    if kind == "issue":
        return path_of_issue(row.text("key"))
    if kind == "user":
        return f"jira:user/{row.text('person')}"
    if kind == "project":
        return f"jira:{row.text('key')}.project"
    owner = row.number("outward") if kind == "link" else row.number("issue")
    issue = rows.get(_issue, owner)
    place = path_of_issue(issue.text("key")) if issue else "jira:gone"
    return f"{place}.{kind}/{row.number('id')}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """The issues whose key fits the pattern."""
    if "*" not in pattern:
        found = rows.one(_BY_KEY, key=pattern.rpartition("/")[2].upper())
        return [_thing(rows, found)] if found else []
    return [_thing(rows, row) for row in rows.all(_ISSUES) if fits(row.text("key"), pattern)]


def _thing(rows: Rows, row: Row) -> Thing:
    assignee = rows.get(_user, row.number("assignee")) if row["assignee"] is not None else None
    reporter = rows.get(_user, row.number("reporter"))
    fields: JsonObject = {
        "key": row.text("key"),
        "type": row.text("type"),
        "summary": row.text("summary"),
        "status": row.text("status"),
        "resolution": row.text("resolution"),
        "priority": row.text("priority"),
        "assignee": assignee.text("person") if assignee else "",
        "reporter": reporter.text("person") if reporter else "",
        "labels": orjson.loads(row.text("labels")),
        "root_cause": row.text("root_cause"),
        "root_cause_link": _short(row.text("root_cause_link")),
    }
    own = ("jira_issue", row.number("id"))
    ends = [own]
    parts: dict[str, tuple[Cell, ...]] = {field: ((*own, field),) for field in fields}
    parts["links"] = ()
    links: list[Json] = []
    for query, side in ((_OUT, 0), (_IN, 1)):
        for found in rows.all(query, issue=row.number("id")):
            word = LINK_TYPES[found.text("type")][side].replace(" ", "_")
            others = fields.setdefault(word, [])
            assert isinstance(others, list)
            others.append(found.text("key"))
            links.append(f"{word} {found.text('key')}")
            end = ("jira_link", found.number("id"))
            ends.append(end)
            parts[word] = (*parts.get(word, ()), end)
            parts["links"] = (*parts["links"], end)
    remote = rows.all(_REMOTE, issue=row.number("id"))
    parts["remote_links"] = tuple(("jira_remote_link", found.number("id")) for found in remote)
    targets: list[Json] = [_short(found.text("target")) for found in remote]
    fields |= {"links": links, "remote_links": targets}
    return Thing(path_of_issue(row.text("key")), fields, (*ends, *parts["remote_links"]), parts)  # type: ignore[arg-type]


def _short(target: str) -> str:
    """A commit by its first seven digits, however many were given; all else as it is."""
    repository, sign, sha = target.rpartition("@")
    return f"{repository}@{sha[:7]}" if sign and ":" not in target else target
