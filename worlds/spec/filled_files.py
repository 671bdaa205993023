"""An author's files with the values of the drawn slots in them, and without the parts that another value has.

A part says by `when: {short: emre}` for which value it is there: an entry of a storyline, a line of a talk, a criterion of a
rubric, a step of a script. Several slots must all have their values; a list of values allows each of them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Final

from brownout.core.errors import Mistake, under
from brownout.core.vocabulary import near
from worlds.spec.drawn_slots import Drawing, declared_word
from worlds.spec.drawn_values import plain_text
from worlds.spec.line_marks import PlacedList, PlacedMap
from worlds.spec.scalars import Scalar
from worlds.spec.slots import BRACES, DrawnTexts, qualified, unknown_slot, without_slots

__all__ = ["Filling", "has_slots"]

_FILES: Final = (
    "customers.yaml",
    "outsiders.yaml",
    "outages.yaml",
    "storylines/*",
    "prose/*",
    "tasks/*",
    "documents/*",
)
"""What slots may stand in, as patterns of names."""
_CONDITIONAL: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "storylines/*.yaml": (("*", "*"), ("talks", "*", "lines", "*")),
    "tasks/*/task.yaml": (("rubric", "*", "*"),),
    "tasks/*/oracle.yaml": (("*", "*"),),
    "tasks/*/lazy/*.yaml": (("*", "*"),),
    "tasks/*/good/*.yaml": (("*", "*"),),
}
"""By file, the places of what may be there for some values only."""
_WHEN: Final = "when"
_GONE: Final = object()


def has_slots(name: str) -> bool:
    """Whether slots have their values in a file."""
    return any(fnmatchcase(name, pattern) for pattern in _FILES)


@dataclass
class Filling:
    """Fills one file after the other, and gathers what is wrong.

    Attributes:
        open: by file, the lines that use a slot without a value; what is wrong there follows from that.
        lost: by file, the names and texts that stand in those lines.
        absent: by file, the names of parts that are there for other values only.
    """

    drawing: Drawing
    texts: DrawnTexts
    mistakes: list[Mistake] = field(default_factory=list)
    open: dict[str, set[int]] = field(default_factory=dict)
    lost: dict[str, set[str]] = field(default_factory=dict)
    absent: dict[str, set[str]] = field(default_factory=dict)

    def tree(self, name: str, tree: object) -> object:
        """A YAML file as it reads with the values, every part with the line that the author wrote it in."""
        places = next((found for pattern, found in _CONDITIONAL.items() if fnmatchcase(name, pattern)), ())
        drawn = declared_word(tree) if isinstance(tree, PlacedMap) and name.startswith("storylines/") else ""
        return _FilledFile(self, name, places, drawn).value(tree, (), 1)

    def text(self, name: str, text: str) -> str:
        """A text as it reads with the values."""
        if BRACES not in text:
            return text
        return plain_text(self.scalar(name, text, 1, is_text=True))

    def scalar(self, name: str, text: str, line: int, *, is_text: bool = False) -> Scalar:
        """A scalar as it reads with the values.

        Args:
            is_text: it is a file of its own, in which lines count.
        """
        if not has_slots(name):
            message = f"expected nothing drawn in {name}, found {BRACES}; the company stays the same whatever is drawn"
            self.mistakes.append(Mistake(name, line, message))
            return text
        found = self.texts.filled(text, storyline_of(name))
        for below, problem in found.wrong:
            self.mistakes.append(Mistake(name, line + below if is_text else line, problem))
        if found.is_open or found.wrong:
            self.open.setdefault(name, set()).add(line)
            self.lost.setdefault(name, set()).add(without_slots(text))
        return plain_text(found.value) if is_text else found.value


def storyline_of(name: str) -> str:
    """Whose slots go by their bare name in a file; empty where none do."""
    folder, slash, rest = name.partition("/")
    return rest.removesuffix(".yaml") if slash and folder in ("storylines", "prose") else ""


@dataclass
class _FilledFile:
    filling: Filling
    name: str
    conditional: Collection[tuple[str, ...]]
    drawn: str

    def value(self, value: object, place: tuple[str, ...], line: int) -> object:
        """A part of the file; `_GONE` where the values have it not there."""
        if isinstance(value, PlacedMap):
            return self._map(value, place)
        if isinstance(value, PlacedList):
            found = PlacedList()
            for number, (part, at) in enumerate(zip(value, value.lines, strict=True)):
                made = self.value(part, (*place, str(number)), at)
                if made is not _GONE:
                    found.append(made)
                    found.lines.append(at)
            return found
        if isinstance(value, str) and BRACES in value:
            return self.filling.scalar(self.name, value, line)
        return value

    def _map(self, value: PlacedMap, place: tuple[str, ...]) -> object:
        condition = value.get(_WHEN)
        has_condition = isinstance(condition, PlacedMap) and self._is_conditional(place)
        if isinstance(condition, PlacedMap) and has_condition and not self._holds(condition):
            self.filling.absent.setdefault(self.name, set()).add(place[-1])
            return _GONE
        found = PlacedMap()
        for key, part in value.items():
            line = value.lines[key]
            if has_condition and key == _WHEN:
                continue
            is_drawn = not place and bool(self.drawn) and key == self.drawn
            written = self.filling.scalar(self.name, key, line) if isinstance(key, str) and BRACES in key else key
            made = part if is_drawn else self.value(part, (*place, str(written)), line)
            if made is _GONE:
                continue
            if written in found:
                message = f"found {written!r} twice, drawn here and in line {found.lines[written]}; let one slot avoid the other"
                self.filling.mistakes.append(Mistake(self.name, line, message))
                continue
            found[written] = made
            found.lines[written] = line
        return _GONE if self._is_emptied(value, found, place) else found

    def _is_conditional(self, place: tuple[str, ...]) -> bool:
        return any(
            len(pattern) == len(place)
            and all(fnmatchcase(part, wanted) for part, wanted in zip(place, pattern, strict=True))
            for pattern in self.conditional
        )

    def _is_emptied(self, before: PlacedMap, after: PlacedMap, place: tuple[str, ...]) -> bool:
        """Whether a step of a script lost the one call that it was."""
        return (
            bool(before)
            and not after
            and len(place) == 1
            and ("*", "*") in self.conditional
            and self.name.startswith("tasks/")
        )

    def _holds(self, condition: PlacedMap) -> bool:
        """Whether all slots of a condition have one of their values."""
        found = [self._has(str(slot), wanted, condition.lines[slot]) for slot, wanted in condition.items()]
        return all(found)

    def _has(self, slot: str, wanted: object, line: int) -> bool:
        """Whether a slot has one of the wanted values; what is wrong with them is told."""
        here = storyline_of(self.name)
        name = qualified(slot, here)
        names = self.filling.texts.names
        if name not in names:
            self._wrong(line, under(_WHEN, unknown_slot(slot, here, names)))
            return True
        options = self.filling.drawing.options(name)
        texts = []
        for value in wanted if isinstance(wanted, list) else [wanted]:
            if not isinstance(value, str | int | float):
                self._wrong(line, f"{_WHEN}.{slot}: expected a value or a list of values")
                continue
            texts.append(plain_text(value))
            if options and texts[-1] not in options:
                hint = near(texts[-1], options)
                self._wrong(line, f"{_WHEN}.{slot}: {slot} is never {texts[-1]!r}{hint}")
        found = self.filling.texts.values.get(name)
        return found is None or found.text in texts

    def _wrong(self, line: int, message: str) -> None:
        self.filling.mistakes.append(Mistake(self.name, line, message))
