"""Pages that a text refers to: a link with its number, its title written out."""

import re
from collections.abc import Iterator
from typing import Final

from sqlalchemy import select

from brownout.core.entities import EntityReference
from brownout.core.rows import Rows
from brownout.core.title_matching import titles_in
from brownout.store import compile_query
from tools.docs import tables
from tools.docs.records import path_of_page

__all__ = ["references"]

_LINK: Final = re.compile(r"/pages/(\d{1,12})\b|\bpage (\d{4,12})\b")
_PAGES = compile_query(select(tables.page).where(tables.page.c.is_trashed == 0).order_by(tables.page.c.id))


def references(rows: Rows, text: str) -> Iterator[EntityReference]:
    """The pages that a text names."""
    paths = {path_of_page(rows, row): row.text("title") for row in rows.all(_PAGES)}
    numbers = {path.rpartition("/")[2]: path for path in paths}
    for found in _LINK.finditer(text):
        if (number := found[1] or found[2]) in numbers:
            yield EntityReference(found.start(), found.end(), numbers[number])
    yield from titles_in(text, ((title, path) for path, title in paths.items()))
