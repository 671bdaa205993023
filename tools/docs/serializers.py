"""Rows as the Confluence REST API v2's JSON. Bodies are Markdown; names stand beside account ids."""

from urllib.parse import quote_plus

from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import to_datetime
from brownout.core.rows import Row
from brownout.core.values import JsonObject
from brownout.store import compile_query
from tools.docs import tables
from tools.docs.records import PAGE_IDS

__all__ = ["body_json", "comment_json", "moment", "page_id", "page_json", "space_json", "version_json"]

_user, _space, _version = tables.user, tables.space, tables.version
_LATEST = compile_query(
    select(_version).where(_version.c.page == bindparam("page"), _version.c.number == bindparam("number"))
)
_SPACE_IDS = 32_768
_COMMENT_IDS = 1_048_576


def moment(at: int) -> str:
    """`2026-03-19T14:02:11.000Z`, as Confluence prints times."""
    return to_datetime(at).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1_000_000 // 1000:03d}Z"


def space_json(row: Row) -> JsonObject:
    """A space."""
    return {
        "id": str(_SPACE_IDS + row.number("id")),
        "key": row.text("key"),
        "name": row.text("name"),
        "type": "global",
        "status": "current",
        "description": row.text("description"),
    }


def page_id(row: Row) -> str:
    """The id of a page."""
    return str(PAGE_IDS + row.number("id"))


def page_json(call: Call, row: Row, *, whole: bool) -> JsonObject:
    """A page as it is now; the whole one has its body."""
    latest = call.rows.one(_LATEST, page=row.number("id"), number=row.number("version"))
    assert latest is not None
    space = call.rows.get(_space, row.number("space"))
    key = space.text("key") if space else ""
    shown: JsonObject = {
        "id": page_id(row),
        "status": "trashed" if row["is_trashed"] else "current",
        "title": row.text("title"),
        "spaceId": str(_SPACE_IDS + row.number("space")),
        "spaceKey": key,
        **_author(call, row),
        "createdAt": moment(row.number("created_us")),
        "version": version_json(call, latest),
        "_links": {"webui": f"/spaces/{key}/pages/{page_id(row)}/{quote_plus(row.text('title'))}"},
    }
    return {**shown, "body": body_json(row)} if whole else shown


def version_json(call: Call, row: Row) -> JsonObject:
    """A version, without what it said."""
    return {
        "number": row.number("number"),
        "message": row.text("message"),
        **_author(call, row),
        "createdAt": moment(row.number("at_us")),
    }


def comment_json(call: Call, row: Row) -> JsonObject:
    """A comment."""
    return {
        "id": str(_COMMENT_IDS + row.number("id")),
        "status": "current",
        "pageId": str(PAGE_IDS + row.number("page")),
        **_author(call, row),
        "createdAt": moment(row.number("created_us")),
        "body": body_json(row),
    }


def _author(call: Call, row: Row) -> JsonObject:
    user = call.rows.get(_user, row.number("author"))
    return {"authorId": user.text("account_id"), "authorName": user.text("display_name")} if user else {}


def body_json(row: Row) -> JsonObject:
    """A text with what it is written in."""
    return {"representation": "markdown", "value": row.text("body")}
