"""The names of a world by what they are of: what forms offer, and what the editor completes."""

from collections.abc import Iterator
from zoneinfo import available_timezones

from studio.authoring.task_offer import fact_text
from worlds.lint.names import Names
from worlds.spec import WorldSpec

__all__ = ["NamesByKind", "names_by_kind"]

NamesByKind = dict[str, dict[str, str]]
"""By kind (`person`, `service`, `fact` …), each name with what it stands for in a few words."""


def names_by_kind(spec: WorldSpec | None) -> NamesByKind:
    """Every name that a field of the text may hold."""
    found: NamesByKind = {"zone": dict.fromkeys(sorted(available_timezones()), "")}
    if spec is None:
        return found
    names = Names(spec)
    found["person"] = {short: f"{one.name}, {one.role}" for short, one in spec.people.items()}
    found["person"] |= {task.actor.person: "the agent" for task in spec.tasks.values()}
    found["customer"] = {short: one.name for short, one in spec.customers.items()}
    found["service"] = {short: one.says for short, one in spec.services.items()}
    found["vendor"] = {part: _needed(spec, part) for part in sorted(_vendors(spec))}
    found["app"] = {name: app.title for name, app in names.apps.items()}
    found["team"] = dict.fromkeys(names.teams, "")
    channels = (channel for vocabulary in names.vocabularies.values() for channel in vocabulary.channels)
    found["channel"] = dict.fromkeys(sorted(channels), "")
    found["fact"] = {name: fact_text(spec, fact) for name, fact in names.facts.items()}
    found["slot"] = dict.fromkeys(sorted({fact.slot for fact in names.facts.values()}), "")
    found["moment"] = dict(_moments(spec))
    found["outage"] = {name: f"{one.on} {one.mode}" for name, one in spec.outages.items()}
    found["task"] = {name: task.title for name, task in spec.tasks.items()}
    repositories = spec.root / "repos"
    found["repository"] = dict.fromkeys(sorted(path.name for path in repositories.glob("*/")), "")
    return found


def _vendors(spec: WorldSpec) -> set[str]:
    needs = (need for service in spec.services.values() for need in service.needs.values())
    return {part for need in needs for part in (need.on, *need.can_be)} - {*spec.services}


def _needed(spec: WorldSpec, part: str) -> str:
    """Which services need a vendor's part: `checkout, orders need it`."""
    users = [
        name
        for name, one in spec.services.items()
        if any(part in (need.on, *need.can_be) for need in one.needs.values())
    ]
    return f"{', '.join(users)} need{'s' if len(users) == 1 else ''} it"


def _moments(spec: WorldSpec) -> Iterator[tuple[str, str]]:
    yield from ((name, f"outage of {one.on}") for name, one in spec.outages.items())
    for line, story in spec.storylines.items():
        for name, beat in story.beats.items():
            yield name, f"{line}: {beat.who}"
        for name in (*story.talks, *story.mails):
            yield name, line
