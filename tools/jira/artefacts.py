"""Jira's issues as a reader of any tracker takes them, and the keys of issues in a text."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson
from sqlalchemy import select

from brownout.core.artefacts import Change, Name, Names, Remark, Ticket
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.jira import tables
from tools.jira.records import path_of_issue
from tools.jira.workflow import CATEGORIES

__all__ = ["artefacts", "names"]

_issue = tables.issue
_USERS = compile_query(select(tables.user))
_ISSUES = compile_query(select(_issue).order_by(_issue.c.created_us, _issue.c.id))
_COMMENTS = compile_query(select(tables.comment).order_by(tables.comment.c.created_us, tables.comment.c.id))
_HISTORY = compile_query(select(tables.history).order_by(tables.history.c.at_us, tables.history.c.id))
_LINKS = compile_query(select(tables.link).order_by(tables.link.c.id))
_KEYS = compile_query(select(_issue.c.key, _issue.c.created_us))
_PROJECTS = compile_query(select(tables.project.c.key))

_KEY: Final = re.compile(r"(?<![\w/.-])([A-Z][A-Z0-9]{1,9})-([1-9]\d{0,6})(?![\w-])")
_ENDED: Final = frozenset(status for status, category in CATEGORIES.items() if category == "Done")


def artefacts(rows: Rows, folder: Path) -> Iterator[Ticket]:
    """Every issue with its comments and history, oldest first."""
    people = {row.number("id"): row.text("person") for row in rows.all(_USERS)}
    comments, history, links = defaultdict[int, list[Row]](list), defaultdict[int, list[Row]](list), _linked(rows)
    for row in rows.all(_COMMENTS):
        comments[row.number("issue")].append(row)
    for row in rows.all(_HISTORY):
        history[row.number("issue")].append(row)
    found = rows.all(_ISSUES)
    known = {row.number("id") for row in found}
    for row in found:
        key = row.number("id")
        who = people.get(row.number("reporter"), "")
        changes = tuple(
            Change(people.get(one.number("author"), ""), one.number("at_us"), one.text("field"), one.text("old"), one.text("new"))
            for one in history[key]
        )  # fmt: skip
        ended = [one.at for one in changes if one.field == "status" and one.new in _ENDED]
        problems = [] if who else ["its reporter has no account"]
        if row["assignee"] is not None and row.number("assignee") not in people:
            problems.append("its assignee has no account")
        problems += [
            f"a {kind} link goes to an issue that is not there" for kind, other in links[key] if other not in known
        ]
        yield Ticket(
            path=path_of_issue(row.text("key")),
            key=row.text("key"),
            who=who,
            at=row.number("created_us"),
            title=row.text("summary"),
            text=row.text("description"),
            status=row.text("status"),
            assignee=people.get(row.number("assignee"), "") if row["assignee"] is not None else "",
            priority=row.text("priority"),
            labels=tuple(map(str, orjson.loads(row.text("labels")))),
            closed=(ended[-1] if ended else row.number("updated_us")) if row.text("status") in _ENDED else None,
            ended=_ENDED,
            remarks=tuple(
                Remark(people.get(one.number("author"), ""), one.number("created_us"), one.text("body"))
                for one in comments[key]
            ),
            changes=changes,
            duplicate=row.text("resolution") == "Duplicate" or any(kind == "Duplicate" for kind, _ in links[key]),
            problems=tuple(problems),
        )


def _linked(rows: Rows) -> defaultdict[int, list[tuple[str, int]]]:
    """The links that go out of each issue: type and the other's key."""
    found = defaultdict[int, list[tuple[str, int]]](list)
    for row in rows.all(_LINKS):
        found[row.number("outward")].append((row.text("type"), row.number("inward")))
    return found


def names(rows: Rows, folder: Path) -> Names:
    """Keys of issues, there or not: of the projects there are, so that `UTF-8` is none."""
    made = {row.text("key"): row.number("created_us") for row in rows.all(_KEYS)}
    projects = {row.text("key") for row in rows.all(_PROJECTS)}

    def found(text: str) -> Iterator[Name]:
        for one in _KEY.finditer(text):
            if one[1] in projects:
                there = one[0] in made
                yield Name(one[0], "ticket", path_of_issue(one[0]) if there else "", made.get(one[0]))

    return found
