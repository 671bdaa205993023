"""Reads a statement by code alone: exact values and names, a word of the topic, an assertive clause, no rival and no list.

For facts with a value of their own: a name, a reference, a number, a day, a time, a span. No criterion may name it; it says which
other values a message rules out.
"""

from brownout.core.entities import Entities
from brownout.core.grading import GradingContext
from brownout.core.readers import FactAsk, Reader, Reading
from worlds.facts.plain_statements import plainly_stated

__all__ = ["values"]


class _Values:
    name = "values"
    version = 4

    def read(self, text: str, ask: FactAsk, entities: Entities, means: GradingContext) -> Reading:
        """What a text makes of a fact; it asks nobody and never fails."""
        return plainly_stated(text, ask, entities)


values: Reader = _Values()
