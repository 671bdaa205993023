"""A trade's nouns and the forms that templates ask for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

__all__ = ["Noun", "Nouns", "capitalised", "class_name", "snake_case", "with_article"]

_SAYS_YU: Final = re.compile(r"(?:uni|eu|us[aeiou]|one\b|u\b)", re.IGNORECASE)
_SILENT_H: Final = re.compile(r"(?:hour|honest|heir)", re.IGNORECASE)


class Noun(NamedTuple):
    """One thing and several of it: `Noun("delivery", "deliveries")`."""

    singular: str
    plural: str


@dataclass(frozen=True, slots=True)
class Nouns:
    """What a trade calls its things.

    Attributes:
        item: what the service keeps many of: an appointment, a parcel.
        account: what a customer of the company is: a clinic.
        person: whom the customers serve: a patient.
        worker: who does the work there: a practitioner.
        verb: what people do with an item, in its plain form: book.
    """

    item: Noun
    account: Noun
    person: Noun
    worker: Noun
    verb: str

    @classmethod
    def of(cls, words: Mapping[str, str | Sequence[str]]) -> Self:
        """The nouns of `{"item": ["order", "orders"], ..., "verb": "order"}`, as a trade's file has them.

        Raises:
            ValueError: a noun is missing, has no plural, or is one that another of them is already.
        """
        found = {name: _noun(name, words.get(name)) for name in ("item", "account", "person", "worker")}
        forms = [form for noun in found.values() for form in set(noun)]
        twice = sorted({form for form in forms if forms.count(form) > 1})
        if twice:
            raise ValueError(f"expected four different nouns, found {', '.join(twice)} twice")
        verb = words.get("verb")
        if not isinstance(verb, str) or not verb.strip():
            raise ValueError(f"verb: expected a word such as 'book', found {verb!r}")
        return cls(**found, verb=verb)

    def context(self) -> dict[str, str]:
        """The nouns as templates name them: `item` and `items` in text, `Item` as a class, `item_`, `items_` as Python names."""
        words = {"verb": self.verb, "verb_": snake_case(self.verb)}
        for name in ("item", "account", "person", "worker"):
            noun: Noun = getattr(self, name)
            for word, form in ((name, noun.singular), (f"{name}s", noun.plural)):
                words |= {word: form, word.capitalize(): class_name(form), f"{word}_": snake_case(form)}
        return words


def with_article(words: str) -> str:
    """The words after `a` or `an`, by how the first of them sounds: `an order`, `a unit`, `an hour`."""
    vowel = words[:1].lower() in "aeiou" and not _SAYS_YU.match(words)
    return f"{'an' if vowel or _SILENT_H.match(words) else 'a'} {words}"


def class_name(words: str) -> str:
    """`work order` as Python calls a class: `WorkOrder`."""
    return "".join(capitalised(part) for part in _parts(words))


def snake_case(words: str) -> str:
    """`work order` as Python calls a module or a variable: `work_order`."""
    return "_".join(_parts(words)).lower()


def capitalised(words: str) -> str:
    """The words with a capital first letter, the rest as it is."""
    return words[:1].upper() + words[1:]


def _parts(words: str) -> list[str]:
    return re.findall(r"[A-Za-z0-9]+", words)


def _noun(name: str, forms: str | Sequence[str] | None) -> Noun:
    if isinstance(forms, str) or forms is None or len(forms) != 2 or not all(_is_word(form) for form in forms):
        raise ValueError(f"{name}: expected a singular and a plural such as ['order', 'orders'], found {forms!r}")
    if snake_case(forms[0]) == snake_case(forms[1]):
        raise ValueError(f"{name}: expected a plural that differs from {forms[0]!r}, for a module is called by it")
    return Noun(*forms)


def _is_word(form: object) -> bool:
    return isinstance(form, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9 -]*", form) is not None
