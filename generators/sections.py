"""What apps' own words in storylines (`meetings:`) come to: an intent an entry, carried by the app that has the word."""

from collections.abc import Mapping
from dataclasses import replace

from brownout.core.apps import App
from brownout.core.instants import Instant
from brownout.core.storyline_sections import Cause
from generators.planned import Planned
from generators.timetable import Timetable
from worlds.spec import WorldSpec

__all__ = ["in_order", "plan_sections"]


def in_order(planned: Planned) -> tuple[Instant, str]:
    """The key that puts what is planned in the order it happens in."""
    return planned.at, planned.intent.key


def plan_sections(spec: WorldSpec, apps: Mapping[str, App], times: Timetable) -> list[Planned]:
    """Every entry as an intent, done as long before its time as its app says, be that before the calendar begins."""
    planned = []
    for line, words in spec.sections.items():
        for word, entries in words.items():
            app = next(app for app in apps.values() if word in app.sections)
            for name, entry in entries.items():
                cause = Cause(f"{line}/{name}", name, times.moments[name], spec.world.clock.zone)
                intent = replace(app.sections[word].intent(entry, cause), via=app.name, facts=tuple(entry.states))
                planned.append(Planned(cause.at - entry.ahead, intent))
    return planned
