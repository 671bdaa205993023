"""How people's intents become Slack messages."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.apps import Call, Intent, IntentHandler, IntentKind
from brownout.core.calls import Account
from brownout.core.instants import DAY, HOUR, Instant, local
from brownout.core.rows import Row
from brownout.core.values import JsonObject
from tools.slack import records

__all__ = [
    "SlackSettings",
    "handlers",
    "make_room",
    "message_of",
    "message_path",
    "open_account",
    "place_of",
    "prepare",
    "thread_of",
    "user_named",
]


class ChannelSettings(BaseModel):
    """A channel as the author declares it."""

    model_config = ConfigDict(extra="forbid")
    members: list[str] | Literal["everyone"] = Field(
        default="everyone", description="Who reads it, whoever made it first; agents too."
    )
    purpose: str = Field(default="", description="What it is for.")
    private: bool = Field(default=False, description="Only its members see it.")


class SlackSettings(BaseModel):
    """The world's `apps: slack:` section."""

    model_config = ConfigDict(extra="forbid")
    channels: dict[str, ChannelSettings] = Field(default={}, description="Channels by name, `#ops`.")


def prepare(call: Call, settings: JsonObject) -> None:
    """Make the workspace's channels. The first member listed is the one who made the channel."""
    wanted = SlackSettings.model_validate(settings)
    everyone = [row for row in records.everyone(call) if not row["is_bot"]]
    for name, channel in wanted.channels.items():
        people = everyone
        if isinstance(channel.members, list):
            people = [row for row in everyone if row["person"] in channel.members]
        if not people:
            continue
        key = records.create_channel(
            call,
            name.removeprefix("#"),
            kind="private" if channel.private else "public",
            creator=people[0].number("id"),
            purpose=channel.purpose,
            at=_born(call, name),
        )
        for row in people:
            records.join(call, key, row.number("id"))


def make_room(call: Call, name: str, purpose: str) -> None:
    """Make one more channel, which everybody of the company reads."""
    people = [row for row in records.everyone(call) if not row["is_bot"]]
    creator, handle = people[0].number("id"), name.removeprefix("#")
    key = records.create_channel(call, handle, kind="public", creator=creator, purpose=purpose, at=_born(call, name))
    for row in people:
        records.join(call, key, row.number("id"))


def _born(call: Call, name: str) -> Instant:
    """When a channel was made: within weeks after the workspace was set up, on a working day."""
    stream = call.stream("slack", "channel", name, "born")
    at = call.now + stream.below(45) * DAY + stream.below(HOUR)
    return at - max(local(at, call.actor.zone).weekday() - 4, 0) * DAY if at > call.now + 2 * DAY else at


def open_account(call: Call, account: Account) -> None:
    """An account for everybody but outsiders."""
    if account.kind != "outsider":
        records.add_user(call, account)


def _say(call: Call, intent: Intent) -> str:
    """Post what is said where it is addressed; a thread goes on where its cause was posted."""
    me = user_named(call, intent.who)
    text = records.linked(call, intent.text)
    channel = place_of(call, me, intent)
    thread = thread_of(call, intent)
    return message_path(channel, records.post(call, channel, me, text, thread_us=thread))


def _react(call: Call, intent: Intent) -> str:
    """React to the message that the intent's thing stands for."""
    channel, message = message_of(call, intent)
    name = str(intent.details.get("name", ""))
    records.react(call, message, user_named(call, intent.who), name)
    return f"{message_path(channel, message)}.reaction/{name}"


def _edit(call: Call, intent: Intent) -> str:
    """Change what the message says that the intent's thing stands for."""
    channel, message = message_of(call, intent)
    return message_path(channel, records.edit(call, message, records.linked(call, intent.text)))


def message_of(call: Call, intent: Intent) -> tuple[Row, Row]:
    """The channel and the message that an intent is about."""
    path = intent.thing if intent.thing.startswith("slack:") else call.bound(intent.thing) or ""
    place, _, ts = path.removeprefix("slack:").partition(".message/")
    channel, at = records.channel_by_name(call, place.lstrip("#@")), records.text_of_ts(ts)
    found = records.message_at(call, channel, at) if channel is not None and at is not None else None
    if channel is None or found is None:
        raise LookupError(f"{intent.key}: no message stands for {intent.thing!r}")
    return channel, found


def message_path(channel: Row, message: Row) -> str:
    """`slack:#ops.message/1771234567.000100`."""
    return records.message_path(records.channel_label(channel), message.number("at_us"))


def place_of(call: Call, me: Row, intent: Intent, *, named: Callable[[str], Row] | None = None) -> Row:
    """The channel, or the conversation with the one or those that it is addressed to.

    Args:
        named: somebody's account; asks the tables where none is given.
    """
    named = named or partial(user_named, call)
    target = intent.to[0] if intent.to else ""
    if target.startswith("#"):
        found = records.channel_by_name(call, target)
        if found is None:
            raise LookupError(f"{intent.key}: the workspace has no channel {target}")
        return found
    if len(intent.to) > 1:
        return records.open_group(call, [me, *map(named, intent.to)])
    return records.open_direct(call, me.number("id"), named(target).number("id"))


def thread_of(call: Call, intent: Intent) -> int | None:
    """The first message of the thread that an intent goes on, None where it goes on none."""
    named = intent.details.get("thread")
    if not isinstance(named, str):
        return None
    path = named if named.startswith("slack:") else call.bound(named)
    place, _, ts = (path or "").removeprefix("slack:").partition(".message/")
    channel, at = records.channel_by_name(call, place.lstrip("#@")), records.text_of_ts(ts)
    return records.thread_root(call, channel, at) if channel is not None and at is not None else None


def user_named(call: Call, person: str) -> Row:
    """Somebody's account; LookupError where they have none."""
    found = records.user_of(call, person)
    if found is None:
        raise LookupError(f"{person} has no Slack account")
    return found


handlers: dict[IntentKind, IntentHandler] = {
    "tell": _say,
    "ask": _say,
    "answer": _say,
    "acknowledge": _say,
    "page": _say,
    "react": _react,
    "edit": _edit,
}
