"""Issues that a text refers to: `BOX-41`, a link to it, its summary written out."""

import re
from collections.abc import Iterator
from typing import Final

from sqlalchemy import bindparam, select

from brownout.core.entities import EntityReference
from brownout.core.rows import Rows
from brownout.core.title_matching import titles_in
from brownout.store import compile_query
from tools.jira import tables
from tools.jira.records import path_of_issue

__all__ = ["references"]

_KEY: Final = re.compile(r"(?<![\w-])([A-Za-z][A-Za-z0-9]{1,9}-[1-9]\d{0,6})(?![\w-])")
_issue = tables.issue
_BY_KEY = compile_query(select(_issue.c.key).where(_issue.c.key == bindparam("key")))
_TITLES = compile_query(select(_issue.c.key, _issue.c.summary).order_by(_issue.c.id))


def references(rows: Rows, text: str) -> Iterator[EntityReference]:
    """The issues that a text names."""
    for found in _KEY.finditer(text):
        if rows.one(_BY_KEY, key=found[1].upper()) is not None:
            yield EntityReference(found.start(1), found.end(1), path_of_issue(found[1].upper()))
    yield from titles_in(text, ((row.text("summary"), path_of_issue(row.text("key"))) for row in rows.all(_TITLES)))
