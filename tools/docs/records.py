"""The only writer of the wiki's tables, for operations and for the people of the world alike."""

from sqlalchemy import Table, bindparam, func, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.mentions import called
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.docs import tables

__all__ = [
    "PAGE_IDS",
    "add_comment",
    "add_space",
    "add_user",
    "added_text",
    "below",
    "change_page",
    "create_page",
    "page_by_id",
    "page_titled",
    "pages_titled",
    "path_of_page",
    "space_named",
    "spaces",
    "trash_page",
    "user_of",
]

_user, _space, _page, _version, _comment = tables.user, tables.space, tables.page, tables.version, tables.comment

PAGE_IDS = 98_304
"""The id of the page before the first."""

_USER_OF = compile_query(select(_user).where(_user.c.person == bindparam("person")))
_SPACES = compile_query(select(_space).order_by(_space.c.id))
_SPACE_NAMED = compile_query(
    select(_space).where(
        (func.lower(_space.c.key) == func.lower(bindparam("name")))
        | (func.lower(_space.c.name) == func.lower(bindparam("name")))
    )
)
_TITLED = compile_query(
    select(_page)
    .where(_page.c.is_trashed == 0, func.lower(_page.c.title) == func.lower(bindparam("title")))
    .order_by(_page.c.id)
)
_FIRST_TITLE = compile_query(
    select(_version.c.title).where(_version.c.page == bindparam("page"), _version.c.number == 1)
)


def path_of_page(rows: Rows, page: Row) -> str:
    """`docs:Runbook.page/98305`, under the title that the page was made with: renaming does not move it."""
    title = rows.scalar(_FIRST_TITLE, page=page.number("id"))
    shown = str(title) if title is not None else page.text("title")
    return f"docs:{shown.replace('/', '-')}.page/{PAGE_IDS + page.number('id')}"


# -- people and spaces --------------------------------------------------------------------------------------


def add_user(call: Call, account: Account) -> int:
    """Make somebody's account; Atlassian's products share its id."""
    account_id = "5b" + call.stream("jira", "user", account.person).hex(22)
    return call.rows.insert(
        _user, account_id=account_id, person=account.person, display_name=account.name, email=account.email
    )


def user_of(call: Call, person: str) -> Row | None:
    """The account of somebody in the world, None for those who have none."""
    return call.rows.one(_USER_OF, person=person)


def add_space(call: Call, key: str, name: str, description: str, *, is_public: bool = False) -> int:
    """Make a space; customers read a public one."""
    return call.rows.insert(_space, key=key, name=name, description=description, is_public=int(is_public))


def spaces(call: Call) -> list[Row]:
    """Every space, in the order they were made."""
    return call.rows.all(_SPACES)


def space_named(call: Call, name: str) -> Row | None:
    """The space with that key or name, in whatever case."""
    return call.rows.one(_SPACE_NAMED, name=name.strip())


# -- pages --------------------------------------------------------------------------------------------------


def page_by_id(call: Call, page_id: str) -> Row | None:
    """A page that is not trashed, by its id."""
    number = page_id.strip()
    known = number.isascii() and number.isdigit() and PAGE_IDS < int(number) < 1 << 62
    found = call.rows.get(_page, int(number) - PAGE_IDS) if known else None
    return found if found is not None and not found["is_trashed"] else None


def pages_titled(call: Call, title: str, space: Row | None) -> list[Row]:
    """The pages with that title, in whatever case; of one space at most one."""
    found = call.rows.all(_TITLED, title=title.strip())
    return [page for page in found if space is None or page["space"] == space["id"]]


def page_titled(call: Call, title: str, space: Row | None) -> Row | None:
    """The oldest of these pages."""
    found = pages_titled(call, title, space)
    return found[0] if found else None


def create_page(call: Call, space: Row, author: Row, title: str, body: str, message: str = "") -> Row:
    """Make a page and tell those whom it mentions."""
    key = call.rows.insert(
        _page,
        space=space.number("id"),
        title=title.strip(),
        body=body,
        author=author.number("id"),
        created_us=call.now,
        updated_us=call.now,
        version=1,
    )
    page = _row(call, _page, key)
    _keep(call, page, author, message)
    _tell_mentioned(call, page, author, body)
    return page


def change_page(
    call: Call, page: Row, author: Row, *, title: str | None = None, body: str | None = None, message: str = ""
) -> Row:
    """Make the next version of a page and tell its author; what is already so is not a change."""
    new_title = page.text("title") if title is None else title.strip()
    new_body = page.text("body") if body is None else body
    if (new_title, new_body) == (page.text("title"), page.text("body")):
        return page
    key = page.number("id")
    call.rows.update(
        _page, key, title=new_title, body=new_body, updated_us=call.now, version=page.number("version") + 1
    )
    changed = _row(call, _page, key)
    _keep(call, changed, author, message)
    told = _tell_mentioned(call, changed, author, added_text(page.text("body"), new_body))
    line = f"{author.text('display_name')} edited {new_title}"
    _tell_author(call, changed, author, told, f"{line}: {message}" if message else line)
    return changed


def below(page: Row, text: str) -> str:
    """A page's body with a text below it."""
    body = page.text("body").rstrip("\n")
    return f"{body}\n\n{text}" if body else text


def trash_page(call: Call, page: Row) -> None:
    """Take a page away; its title is free again."""
    call.rows.update(_page, page.number("id"), is_trashed=1)


def add_comment(call: Call, page: Row, author: Row, body: str) -> Row:
    """Comment on a page and tell its author and those whom the comment mentions."""
    key = call.rows.insert(_comment, page=page.number("id"), author=author.number("id"), body=body, created_us=call.now)
    told = _tell_mentioned(call, page, author, body)
    line = f"{author.text('display_name')} commented on {page.text('title')}: {body}"
    _tell_author(call, page, author, told, line)
    return _row(call, _comment, key)


def added_text(before: str, after: str) -> str:
    """The lines of a text that an earlier one does not have."""
    known = set(before.splitlines())
    return "\n".join(line for line in after.splitlines() if line not in known)


def _keep(call: Call, page: Row, author: Row, message: str) -> None:
    call.rows.insert(
        _version,
        page=page.number("id"),
        number=page.number("version"),
        title=page.text("title"),
        body=page.text("body"),
        author=author.number("id"),
        at_us=call.now,
        message=message,
    )


def _tell_mentioned(call: Call, page: Row, author: Row, text: str) -> set[str]:
    """Tell everyone whom a text mentions as @name; returns who that is."""
    told: set[str] = set()
    for name in called(text):
        if name != author["person"] and user_of(call, name) is not None:
            line = next(line for line in text.splitlines() if f"@{name}" in line).strip()
            shown = f"{author.text('display_name')} mentioned you in {page.text('title')}: {line}"
            call.reach(name, "mention", path_of_page(call.rows, page), shown)
            told.add(name)
    return told


def _tell_author(call: Call, page: Row, actor: Row, told: set[str], line: str) -> None:
    if page["author"] == actor["id"]:
        return
    person = _row(call, _user, page.number("author")).text("person")
    if person not in told:
        call.reach(person, "reply", path_of_page(call.rows, page), line)


def _row(call: Call, table: Table, key: int) -> Row:
    found = call.rows.get(table, key)
    assert found is not None
    return found
