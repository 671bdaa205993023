"""Many issues, moves and comments at once, with the rows that the intent handlers would have written one by one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Call, Intent
from brownout.core.instants import Instant
from brownout.core.mentions import called
from brownout.core.rows import Row, Value
from brownout.store import compile_query
from tools.jira import intent_handlers, records, tables

__all__ = ["WHOSE", "concerns", "is_plain", "key_of", "write_many"]

_ISSUE: Final = (
    "key", "project", "number", "type", "summary", "description", "status", "resolution", "priority", "reporter",
    "assignee", "labels", "created_us", "updated_us",
)  # fmt: skip
_COMMENT: Final = ("issue", "author", "body", "created_us", "updated_us")
_HISTORY: Final = ("issue", "author", "at_us", "field", "old", "new")
_CHANGED: Final = ("status", "resolution", "assignee", "updated_us")
_PLAIN: Final[Mapping[str, frozenset[str]]] = {
    "open": frozenset({"project", "type", "priority", "labels", "assignee"}),
    "begin": frozenset(),
    "review": frozenset(),
    "close": frozenset({"resolution"}),
    "comment": frozenset(),
    "assign": frozenset(),
}
"""What can be written together, with the details that it may have."""


WHOSE: Final = compile_query(
    select(tables.issue.c.id, tables.issue.c.reporter, tables.issue.c.assignee).where(
        tables.issue.c.key == bindparam("key")
    ),
    lasting=tables.issue,
)
"""The issue of that key, by its other one, who reported it, and whose it is."""


def concerns(call: Call, intent: Intent, people: frozenset[str]) -> bool:
    """Whether one of these people would be told: who is given the issue, is mentioned, or has it where it is commented on."""
    named = (*intent.to, str(intent.details.get("assignee", "")))
    if not people.isdisjoint(named) or "[~" in intent.text or not people.isdisjoint(called(intent.text)):
        return True
    if intent.kind != "comment":
        return intent.kind not in _PLAIN
    issue = call.rows.one(WHOSE, key=key_of(call, intent))
    if issue is None:
        return False
    accounts = [records.user_of(call, person) for person in people]
    return any(user is not None and user["id"] in (issue["reporter"], issue["assignee"]) for user in accounts)


def is_plain(intent: Intent) -> bool:
    """Whether it is written together with others, and writes rows of its issue alone, or a new issue."""
    return intent.kind in _PLAIN and _PLAIN[intent.kind].issuperset(intent.details)


def key_of(call: Call, intent: Intent) -> str:
    """The key of the issue that an intent is about, empty where it was not written yet."""
    path = intent.thing if intent.thing.startswith("jira:") else call.bound(intent.thing) or ""
    return path.rpartition("/")[2]


def write_many(call_at: Callable[[Instant], Call], deeds: Sequence[tuple[Instant, Intent]]) -> list[str]:
    """Write issues, moves and comments, and return the paths of their issues; empty where there is no such issue."""
    batch = _IssueBatch(call_at(deeds[0][0]))
    for at, intent in deeds:
        if is_plain(intent):
            batch.take(at, intent)
            continue
        batch.write()
        batch.carry(call_at(at), intent)
    batch.write()
    return [batch.paths[intent.key] for _, intent in deeds]


class _IssueBatch:
    """What is being written together: an issue's keys are known before its row is there."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._users: dict[str, Row] = {}
        self._projects: dict[str, Row] = {}
        self._forget()
        self.paths: dict[str, str] = {}

    def _forget(self) -> None:
        self._issues: dict[str, Row] = {}
        self._new: list[Row] = []
        self._known: dict[int, Row] = {}
        self._comments: list[tuple[Value, ...]] = []
        self._history: list[tuple[Value, ...]] = []
        self._next = 0
        self._projects.clear()

    def take(self, at: Instant, intent: Intent) -> None:
        """Take an intent of a kind that can be written together with others; of somebody without an account, nothing."""
        self.paths[intent.key] = ""
        try:
            me = self._user(intent.who)
            others = {name: self._user(name).number("id") for name in _named(intent)}
        except LookupError:
            return
        if intent.kind == "open":
            self.paths[intent.key] = self._open(at, intent, me, others)
            return
        issue = self._issue(intent)
        self.paths[intent.key] = records.path_of_issue(issue.text("key")) if issue is not None else ""
        if issue is None:
            return
        match intent.kind:
            case "comment":
                self._comments.append((issue.number("id"), me.number("id"), intent.text, at, at))
                self._touch(issue, at)
            case "begin":
                self._change(at, issue, me, {"status": "In Progress", "assignee": me.number("id")})
            case "review":
                self._change(at, issue, me, {"status": "In Review"})
            case "assign":
                self._change(at, issue, me, {"assignee": others[intent.to[0]] if intent.to else None})
            case _:
                resolution = str(intent.details.get("resolution", "Done"))
                self._change(at, issue, me, {"status": "Done", "resolution": resolution})

    def carry(self, call: Call, intent: Intent) -> None:
        """Have an intent carried out by its handler; nothing may be waiting."""
        try:
            with call.rows.savepoint():
                path = intent_handlers.handlers[intent.kind](call, intent)
        except LookupError:
            path = ""
        assert isinstance(path, str), intent.key
        self.paths[intent.key] = path

    def write(self) -> None:
        """Write what waits."""
        rows = self._call.rows
        rows.insert_many(tables.issue, _ISSUE, [tuple(issue[name] for name in _ISSUE) for issue in self._new])
        rows.insert_many(tables.comment, _COMMENT, self._comments)
        rows.insert_many(tables.history, _HISTORY, self._history)
        for key, issue in self._known.items():
            rows.update(tables.issue, key, **{name: issue[name] for name in _CHANGED})
        for project in self._projects.values():
            rows.update(tables.project, project.number("id"), next_number=project.number("next_number"))
        self._forget()

    def _open(self, at: Instant, intent: Intent, me: Row, others: Mapping[str, int]) -> str:
        details = intent.details
        project = self._project(str(details.get("project", "")))
        if project is None:
            return ""
        number, labels, assignee = project.number("next_number"), details.get("labels"), details.get("assignee")
        project["next_number"] = number + 1
        self._next = self._next or self._call.rows.insert_many(tables.issue, ("key",), ())
        key = f"{project.text('key')}-{number}"
        issue = Row(
            id=self._next + len(self._new),
            key=key,
            project=project.number("id"),
            number=number,
            type=str(details.get("type", "Task")),
            summary=intent.subject,
            description=intent.text,
            status="To Do",
            resolution="",
            priority=str(details.get("priority", "Medium")),
            reporter=me.number("id"),
            assignee=others[str(assignee)] if assignee else None,
            labels=orjson.dumps([str(label) for label in labels] if isinstance(labels, list) else []).decode(),
            created_us=at,
            updated_us=at,
        )
        self._new.append(issue)
        self._issues[key] = issue
        return records.path_of_issue(key)

    def _change(self, at: Instant, issue: Row, me: Row, changes: Mapping[str, Value]) -> None:
        """Note the history of what really changes, in the order in which a change by itself would."""
        real = {name: value for name, value in changes.items() if issue[name] != value}
        for name in [name for name in _CHANGED if name in real]:
            shown = [self._shown(name, one[name]) for one in (issue, real)]
            self._history.append((issue.number("id"), me.number("id"), at, name, *shown))
        issue.update(real)
        if real:
            self._touch(issue, at)

    def _touch(self, issue: Row, at: Instant) -> None:
        issue["updated_us"] = at
        if not self._next or issue.number("id") < self._next:
            self._known[issue.number("id")] = issue

    def _shown(self, field: str, value: Value) -> str:
        if field == "assignee" and isinstance(value, int):
            found = self._call.rows.get(tables.user, value)
            return found.text("display_name") if found else ""
        return "" if value is None else str(value)

    def _issue(self, intent: Intent) -> Row | None:
        path = self.paths.get(intent.thing, intent.thing)
        path = path if path.startswith("jira:") or not path else self._call.bound(path) or ""
        key = path.rpartition("/")[2]
        if key not in self._issues:
            found = records.issue_by_key(self._call, key) if path.startswith("jira:") else None
            if found is None:
                return None
            self._issues[key] = found
        return self._issues[key]

    def _project(self, key: str) -> Row | None:
        if key not in self._projects:
            found = records.project_by_key(self._call, key)
            if found is None:
                return None
            self._projects[key] = found
        return self._projects[key]

    def _user(self, person: str) -> Row:
        if person not in self._users:
            self._users[person] = intent_handlers.user_named(self._call, person)
        return self._users[person]


def _named(intent: Intent) -> tuple[str, ...]:
    """Whom it gives an issue to."""
    if intent.kind == "assign":
        return intent.to[:1]
    assignee = intent.details.get("assignee")
    return (str(assignee),) if intent.kind == "open" and assignee else ()
