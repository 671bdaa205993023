"""Plain-text search over pages: all words, "phrases" side by side, -words left out. Titles come first, then newer."""

from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, case, func, select, true

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.store import compile_search, search_index
from tools.docs import tables
from tools.query_languages.ast import And, Condition, Search, TextNode, all_of, negate
from tools.query_languages.mistakes import mistakes_in
from tools.query_languages.sql import compiled, fts_columns, fts_phrase, fts_rowids
from tools.query_languages.terms import Grammar, Term, read
from tools.query_languages.words import contains

__all__ = ["ResultPage", "excerpt", "parse", "problems", "search_pages"]

_page = tables.page
_index = search_index(_page)
_GRAMMAR = Grammar(names=frozenset())
_EXCERPT = 240


@dataclass(frozen=True, slots=True)
class ResultPage:
    """Some of what a search found, whether there is more, and how much there is in all."""

    rows: list[Row]
    has_more: bool
    total: int


def parse(query: str) -> Search:
    """What a query asks for; never fails."""
    parts: list[Condition] = []
    for term in read(query, _GRAMMAR):
        text = term.as_text() if isinstance(term, Term) else None
        if isinstance(term, Term) and text is not None:
            parts.append(negate(text) if term.is_negated else text)
    return Search(all_of(parts))


def problems(query: str) -> list[str]:
    """What a query says that is taken for words and hardly meant so."""
    return [*mistakes_in(query, _GRAMMAR, lambda term: True)]


def search_pages(call: Call, search: Search, space: Row | None, *, limit: int, skipped: int) -> ResultPage:
    """The pages that a search finds after the first `skipped`; none where it looks for no word."""
    if search.condition is None:
        return ResultPage([], False, 0)
    found = compiled(search, fields={}, text=_in_text)
    inside = true() if space is None else _page.c.space == space.number("id")
    where = (_page.c.is_trashed == 0, inside, found)
    query, parameters = compile_search(select(func.count().label("found")).select_from(_page).where(*where))
    total = int(str(call.rows.scalar(query, **parameters)))
    statement = select(_page).where(*where).order_by(_title_first(search), _page.c.updated_us.desc(), _page.c.id.desc())
    query, parameters = compile_search(statement.limit(limit).offset(skipped))
    rows = call.rows.all(query, **parameters)
    return ResultPage(rows, skipped + len(rows) < total, total)


def _in_text(text: TextNode) -> ColumnElement[bool]:
    query = fts_phrase(text.words, text.phrase, text.prefix)
    return _page.c.id.in_(fts_rowids(_index, fts_columns(text.within, query) if text.within else query))


def _wanted(search: Search) -> list[TextNode]:
    """The words that a page must have."""
    parts = search.condition.parts if isinstance(search.condition, And) else (search.condition,)
    return [part for part in parts if isinstance(part, TextNode)]


def _title_first(search: Search) -> ColumnElement[int]:
    inside = all_of([replace(text, within=("title",)) for text in _wanted(search)])
    return case((compiled(Search(inside), fields={}, text=_in_text), 0), else_=1)


def excerpt(search: Search, body: str) -> str:
    """The first line of a body with a word that was looked for, else its beginning."""
    wanted = _wanted(search)
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    line = next((line for line in lines if any(contains(text, (line,)) for text in wanted)), lines[0] if lines else "")
    return line if len(line) <= _EXCERPT else line[:_EXCERPT].rpartition(" ")[0] + " …"
