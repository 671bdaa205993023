"""Where an author gives things their names."""

from collections.abc import Iterator
from dataclasses import dataclass

from worlds.spec import WorldSpec
from worlds.spec.case_scripts import written_script

__all__ = ["Declared", "declared_in"]


@dataclass(frozen=True, slots=True)
class Declared:
    """A name, what it is the name of, and where it is given.

    Attributes:
        scope: the file in which alone it means something; empty where that is the whole world.
    """

    name: str
    kind: str
    file: str
    line: int
    scope: str = ""


def declared_in(spec: WorldSpec) -> list[Declared]:
    """Every name that is given in a world's text."""
    return [*_of_the_company(spec), *_of_apps(spec), *_of_storylines(spec), *_of_tasks(spec)]


def _of_the_company(spec: WorldSpec) -> Iterator[Declared]:
    for file, kind, names in (
        ("people.yaml", "person", spec.people),
        ("customers.yaml", "person", spec.customers),
        ("outsiders.yaml", "person", spec.outsiders),
        ("systems.yaml", "service", spec.services),
        ("outages.yaml", "outage", spec.outages),
    ):
        for name in names:
            yield Declared(name, kind, file, spec.line(file, name))
    for service, settings in spec.services.items():
        for need in settings.needs:
            line = spec.line("systems.yaml", service, "needs", need)
            yield Declared(need, "need", "systems.yaml", line, "systems.yaml")
    for name, customer in spec.customers.items():
        for number, contact in enumerate(customer.contacts):
            if contact.short:
                line = spec.line("customers.yaml", name, "contacts", number)
                yield Declared(contact.short, "person", "customers.yaml", line)


def _of_apps(spec: WorldSpec) -> Iterator[Declared]:
    """The products in use, and the names that stand one level below the words of their sections: channels, projects, groups."""
    file = "world.yaml"
    for app, section in spec.world.apps.items():
        yield Declared(app, "app", file, spec.line(file, "apps", app))
        for word, entries in section.items():
            for name in entries if isinstance(entries, dict) else ():
                yield Declared(name, "entry", file, spec.line(file, "apps", app, word, name))


def _of_storylines(spec: WorldSpec) -> Iterator[Declared]:
    for line, story in spec.storylines.items():
        file = f"storylines/{line}.yaml"
        for name in story.facts:
            yield Declared(name, "fact", file, spec.line(file, "facts", name))
        for word, entries in (("beats", story.beats), ("talks", story.talks), ("mails", story.mails)):
            for name in entries:
                yield Declared(name, "beat", file, spec.line(file, word, name))
        for word, named in spec.sections.get(line, {}).items():
            for name in named:
                yield Declared(name, "beat", file, spec.line(file, word, name))


def _of_tasks(spec: WorldSpec) -> Iterator[Declared]:
    for name, task in spec.tasks.items():
        file = f"tasks/{name}/task.yaml"
        yield Declared(name, "task", file, 0)
        yield Declared(task.actor.person, "person", file, spec.line(file, "actor", "person"))
        for field in task.findings:
            yield Declared(field, "finding", file, spec.line(file, "findings", field), file)
        rubric = task.rubric
        for part, criteria in (("gates", rubric.gates), ("points", rubric.points), ("penalties", rubric.penalties)):
            for criterion in criteria:
                line = spec.line(file, "rubric", part, criterion)
                yield Declared(criterion, "criterion", file, line, file)
        solution = f"tasks/{name}/oracle.yaml"
        for stood in written_script(solution, spec.oracles.get(name, ())):
            line = spec.line(solution, *stood.path, stood.step.call)
            yield Declared(stood.step.call, "step", solution, line, solution)
            for kept in stood.step.keep:
                place = spec.line(solution, *stood.path, stood.step.call, "keep", kept)
                yield Declared(kept, "kept name", solution, place, solution)
