"""What a change of a row says, and to whom: texts of pulls, comments, reviews and commits, to everybody with an account."""

from sqlalchemy import select

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.github import tables
from tools.github.selectors import path_of

__all__ = ["utterance"]

_PEOPLE = compile_query(select(tables.user.c.person).order_by(tables.user.c.person))


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """A pull's text, a comment, a review, or the messages of commits that are new; everybody here can read them.

    Of a pull that was edited only the lines that are new were said: the others are somebody else's words.
    """
    row, before = effect.after, effect.before
    if row is None or (before is not None and effect.table != "github_pull"):
        return None
    match effect.table:
        case "github_pull":
            known = {*_lines(before)} if before is not None else frozenset[str]()
            text = "\n".join(line for line in _lines(row) if line not in known).strip()
        case "github_comment" | "github_review":
            text = row.text("body")
        case "github_push":
            text = row.text("text")
        case _:
            return None
    people = frozenset(found.text("person") for found in rows.all(_PEOPLE))
    return Utterance(path_of(rows, effect.table, row), text, people) if text else None


def _lines(pull: Row) -> list[str]:
    return f"{pull.text('title')}\n{pull.text('body')}".splitlines()
