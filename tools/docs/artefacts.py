"""The wiki's pages and comments as texts that somebody wrote."""

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import select

from brownout.core.artefacts import Writing
from brownout.core.rows import Rows
from brownout.store import compile_query
from tools.docs import tables
from tools.docs.records import path_of_page

__all__ = ["artefacts"]

_page, _version, _comment, _user = tables.page, tables.version, tables.comment, tables.user
_VERSIONS = compile_query(
    select(*_version.c, _user.c.person)
    .outerjoin(_user, _user.c.id == _version.c.author)
    .order_by(_version.c.at_us, _version.c.id)
)
_PAGES = compile_query(select(_page).order_by(_page.c.id))
_COMMENTS = compile_query(
    select(*_comment.c, _user.c.person)
    .outerjoin(_user, _user.c.id == _comment.c.author)
    .order_by(_comment.c.created_us, _comment.c.id)
)


def artefacts(rows: Rows, folder: Path) -> Iterator[Writing]:
    """Each page as it is now, by whom it was last changed, and each comment."""
    paths = {row.number("id"): (path_of_page(rows, row), row.number("version")) for row in rows.all(_PAGES)}
    gone = ("docs:gone", 0)
    for row in rows.all(_VERSIONS):
        path, current = paths.get(row.number("page"), gone)
        problems = () if path != gone[0] else ("the page that it is a version of is not there",)
        if row.number("number") == current or problems:
            yield Writing(
                path, row.text("person"), row.number("at_us"), row.text("body"), row.text("title"), problems=problems
            )
    for row in rows.all(_COMMENTS):
        path, _ = paths.get(row.number("page"), gone)
        problems = () if path != gone[0] else ("the page that it is about is not there",)
        place = f"{path}.comment/{row.number('id')}"
        yield Writing(place, row.text("person"), row.number("created_us"), row.text("body"), problems=problems)
