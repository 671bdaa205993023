"""What an account may do in the wiki, after the Confluence REST API v2 (bodies as Markdown)."""

from contextlib import nullcontext
from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import bindparam, or_, select

from brownout.core.apps import Call
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.docs import records, serializers, tables
from tools.docs import search as finding
from tools.docs.errors import (
    DocsError,
    GatewayError,
    ambiguous,
    invalid_arguments,
    no_space,
    not_found,
    stale,
    title_taken,
    too_large,
)
from tools.page_cursors import InvalidCursor, decode_cursor, encode_cursor

__all__ = ["BODY_LIMIT", "operations"]

operations = Operations("docs")

BODY_LIMIT = 400_000
"""Bytes that a page or a comment may have."""
_LONGEST = 250_000

Page = Annotated[str, Field(description="Id or exact title.", min_length=1, max_length=255)]
Space = Annotated[str, Field(description="Key or name, e.g. ENG.", min_length=1, max_length=255)]
AnySpace = Annotated[str, Field(description="Key or name.", max_length=255)]
Title = Annotated[str, Field(max_length=255, pattern=r"^[^\r\n]*\S[^\r\n]*$")]
Body = Annotated[str, Field(description="Markdown; @name mentions.", max_length=_LONGEST)]
VersionNumber = Annotated[int, Field(ge=1, lt=1 << 62)]
Message = Annotated[str, Field(description="What changed.", max_length=500)]
Limit = Annotated[int, Field(ge=1, le=100)]
Cursor = Annotated[str, Field(max_length=100)]

_page, _version, _comment = tables.page, tables.version, tables.comment
_LISTED = select(_page).where(
    _page.c.is_trashed == 0, or_(bindparam("space") == 0, _page.c.space == bindparam("space"))
)
_SORTED = {
    name: compile_query(_LISTED.order_by(order, _page.c.id).limit(bindparam("most")).offset(bindparam("skipped")))
    for name, order in (
        ("title", _page.c.title.asc()),
        ("-modified-date", _page.c.updated_us.desc()),
        ("-created-date", _page.c.created_us.desc()),
    )
}
_VERSIONS = compile_query(
    select(_version)
    .where(_version.c.page == bindparam("page"), _version.c.number < bindparam("before"))
    .order_by(_version.c.number.desc())
    .limit(bindparam("most"))
)
_VERSION = compile_query(
    select(_version).where(_version.c.page == bindparam("page"), _version.c.number == bindparam("number"))
)
_COMMENTS = compile_query(
    select(_comment)
    .where(_comment.c.page == bindparam("page"), _comment.c.id > bindparam("after"))
    .order_by(_comment.c.id)
    .limit(bindparam("most"))
)
_NEVER = 1 << 62


# -- reading ------------------------------------------------------------------------------------------------


@operations.read
def list_spaces(call: Call) -> Json:
    """List the wiki's spaces."""
    _me(call)
    return {"results": [serializers.space_json(row) for row in records.spaces(call)]}


@operations.read
def search(
    call: Call,
    query: Annotated[
        str, Field(description='Words that all occur; "a phrase"; -not this.', min_length=1, max_length=1_000)
    ],
    space: AnySpace = "",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Search titles and texts of pages; hits in titles come first, then the newest."""
    _me(call)
    wanted = finding.parse(query)
    if wrong := finding.problems(query):
        raise invalid_arguments(f"query: {'; '.join(wrong)}")
    skipped = _position("search", cursor) if cursor else 0
    page = finding.search_pages(call, wanted, _space(call, space), limit=limit, skipped=skipped)
    more = encode_cursor("search", skipped + limit) if page.has_more else ""
    results: list[Json] = [
        {
            "content": {"type": "page", **serializers.page_json(call, row, whole=False)},
            "excerpt": finding.excerpt(wanted, row.text("body")),
            "lastModified": serializers.moment(row.number("updated_us")),
        }
        for row in page.rows
    ]
    return _listed(results, more, total=page.total)


@operations.read
def list_pages(
    call: Call,
    space: AnySpace = "",
    sort: Annotated[
        Literal["title", "-modified-date", "-created-date"], Field(description="- is newest first.")
    ] = "-modified-date",
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List pages without their text."""
    _me(call)
    inside = _space(call, space)
    skipped = _position("pages", cursor) if cursor else 0
    rows = call.rows.all(_SORTED[sort], space=inside.number("id") if inside else 0, most=limit + 1, skipped=skipped)
    more = encode_cursor("pages", skipped + limit) if len(rows) > limit else ""
    return _listed([serializers.page_json(call, row, whole=False) for row in rows[:limit]], more)


@operations.read
def get_page(call: Call, page: Page, space: AnySpace = "") -> Json:
    """Get a page with its text."""
    return serializers.page_json(call, _found(call, page, space), whole=True)


@operations.read
def get_history(call: Call, page: Page, limit: Limit = 30, cursor: Cursor = "") -> Json:
    """List a page's versions, newest first: who made each, when and why."""
    key = _found(call, page).number("id")
    before = _position("versions", cursor) if cursor else _NEVER
    rows = call.rows.all(_VERSIONS, page=key, before=before, most=limit + 1)
    more = encode_cursor("versions", rows[limit - 1].number("number")) if len(rows) > limit else ""
    return _listed([serializers.version_json(call, row) for row in rows[:limit]], more)


@operations.read
def get_version(call: Call, page: Page, number: VersionNumber) -> Json:
    """Get a page as it was in one of its versions."""
    found = _found(call, page)
    row = _version_of(call, found, number)
    then: JsonObject = {"title": row.text("title"), "version": serializers.version_json(call, row)}
    return {**serializers.page_json(call, found, whole=False), **then, "body": serializers.body_json(row)}


@operations.read
def list_comments(call: Call, page: Page, limit: Limit = 50, cursor: Cursor = "") -> Json:
    """List the comments below a page, oldest first."""
    key = _found(call, page).number("id")
    after = _position("comments", cursor) if cursor else 0
    rows = call.rows.all(_COMMENTS, page=key, after=after, most=limit + 1)
    more = encode_cursor("comments", rows[limit - 1].number("id")) if len(rows) > limit else ""
    return _listed([serializers.comment_json(call, row) for row in rows[:limit]], more)


# -- writing ------------------------------------------------------------------------------------------------


@operations.write()
def create_page(call: Call, space: Space, title: Title, body: Body = "", message: Message = "") -> Json:
    """Write a new page."""
    me = _me(call)
    inside = _space(call, space)
    if inside is None:
        raise no_space(space)
    _check_body(body)
    if records.page_titled(call, title, inside) is not None:
        raise title_taken()
    with nullcontext() if inside["is_public"] else call.rows.adding():
        made = records.create_page(call, inside, me, title, body, message)
    return serializers.page_json(call, made, whole=False)


@operations.write()
def update_page(
    call: Call,
    page: Page,
    version: Annotated[int, Field(description="The one that you read.", ge=1)],
    body: Annotated[
        str | None, Field(description="The whole new text, Markdown; left out, it stays.", max_length=_LONGEST)
    ] = None,
    title: Title | None = None,
    message: Message = "",
) -> Json:
    """Change a page. Refused if it was changed since the version that you read."""
    me = _me(call)
    found = _found(call, page)
    if version != found.number("version"):
        raise stale(found.number("version"), version)
    _check_body(body or "")
    _check_title(call, found, title)
    changed = records.change_page(call, found, me, title=title, body=body, message=message)
    return serializers.page_json(call, changed, whole=False)


@operations.write()
def restore_version(
    call: Call,
    page: Page,
    number: VersionNumber,
    message: Annotated[str, Field(description="Why.", max_length=500)] = "",
    restore_title: bool = False,
) -> Json:
    """Bring an earlier version of a page back, as a new version."""
    me = _me(call)
    found = _found(call, page)
    row = _version_of(call, found, number)
    title = row.text("title") if restore_title else None
    _check_title(call, found, title)
    note = message or f"Reverted from v. {number}"
    changed = records.change_page(call, found, me, title=title, body=row.text("body"), message=note)
    return serializers.page_json(call, changed, whole=False)


@operations.write()
def append_to_page(
    call: Call,
    page: Page,
    text: Annotated[str, Field(description="Markdown.", min_length=1, max_length=_LONGEST)],
    message: Message = "",
) -> Json:
    """Add to the end of a page, whatever its version."""
    me = _me(call)
    found = _found(call, page)
    body = records.below(found, text)
    _check_body(body)
    return serializers.page_json(call, records.change_page(call, found, me, body=body, message=message), whole=False)


@operations.write(addition=True)
def add_comment(
    call: Call,
    page: Page,
    body: Annotated[str, Field(description="Markdown; @name mentions.", min_length=1, max_length=_LONGEST)],
) -> Json:
    """Comment on a page."""
    me = _me(call)
    found = _found(call, page)
    _check_body(body)
    return serializers.comment_json(call, records.add_comment(call, found, me, body))


@operations.write()
def delete_page(call: Call, page: Page) -> Json:
    """Move a page to the trash, for everybody."""
    found = _found(call, page)
    records.trash_page(call, found)
    return {"id": serializers.page_id(found), "status": "trashed"}


# -- what they share ----------------------------------------------------------------------------------------


def _me(call: Call) -> Row:
    found = records.user_of(call, call.actor.person)
    if found is None:
        raise GatewayError(401, "Unauthorized")
    return found


def _space(call: Call, name: str) -> Row | None:
    """The space that is named, None where none is."""
    if not name.strip():
        return None
    found = records.space_named(call, name)
    if found is None:
        raise no_space(name)
    return found


def _found(call: Call, page: str, space: str = "") -> Row:
    """A page by id or title."""
    _me(call)
    by_id = records.page_by_id(call, page)
    if by_id is not None:
        return by_id
    titled = records.pages_titled(call, page, _space(call, space))
    if not titled:
        raise not_found()
    if len(titled) > 1:
        raise ambiguous(page)
    return titled[0]


def _version_of(call: Call, page: Row, number: int) -> Row:
    found = call.rows.one(_VERSION, page=page.number("id"), number=number)
    if found is None:
        raise not_found()
    return found


def _check_title(call: Call, page: Row, title: str | None) -> None:
    """Make sure that no other page of its space has the title that a page is to have; None is the one it has."""
    if title is None:
        return
    other = records.page_titled(call, title, call.rows.get(tables.space, page.number("space")))
    if other is not None and other["id"] != page["id"]:
        raise title_taken()


def _check_body(body: str) -> None:
    if len(body.encode(errors="surrogatepass")) > BODY_LIMIT:
        raise too_large(BODY_LIMIT)


def _position(kind: str, cursor: str) -> int:
    try:
        position = decode_cursor(kind, cursor)
    except InvalidCursor:
        raise _invalid_cursor() from None
    if not 0 <= position < _NEVER:
        raise _invalid_cursor()
    return position


def _invalid_cursor() -> DocsError:
    return invalid_arguments("Invalid cursor provided")


def _listed(results: list[JsonObject] | list[Json], cursor: str, *, total: int | None = None) -> JsonObject:
    answer: JsonObject = {"results": [*results]}
    if total is not None:
        answer["totalSize"] = total
    return {**answer, "nextCursor": cursor} if cursor else answer
