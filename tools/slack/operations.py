"""What an account may do in Slack, after the Web API's methods of the same names."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import orjson
from pydantic import Field
from sqlalchemy import bindparam, func, select

from brownout.core.apps import Call
from brownout.core.instants import SECOND
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import any_of, compile_query
from tools.page_cursors import InvalidCursor, decode_cursor, encode_cursor
from tools.slack import records, search, tables
from tools.slack.errors import SlackError

__all__ = ["OF_ONE_CHANNEL", "OF_ONE_MOMENT", "operations"]

operations = Operations("slack")

Channel = Annotated[str, Field(description="Id or #name.", min_length=1)]
Ts = str
Text = Annotated[str, Field(description="@handle mentions.", min_length=1, max_length=40_000)]
Limit = Annotated[int, Field(ge=1, le=200)]
Cursor = str

_channel, _member, _message, _user, _reaction = (
    tables.channel,
    tables.member,
    tables.message,
    tables.user,
    tables.reaction,
)
_MY_CHANNELS = compile_query(
    select(_channel, func.count(_member.c.id).label("members"))
    .join(_member, _member.c.channel == _channel.c.id)
    .where(
        _channel.c.kind != "im",
        _channel.c.is_archived == 0,
        _channel.c.id > bindparam("after"),
        (_channel.c.kind == "public")
        | _channel.c.id.in_(select(_member.c.channel).where(_member.c.user == bindparam("me"))),
    )
    .group_by(_channel.c.id)
    .order_by(_channel.c.id)
    .limit(bindparam("most"))
)
_SHOWN = (
    _message.c.id,
    _message.c.at_us,
    _message.c.thread_us,
    _message.c.text,
    _message.c.edited_us,
    _message.c.is_deleted,
    _user.c.slack_id.label("user"),
    _user.c.handle.label("username"),
)
_replies = _message.alias("reply")
_HISTORY = compile_query(
    select(
        *_SHOWN,
        select(func.count())
        .where(_replies.c.channel == _message.c.channel, _replies.c.thread_us == _message.c.at_us)
        .scalar_subquery()
        .label("reply_count"),
    )
    .join(_user, _user.c.id == _message.c.user)
    .where(
        _message.c.channel == bindparam("channel"),
        _message.c.thread_us.is_(None),
        _message.c.at_us > bindparam("oldest"),
        _message.c.at_us < bindparam("latest"),
    )
    .order_by(_message.c.at_us.desc())
    .limit(bindparam("most"))
)
_REPLIES = compile_query(
    select(*_SHOWN)
    .join(_user, _user.c.id == _message.c.user)
    .where(
        _message.c.channel == bindparam("channel"),
        (_message.c.thread_us == bindparam("thread")) | (_message.c.at_us == bindparam("thread")),
        _message.c.at_us > bindparam("after"),
    )
    .order_by(_message.c.at_us)
    .limit(bindparam("most"))
)
_BY_TS = compile_query(
    select(_message).where(_message.c.channel == bindparam("channel"), _message.c.at_us == bindparam("at_us"))
)
_USERS = compile_query(
    select(_user).where(_user.c.id > bindparam("after")).order_by(_user.c.id).limit(bindparam("most"))
)
_REACTIONS = compile_query(
    select(_reaction.c.message, _reaction.c.name, _user.c.slack_id.label("user"))
    .join(_user, _user.c.id == _reaction.c.user)
    .where(any_of(_reaction.c.message, "messages"))
    .order_by(_reaction.c.id)
)
OF_ONE_CHANNEL = frozenset(query.sql for query in (_HISTORY, _REPLIES))
"""Statements that see the messages of the channel given as `channel` and no others."""
OF_ONE_MOMENT = frozenset((_BY_TS.sql,))
"""The statement that sees the message of the channel given as `channel` at the moment given as `at_us` and no other."""
_END_OF_TIME = 1 << 62


@operations.read
def list_channels(call: Call, limit: Limit = 100, cursor: Cursor = "") -> Json:
    """List the public channels and the private ones you are in."""
    rows = call.rows.all(_MY_CHANNELS, me=_me(call).number("id"), after=_after("channel", cursor), most=limit + 1)
    shown = rows[:limit]
    return _page({"ok": True, "channels": [_channel_json(row) for row in shown]}, "channel", rows, limit)


@operations.read
def read_channel(
    call: Call,
    channel: Channel,
    limit: Limit = 30,
    cursor: Cursor = "",
    oldest: Annotated[str, Field(description="A timestamp.")] = "",
    latest: Annotated[str, Field(description="A timestamp.")] = "",
) -> Json:
    """Read a channel's messages, newest first. Replies: slack_read_thread."""
    found = _readable(call, channel)
    before = _after("history", cursor) if cursor else _instant(latest, _END_OF_TIME)
    rows = call.rows.all(
        _HISTORY, channel=found.number("id"), oldest=_instant(oldest, 0), latest=before, most=limit + 1
    )
    answer: JsonObject = {
        "ok": True,
        "messages": _with_reactions(call, rows[:limit]),
        "has_more": len(rows) > limit,
    }
    return _page(answer, "history", rows, limit, position="at_us")


@operations.read
def read_thread(call: Call, channel: Channel, ts: Ts, limit: Limit = 50, cursor: Cursor = "") -> Json:
    """Read a thread: its first message and the replies, oldest first."""
    found = _readable(call, channel)
    thread = _instant(ts, 0)
    rows = call.rows.all(
        _REPLIES, channel=found.number("id"), thread=thread, after=_after("thread", cursor), most=limit + 1
    )
    if not rows and not cursor:
        raise SlackError("thread_not_found")
    answer: JsonObject = {
        "ok": True,
        "messages": _with_reactions(call, rows[:limit]),
        "has_more": len(rows) > limit,
    }
    return _page(answer, "thread", rows, limit, position="at_us")


@operations.read
def search_messages(
    call: Call,
    query: Annotated[str, Field(description="Words, in:#channel from:@handle before: after: on: has: is: -not")],
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Search the messages you can read, newest first. All words must occur; there is no OR."""
    skipped = _after("search", cursor)
    rows = search.search_messages(call, _me(call).number("id"), query, limit=limit, skipped=skipped)
    matches: list[Json] = []
    for row in rows[:limit]:
        place: JsonObject = {"id": row.text("channel_id"), "is_im": row["channel_kind"] == "im"}
        if row["channel_kind"] != "im":
            place["name"] = row.text("channel_name")
        matches.append({**_message_json(row), "channel": place})
    more = encode_cursor("search", skipped + limit) if len(rows) > limit else ""
    return {"ok": True, "query": query, "messages": {"matches": matches}, "response_metadata": {"next_cursor": more}}


@operations.write(addition=True)
def send_message(
    call: Call,
    channel: Annotated[str, Field(description="Id, #name, or @handle for a direct message.", min_length=1)],
    text: Text,
    thread_ts: Annotated[str, Field(description="Message to reply to.")] = "",
) -> Json:
    """Post a message to a channel, a thread or a person."""
    target = _target(call, channel)
    thread = _instant(thread_ts, 0) or None
    if thread is not None:
        parent = call.rows.one(_BY_TS, channel=target.number("id"), at_us=thread)
        if parent is None:
            raise SlackError("thread_not_found")
        thread = parent["thread_us"] if isinstance(parent["thread_us"], int) else thread
    me = _me(call)
    posted = records.post(call, target, me, records.linked(call, text), thread_us=thread)
    message = _message_json(Row(posted | {"user": me["slack_id"], "username": me["handle"]}))
    return {"ok": True, "channel": target["slack_id"], "ts": message["ts"], "message": message}  # type: ignore[dict-item]


@operations.write(cost=SECOND)
def update_message(call: Call, channel: Channel, ts: Ts, text: Text) -> Json:
    """Edit a message of your own. Nobody is told again."""
    found, message = _own_message(call, channel, ts, refusal="cant_update_message")
    changed = records.edit(call, message, records.linked(call, text))
    me = _me(call)
    shown = _message_json(Row(changed | {"user": me["slack_id"], "username": me["handle"]}))
    return {"ok": True, "channel": found.text("slack_id"), "ts": shown["ts"], "text": shown["text"], "message": shown}


@operations.write(cost=SECOND)
def delete_message(call: Call, channel: Channel, ts: Ts) -> Json:
    """Delete a message of your own."""
    found, message = _own_message(call, channel, ts, refusal="cant_delete_message")
    records.delete(call, message)
    return {"ok": True, "channel": found.text("slack_id"), "ts": records.ts_of(message.number("at_us"))}


@operations.read
def list_users(call: Call, limit: Limit = 100, cursor: Cursor = "") -> Json:
    """List the members of the workspace."""
    _me(call)
    rows = call.rows.all(_USERS, after=_after("user", cursor), most=limit + 1)
    return _page({"ok": True, "members": [_user_json(row) for row in rows[:limit]]}, "user", rows, limit)


@operations.write(addition=True, cost=SECOND)
def add_reaction(
    call: Call,
    channel: Channel,
    ts: Ts,
    name: Annotated[str, Field(description="Emoji without colons.", pattern=r"^[a-z0-9_+-]+$")],
) -> Json:
    """React to a message with an emoji."""
    found = _readable(call, channel)
    target = _message_at(call, found, ts)
    if not records.react(call, target, _me(call), name):
        raise SlackError("already_reacted")
    return {"ok": True}


@operations.write(harmless=True, cost=SECOND)
def join_channel(call: Call, channel: Channel) -> Json:
    """Join a public channel."""
    found = _found(call, channel)
    if found["kind"] != "public":
        raise SlackError("method_not_supported_for_channel_type")
    joined = records.join(call, found.number("id"), _me(call).number("id"))
    return {"ok": True, "channel": {"id": found.text("slack_id")}, "already_in_channel": not joined}


def _me(call: Call) -> Row:
    """The actor's account; nobody else may read or write here."""
    found = records.user_of(call, call.actor.person)
    if found is None:
        raise SlackError("not_authed")
    return found


def _found(call: Call, channel: str) -> Row:
    by_id = None if channel.startswith("#") else records.channel_by_id(call, channel)
    found = by_id or (records.channel_by_name(call, channel) if not channel[:1].isdigit() else None)
    if found is None:
        raise SlackError("channel_not_found")
    return found


class _Room(NamedTuple):
    """A channel, and the actor's account, which may be in it."""

    channel: Row
    me: Row
    is_member: bool


def _room(call: Call, channel: str) -> _Room:
    """A channel as the actor meets it; a private one that they are not in does not exist for them."""
    key = ("slack", "room of", call.actor.person, channel)
    found = call.rows.remembered(key, lambda: _room_as_it_is(call, channel))
    if found.channel["kind"] != "public" and not found.is_member:
        raise SlackError("channel_not_found")
    return found


def _room_as_it_is(call: Call, channel: str) -> _Room:
    found, me = _found(call, channel), _me(call)
    return _Room(found, me, records.is_member(call, found.number("id"), me.number("id")))


def _readable(call: Call, channel: str) -> Row:
    """The channel, if the actor may read it."""
    return _target(call, channel) if channel.startswith("@") else _room(call, channel).channel


def _target(call: Call, channel: str) -> Row:
    if channel.startswith(("@", "U0")):
        other = records.user_by_handle(call, channel.removeprefix("@")) or records.user_by_id(call, channel)
        if other is None:
            raise SlackError("user_not_found")
        return records.open_direct(call, _me(call).number("id"), other.number("id"))
    room = _room(call, channel)
    if room.channel["is_archived"]:
        raise SlackError("is_archived")
    if not room.is_member:
        raise SlackError("not_in_channel")
    return room.channel


def _message_at(call: Call, channel: Row, ts: str) -> Row:
    found = call.rows.one(_BY_TS, channel=channel.number("id"), at_us=_instant(ts, 0))
    if found is None or found["is_deleted"]:
        raise SlackError("message_not_found")
    return found


def _own_message(call: Call, channel: str, ts: str, *, refusal: str) -> tuple[Row, Row]:
    """A channel and a message in it that the actor wrote; Slack refuses all others by the code given."""
    place = _readable(call, channel)
    found = _message_at(call, place, ts)
    if found["user"] != _me(call)["id"]:
        raise SlackError(refusal)
    return place, found


def _instant(ts: str, default: int) -> int:
    if not ts:
        return default
    found = records.text_of_ts(ts)
    if found is None:
        raise SlackError("invalid_ts_latest")
    return found


def _after(kind: str, cursor: str) -> int:
    try:
        return decode_cursor(kind, cursor) if cursor else 0
    except InvalidCursor:
        raise SlackError("invalid_cursor") from None


def _page(answer: JsonObject, kind: str, rows: list[Row], limit: int, *, position: str = "id") -> JsonObject:
    more = len(rows) > limit
    cursor = encode_cursor(kind, rows[limit - 1].number(position)) if more else ""
    return {**answer, "response_metadata": {"next_cursor": cursor}}


def _channel_json(row: Row) -> JsonObject:
    return {
        "id": row.text("slack_id"),
        "name": row.text("name"),
        "is_private": row["kind"] != "public",
        "is_archived": bool(row["is_archived"]),
        "created": row.number("created_us") // 1_000_000,
        "topic": {"value": row.text("topic")},
        "purpose": {"value": row.text("purpose")},
        "num_members": row.number("members"),
    }


def _with_reactions(call: Call, rows: Sequence[Row]) -> list[Json]:
    """Messages with who reacted to them, in the order in which each emoji was first used."""
    users: dict[int, dict[str, list[Json]]] = {}
    for found in call.rows.all(_REACTIONS, messages=orjson.dumps([row["id"] for row in rows]).decode()):
        by_name = users.setdefault(found.number("message"), {})
        by_name.setdefault(found.text("name"), []).append(found.text("user"))
    messages: list[Json] = []
    for row in rows:
        shown = _message_json(row)
        if by_name := users.get(row.number("id"), {}):
            shown["reactions"] = [{"name": name, "users": who, "count": len(who)} for name, who in by_name.items()]
        messages.append(shown)
    return messages


def _message_json(row: Row) -> JsonObject:
    values: JsonObject = row  # type: ignore[assignment]
    ts = records.ts_of(row.number("at_us"))
    shown: JsonObject = {
        "type": "message",
        "user": values["user"],
        "username": values["username"],
        "text": values["text"],
        "ts": ts,
    }
    if values["thread_us"] is not None:
        shown["thread_ts"] = records.ts_of(row.number("thread_us"))
    if values.get("reply_count"):
        shown["thread_ts"] = ts
        shown["reply_count"] = values["reply_count"]
    if row.get("is_deleted"):
        shown["subtype"] = "tombstone"
    if row["edited_us"] is not None:
        shown["edited"] = {"ts": records.ts_of(row.number("edited_us"))}
    return shown


def _user_json(row: Row) -> JsonObject:
    return {
        "id": row.text("slack_id"),
        "name": row.text("handle"),
        "real_name": row.text("real_name"),
        "tz": row.text("tz"),
        "is_bot": bool(row["is_bot"]),
        "deleted": bool(row["is_deleted"]),
        "profile": {"email": row.text("email"), "title": row.text("title"), "display_name": row.text("handle")},
    }
