"""What the wiki's rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

from sqlalchemy import func, select

from brownout.core.apps import Thing
from brownout.core.instants import iso
from brownout.core.rows import Row, Rows
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.docs import tables
from tools.docs.records import path_of_page

__all__ = ["find", "path_of"]

_page, _space, _user, _version, _comment = tables.page, tables.space, tables.user, tables.version, tables.comment

_editor = _user.alias("editor")
_PAGES = compile_query(
    select(
        *_page.c,
        _space.c.key,
        _user.c.person,
        _editor.c.person.label("editor"),
        select(func.count()).where(_comment.c.page == _page.c.id).scalar_subquery().label("comments"),
    )
    .join(_space, _space.c.id == _page.c.space)
    .join(_user, _user.c.id == _page.c.author)
    .join(_version, (_version.c.page == _page.c.id) & (_version.c.number == _page.c.version))
    .join(_editor, _editor.c.id == _version.c.author)
    .where(_page.c.is_trashed == 0)
    .order_by(_page.c.id)
)


def path_of(rows: Rows, table: str, row: Row) -> str:
    """`docs:Runbook.page/98305`, with `.version/12` or `.comment/7` for what hangs on it; `docs:space/ENG`."""
    match table:
        case "docs_user":
            return f"docs:user/{row.text('person')}"
        case "docs_space":
            return f"docs:space/{row.text('key')}"
        case "docs_page":
            return path_of_page(rows, row)
    page = rows.get(_page, row.number("page"))
    place = path_of_page(rows, page) if page else "docs:gone"
    return f"{place}.{table.removeprefix('docs_')}/{row.number('id')}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """The pages whose title fits the pattern (`Postmortem*`), or whose path does (`Runbook.page/98305`)."""
    by_path = ".page/" in pattern
    found = []
    for row in rows.all(_PAGES):
        name = path_of_page(rows, row).removeprefix("docs:") if by_path else row.text("title")
        if fits(name, pattern):
            found.append(_thing(rows, row))
    return found


def _thing(rows: Rows, row: Row) -> Thing:
    return Thing(
        path_of_page(rows, row),
        {
            "title": row.text("title"),
            "space": row.text("key"),
            "body": row.text("body"),
            "author": row.text("person"),
            "editor": row.text("editor"),
            "created": iso(row.number("created_us")),
            "updated": iso(row.number("updated_us")),
            "version": row.number("version"),
            "comments": row.number("comments"),
        },
        (("docs_page", row.number("id")),),
    )
