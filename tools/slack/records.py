"""The only writer of Slack's tables, for operations and for the people of the world alike."""

import re
from collections.abc import Sequence

from sqlalchemy import bindparam, func, select, union_all

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.instants import Instant
from brownout.core.mentions import HANDLE, called
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.slack import tables

__all__ = [
    "BY_NAME",
    "OF_ONE_CHANNEL",
    "OF_ONE_MOMENT",
    "OF_ONE_ROOM",
    "add_user",
    "channel_by_id",
    "channel_by_name",
    "channel_label",
    "channels",
    "conversation_name",
    "create_channel",
    "delete",
    "edit",
    "everyone",
    "free_moment",
    "is_member",
    "join",
    "linked",
    "members_of",
    "message_at",
    "message_path",
    "open_direct",
    "open_group",
    "post",
    "react",
    "text_of_ts",
    "thread_root",
    "ts_of",
    "user_by_handle",
    "user_by_id",
    "user_of",
]

_user, _channel, _member, _message = tables.user, tables.channel, tables.member, tables.message
_reaction = tables.reaction

_USER_OF = compile_query(select(_user).where(_user.c.person == bindparam("person")), lasting=_user)
_USER_BY_ID = compile_query(select(_user).where(_user.c.slack_id == bindparam("slack_id")), lasting=_user)
_USER_BY_HANDLE = compile_query(select(_user).where(_user.c.handle == bindparam("handle")), lasting=_user)
_CHANNEL_BY_ID = compile_query(select(_channel).where(_channel.c.slack_id == bindparam("slack_id")), lasting=_channel)
_CHANNEL_BY_NAME = compile_query(select(_channel).where(_channel.c.name == bindparam("name")), lasting=_channel)
_MEMBER = compile_query(
    select(_member.c.id).where(_member.c.channel == bindparam("channel"), _member.c.user == bindparam("user")),
    lasting=_member,
)
_MEMBERS = compile_query(
    select(_user)
    .join(_member, _member.c.user == _user.c.id)
    .where(_member.c.channel == bindparam("channel"))
    .order_by(_user.c.id)
)
_TAKEN = compile_query(
    select(func.count())
    .select_from(_message)
    .where(_message.c.channel == bindparam("channel"), _message.c.at_us == bindparam("at_us"))
)
_THREAD = compile_query(
    select(_user.c.person)
    .distinct()
    .join(_message, _message.c.user == _user.c.id)
    .where(
        _message.c.id.in_(
            union_all(
                select(_message.c.id).where(
                    _message.c.channel == bindparam("channel"), _message.c.thread_us == bindparam("thread_us")
                ),
                select(_message.c.id).where(
                    _message.c.channel == bindparam("channel"), _message.c.at_us == bindparam("thread_us")
                ),
            )
        )
    )
    .order_by(_user.c.person)
)


_AT = compile_query(
    select(_message).where(_message.c.channel == bindparam("channel"), _message.c.at_us == bindparam("at_us"))
)
_ANSWERED = compile_query(
    select(_message.c.id)
    .where(_message.c.channel == bindparam("channel"), _message.c.thread_us == bindparam("at_us"))
    .limit(1)
)
_REACTIONS = compile_query(select(_reaction.c.id).where(_reaction.c.message == bindparam("message")))
_REACTED = compile_query(
    select(_reaction.c.id).where(
        _reaction.c.message == bindparam("message"),
        _reaction.c.user == bindparam("user"),
        _reaction.c.name == bindparam("name"),
    )
)
_CHANNELS = compile_query(select(_channel).where(_channel.c.kind != "im").order_by(_channel.c.id))
_EVERYONE = compile_query(select(_user).order_by(_user.c.id))
_ROOT = compile_query(
    select(_message.c.thread_us).where(
        _message.c.channel == bindparam("channel"), _message.c.at_us == bindparam("at_us")
    )
)


OF_ONE_CHANNEL = frozenset(query.sql for query in (_THREAD, _ANSWERED))
"""Statements that see the messages of the channel given as `channel` and no others."""
OF_ONE_MOMENT = frozenset(query.sql for query in (_TAKEN, _AT, _ROOT))
"""Statements that see the message of the channel given as `channel` at the moment given as `at_us` and no other."""
BY_NAME = _CHANNEL_BY_NAME.sql
"""The statement that finds the channel, or the conversation, of the name given as `name`."""
OF_ONE_ROOM = frozenset(query.sql for query in (_MEMBER, _MEMBERS))
"""Statements that see who is in the channel given as `channel`."""
_TOMBSTONE = "This message was deleted."
_TS = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,12}))?")


def ts_of(at: Instant) -> str:
    """An instant as a Slack timestamp: `1771234567.000100`."""
    return f"{at // 1_000_000}.{at % 1_000_000:06d}"


def text_of_ts(ts: str) -> Instant | None:
    """The instant of a Slack timestamp, None where it is not one."""
    found = _TS.fullmatch(ts.strip())
    if found is None:
        return None
    seconds, micros = found.groups()
    return int(seconds) * 1_000_000 + int((micros or "0")[:6].ljust(6, "0"))


def add_user(call: Call, account: Account) -> int:
    """Make somebody's account; the handle is the short name."""
    slack_id = "U0" + call.stream("slack", "user", account.person).hex(9).upper()
    return call.rows.insert(
        _user,
        slack_id=slack_id,
        person=account.person,
        handle=account.person,
        real_name=account.name,
        email=account.email,
        title=account.role,
        tz=account.zone,
        is_bot=int(account.kind == "system"),
    )


def user_of(call: Call, person: str) -> Row | None:
    """The account of somebody in the world, None for those who have none."""
    return call.rows.one(_USER_OF, person=person)


def user_by_id(call: Call, slack_id: str) -> Row | None:
    return call.rows.one(_USER_BY_ID, slack_id=slack_id)


def user_by_handle(call: Call, handle: str) -> Row | None:
    return call.rows.one(_USER_BY_HANDLE, handle=handle)


def channel_by_id(call: Call, slack_id: str) -> Row | None:
    return call.rows.one(_CHANNEL_BY_ID, slack_id=slack_id)


def channel_by_name(call: Call, name: str) -> Row | None:
    return call.rows.one(_CHANNEL_BY_NAME, name=name.removeprefix("#"))


def everyone(call: Call) -> list[Row]:
    """Every account, in the order they were made."""
    return call.rows.all(_EVERYONE)


def channels(call: Call) -> list[Row]:
    """Every channel, in the order they were made; direct conversations are none."""
    return call.rows.all(_CHANNELS)


def thread_root(call: Call, channel: Row, at: Instant) -> Instant:
    """The first message of the thread that the message at `at` is in; itself where it is in none."""
    root = call.rows.scalar(_ROOT, channel=channel.number("id"), at_us=at)
    return root if isinstance(root, int) else at


def linked(call: Call, text: str) -> str:
    """The text with each @handle as that user's id, as Slack's clients send it."""

    def link(found: re.Match[str]) -> str:
        user = user_by_handle(call, found[1])
        return f"<@{user.text('slack_id')}>" if user else found[0]

    return HANDLE.sub(link, text)


def create_channel(
    call: Call, name: str, *, kind: str, creator: int, purpose: str = "", at: Instant | None = None
) -> int:
    """Make a channel, then or now; its creator joins."""
    prefix = "D0" if kind == "im" else "C0"
    slack_id = prefix + call.stream("slack", "channel", name).hex(9).upper()
    key = call.rows.insert(
        _channel,
        slack_id=slack_id,
        name=name,
        kind=kind,
        purpose=purpose,
        creator=creator,
        created_us=call.now if at is None else at,
    )
    join(call, key, creator)
    return key


def is_member(call: Call, channel: int, user: int) -> bool:
    return call.rows.scalar(_MEMBER, channel=channel, user=user) is not None


def members_of(call: Call, channel: int) -> list[Row]:
    """The users in a channel, in the order of their keys."""
    return call.rows.all(_MEMBERS, channel=channel)


def join(call: Call, channel: int, user: int) -> bool:
    """Put a user into a channel; False where they were in it already."""
    if is_member(call, channel, user):
        return False
    call.rows.insert(_member, channel=channel, user=user, read_us=call.now)
    return True


def open_direct(call: Call, one: int, other: int) -> Row:
    """The conversation between two users, made if there was none; nobody sees it before something is said in it."""
    name = _direct_name(one, other)
    if found := channel_by_name(call, name):
        return found
    with call.rows.harmlessly():
        key = create_channel(call, name, kind="im", creator=one)
        join(call, key, other)
    return _made(call, key)


def conversation_name(users: Sequence[Row]) -> str:
    """What the conversation of two users, or of a group, is called."""
    if len(users) == 2:
        return _direct_name(*(user.number("id") for user in users))
    return f"mpdm-{'--'.join(sorted(user.text('handle') for user in users))}-1"


def _direct_name(one: int, other: int) -> str:
    return "-".join(str(key) for key in sorted((one, other)))


def open_group(call: Call, users: Sequence[Row]) -> Row:
    """The conversation among three and more, made if there was none; the first of them opened it."""
    name = conversation_name(users)
    if found := channel_by_name(call, name):
        return found
    with call.rows.harmlessly():
        key = create_channel(call, name, kind="mpim", creator=users[0].number("id"))
        for user in users[1:]:
            join(call, key, user.number("id"))
    return _made(call, key)


def _made(call: Call, channel: int) -> Row:
    found = call.rows.get(_channel, channel)
    assert found is not None
    return found


def post(call: Call, channel: Row, user: Row, text: str, *, thread_us: Instant | None = None) -> Row:
    """Write a message and tell those it is meant for; its `ts` is made unique in the channel."""
    key = channel.number("id")
    at = free_moment(call, key, call.now)
    made = call.rows.insert(_message, channel=key, user=user.number("id"), at_us=at, thread_us=thread_us, text=text)
    found = Row(
        id=made,
        channel=key,
        user=user.number("id"),
        at_us=at,
        thread_us=thread_us,
        text=text,
        edited_us=None,
        is_deleted=0,
    )
    _tell(call, channel, user, found)
    return found


def free_moment(call: Call, channel: int, at: Instant) -> Instant:
    """The first moment from then on at which a channel has no message yet, for a message's moment is its id."""
    while call.rows.scalar(_TAKEN, channel=channel, at_us=at):
        at += 1
    return at


def message_at(call: Call, channel: Row, at: Instant) -> Row | None:
    """The message of a channel with that timestamp."""
    return call.rows.one(_AT, channel=channel.number("id"), at_us=at)


def react(call: Call, message: Row, user: Row, name: str) -> bool:
    """React to a message with an emoji; False where they have already."""
    key, me = message.number("id"), user.number("id")
    if call.rows.scalar(_REACTED, message=key, user=me, name=name) is not None:
        return False
    call.rows.insert(_reaction, message=key, user=me, name=name)
    return True


def edit(call: Call, message: Row, text: str) -> Row:
    """Change what a message says."""
    call.rows.update(_message, message.number("id"), text=text, edited_us=call.now)
    return Row(message | {"text": text, "edited_us": call.now})


def delete(call: Call, message: Row) -> None:
    """Take a message away with the reactions to it; of one that was answered, the place that its thread hangs on stays."""
    key = message.number("id")
    with call.rows.harmlessly():
        for row in call.rows.all(_REACTIONS, message=key):
            call.rows.delete(_reaction, row.number("id"))
    if call.rows.scalar(_ANSWERED, channel=message.number("channel"), at_us=message.number("at_us")) is None:
        call.rows.delete(_message, key)
    else:
        call.rows.update(_message, key, text=_TOMBSTONE, edited_us=None, is_deleted=1)


def _tell(call: Call, channel: Row, author: Row, message: Row) -> None:
    text = message.text("text")
    is_to_all = channel["kind"] != "im" and message["thread_us"] is None
    if is_to_all and "@" not in text and "<!" not in text:
        return  # nobody is named, so nobody need be looked up
    label, name = channel_label(channel), author.text("real_name")
    path, line = message_path(label, message.number("at_us")), f"{name} in {label}: {text}"
    everyone = any(word in text for word in ("<!here>", "<!channel>", "@here", "@channel"))
    in_thread, named = set[str](), called(text)
    if message["thread_us"] is not None:
        found = call.rows.all(_THREAD, channel=channel.number("id"), thread_us=message.number("thread_us"))
        in_thread = {row.text("person") for row in found}
    for member in members_of(call, channel.number("id")):
        if member["id"] == author["id"]:
            continue
        person = member.text("person")
        if channel["kind"] == "im":
            call.reach(person, "direct", path, f"{name}: {text}")
        elif everyone or f"<@{member.text('slack_id')}>" in text or member.text("handle") in named:
            call.reach(person, "mention", path, line)
        elif person in in_thread:
            call.reach(person, "reply", path, line)


def channel_label(channel: Row) -> str:
    """`#ops`, or `@3-8` for a direct conversation."""
    return ("@" if channel["kind"] == "im" else "#") + channel.text("name")


def message_path(room: str, at: Instant) -> str:
    """`slack:#ops.message/1771234567.000100`, of the room's label and the moment that Slack knows the message by."""
    return f"slack:{room}.message/{ts_of(at)}"
