"""Gmail's search over one mailbox, newest first.

A message is newer than another if its copy came into the mailbox later. Days begin at midnight where the reader is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, and_, exists, false, func, not_, or_, select, true

from brownout.core.apps import Call
from brownout.core.arguments import suggestion
from brownout.core.rows import Row
from brownout.store import compile_search, search_index
from tools.gmail import tables
from tools.gmail.directory import groups
from tools.gmail.errors import GmailError
from tools.gmail.mailbox import SHOWN, VISIBLE, labels_of
from tools.page_cursors import InvalidCursor, decode_cursor, encode_cursor
from tools.query_languages.ast import ME, Field, Match, Op, Search, TextNode, Value, Word, conditions
from tools.query_languages.gmail import hides_spam_and_trash, label_key, parse, problems
from tools.query_languages.sql import (
    FieldBuilder,
    compiled,
    fts_columns,
    fts_phrase,
    fts_rowids,
    name_column,
    number_column,
)
from tools.query_languages.words import contains

__all__ = ["SIZE", "MailPage", "search_messages", "search_threads"]

_copy, _message = tables.copy, tables.message
_index = search_index(_message)

_HEADER_BYTES = 600
SIZE: ColumnElement[int] = func.octet_length(_message.c.subject) + func.octet_length(_message.c.body) + _HEADER_BYTES
"""How large a message is taken to be: its text, and as much for headers as they usually take."""

_PLAIN = ("subject", "body", "sender", "to", "cc")
"""Where loose words are looked for; a bcc is for its sender's eyes only."""
_LARGEST = 1 << 62
_MOST_COUNTED = 201
"""Gmail's estimate of how much there is goes no further either."""


@dataclass(frozen=True, slots=True)
class MailPage:
    """Some of what a search found, the token for more (empty where there is no more), and how much there is."""

    rows: list[Row]
    token: str
    estimate: int


def search_messages(call: Call, me: Row, query: str, *, limit: int, token: str) -> MailPage:
    """The messages that a query finds, as rows of `mailbox.SHOWN` and `size`.

    Raises:
        InvalidCursor: the token is not from here.
    """
    wanted = _wanted(call, me, query)
    before = _position("message", token)
    older = true() if before is None else _copy.c.id < before
    joined = select(*SHOWN, SIZE.label("size")).join(_message, _message.c.id == _copy.c.message)
    rows = _run(call, joined.where(wanted, older).order_by(_copy.c.id.desc()).limit(limit + 1))
    if len(rows) <= limit and before is None:
        return MailPage(rows, "", min(len(rows), _MOST_COUNTED))
    ids = select(_copy.c.id).join(_message, _message.c.id == _copy.c.message).where(wanted)
    more = encode_cursor("message", rows[limit - 1].number("id")) if len(rows) > limit else ""
    return MailPage(rows[:limit], more, _estimate(call, ids))


def search_threads(call: Call, me: Row, query: str, *, limit: int, token: str) -> MailPage:
    """The threads with a message that a query finds, as rows of `thread_id` and `last`, the newest message found."""
    wanted = _wanted(call, me, query)
    before = _position("thread", token)
    last = func.max(_copy.c.id)
    threads = (
        select(_copy.c.thread_id, last.label("last"))
        .join(_message, _message.c.id == _copy.c.message)
        .where(wanted)
        .group_by(_copy.c.thread_id)
    )
    older = threads if before is None else threads.having(last < before)
    rows = _run(call, older.order_by(last.desc()).limit(limit + 1))
    if len(rows) <= limit and before is None:
        return MailPage(rows, "", min(len(rows), _MOST_COUNTED))
    more = encode_cursor("thread", rows[limit - 1].number("last")) if len(rows) > limit else ""
    return MailPage(rows[:limit], more, _estimate(call, threads))


def _position(kind: str, token: str) -> int | None:
    position = decode_cursor(kind, token) if token else None
    if position is not None and not 0 <= position < _LARGEST:
        raise InvalidCursor(token)
    return position


def _run(call: Call, statement: Select[*tuple[object, ...]]) -> list[Row]:
    query, parameters = compile_search(statement)
    return call.rows.all(query, **parameters)


def _estimate(call: Call, statement: Select[*tuple[object, ...]]) -> int:
    found = statement.limit(_MOST_COUNTED).subquery()
    query, parameters = compile_search(select(func.count().label("found")).select_from(found))
    return int(str(call.rows.scalar(query, **parameters)))


def _wanted(call: Call, me: Row, query: str) -> ColumnElement[bool]:
    """The condition of a query within somebody's mailbox."""
    search = parse(query, now=call.now, zone=call.actor.zone)
    _check(call, me, query, search)
    wanted = compiled(search, fields=_builders(call, me), text=_in_text)
    hidden = or_(_copy.c.is_trashed == 1, _wears("SPAM")) if hides_spam_and_trash(search) else false()
    return and_(_copy.c.owner == me.number("id"), VISIBLE, wanted, not_(hidden))


def _check(call: Call, me: Row, query: str, search: Search) -> None:
    """Refuse what could find nothing only because it is misspelt; addresses and words are free."""
    wrong = problems(query, now=call.now, zone=call.actor.zone)
    own = {label_key(row.text("name")) for row in labels_of(call.rows, me.number("id"))}
    labels = {*_MARKS, *_WORN, *_OTHER_LABELS, *own}
    for leaf in conditions(search.condition):
        if isinstance(leaf, Field) and isinstance(leaf.value, Word):
            text, known = leaf.value.text, {**_KNOWN, "label": labels, "is": labels}.get(leaf.name)
            if known is not None and text not in known and not (leaf.name == "has" and text.endswith(_STARS)):
                wrong.append(f"{leaf.written}: cannot be {text!r}{suggestion(text, known)}")
    if wrong:
        raise GmailError(400, f"Invalid query: {'; '.join(wrong)}")


def _builders(call: Call, me: Row) -> dict[str, FieldBuilder]:
    mine = me.number("id")
    email = TextNode((me.text("email"),), phrase=True)
    return {
        "sender": _header(("sender",), lambda _: _message.c.author == mine),
        "to": _header(("to", "cc"), lambda columns: _words(email, columns)),
        "cc": _header(("cc",), lambda columns: _words(email, columns)),
        "bcc": _own(mine, _header(("bcc",), lambda columns: _words(email, columns))),
        "delivered_to": _delivered(call, me),
        "list": _through(call),
        "subject": _header(("subject",), lambda _: false()),
        "label": _label(call, mine),
        "is": _label(call, mine),
        "has": _has,
        "attachment": _filename,
        "category": _category,
        "scope": _everywhere,
        "message_id": name_column(_message.c.rfc_id),
        "date": number_column(_message.c.at_us),
        "size": number_column(SIZE),
    }


# -- words --------------------------------------------------------------------------------------------------


def _in_text(text: TextNode) -> ColumnElement[bool]:
    return _words(text, text.within or _PLAIN)


def _words(text: TextNode, columns: Sequence[str]) -> ColumnElement[bool]:
    query = fts_columns(columns, fts_phrase(text.words, text.phrase, text.prefix))
    return _message.c.id.in_(fts_rowids(_index, query))


def _header(columns: Sequence[str], is_me: Callable[[Sequence[str]], ColumnElement[bool]]) -> FieldBuilder:
    """Words in a header; `me` is asked differently from header to header."""

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        if value == ME:
            return is_me(columns)
        return and_(*(_words(text, columns) for text in value.texts)) if isinstance(value, Match) else false()

    return build


def _own(mine: int, inner: FieldBuilder) -> FieldBuilder:
    """Only in what the searcher wrote."""
    return lambda op, value: and_(_message.c.author == mine, inner(op, value))


def _through(call: Call) -> FieldBuilder:
    """Mail that came through a group whose address has the words."""

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        texts = value.texts if isinstance(value, Match) else ()
        named = [
            row
            for row in (groups(call.rows) if texts else ())
            if all(contains(text, (row.text("email"),)) for text in texts)
        ]
        return or_(false(), *(_copy.c.via == row.number("id") for row in named))

    return build


def _delivered(call: Call, me: Row) -> FieldBuilder:
    """Mail that came to an address: the mailbox's own for all that it did not send, or a group's."""
    through = _through(call)

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        is_mine = value == ME or (
            isinstance(value, Match) and all(contains(text, (me.text("email"),)) for text in value.texts)
        )
        got = or_(_copy.c.via.is_not(None), _wears("INBOX"), not_(_wears("SENT"))) if is_mine else false()
        return or_(and_(got, _message.c.is_draft == 0), through(op, value))

    return build


# -- labels -------------------------------------------------------------------------------------------------

_OTHER_LABELS = frozenset({"chats", "snoozed", "muted", "scheduled", "all", "archive", "outbox"})
_KNOWN = {
    "has": frozenset({
        "attachment", "drive", "document", "spreadsheet", "presentation", "youtube", "userlabels", "nouserlabels",
    }),
    "category": frozenset({
        "primary", "social", "promotions", "updates", "forums", "reservations", "purchases",
    }),
}  # fmt: skip
_STARS = ("-star", "-bang", "-guillemet", "-check", "-info", "-question")
"""What Gmail's operators take, be there such mail here or not."""
_WORN = {"inbox": "INBOX", "sent": "SENT", "spam": "SPAM", "important": "IMPORTANT"}
_MARKS: dict[str, ColumnElement[bool]] = {
    "unread": _copy.c.is_read == 0,
    "read": _copy.c.is_read == 1,
    "starred": _copy.c.is_starred == 1,
    "trash": _copy.c.is_trashed == 1,
    "draft": _message.c.is_draft == 1,
    "drafts": _message.c.is_draft == 1,
}


def _wears(label_id: str) -> ColumnElement[bool]:
    worn = func.json_each(_copy.c.labels).table_valued("value", name="worn")
    return exists(select(1).select_from(worn).where(worn.c.value == label_id))


def _label(call: Call, mine: int) -> FieldBuilder:
    """`label:`, `in:` and `is:`: a mark, one of Gmail's labels or one of the searcher's own."""

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        name = value.text if isinstance(value, Word) else ""
        if name in _MARKS:
            return _MARKS[name]
        worn = _WORN.get(name) or _own_labels(call, mine).get(name)
        return _wears(worn) if worn else false()

    return build


def _own_labels(call: Call, mine: int) -> dict[str, str]:
    """Ids of the searcher's own labels, as queries spell their names."""
    return {label_key(row.text("name")): row.text("label_id") for row in labels_of(call.rows, mine)}


def _files(*found: ColumnElement[bool]) -> ColumnElement[bool]:
    """Mail with a file, of which that holds."""
    return exists(select(1).where(tables.attachment.c.message == _message.c.id, *found))


def _filename(op: Op, value: Value) -> ColumnElement[bool]:
    """Mail with a file whose name has the words, or ends so: `filename:csv`."""
    texts = value.texts if isinstance(value, Match) else ()
    name = tables.attachment.c.filename
    words = [name.contains(word, autoescape=True) for text in texts for word in text.words]
    return _files(*words) if words else false()


def _has(op: Op, value: Value) -> ColumnElement[bool]:
    worn = func.json_each(_copy.c.labels).table_valued("value", name="worn")
    labelled = exists(select(1).select_from(worn).where(worn.c.value.like("Label\\_%", escape="\\")))
    match value:
        case Word("attachment"):
            return _files()
        case Word("userlabels"):
            return labelled
        case Word("nouserlabels"):
            return not_(labelled)
        case Word("yellow-star"):
            return _copy.c.is_starred == 1
        case _:
            return false()


def _category(op: Op, value: Value) -> ColumnElement[bool]:
    """Nothing is sorted into tabs here: all that came in is primary."""
    return and_(_message.c.is_draft == 0, not_(_wears("SENT"))) if value == Word("primary") else false()


def _everywhere(op: Op, value: Value) -> ColumnElement[bool]:
    return true()
