"""GitHub's search language over pull requests."""

from collections.abc import Callable
from typing import TypeAlias

from sqlalchemy import ColumnElement, Select, Table, and_, case, exists, false, func, not_, or_, select, true
from sqlalchemy.sql.elements import UnaryExpression

from brownout.core.apps import Call
from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.store import compile_search, search_index
from tools.github import tables
from tools.github.search_refusals import check_query, check_sort
from tools.query_languages import github
from tools.query_languages.ast import Op, Order, TextNode, Value, Values, Word
from tools.query_languages.resolved_calls import resolved
from tools.query_languages.sql import (
    FieldBuilder,
    compiled,
    fts_columns,
    fts_phrase,
    fts_rowids,
    name_column,
    number_column,
)

__all__ = ["search_pulls"]

_pull, _user, _repository = tables.pull, tables.user, tables.repository
_comment, _review, _request, _check = tables.comment, tables.review, tables.request, tables.check
_By: TypeAlias = Callable[[Select[int]], ColumnElement[bool]]
"""What it means that a pull is by some of these users."""
_NEGATIVE: frozenset[Op] = frozenset({"!=", "not in", "is not"})


def search_pulls(call: Call, query: str) -> list[Row]:
    """The pulls that a query finds, in its order, the newest first where it names none."""
    asked = github.parse(query, now=call.now, zone="UTC")
    check_query(call, query, asked, kept=frozenset(_builders(call.now)))
    check_sort(asked, frozenset({"created", "updated", "comments"}))
    found = resolved(asked, lambda function: (call.actor.person,))
    wanted = compiled(found, fields=_builders(call.now), text=_in_text)
    statement, parameters = compile_search(select(_pull).where(wanted).order_by(*_order(asked.order)))
    return call.rows.all(statement, **parameters)


def _builders(now: Instant) -> dict[str, FieldBuilder]:
    return {
        "repository": _owned(_repository.c.full_name, _repository.c.name),
        "owner": _owned(_repository.c.owner),
        "type": _word({"pr": true(), "issue": false()}),
        "state": _word({"open": _pull.c.state == "open", "closed": _pull.c.state != "open"}),
        "is": _word({
            "merged": _pull.c.state == "merged", "unmerged": _pull.c.state != "merged", "private": true(),
        }),
        "author": _person(lambda known: _pull.c.author.in_(known), true()),
        "reviewer": _person(_has(_review), exists().where(_review.c.pull == _pull.c.id)),
        "requested_reviewer": _person(_has(_request), exists().where(_request.c.pull == _pull.c.id)),
        "commenter": _person(_has(_comment), exists().where(_comment.c.pull == _pull.c.id)),
        "mention": _mention,
        "involved": _involved,
        "head": name_column(_pull.c.head),
        "base": name_column(_pull.c.base),
        "sha": _sha,
        "review": _word(_reviews()),
        "status": _word(_statuses(now)),
        "created": number_column(_pull.c.created_us),
        "updated": number_column(_pull.c.updated_us),
        "closed": number_column(_pull.c.closed_us),
        "merged": number_column(_pull.c.merged_us),
        "comments": number_column(_count()),
    }  # fmt: skip


# -- names --------------------------------------------------------------------------------------------------


def _word(words: dict[str, ColumnElement[bool]]) -> FieldBuilder:
    """A field that is one of a few words, each of which says something about the row."""

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        items = value.items if isinstance(value, Values) else (value,)
        said = [words[item.text.lower()] for item in items if isinstance(item, Word) and item.text.lower() in words]
        found = or_(false(), *said)
        return not_(found) if op in _NEGATIVE else found

    return build


def _owned(*columns: ColumnElement[str]) -> FieldBuilder:
    def build(op: Op, value: Value) -> ColumnElement[bool]:
        either = or_(*(name_column(column)("in" if isinstance(value, Values) else "=", value) for column in columns))
        found = _pull.c.repository.in_(select(_repository.c.id).where(either))
        return not_(found) if op in _NEGATIVE else found

    return build


def _sha(op: Op, value: Value) -> ColumnElement[bool]:
    if not isinstance(value, Word) or len(value.text) < 7:
        return false()
    found = or_(
        func.substr(_pull.c.head_sha, 1, len(value.text)) == value.text.lower(),
        func.substr(_pull.c.merge_sha, 1, len(value.text)) == value.text.lower(),
    )
    return not_(found) if op in _NEGATIVE else found


def _person(by: _By, anybody: ColumnElement[bool]) -> FieldBuilder:
    """A field that holds people: somebody by login, or anybody at all."""

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        match value:
            case Word(text):
                found = by(select(_user.c.id).where(func.lower(_user.c.login) == text.lower()))
            case Values(items):
                found = or_(false(), *(build("=", item) for item in items))
            case _:
                found = not_(anybody)
        return not_(found) if op in _NEGATIVE else found

    return build


def _has(table: Table) -> _By:
    return lambda known: exists().where(table.c.pull == _pull.c.id, table.c.user.in_(known))


def _mention(op: Op, value: Value) -> ColumnElement[bool]:
    if not isinstance(value, Word):
        return false()
    called = f"%@{value.text}%"
    found = or_(
        _pull.c.body.like(called),
        exists().where(_comment.c.pull == _pull.c.id, _comment.c.body.like(called)),
    )
    return not_(found) if op in _NEGATIVE else found


def _involved(op: Op, value: Value) -> ColumnElement[bool]:
    parts = (
        _person(lambda known: _pull.c.author.in_(known), true()),
        _person(_has(_comment), true()),
        _person(_has(_request), true()),
        _mention,
    )
    found = or_(*(build("=", value) for build in parts))
    return not_(found) if op in _NEGATIVE else found


# -- reviews and checks -------------------------------------------------------------------------------------


def _reviews() -> dict[str, ColumnElement[bool]]:
    later = _review.alias("later")
    verdict = _review.c.state != "COMMENTED"
    is_last = not_(
        exists().where(
            later.c.pull == _review.c.pull,
            later.c.user == _review.c.user,
            later.c.state != "COMMENTED",
            later.c.id > _review.c.id,
        )
    )

    def last_word(state: str) -> ColumnElement[bool]:
        return exists().where(_review.c.pull == _pull.c.id, _review.c.state == state, verdict, is_last)

    rejected, approved = last_word("CHANGES_REQUESTED"), last_word("APPROVED")
    return {
        "none": not_(exists().where(_review.c.pull == _pull.c.id)),
        "approved": and_(approved, not_(rejected)),
        "changes_requested": rejected,
        "required": not_(or_(approved, rejected)),
    }


def _statuses(now: Instant) -> dict[str, ColumnElement[bool]]:
    """What the latest check of a pull's head came to, as far as it is known now."""
    latest = (
        select(case((_check.c.completes_us > now, "pending"), else_=_check.c.conclusion))
        .where(_check.c.pull == _pull.c.id, _check.c.sha == _pull.c.head_sha)
        .order_by(_check.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    return {
        "pending": latest == "pending",
        "success": or_(latest == "success", latest == "neutral"),
        "failure": or_(latest == "failure", latest == "timed_out"),
    }


# -- words and order ----------------------------------------------------------------------------------------


def _in_text(text: TextNode) -> ColumnElement[bool]:
    """Words in title, body or comments; each may stand in another."""
    phrases = [(" ".join(text.words),)] if text.phrase else [(word,) for word in text.words]
    places = text.within or ("title", "body", "comments")
    return and_(*(_one_in(fts_phrase(words, text.phrase, False), places) for words in phrases))


def _one_in(phrase: str, places: tuple[str, ...]) -> ColumnElement[bool]:
    found: list[ColumnElement[bool]] = []
    own = [place for place in places if place in ("title", "body")]
    if own:
        found.append(_pull.c.id.in_(fts_rowids(search_index(_pull), fts_columns(own, phrase))))
    if "comments" in places:
        for table in (_comment, _review):
            rows = fts_rowids(search_index(table), phrase)
            found.append(_pull.c.id.in_(select(table.c.pull).where(table.c.id.in_(rows))))
    return or_(false(), *found)


def _count() -> ColumnElement[int]:
    return select(func.count()).select_from(_comment).where(_comment.c.pull == _pull.c.id).scalar_subquery()


def _order(order: tuple[Order, ...]) -> list[UnaryExpression[object]]:
    known = {"created": _pull.c.created_us, "updated": _pull.c.updated_us, "comments": _count()}
    keys = [known[o.field].desc() if o.descending else known[o.field].asc() for o in order if o.field in known]
    return [*(keys or [_pull.c.created_us.desc()]), _pull.c.id.desc()]
