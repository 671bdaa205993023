"""What people do, by the words of their roles: the area that they talk about and the disciplines whose work is theirs."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from brownout.background.packs import Pack

__all__ = ["Calling", "Employed", "area_of_room", "callings"]

_WORD: Final = re.compile(r"[a-z]+")
_PRONOUN: Final = re.compile(r"\b[Ii]t\b")
"""`it` in a sentence is not `IT`."""
_THEIRS: Final = 70
"""Percent of a room's people whose work it is for where its name does not say it."""
_PART: Final = re.compile(r",| and ")
"""Where another duty begins: `legal and data protection`, `engineer, contractor`."""


class Employed(NamedTuple):
    """Somebody as the company's list of people has them."""

    name: str
    role: str
    team: str
    manager: str


class Calling(NamedTuple):
    """What somebody does: `engineering` and `backend`; empty where no pack has a word for it.

    Attributes:
        leads: they lead the company.
    """

    area: str = ""
    disciplines: tuple[str, ...] = ()
    leads: bool = False


class _NamedWork(NamedTuple):
    place: int
    area: str
    discipline: str


_Phrases = Mapping[tuple[str, ...], Sequence[tuple[str, str]]]


def callings(people: Iterable[Employed], packs: Sequence[Pack]) -> dict[str, Calling]:
    """What each of the people does, by name.

    Whoever leads others of their team and whose role says nothing (`messaging lead`) does what most of those do. The company is led by
    whoever does what such people do, and by the one who has nobody above them and leads others, whose work that is if their role says nothing,
    with those of their team who lead others as well.
    """
    listed = [*people]
    phrases = _phrases((pack.area, name, words) for pack in packs for name, words in pack.roles.items())
    shared = frozenset(pack.area for pack in packs if pack.usual)
    found = {one.name: _calling(one.role, one.team, phrases, shared) for one in listed}
    for one in listed:
        led = [found[other.name] for other in listed if other.manager == one.name and other.team == one.team]
        if not found[one.name].area and led:
            found[one.name] = Counter(led).most_common(1)[0][0]
    leading = [(pack.area, name) for pack in packs for name in pack.leading]
    managers = {one.manager for one in listed}
    above = [one for one in listed if not one.manager and one.name in managers]
    first = above[0] if len(above) == 1 else None
    beside = {
        one.name
        for one in listed
        if first is not None and one.team == first.team and one.manager == first.name and one.name in managers
    }
    for name, calling in found.items():
        is_above_all = first is not None and first.name == name
        area, does = calling.area, calling.disciplines
        if is_above_all and not area and leading:
            area, does = leading[0][0], (leading[0][1],)
        leads = is_above_all or name in beside or any(one in does for _, one in leading)
        found[name] = Calling(area, does, leads)
    return found


def area_of_room(name: str, purpose: str, areas: Sequence[str], packs: Sequence[Pack]) -> str:
    """The area that a room is for: by its name, by whose it is, or by what is said of it; empty where nothing says it.

    Args:
        areas: of those who are in it; a team's room is its work's.
    """
    phrases = _phrases((pack.area, "", pack.rooms) for pack in packs)
    said = _PRONOUN.sub(" ", purpose)
    if not _said(name, phrases):
        most, count = Counter(areas).most_common(1)[0] if areas else ("", 0)
        if most and 100 * count >= _THEIRS * len(areas):
            return most
    return _area(name, said, phrases)


def _calling(role: str, team: str, phrases: _Phrases, shared: frozenset[str]) -> Calling:
    """What somebody does by their role, and by their team where that is one job; in an area of several the team says it only where the role does not.

    Args:
        shared: areas whose people do each other's work: an engineer of `platform` does that too, a lawyer in the finance team no accounts.
    """
    area = _area(role, team, phrases)
    of_role, of_team = ([one for one in _said(text, phrases) if one.area == area] for text in (role, team))
    said = [*of_role, *of_team] if area in shared or not of_role else of_role
    return Calling(area, tuple(dict.fromkeys(one.discipline for one in said)))


def _area(first: str, second: str, phrases: _Phrases) -> str:
    """The area with most words in the first text; of several those with most in the second, then the one named last in a part of the first."""
    able: set[str] = set()
    for text in (first, second):
        counts = Counter(one.area for one in _said(text, phrases) if not able or one.area in able)
        able = {area for area, count in counts.items() if count == max(counts.values())} or able
        if len(able) == 1:
            return able.pop()
    for part in _PART.split(f"{first.lower()},{second.lower()}"):
        named = [one.area for one in _said(part, phrases) if one.area in able]
        if named:
            return named[-1]
    return ""


def _said(text: str, phrases: _Phrases) -> list[_NamedWork]:
    """What a text names, in its order; of two that overlap the longer: `data protection` is no data."""
    words = tuple(_WORD.findall(text.lower()))
    left = {*range(len(words))}
    found: list[_NamedWork] = []
    for size in range(max(map(len, phrases), default=0), 0, -1):
        for place in range(len(words) - size + 1):
            span = range(place, place + size)
            if left.issuperset(span) and words[place : place + size] in phrases:
                left.difference_update(span)
                found += [_NamedWork(place, *one) for one in phrases[words[place : place + size]]]
    return sorted(found)


def _phrases(named: Iterable[tuple[str, str, Iterable[str]]]) -> _Phrases:
    found: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for area, discipline, words in named:
        for word in words:
            found.setdefault(tuple(_WORD.findall(word.lower())), []).append((area, discipline))
    return found
