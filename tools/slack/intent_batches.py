"""Many messages, edits and reactions at once, with the rows that the intent handlers would have written one by one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from brownout.core.apps import Call, Intent
from brownout.core.instants import Instant
from brownout.core.mentions import called
from brownout.core.rows import Row, Rows, Value
from brownout.store import compile_query
from tools.slack import intent_handlers, records, tables

__all__ = ["concerns", "rooms", "write_apart", "write_many"]

_ROOMS = compile_query(
    select(tables.channel.c.name, tables.channel.c.purpose, tables.user.c.person)
    .join(tables.member, tables.member.c.channel == tables.channel.c.id)
    .join(tables.user, tables.user.c.id == tables.member.c.user)
    .where(
        (tables.channel.c.kind == "public") | (tables.channel.c.kind == "private"), tables.channel.c.is_archived == 0
    )
    .order_by(tables.channel.c.id, tables.user.c.id)
)


_WROTE = (
    select(tables.message.c.id)
    .where(
        tables.message.c.channel == bindparam("channel"),
        tables.message.c.user == bindparam("user"),
        (tables.message.c.thread_us == bindparam("at")) | (tables.message.c.at_us == bindparam("at")),
    )
    .limit(1)
)
"""Something that somebody wrote in a thread, by its channel and first moment."""
_HAD_WRITTEN = compile_query(_WROTE.where(tables.message.c.id <= bindparam("until")), lasting=tables.message)
_HAS_WRITTEN = compile_query(_WROTE.where(tables.message.c.id > bindparam("until")))
"""The same, asked of the start once and of what came since: a thread may be long, and its messages lie far apart."""


def rooms(rows: Rows) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Purpose and readers of every channel that is in use, by its name with the #."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for row in rows.all(_ROOMS):
        name = f"#{row.text('name')}"
        _, readers = found.get(name, ("", ()))
        found[name] = row.text("purpose"), (*readers, row.text("person"))
    return found


def concerns(call: Call, intent: Intent, people: frozenset[str]) -> bool:
    """Whether one of these people would be told: by a direct message, a mention, or in a thread that they wrote in."""
    if intent.kind in ("react", "edit"):
        return False
    if not intent.to or (not intent.to[0].startswith("#") and not people.isdisjoint(intent.to)):
        return True
    if "@" in intent.text and not {*people, "here", "channel"}.isdisjoint(called(intent.text)):
        return True
    if "<!" in intent.text or "<@" in intent.text:
        return True
    return "thread" in intent.details and _wrote_in_thread(call, intent, people)


def _wrote_in_thread(call: Call, intent: Intent, people: frozenset[str]) -> bool:
    name, names = str(intent.details["thread"]), sorted(people)
    found = call.rows.remembered(("slack", "thread", name, *names), lambda: _thread_with(call, name, names))
    if found is None or found.had_written:
        return found is not None
    until = call.rows.largest_at_start(tables.message)
    given = {"channel": found.channel, "at": found.at, "until": until}
    return any(call.rows.scalar(_HAS_WRITTEN, user=user, **given) is not None for user in found.users)


@dataclass(frozen=True, slots=True)
class _Thread:
    """A thread as it was at the start: its channel and first moment, some accounts, and whether one of these had written in it."""

    channel: int
    at: Instant
    users: tuple[int, ...]
    had_written: bool


def _thread_with(call: Call, name: str, people: Sequence[str]) -> _Thread | None:
    path = call.bound(name)
    place, _, ts = (path or "").removeprefix("slack:").partition(".message/")
    at, channel = records.text_of_ts(ts), records.channel_by_name(call, place.lstrip("#@"))
    if at is None or channel is None:
        return None
    accounts = [records.user_of(call, person) for person in people]
    users = tuple(user.number("id") for user in accounts if user is not None)
    given = {"channel": channel.number("id"), "at": at, "until": call.rows.largest_at_start(tables.message)}
    had_written = any(call.rows.scalar(_HAD_WRITTEN, user=user, **given) is not None for user in users)
    return _Thread(channel.number("id"), at, users, had_written)


def write_many(call_at: Callable[[Instant], Call], deeds: Sequence[tuple[Instant, Intent]]) -> list[str]:
    """Write messages, edits and reactions, and return their paths."""
    return _ChatBatch(call_at, deeds[0][0], {}).written(deeds)


def write_apart(
    call_at: Callable[[Instant], Call], deeds: Sequence[tuple[Instant, Intent]], keys: Mapping[str, int]
) -> list[str]:
    """Write messages, edits and reactions, the messages under keys that were taken for them by their intents' keys."""
    return _ChatBatch(call_at, deeds[0][0], keys).written(deeds)


class _ChatBatch:
    """What is being written together: keys are known before the rows are there."""

    def __init__(self, call_at: Callable[[Instant], Call], at: Instant, keys: Mapping[str, int]) -> None:
        self._call_at = call_at
        self._call = call_at(at)
        self._places: dict[tuple[str, ...], Row] = {}
        self._users: dict[str, Row] = {}
        self._keys = keys
        self._messages: dict[int, tuple[Value, ...]] = {}
        self._reactions: list[tuple[Value, ...]] = []
        self._taken: dict[tuple[int, Instant], int] = {}
        self._paths: dict[str, str] = {}
        self._next = 0

    def written(self, deeds: Sequence[tuple[Instant, Intent]]) -> list[str]:
        self._next = self._call.rows.insert_many(tables.message, ("channel",), ())
        for at, intent in deeds:
            match intent.kind:
                case "react":
                    self._paths[intent.key] = self._reacts(intent)
                case "edit":
                    self._paths[intent.key] = self._changes(at, intent)
                case _:
                    self._paths[intent.key] = self._says(at, intent)
        rows = self._call.rows
        rows.insert_many(
            tables.message,
            ("channel", "user", "at_us", "thread_us", "text", "edited_us"),
            [*self._messages.values()],
            keys=[*self._messages] if self._keys else (),
        )
        rows.insert_many(tables.reaction, ("message", "user", "name"), self._reactions)
        return [self._paths[intent.key] for _, intent in deeds]

    def _says(self, at: Instant, intent: Intent) -> str:
        me, place = self._user(intent.who), self._place(at, intent)
        channel = place.number("id")
        at = self._free(channel, at)
        key = self._taken[channel, at] = self._keys.get(intent.key) or self._next + len(self._messages)
        self._messages[key] = (channel, me.number("id"), at, self._thread(intent), self._linked(intent), None)
        return records.message_path(records.channel_label(place), at)

    def _free(self, channel: int, at: Instant) -> Instant:
        free = records.free_moment(self._call, channel, at)
        while (channel, free) in self._taken:
            free = records.free_moment(self._call, channel, free + 1)
        return free

    def _thread(self, intent: Intent) -> int | None:
        path = self._paths.get(str(intent.details.get("thread", "")))
        if path is None:
            return intent_handlers.thread_of(self._call, intent)
        return records.text_of_ts(path.rpartition("/")[2])

    def _linked(self, intent: Intent) -> str:
        return records.linked(self._call, intent.text) if "@" in intent.text else intent.text

    def _changes(self, at: Instant, intent: Intent) -> str:
        path = self._paths.get(intent.thing)
        if path is None:
            channel, message = intent_handlers.message_of(self._call, intent)
            records.edit(self._call_at(at), message, self._linked(intent))
            return intent_handlers.message_path(channel, message)
        key = self._written(path)
        self._messages[key] = (*self._messages[key][:-2], self._linked(intent), at)
        return path

    def _written(self, path: str) -> int:
        """The key of a message of this batch."""
        place, _, ts = path.removeprefix("slack:").rpartition(".message/")
        at, channel = records.text_of_ts(ts), records.channel_by_name(self._call, place.lstrip("#@"))
        assert at is not None
        assert channel is not None
        return self._taken[channel.number("id"), at]

    def _reacts(self, intent: Intent) -> str:
        name, me = str(intent.details["name"]), self._user(intent.who)
        path = self._paths.get(intent.thing)
        if path is None:
            channel, message = intent_handlers.message_of(self._call, intent)
            key, path = message.number("id"), intent_handlers.message_path(channel, message)
        else:
            key = self._written(path)
        self._reactions.append((key, me.number("id"), name))
        return f"{path}.reaction/{name}"

    def _user(self, person: str) -> Row:
        if person not in self._users:
            self._users[person] = intent_handlers.user_named(self._call, person)
        return self._users[person]

    def _place(self, at: Instant, intent: Intent) -> Row:
        named = intent.to if intent.to[0].startswith("#") else (intent.who, *intent.to)
        if named not in self._places:
            me, call = self._user(intent.who), self._call_at(at)
            self._places[named] = intent_handlers.place_of(call, me, intent, named=self._user)
        return self._places[named]
