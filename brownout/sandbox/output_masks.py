"""Declared masks for what differs between equal runs; the raw text is kept beside the masked one."""

import re
from typing import Final

__all__ = ["normalise"]

_NUMBERED: Final = (
    (re.compile(r"/tmp/tmp(?:\.[A-Za-z0-9]{6,}|[a-z0-9_]{8})\b"), "/tmp/tmp.<{}>"),  # mktemp; Python's tempfile
    (re.compile(r"\b0x[0-9a-f]{6,16}\b"), "0x<{}>"),
)
_TIMED: Final = (
    # pytest and unittest: `in 0.03s`, `in 75.30s (0:01:15)`, `Ran 3 tests in 0.001s`
    (re.compile(r"\bin \d+\.\d+ ?s(?:econds)?(?: \(\d+:\d\d:\d\d\))?"), "in <t>s"),
    # pytest --durations: `0.01s call     test_a.py::test_b`
    (re.compile(r"^\d+\.\d+s (call|setup|teardown)\b", re.MULTILINE), r"<t>s \1"),
    # time(1) of sh and bash: `real    0m0.003s`
    (re.compile(r"^(real|user|sys)(\s+)(?:\d+m)?\d+[.,]\d+s?$", re.MULTILINE), r"\1\2<t>"),
)


def normalise(output: str) -> str:
    """The text with random temporary names, addresses and measured durations masked.

    Names and addresses become numbers in the order they first appear, so that two that are equal stay equal.
    Not masked: UUIDs, `$RANDOM`, the order of parallel output.
    """
    for pattern, place in _NUMBERED:
        output = _numbered(output, pattern, place)
    for pattern, place in _TIMED:
        output = pattern.sub(place, output)
    return output


def _numbered(output: str, pattern: re.Pattern[str], place: str) -> str:
    seen: dict[str, int] = {}
    return pattern.sub(lambda found: place.format(seen.setdefault(found[0], len(seen) + 1)), output)
