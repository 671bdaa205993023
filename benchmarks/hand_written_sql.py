"""The SQL that somebody would write by hand for the answers of a few calls, who knows the tables and nothing else is asked.

`write` is the row of a message and its index alone. `post` is what a message is beside that, whoever carries it out: refused to who is
no member and in an archived channel, at a moment of its own, and known to be readable by whom. Both are measured and printed.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import apsw
import orjson

from brownout.core.values import JsonObject

__all__ = ["Statement", "by_hand", "says_the_same"]

Statement: TypeAlias = "tuple[str, Mapping[str, apsw.Binding]]"
"""SQL and its parameters."""

_READ: Final = (
    """SELECT i.*, r.account_id, r.display_name, r.email, r.is_active, a.account_id, a.display_name, a.email, a.is_active
       FROM jira_issue i JOIN jira_user r ON r.id = i.reporter LEFT JOIN jira_user a ON a.id = i.assignee
       WHERE i.key = :issue""",
    """SELECT c.body, c.id, c.created_us, c.updated_us, u.account_id, u.display_name, u.email, u.is_active
       FROM jira_comment c JOIN jira_user u ON u.id = c.author
       WHERE c.issue = (SELECT id FROM jira_issue WHERE key = :issue) ORDER BY c.id""",
    """SELECT l.id, l.type, l.outward = i.id, o.key, o.summary, o.status
       FROM jira_issue i JOIN jira_link l ON i.id IN (l.outward, l.inward)
       JOIN jira_issue o ON o.id = l.outward + l.inward - i.id WHERE i.key = :issue ORDER BY l.id""",
    "SELECT * FROM jira_remote_link WHERE issue = (SELECT id FROM jira_issue WHERE key = :issue) ORDER BY id",
)
_NEWEST: Final = """SELECT m.text, m.id, m.at_us, m.edited_us, u.slack_id, u.handle,
           (SELECT count(*) FROM slack_message r WHERE r.channel = m.channel AND r.thread_us = m.at_us)
       FROM slack_message m JOIN slack_user u ON u.id = m.user
       WHERE m.channel = (SELECT id FROM slack_channel WHERE name = :channel) AND m.thread_us IS NULL
       ORDER BY m.at_us DESC LIMIT :limit"""
_LIST: Final = (
    _NEWEST,
    f"""SELECT e.message, e.name, u.slack_id FROM slack_reaction e JOIN slack_user u ON u.id = e.user
       WHERE e.message IN (SELECT id FROM ({_NEWEST})) ORDER BY e.id""",
)
_SEARCH: Final = (
    """SELECT i.key, i.id, i.summary, i.type, i.status, i.priority, i.resolution, i.labels, i.due, i.created_us, i.updated_us,
           r.account_id, r.display_name, r.email, r.is_active, a.account_id, a.display_name, a.email, a.is_active
       FROM jira_issue i JOIN jira_user r ON r.id = i.reporter LEFT JOIN jira_user a ON a.id = i.assignee
       WHERE i.project = (SELECT id FROM jira_project WHERE key = :project)
         AND (i.id IN (SELECT rowid FROM jira_issue_search WHERE jira_issue_search MATCH :words)
           OR i.id IN (SELECT issue FROM jira_comment WHERE id IN
             (SELECT rowid FROM jira_comment_search WHERE jira_comment_search MATCH :words)))
       ORDER BY i.updated_us DESC, i.id DESC LIMIT :limit""",
)
_WRITE: Final = (
    """INSERT INTO slack_message (channel, user, at_us, text)
       SELECT c.id, u.id, :at, :text FROM slack_channel c, slack_user u WHERE c.name = :channel AND u.person = :me
       RETURNING text, id""",
)
_POST: Final = (
    """INSERT INTO slack_message (channel, user, at_us, text)
       SELECT c.id, u.id, :at, :text FROM slack_channel c, slack_user u JOIN slack_member m ON m.channel = c.id AND m.user = u.id
       WHERE c.name = :channel AND u.person = :me AND c.is_archived = 0
         AND NOT EXISTS (SELECT 1 FROM slack_message o WHERE o.channel = c.id AND o.at_us = :at)
       RETURNING text, id""",
    """SELECT u.person FROM slack_member m JOIN slack_user u ON u.id = m.user
       WHERE m.channel = (SELECT id FROM slack_channel WHERE name = :channel)""",
)


def by_hand(what: str, arguments: JsonObject, *, me: str, at: int, words: str) -> list[Statement]:
    """The statements for a call that reads an issue, lists a channel, searches issues, writes a message or posts it."""
    project, _, _ = str(arguments.get("jql", "")).removeprefix("project = ").partition(" ")
    given: Mapping[str, apsw.Binding] = {
        "issue": str(arguments.get("issue")),
        "channel": str(arguments.get("channel", "")).removeprefix("#"),
        "project": project,
        "words": words,
        "limit": 20,
        "text": str(arguments.get("text")),
        "me": me,
        "at": at,
    }
    statements = {"read": _READ, "list": _LIST, "search": _SEARCH, "write": _WRITE, "post": _POST}[what]
    return [(sql, given) for sql in statements]


def says_the_same(what: str, answer: str, rows: Sequence[Sequence[tuple[object, ...]]]) -> bool:
    """Whether the answer of a call has what the statements found: the same things in the same order."""
    said = orjson.loads(answer)
    if what == "read":
        comments = [comment["body"] for comment in said["fields"]["comment"]["comments"]]
        return said["key"] in rows[0][0] and comments == [row[0] for row in rows[1]]
    if what == "list":
        reactions = sum(each["count"] for message in said["messages"] for each in message.get("reactions", ()))
        return [message["text"] for message in said["messages"]] == [r[0] for r in rows[0]] and reactions == len(
            rows[1]
        )
    if what == "search":
        return [issue["key"] for issue in said["issues"]] == [row[0] for row in rows[0]]
    return bool(said["message"]["text"] == rows[0][0][0])
