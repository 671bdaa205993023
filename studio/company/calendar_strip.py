"""A world's calendar as a small picture for its card: how much happens when, what breaks, where tasks begin."""

from brownout.core.instants import Instant
from studio.company.timeline import CalendarBars

__all__ = ["strip_of", "strip_text"]

_WIDTH, _HEIGHT, _BARS = 300, 44, 60
_BAR, _OUTAGE, _TASK = "#8FA2EC", "#D6454F", "#9A56DB"


def strip_of(timeline: CalendarBars) -> str:
    """An SVG of 300 by 44: a bar for a sixtieth of the calendar, red where something is broken, a mark at each task's start.

    It holds figures only, no text of the world.
    """
    bars = _in_bins(timeline.bars, _BARS)
    most = max(bars, default=0) or 1
    wide = _WIDTH / len(bars) if bars else _WIDTH
    parts = [
        f'<rect x="{number * wide:.1f}" y="{_HEIGHT - 8 - height:.1f}" width="{wide - 1:.1f}" height="{height:.1f}" '
        f'rx="1" fill="{_BAR}"/>'
        for number, count in enumerate(bars)
        if (height := 28 * count / most) > 0
    ]
    for mark in timeline.marks:
        x = _at(timeline, mark.at)
        if mark.kind == "outage":
            width = max(3.0, _at(timeline, mark.until or mark.at) - x)
            parts.append(f'<rect x="{x:.1f}" y="0" width="{width:.1f}" height="36" fill="{_OUTAGE}" opacity=".75"/>')
        elif mark.kind == "task":
            parts.append(f'<path d="M{x:.1f} 37l4 7h-8z" fill="{_TASK}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f"{''.join(parts)}</svg>"
    )


def strip_text(timeline: CalendarBars) -> str:
    """The same in words: `What happens in 120 days: 4 outages in red, 6 tasks begin`, and what is not counted."""
    days = round((timeline.last - timeline.first) / 86_400_000_000)
    outages = sum(mark.kind == "outage" for mark in timeline.marks)
    tasks = sum(mark.kind == "task" for mark in timeline.marks)
    return (
        f"What happens in {days} days: {outages} {'outage' if outages == 1 else 'outages'} in red, "
        f"{tasks} {'task begins' if tasks == 1 else 'tasks begin'}"
        f"{'' if timeline.is_whole else '; everyday life is not counted yet'}"
    )


def _in_bins(counts: tuple[int, ...], most: int) -> list[int]:
    """The counts in at most so many bins, neighbours added up."""
    size = max(1, -(-len(counts) // most))
    return [sum(counts[begin : begin + size]) for begin in range(0, len(counts), size)]


def _at(timeline: CalendarBars, moment: Instant) -> float:
    share = (moment - timeline.first) / max(1, timeline.last - timeline.first)
    return _WIDTH * min(1.0, max(0.0, share))
