"""Reads a name that somebody answered with: a person, an artefact, a part, an option; exactly, from the world's own tables."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from brownout.core.entities import Entities
from worlds.facts.name_matching import Named, names_in, spelt

__all__ = ["artefact_places", "artefacts_in", "is_only_names", "name_places", "options_in", "people_in", "plain_name"]

_TITLE: Final = re.compile(r"^(?:mr|mrs|ms|dr|prof|herr|frau|sr|sra|dra)\.?\s+", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"[^\W_][\w.+-]*@[\w.-]*[^\W_]")
_DISARMED: Final = re.compile(r"\s*[\[({](?:(\.|dot|punkt|ponto)|@|at|arroba)[\])}]\s*", re.IGNORECASE)
"""A dot or an at of an address that is spelled so that nobody can click on it: `ana@bank-it[.]test`."""


def plain_name(text: str) -> str:
    """A name without case, accents, marks and white space around it: `Dr. Inês ` is `ines`."""
    text = unicodedata.normalize("NFKD", _TITLE.sub("", text.strip()))
    letters = "".join(c for c in text if unicodedata.category(c)[0] != "M").casefold()
    return " ".join(re.sub(r"[^\w@./+-]+", " ", letters).strip(" .").split()).removeprefix("@")


def people_in(text: str, entities: Entities) -> list[frozenset[str]]:
    """The people a text names, in its order: for each name the short names of whoever is called so.

    `Viktor Haas, team lead` is one, and so is a name with the address of one of those who are called so. `Daniel` may be two
    people, and then stands for neither alone; where one of them is the company's and the other is not, it is the company's.
    """
    found: list[frozenset[str]] = []
    for named in _named(_armed(text), _people(entities)):
        if found and found[-1] & named.keys:
            found[-1] &= named.keys
        else:
            found.append(named.keys)
    return [each - entities.outsiders or each for each in found]


def options_in(text: str, options: Mapping[str, tuple[str, ...]]) -> list[frozenset[str]]:
    """The options a text names, by any of their names; a part also by its last word (`eu-west-1`)."""
    called = ((option, (option, *others, option.rpartition("/")[2])) for option, others in options.items())
    return [each.keys for each in _named(_armed(text), _known(called))]


def name_places(
    text: str, entities: Entities, options: Mapping[str, tuple[str, ...]] | None = None
) -> list[tuple[int, int]]:
    """Where a text names people, or options where some are given."""
    if options is None:
        return [(each.start, each.end) for each in _named(text, _people(entities))]
    called = ((option, (option, *others, option.rpartition("/")[2])) for option, others in options.items())
    return [(each.start, each.end) for each in _named(text, _known(called))]


def artefacts_in(text: str, entities: Entities) -> list[frozenset[str]]:
    """The artefacts a text refers to, in its order: for each place the paths of what it may mean."""
    return [paths for _, _, paths in artefact_places(text, entities)]


def artefact_places(text: str, entities: Entities) -> list[tuple[int, int, frozenset[str]]]:
    """The places at which a text refers to artefacts, each with its end and the paths of what it may mean."""
    at: dict[tuple[int, int], set[str]] = {}
    for each in entities.references(text):
        at.setdefault((each.start, each.end), set()).add(each.path)
    places = sorted(at, key=lambda place: (place[0], -place[1]))
    kept: list[tuple[int, int]] = []
    for place in places:
        if not any(other[0] <= place[0] and place[1] <= other[1] for other in kept):
            kept.append(place)
    return [(*place, frozenset(at[place])) for place in kept]


def is_only_names(text: str, entities: Entities) -> bool:
    """Whether a text is people's or artefacts' names and nothing else: `Goran Petrov`, `#221`."""
    text = _armed(text)
    rest = list(text)
    places = [(each.start, each.end) for each in entities.references(text)]
    places += [(each.start, each.end) for each in _named(text, _people(entities))]
    for start, end in places:
        rest[start:end] = " " * (end - start)
    return not any(c.isalnum() for c in "".join(rest))


def _armed(text: str) -> str:
    """A text with its addresses as they are."""
    return _DISARMED.sub(lambda found: "." if found[1] else "@", text)


def _people(entities: Entities) -> dict[str, frozenset[str]]:
    """Everything that people are called by, with whom it may mean; a short name is its owner's alone.

    An author's short name that is no part of the name or the address is nobody's: `luz-clinic` of Teresa Nogueira.
    """
    own = [short for short, names in entities.people.items() if spelt(short.partition("-")[0]) in _words_of(names)]
    called = (
        (short, [*names, *(part for name in names if "@" not in name for part in name.split() if _is_name(part))])
        for short, names in entities.people.items()
    )
    return {**_known(called), **{spelt(short): frozenset({short}) for short in own}}


def _words_of(names: Iterable[str]) -> set[str]:
    return {spelt(part) for name in names for part in re.split(r"[\s._-]+", name.partition("@")[0])}


def _is_name(part: str) -> bool:
    """Whether a word of a full name is one that people are called by: no title, no initial."""
    return len(part.strip(".")) > 1 and not _TITLE.fullmatch(f"{part} ")


def _known(called: Iterable[tuple[str, Iterable[str]]]) -> dict[str, frozenset[str]]:
    known: dict[str, set[str]] = {}
    for key, names in called:
        for name in names:
            if spelt(name):
                known.setdefault(spelt(name), set()).add(key)
    return {name: frozenset(keys) for name, keys in known.items()}


def _named(text: str, known: Mapping[str, frozenset[str]]) -> list[Named]:
    """The names in a text; of a mail address only the whole of it."""
    addresses = [found.span() for found in _ADDRESS.finditer(text)]
    return [
        each
        for each in names_in(text, known)
        if not any(
            start <= each.start and each.end <= end and (start, end) != (each.start, each.end)
            for start, end in addresses
        )
    ]
