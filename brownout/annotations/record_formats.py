"""Annotations for other programs: a line of JSON or a row of CSV a record, without what was taken back."""

import csv
import io
from collections.abc import Iterable

import orjson

from brownout.annotations.annotation import Annotation

__all__ = ["COLUMNS", "as_csv", "as_jsonl"]

COLUMNS = (
    "id", "run", "step", "call", "kind", "value", "about", "other", "start", "end", "quote", "text", "author", "at",
    "taxonomy", "format",
)  # fmt: skip
_RISKY = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula at the beginning of a cell."""


def as_jsonl(records: Iterable[Annotation]) -> str:
    """A line of JSON a record, with every field."""
    return "".join(orjson.dumps({name: getattr(one, name) for name in COLUMNS}).decode() + "\n" for one in records)


def as_csv(records: Iterable[Annotation]) -> str:
    """A table with a head; what is missing is empty. Texts that a spreadsheet would run begin with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in records:
        writer.writerow(["" if (value := getattr(one, name)) is None else _safe(value) for name in COLUMNS])
    return out.getvalue()


def _safe(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_RISKY) else value
