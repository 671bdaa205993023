"""What GitHub refuses in a search: qualifiers that it does not know or keep here, users and repositories that there are not.

The wording for users and repositories is the API's own (`422 Validation Failed`, resource `Search`, field `q`); that for values
of other qualifiers is by analogy.
"""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import select

from brownout.core.apps import Call
from brownout.core.arguments import suggestion
from brownout.store import compile_query
from tools.github import records, tables
from tools.github.errors import GithubError, validation_failed
from tools.query_languages import github
from tools.query_languages.ast import Empty, Field, Search, Value, Values, Word, conditions

__all__ = ["check_query", "check_sort"]

_WORDS: Final = {
    "is": frozenset({"merged", "unmerged", "draft", "locked", "unlocked", "public", "private", "queued"}),
    "state": frozenset({"open", "closed"}),
    "type": frozenset({"pr", "issue"}),
    "review": frozenset({"none", "required", "approved", "changes_requested"}),
    "status": frozenset({"pending", "success", "failure"}),
}
_MORE: Final = {"is": frozenset({"open", "closed", "pr", "issue"})}
"""What the parser takes to another field."""
_PEOPLE: Final = frozenset({
    "author", "reviewer", "requested_reviewer", "commenter", "mention", "involved", "assignee",
})  # fmt: skip
_NO_USER: Final = (
    "The listed users cannot be searched either because the users do not exist or you do not have permission to view "
    "the users."
)
_NO_PLACE: Final = (
    "The listed users and repositories cannot be searched either because the resources do not exist or you do not have "
    "permission to view them."
)
_LOGINS = compile_query(select(tables.user.c.login).order_by(tables.user.c.id))


def check_query(call: Call, query: str, search: Search, *, kept: frozenset[str]) -> None:
    """Refuse what could find nothing only because it is misspelt or not kept here.

    Args:
        kept: our names of the fields that can be asked for.

    Raises:
        GithubError: there is such a thing in the query.
    """
    wrong = github.problems(query, zone="UTC")
    if wrong:
        raise _invalid("; ".join(wrong))
    for leaf in conditions(search.condition):
        if isinstance(leaf, Field):
            for text in _names(leaf.value):
                _check(call, leaf, text)
            if leaf.name not in kept | {"assignee"} and not isinstance(leaf.value, Empty):
                raise _invalid(f"{leaf.written}: is not kept here, so nothing could be found by it")


def check_sort(search: Search, known: frozenset[str]) -> None:
    """Refuse an order that there is not.

    Raises:
        GithubError: there is none of that name.
    """
    for order in search.order:
        if order.field not in known:
            expected = f"; expected one of: {', '.join(sorted(known))}"
            raise _invalid(f"sort: cannot be {order.written!r}{suggestion(order.field, known) or expected}")


def _check(call: Call, field: Field, text: str) -> None:
    words = _WORDS.get(field.name)
    if words is not None and text.lower() not in words:
        near = suggestion(text, words | _MORE.get(field.name, frozenset()))
        raise _invalid(f"{field.written}: cannot be {text!r}{near}")
    if field.name in _PEOPLE and records.user_named(call, text) is None:
        logins = [row.text("login") for row in call.rows.all(_LOGINS)]
        raise _invalid(_NO_USER + _near(text, logins))
    if field.name in ("repository", "owner"):
        column = "full_name" if field.name == "repository" else "owner"
        names = [row.text(column) for row in records.repositories(call)]
        shorts = [name.rpartition("/")[2] for name in names]
        if text.lower() not in {name.lower() for name in (*names, *shorts)}:
            raise _invalid(_NO_PLACE + _near(text, names))


def _near(text: str, known: list[str]) -> str:
    return suggestion(text, known).replace("; d", " D", 1)


def _names(value: Value) -> Iterator[str]:
    for item in value.items if isinstance(value, Values) else (value,):
        if isinstance(item, Word):
            yield item.text


def _invalid(message: str) -> GithubError:
    return validation_failed("Search", "q", "invalid", message, page="/search/search")
