"""What a change of a row says, and to whom: the text of an issue and comments, to everybody with an account."""

from sqlalchemy import select

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Rows
from brownout.store import compile_query
from tools.jira import tables
from tools.jira.selectors import path_of

__all__ = ["utterance"]

_PEOPLE = compile_query(select(tables.user.c.person).order_by(tables.user.c.person))


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """An issue's text or a comment, readable by everyone with an account."""
    row = effect.after
    if row is None:
        return None
    if effect.table == "jira_comment":
        text = row.text("body")
    elif effect.table == "jira_issue" and effect.kind == "insert":
        text = f"{row.text('summary')}\n{row.text('description')}"
    else:
        return None
    people = frozenset(found.text("person") for found in rows.all(_PEOPLE))
    return Utterance(path_of(rows, effect.table, row), text, people)
