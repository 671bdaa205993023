"""Reads a statement by code alone, as far as code can: the value is there, not asked for, quoted or listed, and no rival is stated.

A necessary check, for facts with a value of their own: whoever states a fact nearly always passes it, and so does much that only has
the value in it. No criterion may name it; it says which other values a message rules out.
"""

from brownout.core.entities import Entities
from brownout.core.grading import GradingContext
from brownout.core.readers import FactAsk, Reader, Reading
from worlds.facts.stated_facts import stated

__all__ = ["values"]


class _ValuesReader:
    name = "values"
    version = 5

    def read(self, text: str, ask: FactAsk, entities: Entities, means: GradingContext) -> Reading:
        """What a text makes of a fact; it asks nobody and never fails."""
        return stated(text, ask, entities)


values: Reader = _ValuesReader()
