"""What an app makes of an author's text: its own section of world.yaml, and the words that the rest may then use of it.

The checker knows no product. An app that wants its part of a world checked says so in `App.text`; the text about an app
without one is taken as it stands.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache

from pydantic import BaseModel

from brownout.core.errors import Unknown
from brownout.core.values import JsonObject

__all__ = [
    "AppText",
    "FieldSpec",
    "Problem",
    "ServiceOutline",
    "Vocabulary",
    "WorldNames",
    "alike",
    "near",
    "near_or_all",
    "nearest",
    "unknown",
]


def nearest(name: str, known: Iterable[str]) -> str:
    """What is known by much the same name; empty where nothing is."""
    return _closest(name, tuple(sorted(set(known))))


@lru_cache(2_000)
def _closest(name: str, options: tuple[str, ...]) -> str:
    """The same words are asked about in every script of a world."""
    found = get_close_matches(name, options, 1)
    if not found:
        found = alike(name, options, 1)
    return found[0] if found else ""


def alike(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Those known that a name may be a slip of, whatever the case, the nearest first: `lakspur` gives `larkspur`."""
    lowered = {option.lower(): option for option in known}
    return [lowered[one] for one in get_close_matches(name.lower(), lowered, most)]


def near(name: str, known: Iterable[str]) -> str:
    """`; did you mean …?` where something known is called much the same."""
    found = nearest(name, known)
    return f"; did you mean {found!r}?" if found else ""


def near_or_all(name: str, known: Iterable[str]) -> str:
    """`; did you mean …?` where something known is called much the same, else `; there are: …`."""
    known = list(known)
    return near(name, known) or f"; there are: {', '.join(known)}"


def unknown(what: str, name: str, known: Iterable[str], *, scope: str = "", is_listed: bool = False) -> Unknown:
    """The message for a name that nothing has.

    Args:
        is_listed: what there is, is named where nothing is called much the same; for what is the same in every world.
    """
    hint = near_or_all(name, known) if is_listed else near(name, known)
    return Unknown(f"there is no {what} {name!r}{hint}", name=name, kind=what, scope=scope)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in an app's section: where below `apps: <name>:`, and what."""

    place: tuple[str | int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class ServiceOutline:
    """A service as the author declares it: what may serve each of its needs, and its flags."""

    needs: Mapping[str, tuple[str, ...]]
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorldNames:
    """The names in a world's text that an app's part of it may hang on.

    Attributes:
        domain: the company's mail domain.
        people: who has an account at the company, the agents too, by short name.
        customers: who deals with it from outside.
    """

    domain: str
    people: frozenset[str]
    customers: frozenset[str]
    services: Mapping[str, ServiceOutline]

    def strangers(self, named: Iterable[str], place: tuple[str | int, ...]) -> list[Problem]:
        """A problem for everybody named in a section who has no account at the company."""
        return [Problem(place, unknown("person", name, self.people)) for name in named if name not in self.people]


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What may stand behind a word of an author's: in a beat, or as the value of a field.

    Attributes:
        values: all that it may be; None is anything.
        is_required: a beat that lacks it cannot be carried out.
        is_thing: it is the name of a beat that made something in the app.
    """

    values: Collection[str] | None = None
    is_required: bool = False
    is_thing: bool = False


def _unchecked(thing: str) -> Mapping[str, FieldSpec] | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """What the text of a world may say of one app. None, where it stands, leaves something unchecked.

    Attributes:
        problems: what is wrong with the section beyond what its model finds.
        channels: the channels that something can be said in (`#ops`).
        groups: names that mean several people at once.
        details: by kind of intent, the words of a beat beside whom it is meant for and what it says.
        things: patterns of what a selector may name (`BOX-*`), beside the names of beats that made something.
        fields: by a selector's thing, the fields that it has.
        paths: patterns of the paths below `<app>:` that a rubric may permit.
        requests: what an outage may name beside the operations and the intents.
        member_lists: where in the section people are listed who read something together; whoever joins a team joins those
            that hold all of it.
    """

    problems: tuple[Problem, ...] = ()
    channels: Collection[str] = ()
    groups: Collection[str] = ()
    details: Mapping[str, Mapping[str, FieldSpec]] = field(default_factory=dict)
    things: Collection[str] | None = None
    fields: Callable[[str], Mapping[str, FieldSpec] | None] = _unchecked
    paths: Collection[str] | None = None
    requests: Collection[str] = ()
    member_lists: Collection[tuple[str | int, ...]] = ()


def _nothing_to_say(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    return Vocabulary()


@dataclass(frozen=True, slots=True)
class AppText:
    """How an app has its part of a world's text checked.

    Attributes:
        settings: the model of its section of world.yaml.
        vocabulary: what the text may say of it, given a section that the model accepts.
    """

    settings: type[BaseModel]
    vocabulary: Callable[[JsonObject, WorldNames], Vocabulary] = _nothing_to_say
