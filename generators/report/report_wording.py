"""Values, bands and verdicts in words, the same in a terminal and on a page."""

from math import log10
from typing import Final

from generators.report.report import ReportFinding, Verdict

__all__ = ["VERDICTS", "band_text", "mark_text", "value_text"]

VERDICTS: Final[dict[Verdict, str]] = {
    "broken": "does not hold",
    "unusual": "unusual",
    "near": "nearly usual",
    "usual": "usual",
    "holds": "holds",
    "too few": "too few to say",
    "no band": "no figures to compare",
    "nothing": "nothing of the kind",
}
"""Each verdict as people read it, the worst first."""

_MARKS: Final = {"M": "measured on real data", "P": "published", "U": "a working value, no source"}
_SECONDS: Final = {"s": 1, "min": 60, "h": 3_600, "days": 86_400}
_SPANS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def value_text(value: float | None, unit: str) -> str:
    """A value with its unit: `4.1 %`, `7.8 min`, `14`, `0.55`; a dash for none."""
    if value is None:
        return "–"
    if unit == "share":
        return f"{value * 100:.{2 if 0 < value < 0.01 else 1 if value < 0.1 else 0}f} %"
    if unit in _SECONDS:
        seconds = value * _SECONDS[unit]
        size, name = next(((size, name) for size, name in _SPANS if seconds >= size), (1, "s"))
        return f"{_short(seconds / size)} {name}"
    if unit in ("words", "count"):
        return _short(value)
    return f"{value:.2f}"


def _short(value: float) -> str:
    """A number with as many decimals as matter: `1,240`, `14`, `7.8`."""
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.{1 if value >= 1 else 2 - int(log10(value)) if value > 0 else 0}f}"


def band_text(one: ReportFinding) -> str:
    """What is usual: `10 to 20`, `at most 0.6 %`, `at least 0.60`; `0` for what must not be."""
    if one.usual is None:
        return "–"
    low, high = one.usual
    unit = one.band.unit
    if low == high:
        return value_text(low, unit)
    if low == 0:
        return f"at most {value_text(high, unit)}"
    if unit == "share" and high == 1:
        return f"at least {value_text(low, unit)}"
    return f"{value_text(low, unit)} to {value_text(high, unit)}"


def mark_text(one: ReportFinding) -> str:
    """Where a band is from, in words."""
    return "must be so" if one.band.must else _MARKS[one.band.mark]
