"""Chat: channels, direct messages and threads, read through Slack's own operations."""

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Final

from sqlalchemy import bindparam, select

from brownout.core.instants import Instant, from_datetime, local
from brownout.core.values import JsonObject
from brownout.store import compile_query
from studio.company.company_view import PersonView, ViewRefused
from studio.company.pane_content import (
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
from studio.company.vendor_json import flag, items, number, part, text
from tools.slack import tables

__all__ = ["Chat", "with_emoji"]

_SHORTCODE = re.compile(r":([a-z0-9_+-]+):")
_EMOJI: Final[Mapping[str, str]] = {
    "+1": "👍", "-1": "👎", "100": "💯", "birthday": "🎂", "bug": "🐛", "clap": "👏", "coffee": "☕", "cry": "😢", "dog": "🐶",
    "exploding_head": "🤯", "eyes": "👀", "fire": "🔥", "grimacing": "😬", "heart": "❤️", "information_source": "ℹ️", "joy": "😂",
    "large_green_circle": "🟢", "package": "📦", "pizza": "🍕", "pray": "🙏", "pushpin": "📌", "raised_hands": "🙌", "recycle": "♻️",
    "red_circle": "🔴", "rocket": "🚀", "rotating_light": "🚨",
    "see_no_evil": "🙈", "sheep": "🐑", "slightly_smiling_face": "🙂", "smile": "😄", "soccer": "⚽", "sunny": "☀️",
    "sob": "😭", "sweat_smile": "😅", "tada": "🎉", "thinking_face": "🤔", "thumbsup": "👍", "turtle": "🐢", "upside_down_face": "🙃",
    "warning": "⚠️", "wave": "👋", "white_check_mark": "✅", "x": "❌", "zipper_mouth_face": "🤐",
}  # fmt: skip
"""Emoji as Slack's clients show them: what the engine and the shipped worlds use, and what is most common; any other keeps its
name, as in Slack."""
_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^>]*)?>")
_PAGE = 200
_SEARCHED = 4_000
"""How many messages of a channel a search looks at, newest first, where Slack has no search of its own."""
_ME = compile_query(select(tables.user.c.slack_id).where(tables.user.c.person == bindparam("person")))
_JOINED = compile_query(
    select(tables.channel.c.name)
    .join(tables.member, tables.member.c.channel == tables.channel.c.id)
    .join(tables.user, tables.user.c.id == tables.member.c.user)
    .where(tables.user.c.person == bindparam("person"), tables.channel.c.kind != "im")
)
_FRESH = 30
_FRESH_DIRECT = 8
"""How many messages of a channel, and of a conversation, are looked at for what is new."""
_WHY_FRESH = "new today since the last one of theirs"
"""Slack keeps no read marks here: who wrote in a channel has read it up to there."""
_DIRECT_MOST = 60
"""Direct conversations are looked for with so many people."""


class Chat:
    """The Slack workspace."""

    name: SurfaceName = "chat"
    app = "slack"

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """Public channels and those the person is in, then direct conversations."""
        morning = _morning(eyes)
        joined = {row.text("name") for row in eyes.viewing.rows.all(_JOINED, person=eyes.person)}
        me = next((row.text("slack_id") for row in eyes.viewing.rows.all(_ME, person=eyes.person)), "")
        channels = []
        for channel in _paged(eyes, "slack_list_channels", "channels"):
            name = f"#{text(channel, 'name')}"
            latest: list[JsonObject] = []
            if text(channel, "name") in joined:
                latest = items(
                    eyes.ask("slack_read_channel", channel=name, limit=_FRESH, oldest=_ts(morning)), "messages"
                )
            channels.append(
                ShownPlace(
                    id=name,
                    label=name,
                    group="Private channels" if flag(channel, "is_private") else "Channels",
                    about=text(channel, "purpose", "value") or text(channel, "topic", "value"),
                    fresh=_fresh(latest, me, morning),
                    why_fresh=_WHY_FRESH,
                )
            )
        return [*sorted(channels, key=lambda place: (place.group, place.label)), *_direct(eyes, me, morning)]

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
            places=(place,),
            written=_at(ts),
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


def _morning(eyes: PersonView) -> Instant:
    """When the day of the moment that is shown began."""
    now = local(eyes.viewing.now, eyes.viewing.setting.zone)
    return from_datetime(now.replace(hour=0, minute=0, second=0, microsecond=0))


def _fresh(latest: list[JsonObject], me: str, morning: Instant) -> int:
    """How many of a place's latest messages, newest first, came today after the last one of one's own."""
    later = takewhile(lambda one: text(one, "user") != me and _at(text(one, "ts")) >= morning, latest)
    return sum(1 for _ in later)


def _direct(eyes: PersonView, me: str, morning: Instant) -> Iterator[ShownPlace]:
    """The people whom this one has exchanged direct messages with."""
    members = [*_paged(eyes, "slack_list_users", "members")]
    if len(members) > _DIRECT_MOST:
        return
    for member in members:
        handle = text(member, "name")
        if handle == eyes.person:
            continue
        try:
            latest = items(eyes.ask("slack_read_channel", channel=f"@{handle}", limit=_FRESH_DIRECT), "messages")
        except ViewRefused:
            continue
        if latest:
            yield ShownPlace(
                f"@{handle}",
                text(member, "real_name") or handle,
                "Direct messages",
                text(member, "profile", "title"),
                _fresh(latest, me, morning),
                _WHY_FRESH,
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


def with_emoji(said: str) -> str:
    """The text with each known `:name:` as its emoji: `:tada:` is what the API says, 🎉 is what people see."""
    return _SHORTCODE.sub(lambda found: _EMOJI.get(found[1], found[0]), said)
