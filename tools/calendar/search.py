"""Quick search over events: all words, "phrases" side by side, -words left out."""

from brownout.core.rows import Row, Rows
from tools.calendar import agenda
from tools.query_languages.terms import Grammar, Term, read
from tools.query_languages.words import contains

__all__ = ["finds"]

_GRAMMAR = Grammar(names=frozenset())


def finds(rows: Rows, query: str, event: Row) -> bool:
    """Whether an event's title, text, place or guests have what a query asks for."""
    guests = [f"{guest.text('name')} {guest.text('email')}" for guest in agenda.guests_of(rows, event)]
    texts = (*(event.text(name) for name in ("summary", "description", "location")), *guests)
    for term in read(query, _GRAMMAR):
        text = term.as_text() if isinstance(term, Term) else None
        if isinstance(term, Term) and text is not None and contains(text, texts) == term.is_negated:
            return False
    return True
