"""What a change of a row says, and to whom: new lines of a page and comments, to everybody with an account."""

from sqlalchemy import select

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Rows
from brownout.store import compile_query
from tools.docs import tables
from tools.docs.records import added_text
from tools.docs.selectors import path_of

__all__ = ["utterance"]

_PEOPLE = compile_query(select(tables.user.c.person).order_by(tables.user.c.person))


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """What was written on a page or in a comment, readable by everyone with an account.

    Of a change only the lines that it added were said: the others are somebody else's words.
    """
    before, after = effect.before, effect.after
    if after is None:
        return None
    if effect.table == "docs_page":
        text = f"{after.text('title')}\n{after.text('body')}"
        if before is not None:
            text = added_text(f"{before.text('title')}\n{before.text('body')}", text)
    elif effect.table == "docs_comment" and before is None:
        text = after.text("body")
    else:
        return None
    people = frozenset(found.text("person") for found in rows.all(_PEOPLE))
    return Utterance(path_of(rows, effect.table, after), text, people) if text.strip() else None
