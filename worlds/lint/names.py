"""Everything that a world's text may name, and the message for what it names and is not there."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pydantic import ValidationError

from brownout.core.apps import App, Operation
from brownout.core.errors import Mistake
from brownout.core.vocabulary import Outline, ServiceOutline, Vocabulary, near
from brownout.core.wildcards import fits as matches
from worlds.spec import Beat, FactSpec, Storyline, WorldSpec
from worlds.spec.apps import installed_apps

__all__ = ["Names", "fits", "near", "unknown"]

_MAKING = ("open", "write", "merge")


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for a name that nothing has."""
    return f"there is no {what} {name!r}{near(name, known)}"


def fits(text: str, patterns: Iterable[str]) -> bool:
    """Whether a name, which may be a pattern itself, can mean something that one of the patterns means."""
    wider = (text, f"{text}.*", f"{text}/*")
    return any(matches(text, pattern) or any(matches(pattern, wide) for wide in wider) for pattern in patterns)


@dataclass(frozen=True)
class Names:
    """The names in a world's text. What stands there and could not be read is known by its name all the same."""

    spec: WorldSpec

    def _with_unread(self, file: str, known: Iterable[str]) -> list[str]:
        return [*known, *self.spec.unread.get(file, ())]

    @cached_property
    def people(self) -> list[str]:
        """Those who work at the company."""
        return self._with_unread("people.yaml", self.spec.people)

    @cached_property
    def customers(self) -> list[str]:
        """Those who deal with it, and those of their contacts who act under a name of their own."""
        return self._with_unread("customers.yaml", [*self.spec.customers, *self.spec.contacts])

    @cached_property
    def outsiders(self) -> list[str]:
        """Those who write from outside and are nobody's customer."""
        return self._with_unread("outsiders.yaml", self.spec.outsiders)

    @cached_property
    def everyone(self) -> list[str]:
        """People, customers, others from outside, and whom the agents play."""
        agents = (task.actor.person for task in self.spec.tasks.values())
        return [*self.people, *self.customers, *self.outsiders, *dict.fromkeys(agents)]

    @cached_property
    def teams(self) -> list[str]:
        """Teams that somebody is in."""
        return sorted({person.team for person in self.spec.people.values() if person.team})

    @cached_property
    def services(self) -> list[str]:
        """What runs."""
        return self._with_unread("systems.yaml", self.spec.services)

    @cached_property
    def stories(self) -> list[str]:
        """What stands in storylines and could not be read: facts and beats."""
        return [name for file, names in self.spec.unread.items() if file.startswith("storylines/") for name in names]

    @cached_property
    def facts(self) -> dict[str, FactSpec]:
        """The facts that could be read."""
        return {name: fact for story in self.spec.storylines.values() for name, fact in story.facts.items()}

    def is_fact(self, name: str) -> bool:
        """Whether there is such a fact, readable or not."""
        return name in self.facts or name in self.stories

    # -- apps -----------------------------------------------------------------------------------------------

    @cached_property
    def apps(self) -> dict[str, App]:
        """The products in use that can be loaded."""
        return {app.name: app for app in installed_apps(self.spec.world.apps)}

    @cached_property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """What may be said of each product that says so, its section being sound."""
        found = {}
        for name, app in self.apps.items():
            if app.text is not None and not section_mistakes(self.spec, app):
                found[name] = app.text.vocabulary(self.spec.world.apps[name], self.outline)
        return found

    @cached_property
    def outline(self) -> Outline:
        """The names that apps may need."""
        agents = (task.actor.person for task in self.spec.tasks.values())
        return Outline(
            domain=self.spec.world.company.domain,
            people=frozenset([*self.people, *agents]),
            customers=frozenset([*self.customers, *self.outsiders]),
            services={
                name: ServiceOutline(
                    {need: (wanted.on, *wanted.can_be) for need, wanted in service.needs.items()}, tuple(service.flags)
                )
                for name, service in self.spec.services.items()
            },
        )

    @cached_property
    def operations(self) -> dict[str, Operation]:
        """What may be asked of the products in use."""
        return {name: operation for app in self.apps.values() for name, operation in app.operations.items()}

    @property
    def knows_all_operations(self) -> bool:
        """Whether every product in use could be loaded."""
        return len(self.apps) == len(self.spec.world.apps)

    def channels(self, app: str = "") -> Collection[str] | None:
        """The rooms of an app, or of all; None where one does not say."""
        wanted = [app] if app else [name for name, found in self.apps.items() if "tell" in found.intents]
        rooms: list[str] = []
        for name in wanted:
            if name not in self.vocabularies:
                return None
            rooms.extend(self.vocabularies[name].channels)
        return rooms

    def channel_problem(self, channel: str, app: str = "") -> str:
        """Why nothing can be said in a channel; empty where it can, or where the app does not say what it has."""
        known = self.channels(app)
        return "" if known is None or channel in known else unknown("channel", channel, known)

    @cached_property
    def groups(self) -> list[str]:
        """Names that mean several people at once."""
        return [group for vocabulary in self.vocabularies.values() for group in vocabulary.groups]

    # -- what beats make ------------------------------------------------------------------------------------

    def made_in(self, app: str) -> list[str]:
        """The logical names of what beats make in an app."""
        if app not in self._made:
            self._made[app] = [name for name, apps in self._making if app in apps or None in apps] + self.stories
        return self._made[app]

    @cached_property
    def _made(self) -> dict[str, list[str]]:
        """What `made_in` has found so far: every beat that names something asks again."""
        return {}

    @cached_property
    def _making(self) -> list[tuple[str, set[str | None]]]:
        """Each beat that makes something, with the apps it makes it in, None for whichever works then."""
        found = [
            (name, {action.via for action in beat.does if action.kind in _MAKING})
            for line, story in self.spec.storylines.items()
            for name, beat in _named_beats(line, story)
        ]
        return [(name, apps) for name, apps in found if apps]


def _named_beats(line: str, story: Storyline) -> Iterator[tuple[str, Beat]]:
    for name, beat in story.beats.items():
        yield name, beat
        yield f"{line}/{name}", beat


def section_mistakes(spec: WorldSpec, app: App) -> list[Mistake]:
    """What an app's model finds wrong with its section of world.yaml."""
    if app.text is None:
        return []
    try:
        app.text.settings.model_validate(spec.world.apps[app.name])
    except ValidationError as error:
        words = _words(app.text.settings.model_json_schema())
        return [_section_mistake(spec, app.name, detail, words) for detail in error.errors()]
    return []


def _section_mistake(spec: WorldSpec, app: str, detail: Mapping[str, object], words: Iterable[str]) -> Mistake:
    loc = detail["loc"]
    place = [part for part in loc if isinstance(part, str | int)] if isinstance(loc, tuple) else []
    shown = ".".join(["apps", app, *map(str, place)])
    last = str(place[-1]) if place else app
    match detail["type"]:
        case "extra_forbidden":
            problem = f"unknown word{near(last, words)}"
        case "missing":
            problem = "expected this, found nothing"
        case _:
            problem = f"{str(detail['msg']).removeprefix('Value error, ')}, found {detail.get('input')!r}"
    return Mistake("world.yaml", spec.line("world.yaml", "apps", app, *place), f"{shown}: {problem}")


def _words(schema: Mapping[str, object]) -> list[str]:
    definitions = schema.get("$defs", {})
    parts = [schema, *(definitions.values() if isinstance(definitions, dict) else ())]
    found: list[str] = []
    for part in parts:
        properties = part.get("properties", {}) if isinstance(part, dict) else {}
        found.extend(properties)
    return found
