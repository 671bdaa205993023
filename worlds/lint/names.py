"""Everything that a world's text may name, and the message for what it names and is not there."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel, TypeAdapter

from brownout.core.apps import App, Operation
from brownout.core.errors import Mistake
from brownout.core.vocabulary import ServiceOutline, Vocabulary, WorldNames, near, nearest, unknown
from brownout.core.wildcards import fits as matches
from worlds.spec import Beat, FactSpec, Storyline, WorldSpec
from worlds.spec.apps import installed_apps
from worlds.spec.salvage import Salvaged, pieces_of, salvage

__all__ = ["Names", "fits", "near", "nearest", "unknown"]

_MAKING = ("open", "write", "merge")


def fits(text: str, patterns: Iterable[str]) -> bool:
    """Whether a name, which may be a pattern itself, can mean something that one of the patterns means."""
    wider = (text, f"{text}.*", f"{text}/*")
    return any(matches(text, pattern) or any(matches(pattern, wide) for wide in wider) for pattern in patterns)


@dataclass(frozen=True)
class Names:
    """The names in what could be read of a world's text."""

    spec: WorldSpec

    @cached_property
    def people(self) -> list[str]:
        """Those who work at the company."""
        return [*self.spec.people]

    @cached_property
    def customers(self) -> list[str]:
        """Those who deal with it, and those of their contacts who act under a name of their own."""
        return [*self.spec.customers, *self.spec.contacts]

    @cached_property
    def outsiders(self) -> list[str]:
        """Those who write from outside and are nobody's customer."""
        return [*self.spec.outsiders]

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
        return [*self.spec.services]

    @cached_property
    def facts(self) -> dict[str, FactSpec]:
        """The facts that could be read; of two with one name the first."""
        every = [*self.spec.storylines.values()]
        return {name: fact for story in reversed(every) for name, fact in story.facts.items()}

    def is_fact(self, name: str) -> bool:
        """Whether there is such a fact."""
        return name in self.facts

    # -- apps -----------------------------------------------------------------------------------------------

    @cached_property
    def apps(self) -> dict[str, App]:
        """The products in use that can be loaded."""
        return {app.name: app for app in installed_apps(self.spec.world.apps)}

    @cached_property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """What may be said of each product that says so, as far as its section can be read."""
        found = {}
        for name, section in self.sections.items():
            text = self.apps[name].text
            if text is not None and isinstance(section.text, dict):
                found[name] = text.vocabulary(section.text, self.outline)
        return found

    @cached_property
    def sections(self) -> dict[str, Salvaged[BaseModel]]:
        """The section of world.yaml of each product that has a model for it, as far as it can be read."""
        given = self.spec.world.apps
        return {
            name: salvage(TypeAdapter(app.text.settings), given[name])
            for name, app in self.apps.items()
            if app.text is not None
        }

    @cached_property
    def unread(self) -> dict[str, frozenset[str]]:
        """By file what could not be read there, sections of world.yaml too: their names may be there all right."""
        lost: set[str] = set()
        for name, section in self.spec.world.apps.items():
            if name not in self.apps or (name in self.sections and self.sections[name].text is None):
                lost |= pieces_of(section)
            elif name in self.sections:
                lost |= self.sections[name].lost
        found = dict(self.spec.unread)
        if lost:
            found["world.yaml"] = found.get("world.yaml", frozenset()) | lost
        return found

    @cached_property
    def outline(self) -> WorldNames:
        """The names that apps may need."""
        agents = (task.actor.person for task in self.spec.tasks.values())
        return WorldNames(
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

    @property
    def made(self) -> list[str]:
        """The logical names of what beats make."""
        return [name for name, _ in self._making]

    def made_in(self, app: str) -> list[str]:
        """The logical names of what beats make in an app."""
        if app not in self._made:
            self._made[app] = [name for name, apps in self._making if app in apps or None in apps]
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


def section_mistakes(names: Names, app: str) -> Iterator[Mistake]:
    """What an app's model finds wrong with its section of world.yaml."""
    for place, problem in names.sections[app].wrong if app in names.sections else ():
        shown = ".".join(["apps", app, *map(str, place)])
        yield Mistake("world.yaml", names.spec.line("world.yaml", "apps", app, *place), f"{shown}: {problem}")
