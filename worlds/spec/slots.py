"""`{{slot}}` and `{{storyline.slot|form}}` in an author's text: which slots it uses, and what it says once they have values.

`{{{{` is two braces, and nothing drawn.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from brownout.core.errors import Unknown
from brownout.core.vocabulary import near
from worlds.spec.drawn_values import DrawnValue
from worlds.spec.scalars import Scalar, plain_scalar

__all__ = ["BRACES", "DrawnTexts", "Filled", "SlotUse", "qualified", "unknown_slot", "uses_in", "without_slots"]

BRACES: Final = "{{"
_PART: Final = re.compile(r"\{\{\{\{|\{\{(?!\{)([^{}\n]*)\}\}|\{\{(?!\{)")
_SLOT: Final = re.compile(r"\s*((?:[a-z][a-z0-9-]*\.)?[a-z][a-z0-9-]*)\s*(?:\|\s*([a-z]+)\s*)?")
_SHOWN: Final = 30
_LITERALLY: Final = f"; where you mean {BRACES} itself, write {BRACES * 2}"


@dataclass(frozen=True, slots=True)
class SlotUse:
    """A place in a text that a slot's value takes.

    Attributes:
        slot: with its storyline, `holds.lead`.
        form: empty for the value as it is.
    """

    slot: str
    form: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A text with the values of its slots.

    Attributes:
        value: a number or a truth where the text was nothing but a slot with such a value.
        wrong: what is wrong, each with how many lines below the text's first one.
        is_open: it uses a slot that has no value because its declaration is wrong.
    """

    value: Scalar
    wrong: tuple[tuple[int, str], ...] = ()
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class DrawnTexts:
    """The slots of a world with what a seed draws for them.

    Attributes:
        values: by storyline and slot, `holds.lead`.
        names: all slots that are declared; one without a value is declared wrongly.
    """

    values: Mapping[str, DrawnValue]
    names: Collection[str]

    def filled(self, text: str, storyline: str = "") -> Filled:
        """What a text says.

        Args:
            storyline: whose slots go by their bare name there; none do where it is empty.
        """
        parts: list[str] = []
        wrong: list[tuple[int, str]] = []
        is_open, end = False, 0
        for found in _PART.finditer(text):
            parts.append(text[end : found.start()])
            end = found.end()
            use = _read(found)
            if found[0] == BRACES * 2:
                parts.append(BRACES)
                continue
            problem = self._problem(use, found[0], storyline, text[found.start() :])
            reading = None if problem or use is None else self._reading(use, storyline)
            is_open = is_open or reading is None
            parts.append(found[0] if reading is None else reading)
            if problem:
                wrong.append((text.count("\n", 0, found.start()), problem))
        parts.append(text[end:])
        whole = _PART.fullmatch(text)
        made = "".join(parts)
        is_slot = whole is not None and whole[1] is not None and not is_open
        return Filled(_plain(made) if is_slot else made, tuple(wrong), is_open)

    def _problem(self, use: SlotUse | None, written: str, storyline: str, rest: str) -> str:
        """What is wrong with a use; empty where nothing is."""
        if use is None:
            shown = rest.partition("\n")[0][:_SHOWN] if written == BRACES else written
            return f"expected a slot such as {BRACES}lead}}}} or {BRACES}start|day}}}}, found {shown!r}{_LITERALLY}"
        name = qualified(use.slot, storyline)
        if name not in self.names:
            return unknown_slot(use.slot, storyline, self.names)
        value = self.values.get(name)
        if value is None or not use.form or use.form in value.forms:
            return ""
        has = f"it has {', '.join(value.forms)}" if value.forms else "it has none"
        what = f"{written}: a {value.kind} has no form {use.form!r}"
        return f"{what}{near(use.form, value.forms) or f'; {has}'}"

    def _reading(self, use: SlotUse, storyline: str) -> str | None:
        value = self.values.get(qualified(use.slot, storyline))
        return None if value is None else value.forms[use.form] if use.form else value.text


def uses_in(text: str, storyline: str = "") -> Iterator[SlotUse]:
    """The slots that a text uses, with their storylines; what is no slot is left out."""
    for found in _PART.finditer(text):
        if use := _read(found):
            yield SlotUse(qualified(use.slot, storyline), use.form)


def without_slots(text: str) -> str:
    """What a text says beside its slots."""
    return _PART.sub(" ", text)


def qualified(slot: str, storyline: str) -> str:
    """A slot's name with its storyline."""
    return slot if "." in slot or not storyline else f"{storyline}.{slot}"


def unknown_slot(slot: str, storyline: str, names: Collection[str]) -> Unknown:
    """The message for a slot that there is none of."""
    own = [name.partition(".")[2] for name in names if name.partition(".")[0] == storyline]
    bare = {name.partition(".")[2]: name for name in names}
    line, _, word = qualified(slot, storyline).rpartition(".")
    hint = near(slot, [*own, *names]) or (f"; did you mean {bare[word]!r}?" if word in bare else "")
    if not line and not hint:
        hint = "; outside of a storyline its name comes first, {{storyline.slot}}"
    scope = f"storylines/{line}.yaml" if line else ""
    return Unknown(f"there is no drawn slot {slot!r}{hint}", name=word, kind="slot", scope=scope)


def _read(found: re.Match[str]) -> SlotUse | None:
    slot = _SLOT.fullmatch(found[1]) if found[1] is not None else None
    return SlotUse(slot[1], slot[2] or "") if slot else None


def _plain(text: str) -> Scalar:
    try:
        return plain_scalar(text)
    except ValueError:
        return text
