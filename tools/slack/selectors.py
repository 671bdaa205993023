"""What Slack's rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

from sqlalchemy import bindparam, func, select

from brownout.core.apps import Thing
from brownout.core.rows import Row, Rows
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.slack import tables
from tools.slack.records import channel_label, message_path

__all__ = ["find", "path_of", "readers_of"]

_channel, _member, _user, _message = tables.channel, tables.member, tables.user, tables.message
_CHANNELS = compile_query(select(_channel).order_by(_channel.c.id))
_READERS = compile_query(
    select(_user.c.person)
    .join(_member, _member.c.user == _user.c.id)
    .where(_member.c.channel == bindparam("channel"))
    .order_by(_user.c.person)
)
_COUNT = compile_query(select(func.count()).where(_message.c.channel == bindparam("channel")))


def path_of(rows: Rows, table: str, row: Row) -> str:
    """`slack:#ops.message/1771234567.000100`, `slack:#ops.member/3`, `slack:user/ida`."""
    kind = table.removeprefix("slack_")
    if kind == "user":
        return f"slack:user/{row.text('person')}"
    if kind == "channel":
        return f"slack:{channel_label(row)}"
    if kind == "reaction":
        message = rows.get(_message, row.number("message"))
        place = path_of(rows, "slack_message", message) if message else "slack:gone"
        return f"{place}.reaction/{row.text('name')}"
    channel = rows.get(_channel, row.number("channel"))
    if kind == "message":
        return message_path(channel_label(channel) if channel else "#gone", row.number("at_us"))
    return f"slack:{channel_label(channel) if channel else '#gone'}.{kind}/{row.number('user')}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """The channels whose name (with its #) fits the pattern."""
    things = []
    for row in rows.all(_CHANNELS):
        label = channel_label(row)
        if fits(label, pattern):
            people = readers_of(rows, row.number("id"))
            count = rows.scalar(_COUNT, channel=row.number("id"))
            assert isinstance(count, int)
            fields = {"topic": row.text("topic"), "members": people, "messages": count}
            things.append(Thing(f"slack:{label}", fields, (("slack_channel", row.number("id")),)))  # type: ignore[arg-type]
    return things


def readers_of(rows: Rows, channel: int) -> list[str]:
    """The short names of a channel's members, in the order of the alphabet."""
    return [str(person) for (person,) in rows.tuples(_READERS, {"channel": channel})]
