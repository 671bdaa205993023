"""When what a history tells happens: shares of a span become moments at which its authors are at work."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from brownout.core.seeds import Stream
from generators.codebases.authors import Author, working_from
from generators.codebases.template_files import CommitEntry, TemplateComment, TemplateFixup
from generators.codebases.templates import CodebaseError

__all__ = ["Timing", "timetable"]

_REVIEW_DAYS = 12
"""How long a pull may be open that has to land at a given moment."""
_EARLIER_DAYS = 45
"""How much earlier it may land where it cannot then."""
_SLACK_DAYS = (0, 3, 6, 12, 20, 30, 45)
"""Days before the end at which the last share may lie, where weekends and days off push what is last beyond the end."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When one entry happens.

    Attributes:
        opened: its pull; the same as `landed` where it has none.
        comments, fixups: one moment for each.
        landed: on main.
    """

    opened: datetime
    landed: datetime
    comments: tuple[datetime, ...] = ()
    fixups: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True)
class _Span:
    """From the first moment of a history to its last; `pinned` has to land then, and the rest gives way."""

    first: datetime
    until: datetime
    pinned: str = ""
    share: float = 0.0
    lands: datetime | None = field(default=None)

    def at(self, share: float) -> datetime:
        """The moment at that many percent of the span."""
        if self.lands is None or not 0 < self.share < 100:
            return self.first + (self.until - self.first) * (share / 100)
        if share <= self.share:
            return self.first + (self.lands - self.first) * (share / self.share)
        return self.lands + (self.until - self.lands) * ((share - self.share) / (100 - self.share))


def timetable(
    entries: Sequence[CommitEntry],
    authors: Mapping[str, Author],
    first: datetime,
    until: datetime,
    stream: Stream,
    pinned: tuple[str, datetime] | None = None,
) -> dict[str, Timing]:
    """The moments of every entry by its step; one entry lands before the next is opened.

    Args:
        entries: in the sequence in which they land.
        authors: by role.
        first: the earliest moment.
        until: nothing lands later.
        stream: what the minutes are drawn from, a child for each entry.
        pinned: a step, and the moment at which it lands; on an earlier day where somebody is away then or soon after.

    Raises:
        CodebaseError: the span is too short for what is to happen in it.
    """
    for span in _spans(entries, authors, first, until, pinned):
        found = _spread(entries, authors, span, stream)
        if found and all(timing.landed <= until for timing in found.values()):
            return found
    raise CodebaseError(
        f"{len(entries)} commits do not fit between {first:%Y-%m-%d} and {until:%Y-%m-%d} with everybody's working days"
        f"{f', {pinned[0]} on {pinned[1]:%Y-%m-%d %H:%M}' if pinned else ''}: give it more days"
    )


def _spans(
    entries: Sequence[CommitEntry],
    authors: Mapping[str, Author],
    first: datetime,
    until: datetime,
    pinned: tuple[str, datetime] | None,
) -> Iterator[_Span]:
    """What may be tried, the best first: the pinned moment as it is, then a day earlier and so on; less slack before more."""
    ends = [until - timedelta(days=days) for days in _SLACK_DAYS]
    if pinned is None:
        yield from (_Span(first, end) for end in ends if end > first)
        return
    entry = next(entry for entry in entries if entry.step == pinned[0])
    for days in range(_EARLIER_DAYS):
        lands = pinned[1] - timedelta(days=days)
        if first < lands <= until and authors[entry.who].works_at(lands):
            yield from (_Span(first, max(end, lands), entry.step, entry.at, lands) for end in ends)


def _spread(
    entries: Sequence[CommitEntry], authors: Mapping[str, Author], span: _Span, stream: Stream
) -> dict[str, Timing]:
    """The moments of every entry; none where the pinned one does not come out."""
    found: dict[str, Timing] = {}
    last = span.first
    for entry in entries:
        own = stream.child(entry.step)
        if entry.step == span.pinned:
            timing = _pinned(entry, authors, span, last, own)
            if timing is None:
                return {}
        else:
            timing = _timing(entry, authors, _begins(entry, authors[entry.who], span, last, own), own)
        found[entry.step] = timing
        last = timing.landed + timedelta(minutes=own.between(25, 170))
    return found


def _begins(entry: CommitEntry, author: Author, span: _Span, last: datetime, stream: Stream) -> datetime:
    """When an entry is pushed or opened, or would be if its author were at work."""
    at = span.at(entry.at)
    if entry.clock:
        here = at.astimezone(ZoneInfo(author.zone))
        hour, minute = map(int, entry.clock.split(":"))
        wanted = datetime.combine(here.date(), time(hour, minute), here.tzinfo)
        at = (wanted + timedelta(minutes=stream.between(-14, 17))).astimezone(span.first.tzinfo)
    return max(at, last)


def _timing(entry: CommitEntry, authors: Mapping[str, Author], begins: datetime, stream: Stream) -> Timing:
    """The moments of an entry from its beginning, everybody's in their working hours."""
    author = authors[entry.who]
    opened = working_from(author, begins, stream)
    if not entry.branch:
        return Timing(opened, opened)
    now = opened
    said: list[datetime] = []
    pushed: list[datetime] = []
    for event in _events(entry):
        who = author if isinstance(event, TemplateFixup) else authors[event.who]
        now = working_from(who, now + _gap(event.after, stream), stream)
        (pushed if isinstance(event, TemplateFixup) else said).append(now)
    landed = working_from(author, now + _gap(entry.merge_after, stream), stream)
    return Timing(opened, landed, tuple(said), tuple(pushed))


def _pinned(
    entry: CommitEntry, authors: Mapping[str, Author], span: _Span, last: datetime, stream: Stream
) -> Timing | None:
    """The moments of the entry that has to land at a given one, opened as many days before as it needs; None if it cannot."""
    assert span.lands is not None
    if not entry.branch:
        return Timing(span.lands, span.lands) if last <= span.lands else None
    for days in range(1, _REVIEW_DAYS):
        timing = _timing(entry, authors, span.lands - timedelta(days=days), stream.child(days))
        if last <= timing.opened and timing.landed <= span.lands:
            return Timing(timing.opened, span.lands, timing.comments, timing.fixups)
    return None


def _events(entry: CommitEntry) -> Iterator[TemplateComment | TemplateFixup]:
    """What happens to a pull, in its sequence."""
    for number, remark in enumerate(entry.comments):
        yield from (fixup for fixup in entry.fixups if fixup.after_comment == number)
        yield remark
    yield from (fixup for fixup in entry.fixups if fixup.after_comment == len(entry.comments))


def _gap(minutes: int, stream: Stream) -> timedelta:
    """About that long, at least two minutes."""
    return timedelta(minutes=max(2, minutes * stream.between(70, 130) // 100))
