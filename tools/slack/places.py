"""Where in Slack what people write is seen: so what waits to be written elsewhere need not be for who looks here."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import bindparam, select

from brownout.core.app_roles import Asked, Foreseen, Place, Sight
from brownout.core.apps import Call, Intent
from brownout.core.instants import Instant
from brownout.core.rows import Value
from brownout.store import compile_query
from tools.slack import operations, records, tables

__all__ = ["foresee", "sight"]

_NOWHERE: Final = frozenset[Place]()
_REACTIONS: Final = frozenset[Place](("reactions",))
_NEW: Final = frozenset[Place](("new conversations",))
_REACTION: Final = Foreseen(_REACTIONS)
_EDIT: Final = Foreseen(None)
_SECOND: Final = 1_000_000

_ID: Final = compile_query(
    select(tables.channel.c.id).where(tables.channel.c.name == bindparam("name")), lasting=tables.channel
)
_OF_ONE_CHANNEL: Final = records.OF_ONE_CHANNEL | operations.OF_ONE_CHANNEL
_OF_ONE_MOMENT: Final = records.OF_ONE_MOMENT | operations.OF_ONE_MOMENT


def foresee(call: Call, intent: Intent) -> Foreseen | None:
    """The channel or conversation that a message will be in, and the second at which.

    None of somebody without an account, or to a channel that there is not.
    """
    if intent.kind == "react":
        return _REACTION
    if intent.kind == "edit":
        return _EDIT
    if intent.to and intent.to[0].startswith("#"):
        found = call.rows.remembered(
            ("slack", "channel", intent.who, *intent.to), lambda: _key_of(call, _room(call, intent))
        )
        return _said_in(found, call.now) if isinstance(found, int) else None
    room = call.rows.remembered(("slack", "room", intent.who, *intent.to), lambda: _room(call, intent))
    if room is None:
        return None
    found = call.rows.remembered(("slack", "place", room), lambda: _key_of(call, room))
    return _said_in(found, call.now) if isinstance(found, int) else Foreseen(_NEW | {("called", room)}, takes_key=True)


def _said_in(channel: int, at: Instant) -> Foreseen:
    return Foreseen(frozenset((channel, (channel, at // _SECOND))), takes_key=True)


def _key_of(call: Call, room: str | None) -> Value:
    """The key of the channel or conversation that is called so; None where there is none."""
    return None if room is None else call.rows.scalar(_ID, name=room)


def _room(call: Call, intent: Intent) -> str | None:
    """What the channel or conversation is called that an intent is addressed to; None of somebody without an account, or to nowhere."""
    people = [records.user_of(call, name) for name in (intent.who, *intent.to) if not name.startswith("#")]
    users = [user for user in people if user is not None]
    if len(users) != len(people) or not intent.to:
        return None
    return intent.to[0].removeprefix("#") if intent.to[0].startswith("#") else records.conversation_name(users)


def sight(what: str) -> Sight | None:
    """What is seen of Slack by a statement, or of one of its tables; None where it may be all, or something is changed."""
    if what in _OF_TABLES:
        return _OF_TABLES[what]
    if not what.startswith("SELECT"):
        return None
    always = _REACTIONS if tables.reaction.name in what else _NOWHERE
    if tables.message.name in what:
        besides = _in_channel if what in _OF_ONE_CHANNEL else _at_moment if what in _OF_ONE_MOMENT else None
        return Sight(always, besides) if besides is not None else None
    if what == records.BY_NAME:
        return Sight(always, _called)
    names_rooms = tables.channel.name in what or tables.member.name in what
    return Sight(always | _NEW if names_rooms and what not in records.OF_ONE_ROOM else always)


def _in_channel(asked: Asked) -> frozenset[Place] | None:
    channel = asked.get("channel") if isinstance(asked, Mapping) else None
    return frozenset((channel,)) if isinstance(channel, int) else None


def _at_moment(asked: Asked) -> frozenset[Place] | None:
    """A message that waits has its moment, or where that is taken one of the next, so not after the second that follows."""
    channel, at = (asked.get("channel"), asked.get("at_us")) if isinstance(asked, Mapping) else (None, None)
    if not isinstance(channel, int) or not isinstance(at, int):
        return None
    second = at // _SECOND
    return frozenset(((channel, second), (channel, second - 1)))


def _called(asked: Asked) -> frozenset[Place] | None:
    name = asked.get("name") if isinstance(asked, Mapping) else None
    return frozenset((("called", name),)) if isinstance(name, str) else None


_OF_TABLES: Final = {
    tables.message.name: Sight(besides=lambda asked: _NOWHERE if isinstance(asked, int) else _at_moment(asked)),
    tables.reaction.name: Sight(besides=lambda asked: _REACTIONS if isinstance(asked, int | Mapping) else None),
    tables.channel.name: Sight(besides=lambda asked: _NEW if isinstance(asked, int) else None),
    tables.member.name: Sight(besides=lambda asked: _NEW if isinstance(asked, int) else None),
    tables.user.name: Sight(besides=lambda asked: _NOWHERE if isinstance(asked, int) else None),
}
"""By its key a message is seen whose key was not taken beforehand; a message is added at its moment, a reaction behind all others."""
