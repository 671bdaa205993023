"""Slack's search over its messages: what the searcher can read, newest first."""

from sqlalchemy import ColumnElement, and_, exists, false, not_, or_, select

from brownout.core.apps import Call
from brownout.core.arguments import suggestion
from brownout.core.rows import Row
from brownout.store import compile_search, search_index
from tools.query_languages import slack as language
from tools.query_languages.ast import Field, Function, Op, Search, TextNode, Value, Word, conditions
from tools.query_languages.sql import FieldBuilder, compiled, fts_phrase, number_column
from tools.slack import records, tables
from tools.slack.errors import SlackError, invalid_arguments

__all__ = ["search_messages"]

_PEOPLE = frozenset({"sender", "to", "participant"})
_KNOWN = {
    "has": frozenset({"link", "reaction", "pin", "star", "file", "canvas", "list"}),
    "is": frozenset({"thread", "dm", "saved", "starred"}),
}
"""What Slack's filters take, be there such messages here or not."""

_message, _channel, _member, _user, _reaction = (
    tables.message,
    tables.channel,
    tables.member,
    tables.user,
    tables.reaction,
)


def search_messages(call: Call, me: int, query: str, *, limit: int, skipped: int) -> list[Row]:
    """One more message than asked for where there are more: with its channel and its author.

    Raises:
        SlackError: the query names nobody, no channel or nothing that Slack's search knows.
    """
    found = language.parse(query, now=call.now, zone=call.actor.zone)
    _check(call, me, query, found)
    mine = select(_member.c.channel).where(_member.c.user == me)
    statement = (
        select(
            _message.c.at_us,
            _message.c.thread_us,
            _message.c.text,
            _message.c.edited_us,
            _user.c.slack_id.label("user"),
            _user.c.handle.label("username"),
            _channel.c.slack_id.label("channel_id"),
            _channel.c.name.label("channel_name"),
            _channel.c.kind.label("channel_kind"),
        )
        .join(_user, _user.c.id == _message.c.user)
        .join(_channel, _channel.c.id == _message.c.channel)
        .where(or_(_channel.c.kind == "public", _channel.c.id.in_(mine)))
        .where(_message.c.is_deleted == 0)
        .where(compiled(found, fields=_fields(me), text=_words))
        .order_by(_message.c.at_us.desc(), _message.c.id.desc())
        .limit(limit + 1)
        .offset(skipped)
    )
    compiled_query, parameters = compile_search(statement)
    return call.rows.all(compiled_query, **parameters)


def _check(call: Call, me: int, query: str, search: Search) -> None:
    """Refuse what could find nothing only because it is misspelt."""
    wrong = language.problems(query, now=call.now, zone=call.actor.zone)
    if wrong:
        raise invalid_arguments(f"query: {'; '.join(wrong)}")
    for leaf in conditions(search.condition):
        if isinstance(leaf, Field) and isinstance(leaf.value, Word):
            _check_value(call, me, leaf.name, leaf.written, leaf.value.text)


def _check_value(call: Call, me: int, field: str, written: str, text: str) -> None:
    known = _KNOWN.get(field)
    if known is not None and text not in known:
        raise invalid_arguments(f"query: {written}: cannot be {text!r}{suggestion(text, known)}")
    if field in _PEOPLE or (field == "conversation" and text.startswith("@")):
        name = text.removeprefix("@")
        statement, parameters = compile_search(select(_user.c.id).where(_person(Word(text), me)))
        if call.rows.scalar(statement, **parameters) is None:
            handles = [row.text("handle") for row in records.everyone(call)]
            raise SlackError("user_not_found", detail=f"[ERROR] query: {written}:{text}{suggestion(name, handles)}")
    elif field == "conversation":
        name = text.removeprefix("#")
        seen = [row for row in records.channels(call) if _is_seen(call, row, me)]
        if not any(name in (row["name"], row["slack_id"]) for row in seen):
            names = [row.text("name") for row in seen]
            raise SlackError("channel_not_found", detail=f"[ERROR] query: {written}:{text}{suggestion(name, names)}")


def _is_seen(call: Call, channel: Row, me: int) -> bool:
    return channel["kind"] == "public" or records.is_member(call, channel.number("id"), me)


def _words(text: TextNode) -> ColumnElement[bool]:
    index = search_index(_message)
    phrase = fts_phrase(text.words, text.phrase, text.prefix)
    return _message.c.id.in_(select(index.c.rowid).where(index.c[index.name].op("MATCH")(phrase)))


def _fields(me: int) -> dict[str, FieldBuilder]:
    return {
        "sender": lambda op, value: _is(op, _author(value, me)),
        "to": lambda op, value: _is(op, _direct_with(value, me)),
        "participant": lambda op, value: _is(op, or_(_author(value, me), _direct_with(value, me))),
        "conversation": lambda op, value: _is(op, _place(value, me)),
        "date": number_column(_message.c.at_us),
        "has": lambda op, value: _is(op, _has(value)),
        "is": lambda op, value: _is(op, _state(value)),
        "reaction": lambda op, value: _is(op, _reacted(value, None)),
        "my_reaction": lambda op, value: _is(op, _reacted(value, me)),
    }


def _is(op: Op, found: ColumnElement[bool]) -> ColumnElement[bool]:
    return not_(found) if op in ("!=", "is not", "not in") else found


def _person(value: Value, me: int) -> ColumnElement[bool]:
    """The user meant: by handle, id or name, or the searcher."""
    if isinstance(value, Function):
        return _user.c.id == me
    if not isinstance(value, Word):
        return false()
    name = value.text.removeprefix("@").lower()
    return or_(_user.c.handle == name, _user.c.slack_id == value.text, _user.c.real_name.ilike(name))


def _author(value: Value, me: int) -> ColumnElement[bool]:
    return _message.c.user.in_(select(_user.c.id).where(_person(value, me)))


def _direct_with(value: Value, me: int) -> ColumnElement[bool]:
    """In a direct conversation of that person; `to:me` is one of the searcher's."""
    theirs = select(_member.c.channel).where(_member.c.user.in_(select(_user.c.id).where(_person(value, me))))
    return and_(_channel.c.kind == "im", _channel.c.id.in_(theirs))


def _place(value: Value, me: int) -> ColumnElement[bool]:
    if not isinstance(value, Word):
        return false()
    if value.text.startswith("@"):
        return _direct_with(value, me)
    name = value.text.removeprefix("#")
    return or_(_channel.c.name == name, _channel.c.slack_id == name)


def _has(value: Value) -> ColumnElement[bool]:
    kind = value.text.lower() if isinstance(value, Word) else ""
    if kind == "link":
        return _message.c.text.like("%http%")
    if kind == "reaction":
        return exists(select(1).where(_reaction.c.message == _message.c.id))
    return false()


def _state(value: Value) -> ColumnElement[bool]:
    kind = value.text.lower() if isinstance(value, Word) else ""
    if kind == "thread":
        return _message.c.thread_us.is_not(None)
    return _channel.c.kind == "im" if kind == "dm" else false()


def _reacted(value: Value, by: int | None) -> ColumnElement[bool]:
    if not isinstance(value, Word):
        return false()
    found = select(1).where(_reaction.c.message == _message.c.id, _reaction.c.name == value.text.strip(":"))
    return exists(found.where(_reaction.c.user == by) if by is not None else found)
