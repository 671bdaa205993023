"""Names for what stands on our own status page: `ops:status-page.component/checkout`, `ops:status-page.post/2.update/5`."""

from collections.abc import Iterator

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Thing
from brownout.core.instants import iso
from brownout.core.rows import Row, Rows
from brownout.core.values import JsonObject
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.paths import component_path, post_path

__all__ = ["find", "path_of"]

_post, _update, _component = tables.post, tables.post_update, tables.component
_COMPONENTS = compile_query(select(_component).order_by(_component.c.service))
_POSTS = compile_query(select(_post).order_by(_post.c.id))
_UPDATES = compile_query(select(_update).where(_update.c.post == bindparam("post")).order_by(_update.c.id))


def path_of(table: str, row: Row) -> str:
    """The path of a component, of a post or of an update of one."""
    if table == "ops_component":
        return component_path(row.text("service"))
    if table == "ops_post":
        return post_path(row.number("id"))
    return f"{post_path(row.number('post'))}.update/{row.number('id')}"


def find(rows: Rows) -> Iterator[Thing]:
    """Everything on the page."""
    for row in rows.all(_COMPONENTS):
        component = {"service": row.text("service"), "status": row.text("status")}
        yield Thing(path_of("ops_component", row), {**component}, (("ops_component", row.number("id")),))
    for row in rows.all(_POSTS):
        updates = rows.all(_UPDATES, post=row.number("id"))
        fields: JsonObject = {name: row.text(name) for name in ("title", "impact", "status")}
        fields |= {
            "services": orjson.loads(row.text("services")),
            "incident": row["incident"],  # type: ignore[dict-item]
            "created_at": iso(row.number("created_us")),
            "updates": len(updates),
        }
        own = ("ops_post", row.number("id"))
        rows_of = tuple(("ops_post_update", update.number("id")) for update in updates)
        yield Thing(
            post_path(row.number("id")), fields, (own, *rows_of), {"status": ((*own, "status"),), "updates": rows_of}
        )
        for update in updates:
            said_then: JsonObject = {name: update.text(name) for name in ("status", "body", "who")}
            yield Thing(path_of("ops_post_update", update), said_then, (("ops_post_update", update.number("id")),))
