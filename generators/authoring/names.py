"""Names of people, companies and places as Faker knows them, drawn by key and frozen into the author's text."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from faker import Faker

from brownout.core.seeds import Stream
from brownout.core.short_names import slug
from generators.data_files import data_path, read_data
from worlds.spec.field_types import Spec

__all__ = ["FullName", "ZonePlace", "full_name", "new_name", "place_of", "short_names"]

_ROMANIZED: Final = frozenset({"ja_JP"})


class ZonePlace(Spec):
    """Where people of a zone live, and what they are called."""

    cities: list[str]
    locales: dict[str, int]


@dataclass(frozen=True, slots=True)
class FullName:
    """Somebody's name, written in Latin letters."""

    given: str
    family: str

    def __str__(self) -> str:
        return f"{self.given} {self.family}"


def place_of(zone: str) -> ZonePlace:
    """The cities and languages of a time zone, those of its part of the world where nothing is known of it."""
    places = _places()
    return places.get(zone) or places.get(zone.partition("/")[0]) or places["else"]


def full_name(stream: Stream, place: ZonePlace) -> FullName:
    """A name of a place: `full_name(Stream(3, "people", 7), place_of("Europe/Warsaw"))` is Zofia Wrona, say."""
    locale = stream.weighted([*place.locales], [*place.locales.values()])
    faker = _faker(locale)
    faker.seed_instance(stream.bits())
    if locale in _ROMANIZED:
        return FullName(faker.first_romanized_name(), faker.last_romanized_name())
    kind = stream.choice(["female", "male"])
    given, family = (getattr(faker, f"{part}_name_{kind}")() for part in ("first", "last"))
    return FullName(given.partition(" ")[0], family.rpartition(" ")[2])


def new_name(stream: Stream, place: ZonePlace, taken: set[str]) -> FullName:
    """A name of a place that nobody has yet; it is taken from then on."""
    drawn = (full_name(stream.child("name", attempt), place) for attempt in range(1_000))
    name = next(name for name in drawn if str(name) not in taken)
    taken.add(str(name))
    return name


def short_names(names: Collection[FullName], taken: Collection[str] = ()) -> list[str]:
    """What colleagues type for each: the given name, and for namesakes as much of the family name as tells them apart."""
    given = [slug(name.given) for name in names]
    found: list[str] = []
    used = set(taken)
    for first, name in zip(given, names, strict=True):
        family = slug(name.family).replace("-", "")
        choices = [first] if given.count(first) == 1 else []
        choices += [f"{first}-{family[:length]}" for length in range(1, len(family) + 1)]
        choices += [f"{first}-{family}-{number}" for number in range(2, len(names) + 2)]
        chosen = next(choice for choice in choices if choice not in used)
        used.add(chosen)
        found.append(chosen)
    return found


@cache
def _places() -> Mapping[str, ZonePlace]:
    return read_data(data_path("authoring", "places.yaml"), dict[str, ZonePlace])


@cache
def _faker(locale: str) -> Faker:
    return Faker(locale)
