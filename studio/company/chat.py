"""Chat: channels, direct messages and threads, read through Slack's own operations."""

import re
from collections.abc import Iterator

from brownout.core.instants import Instant
from brownout.core.values import JsonObject
from studio.company.emoji import with_emoji
from studio.company.reading import flag, items, number, part, text
from studio.company.showing import (
    Block,
    PreviewQuestion,
    PreviewReading,
    ShownField,
    ShownLine,
    ShownLines,
    ShownName,
    ShownPlace,
    ShownTag,
    SurfaceName,
    TimelineEntry,
)
from studio.company.viewing import PersonView, ViewRefused

__all__ = ["Chat"]

_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^>]*)?>")
_PAGE = 200
_SEARCHED = 4_000
"""How many messages of a channel a search looks at, newest first, where Slack has no search of its own."""
_DIRECT_MOST = 60
"""Direct conversations are looked for with so many people."""


class Chat:
    """The Slack workspace."""

    name: SurfaceName = "chat"
    app = "slack"

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """Public channels and those the person is in, then direct conversations."""
        channels = [
            ShownPlace(
                id=f"#{text(channel, 'name')}",
                label=f"#{text(channel, 'name')}",
                group="Private channels" if flag(channel, "is_private") else "Channels",
                about=text(channel, "purpose", "value") or text(channel, "topic", "value"),
            )
            for channel in _paged(eyes, "slack_list_channels", "channels")
        ]
        return [*sorted(channels, key=lambda place: (place.group, place.label)), *_direct(eyes)]

    def lines(self, eyes: PersonView, asked: PreviewQuestion) -> ShownLines:
        """Messages, newest first; a search looks through the channel."""
        if not asked.place:
            return ShownLines((), note="Choose a channel")
        names = _names(eyes)
        if asked.q:
            return _searched(eyes, asked, names)
        latest = _ts(_at(asked.until.rpartition("/")[2]) + 1) if asked.until and not asked.cursor else ""
        page = eyes.ask("slack_read_channel", channel=asked.place, limit=asked.most, cursor=asked.cursor, latest=latest)
        found = tuple(_line(asked.place, message, names) for message in items(page, "messages"))
        return ShownLines(found, text(page, "response_metadata", "next_cursor"))

    def names(self, eyes: PersonView) -> list[ShownName]:
        """Its channels."""
        channels = (f"#{text(channel, 'name')}" for channel in _paged(eyes, "slack_list_channels", "channels"))
        return [ShownName("channel", channel, "chat", place=channel) for channel in channels]

    def reading(self, eyes: PersonView, item: str) -> PreviewReading:
        """A message with its thread; `item` is `#channel/ts`."""
        place, _, ts = item.rpartition("/")
        if not place:
            raise ViewRefused(f"Message {item} not found")
        names = _names(eyes)
        try:
            page = eyes.ask("slack_read_thread", channel=place, ts=ts, limit=_PAGE)
        except ViewRefused as error:
            raise ViewRefused(f"Message {item} not found: {error}") from error
        entries = tuple(_entry(place, message, names) for message in items(page, "messages"))
        first = entries[0]
        return PreviewReading(
            id=item,
            kicker=place,
            title=f"Thread by {first.who}" if len(entries) > 1 else f"Message by {first.who}",
            path=first.path,
            fields=(ShownField("Channel", place), ShownField("Replies", str(len(entries) - 1))),
            blocks=(Block(entries=entries),),
        )


def _paged(eyes: PersonView, operation: str, name: str) -> Iterator[JsonObject]:
    cursor = ""
    while True:
        page = eyes.ask(operation, limit=_PAGE, cursor=cursor)
        yield from items(page, name)
        cursor = text(page, "response_metadata", "next_cursor")
        if not cursor:
            return


def _names(eyes: PersonView) -> dict[str, str]:
    """Display names by user id and by handle."""
    members = [*_paged(eyes, "slack_list_users", "members")]
    by_id = {text(member, "id"): text(member, "real_name") or text(member, "name") for member in members}
    return {**{text(member, "name"): text(member, "real_name") for member in members}, **by_id}


def _direct(eyes: PersonView) -> Iterator[ShownPlace]:
    """The people whom this one has exchanged direct messages with."""
    members = [*_paged(eyes, "slack_list_users", "members")]
    if len(members) > _DIRECT_MOST:
        return
    for member in members:
        handle = text(member, "name")
        if handle == eyes.person:
            continue
        try:
            page = eyes.ask("slack_read_channel", channel=f"@{handle}", limit=1)
        except ViewRefused:
            continue
        if items(page, "messages"):
            yield ShownPlace(
                f"@{handle}", text(member, "real_name") or handle, "Direct messages", text(member, "profile", "title")
            )


def _searched(eyes: PersonView, asked: PreviewQuestion, names: dict[str, str]) -> ShownLines:
    wanted = asked.q.casefold()
    found: list[ShownLine] = []
    cursor, seen = "", 0
    while seen < _SEARCHED:
        page = eyes.ask("slack_read_channel", channel=asked.place, limit=_PAGE, cursor=cursor)
        messages = items(page, "messages")
        lines = [_line(asked.place, message, names) for message in messages]
        found += [line for line in lines if wanted in f"{line.who}\n{line.text}".casefold()]
        seen += len(messages)
        cursor = text(page, "response_metadata", "next_cursor")
        if not cursor:
            return ShownLines(tuple(found), total=len(found))
    return ShownLines(tuple(found), note=f"Searched the newest {_SEARCHED:,} messages of {asked.place}")


def _line(place: str, message: JsonObject, names: dict[str, str]) -> ShownLine:
    ts = text(message, "ts")
    return ShownLine(
        id=f"{place}/{ts}",
        at=_at(ts),
        who=_who(message, names),
        text=_spelled(text(message, "text"), names),
        path=_path(place, ts),
        tags=_tags(message),
        replies=number(message, "reply_count"),
    )


def _entry(place: str, message: JsonObject, names: dict[str, str]) -> TimelineEntry:
    ts = text(message, "ts")
    return TimelineEntry(
        _who(message, names),
        _at(ts),
        _spelled(text(message, "text"), names),
        _path(place, ts),
        _tags(message),
    )


def _tags(message: JsonObject) -> tuple[ShownTag, ...]:
    edited = (ShownTag("edited"),) if part(message, "edited") else ()
    reactions = tuple(
        ShownTag(with_emoji(f":{text(reaction, 'name')}: {number(reaction, 'count')}"), "blue")
        for reaction in items(message, "reactions")
    )
    return (*edited, *reactions)


def _who(message: JsonObject, names: dict[str, str]) -> str:
    known = names.get(text(message, "user")) or names.get(text(message, "username"))
    return known or text(message, "username") or text(message, "user")


def _spelled(said: str, names: dict[str, str]) -> str:
    """The text with each user's id as a name and with its emoji, as Slack's clients show it."""
    return with_emoji(_MENTION.sub(lambda found: f"@{names.get(found.group(1), found.group(1))}", said))


def _at(ts: str) -> Instant:
    seconds, _, micros = ts.partition(".")
    return int(seconds) * 1_000_000 + int((micros or "0")[:6].ljust(6, "0")) if seconds.isdigit() else 0


def _ts(at: Instant) -> str:
    return f"{at // 1_000_000}.{at % 1_000_000:06d}"


def _path(place: str, ts: str) -> str:
    return f"slack:{place}.message/{ts}"
