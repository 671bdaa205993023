"""What a word without quotes means in YAML 1.2: a number, a truth, nothing, or the text that it is.

`yes`, `on` and `10:30` are texts here, and so are dates, which authors mean as written; one that the calendar does not
have is a mistake.
"""

import re
from datetime import date, time
from typing import Final, TypeAlias

__all__ = ["MERGE", "Scalar", "plain_scalar"]

Scalar: TypeAlias = str | int | float | bool | None

MERGE: Final = "<<"
"""A key whose value is taken over into the mapping."""

_WORDS: Final[dict[str, bool | None]] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_BEGINS_A_NUMBER: Final = frozenset("+-.0123456789")
_FLOAT: Final = re.compile(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+"
    r"|[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)"
    r"|\.(?:nan|NaN|NAN)"
)
_INT: Final = re.compile(r"[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|[0-9_]+)")
_DATE: Final = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>[0-9]{1,2})(?P<rest>:[0-9]{2}:[0-9]{2})"
    r"(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)?"
)
_BASES: Final = {"0b": 2, "0o": 8, "0x": 16}


def plain_scalar(text: str) -> Scalar:
    """The value of a word that stands without quotes.

    Raises:
        ValueError: it looks like a number or a date, and is none (`2026-99-99`).
    """
    if text[:1] not in _BEGINS_A_NUMBER:
        return _WORDS.get(text, text)
    if not text:
        return None
    if _FLOAT.fullmatch(text):
        return float(text.replace("_", "").lower().replace(".inf", "inf").replace(".nan", "nan"))
    if _INT.fullmatch(text):
        return _int(text.replace("_", ""))
    if dated := _DATE.fullmatch(text):
        date.fromisoformat(dated["day"])
        if dated["hour"]:
            time.fromisoformat(dated["hour"].zfill(2) + dated["rest"])
    return text


def _int(text: str) -> int:
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    base = _BASES.get(digits[:2], 10)
    return int(sign + (digits if base == 10 else digits[2:]), base)
