"""Plots as inline SVG: no script, no file of anybody's; colours are the page's own (`var(--ink)`)."""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, log10

from generators.report.report import ReportFinding
from generators.report.report_wording import value_text

__all__ = ["bars", "curve", "strip", "week"]

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_WIDTH, _HEIGHT = 400, 190
_LEFT, _BOTTOM, _TOP, _RIGHT = 40, 26, 10, 8


def _svg(width: int, height: int, body: str, label: str) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label, quote=True)}">'
        f"<title>{escape(label)}</title>{body}</svg>"
    )


def _text(x: float, y: float, text: str, *, anchor: str = "middle", kind: str = "tick") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def strip(one: ReportFinding) -> str:
    """A statistic on its own line: the band, the value, and a tick for each peer."""
    if one.value is None or one.usual is None or one.band.must:
        return ""
    low, high = one.usual
    marks = [one.value, low, high, *one.band.peers.values()]
    is_log = min(marks) > 0 and max(marks) / min(marks) > 12
    scaled = [log10(mark) if is_log else mark for mark in marks]
    first, last = min(scaled), max(scaled)
    pad = (last - first) * 0.08 or 1.0

    def x(mark: float) -> float:
        return 4 + 192 * ((log10(mark) if is_log else mark) - first + pad) / (last - first + 2 * pad)

    body = '<line x1="4" x2="196" y1="11" y2="11" class="axis"/>'
    body += f'<rect x="{x(low):.1f}" y="5" width="{max(2.0, x(high) - x(low)):.1f}" height="12" rx="3" class="band"/>'
    for name, value in one.band.peers.items():
        says = f"{name}: {value_text(value, one.band.unit)}"
        body += f'<g><title>{escape(says)}</title><line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="3" y2="19" class="peer"/></g>'
    kind = one.verdict.replace(" ", "-")
    body += f'<circle cx="{x(one.value):.1f}" cy="11" r="5" class="dot {kind}"/>'
    return _svg(200, 22, body, f"{one.band.title}: {value_text(one.value, one.band.unit)}")


def _ticks(highest: float) -> list[float]:
    """Three or four round numbers up to the highest."""
    step = 10 ** int(log10(highest)) if highest >= 1 else 10 ** -ceil(-log10(highest)) if highest > 0 else 1
    while highest / step > 4:
        step *= 2 if highest / step < 8 else 5
    while highest / step < 2:
        step /= 2
    return [step * count for count in range(int(highest / step) + 1)]


def _axes(highest: float, *, percent: bool = False) -> str:
    body = ""
    for tick in _ticks(highest):
        y = _y(tick, highest)
        body += f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
        body += _text(_LEFT - 6, y + 3.5, f"{tick * 100:g} %" if percent else f"{tick:g}", anchor="end")
    return body


def _y(value: float, highest: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * value / highest


def bars(values: Mapping[str, int], label: str) -> str:
    """A column for each name, the largest first; names as tooltips."""
    found = sorted(values.items(), key=lambda one: (-one[1], one[0]))
    if not found:
        return ""
    highest = max([value for _, value in found], default=1) * 1.06
    width = (_WIDTH - _LEFT - _RIGHT) / max(1, len(found))
    body = _axes(highest)
    for place, (name, value) in enumerate(found):
        top = _y(value, highest)
        body += (
            f'<g><title>{escape(name)}: {value:,}</title><rect x="{_LEFT + place * width + width * 0.1:.1f}" y="{top:.1f}" '
            f'width="{width * 0.8:.2f}" height="{_HEIGHT - _BOTTOM - top:.1f}" rx="1.5" class="bar"/></g>'
        )
    body += _text(_LEFT, _HEIGHT - 9, f"{len(found)} people, by how much they write", anchor="start")
    return _svg(_WIDTH, _HEIGHT, body, label)


def curve(values: Sequence[float], marks: Mapping[str, tuple[float, float]], unit: str, label: str) -> str:
    """Which part of the values is at most so large, on a logarithmic axis; `marks` are (value, part) of what is usual."""
    ordered = sorted(value for value in values if value > 0)
    if len(ordered) < 2:
        return ""
    everything = [ordered[0], ordered[-1], *(value for value, _ in marks.values())]
    first, last = log10(min(everything)), log10(max(everything))

    def x(value: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (log10(value) - first) / ((last - first) or 1)

    body = _axes(1.0, percent=True)
    places = [round((len(ordered) - 1) * step / 120) for step in range(121)]
    points = " ".join(f"{x(ordered[at]):.1f},{_y((at + 1) / len(ordered), 1.0):.1f}" for at in dict.fromkeys(places))
    body += f'<polyline points="{points}" class="line"/>'
    for step in range(5):
        value = 10 ** (first + (last - first) * step / 4)
        anchor = "start" if step == 0 else "end" if step == 4 else "middle"
        body += _text(x(value), _HEIGHT - 9, value_text(value, unit), anchor=anchor)
    for name, (value, part) in marks.items():
        says = f"{name}: {value_text(value, unit)}"
        body += f'<g><title>{escape(says)}</title><circle cx="{x(value):.1f}" cy="{_y(part, 1.0):.1f}" r="4" class="usual-dot"/></g>'
    return _svg(_WIDTH, _HEIGHT, body, label)


def week(counts: Mapping[tuple[int, int], int], label: str) -> str:
    """A square for each hour of the week, the darker the more; (weekday, hour) -> how many."""
    if not counts:
        return ""
    most = max(counts.values())
    width, height = (_WIDTH - _LEFT - _RIGHT) / 24, 21
    body = ""
    for day, name in enumerate(_DAYS):
        body += _text(_LEFT - 6, _TOP + day * height + 14, name, anchor="end")
        for hour in range(24):
            count = counts.get((day, hour), 0)
            strength = (count / most) ** 0.6 if count else 0
            body += (
                f'<g><title>{name} {hour}:00: {count:,}</title><rect x="{_LEFT + hour * width + 1:.1f}" y="{_TOP + day * height + 1}" '
                f'width="{width - 2:.1f}" height="{height - 2}" rx="2.5" class="cell" style="--strength:{strength:.3f}"/></g>'
            )
    for hour in range(0, 24, 3):
        body += _text(_LEFT + (hour + 0.5) * width, _TOP + 7 * height + 14, f"{hour}")
    return _svg(_WIDTH, _HEIGHT, body, label)
