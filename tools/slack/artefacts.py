"""Slack's messages as a reader of any chat takes them, and the names of people and channels in a text."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import func, select

from brownout.core.artefacts import ChatMessage, Name, Names
from brownout.core.mentions import HANDLE
from brownout.core.rows import Rows
from brownout.store import compile_query
from tools.slack import tables
from tools.slack.records import channel_label, message_path

__all__ = ["artefacts", "names"]

_user, _channel, _message, _reaction = tables.user, tables.channel, tables.message, tables.reaction
_CHANNELS = compile_query(select(_channel).order_by(_channel.c.id))
_USERS = compile_query(select(_user).order_by(_user.c.id))
_MESSAGES = compile_query(
    select(
        _message.c.channel,
        _message.c.at_us,
        _message.c.thread_us,
        _message.c.text,
        _user.c.person,
        select(func.count()).where(_reaction.c.message == _message.c.id).scalar_subquery().label("reactions"),
    )
    .outerjoin(_user, _user.c.id == _message.c.user)
    .where(_message.c.is_deleted == 0)
    .order_by(_message.c.at_us, _message.c.id)
)
_PLACES = compile_query(select(_message.c.channel, _message.c.at_us))

_TO_ALL: Final = frozenset({"here", "channel", "everyone"})
_USER: Final = re.compile(r"<@(U\w+)(?:\|[^>]*)?>")
_ROOM: Final = re.compile(r"<#(C\w+)(?:\|[^>]*)?>|(?<![\w&/#<.-])#([a-z][a-z0-9_-]{1,79})\b(?!\()")
_CODE: Final = re.compile(r"```.*?```|`[^`\n]*`|https?://\S+|\S+@\S+\.\w+", re.DOTALL)
"""What names nobody: code, links and mail addresses."""


def artefacts(rows: Rows, folder: Path) -> Iterator[ChatMessage]:
    """Every message that was not deleted, oldest first."""
    channels = {row.number("id"): row for row in rows.all(_CHANNELS)}
    roots = {(row["channel"], row["at_us"]) for row in rows.all(_PLACES)}
    for row in rows.all(_MESSAGES):
        at, thread, channel = row.number("at_us"), row["thread_us"], channels.get(row.number("channel"))
        room = channel_label(channel) if channel else "#gone"
        person = row.text("person")
        problems = []
        if not person:
            problems.append("its author has no account")
        if channel is None:
            problems.append("its channel is not there")
        if thread is not None and (row["channel"], thread) not in roots:
            problems.append("the message that its thread hangs on is not there")
        yield ChatMessage(
            path=message_path(room, at),
            who=person,
            at=at,
            text=row.text("text"),
            room=room,
            direct=channel is not None and channel["kind"] in ("im", "mpim"),
            thread=message_path(room, thread) if isinstance(thread, int) and thread != at else "",
            reactions=row.number("reactions"),
            problems=tuple(problems),
        )


def names(rows: Rows, folder: Path) -> Names:
    """People behind an @ and channels behind a #, there or not."""
    users = rows.all(_USERS)
    by_id = {row.text("slack_id"): f"slack:user/{row.text('person')}" for row in users}
    by_handle = {row.text("handle").lower(): f"slack:user/{row.text('person')}" for row in users}
    channels = rows.all(_CHANNELS)
    by_key = {row.text("slack_id"): row for row in channels}
    by_name = {row.text("name"): row for row in channels if row["kind"] != "im"}

    def found(text: str) -> Iterator[Name]:
        for one in _USER.finditer(text):
            yield Name(one[0], "person", by_id.get(one[1], ""))
        plain = _CODE.sub(" ", text) if "@" in text or "#" in text else ""
        for one in HANDLE.finditer(plain):
            if one[1].lower() not in _TO_ALL:
                yield Name(one[0], "person", by_handle.get(one[1].lower(), ""))
        for one in _ROOM.finditer(plain):
            row = by_key.get(one[1]) if one[1] else by_name.get(one[2])
            path, since = (f"slack:{channel_label(row)}", row.number("created_us")) if row else ("", None)
            yield Name(one[0], "room", path, since)

    return found
