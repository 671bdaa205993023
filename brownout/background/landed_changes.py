"""What the lines of code bases come to say, and who talked over their changes how, week by week: a change begins with what earlier ones left."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from brownout.background.code_bases import CodeBase, CodeLine
from brownout.core.instants import Instant

__all__ = ["Landed"]


@dataclass(frozen=True, slots=True)
class Landed:
    """What the changes that were planned in a week made of lines and how they were talked over, with all weeks before it.

    Attributes:
        before: the weeks before, the calendar's first one first.
    """

    before: tuple["Landed", ...] = ()
    _merged: dict[tuple[str, str, str], list[tuple[Instant, str]]] = field(default_factory=dict)
    _talked: set[tuple[str, str]] = field(default_factory=set)

    def add(self, base: CodeBase, line: CodeLine, at: Instant, value: str) -> None:
        """Note that a line says something from a merge on."""
        self._merged.setdefault((base.name, line.path, line.beginning), []).append((at, value))

    def said(self, base: CodeBase, line: CodeLine, at: Instant) -> tuple[str, ...]:
        """What a line says at a moment, then what changes that are on their way will make of it: `("25", "40")`."""
        key = base.name, line.path, line.beginning
        merged = sorted(one for week in (*self.before, self) for one in week._merged.get(key, ()))
        now = [value for when, value in merged if when <= at][-1:] or [line.values[0]]
        return (*now, *(value for when, value in merged if when > at))

    def talk(self, people: Iterable[str], script: str) -> None:
        """Note that people talked over a change as a script says; `""` stands for anybody of the company."""
        self._talked.update((who, script) for who in people)

    def have_talked(self, people: Iterable[str], script: str) -> bool:
        """Whether one of them talked like this before, over whichever change."""
        return any((who, script) in week._talked for who in people for week in (*self.before, self))
