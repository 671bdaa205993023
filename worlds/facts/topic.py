"""What of a text is about a topic: the clauses that hold one of its words."""

from collections.abc import Iterable

from worlds.facts.clauses import clauses_of
from worlds.facts.name_matching import flat, word_pattern
from worlds.facts.reading import statements

__all__ = ["on_topic"]


def on_topic(text: str, about: Iterable[str]) -> str:
    """The clauses of a text that hold a word of the topic, one a line.

    Example: about `slow`, `Slow since 10:12, next update at 10:45.` is `Slow since 10:12,`.
    """
    topic = word_pattern((*about,))
    clauses = (each.text[start:end] for each in statements(text) for start, end in clauses_of(each.text))
    return "\n".join(clause.strip() for clause in clauses if topic.search(flat(clause)))
