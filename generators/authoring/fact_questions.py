"""What a new task can ask of a world, and when it is best begun: the questions that its facts answer, moments before its outages."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from brownout.core.errors import AuthoringError
from brownout.core.instants import MINUTE, Duration, Instant, local
from generators.timetable import Timetable, make_timetable
from worlds.spec import FactSpec, WorldSpec
from worlds.spec.apps import installed_apps
from worlds.spec.tasks import Actor

__all__ = ["LEAD", "FactQuestion", "actor_of_new_task", "question_of", "questions_of", "suggested_start"]

LEAD: Duration = 5 * MINUTE
"""How long before an outage a task begins: so close that what breaks falls into the run, which a short one ends within ten minutes."""
_LEADS: Final[Mapping[str, str]] = {
    "artefact": "Where", "date": "Which day", "duration": "How long", "person": "Who", "quantity": "How many", "time": "What time",
}  # fmt: skip
"""How a question begins, by what kind of value answers it."""
_WORDS = 5
"""A finding's question of so many words is understood without the others of its task."""


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """What has one value at a time.

    Attributes:
        slot: its name: `policy-changed.value`.
        asks: in words: `What is the refund window now?`.
        storyline: where it is told of.
        facts: its values, by the names of the facts, in the author's order.
    """

    slot: str
    asks: str
    storyline: str
    facts: tuple[str, ...]


def questions_of(spec: WorldSpec) -> tuple[FactQuestion, ...]:
    """Every question that a world's typed facts answer, in the order of its storylines; a task can ask for no other."""
    found: dict[str, tuple[str, list[str]]] = {}
    for line, story in spec.storylines.items():
        for name, fact in ((name, fact) for name, fact in story.facts.items() if fact.kind):
            found.setdefault(fact.slot, (line, []))[1].append(name)
    return tuple(
        FactQuestion(slot, question_of(spec, slot), line, tuple(facts)) for slot, (line, facts) in found.items()
    )


def question_of(spec: WorldSpec, slot: str) -> str:
    """What is asked by whoever wants to know a slot's value: `How long is a seat kept?`.

    It is what a fact of the slot says in `asks`; else how a task asks for it; else made of the slot's name and of what the answer
    is: `Which day: lead from (Hafenpraxis)?` of `hafenpraxis.lead_from`.
    """
    facts = {name: fact for story in spec.storylines.values() for name, fact in story.facts.items()}
    own = {name for name, fact in facts.items() if fact.slot == slot}
    if said := next((facts[name].asks for name in facts if name in own and facts[name].asks), ""):
        return said
    for task in spec.tasks.values():
        for finding in task.findings.values():
            if finding.kind == "fact" and own.issuperset(finding.right) and len(finding.asks.split()) >= _WORDS:
                return finding.asks
    return _of_label(spec, slot, next((facts[name] for name in facts if name in own), None))


def _of_label(spec: WorldSpec, slot: str, fact: FactSpec | None) -> str:
    """A question of a slot's name, with whose it is in brackets."""
    whose, _, label = slot.rpartition(".")
    words = re.sub(r"[-_.]+", " ", label).strip() or label
    named = spec.customers.get(whose) or spec.people.get(whose) or spec.outsiders.get(whose)
    of = named.name if named else re.sub(r"[-_.]+", " ", whose)
    lead = _LEADS.get(fact.kind if fact else "", "What")
    if fact is not None and fact.kind == "artefact":
        lead = next((f"Which {app.thing}" for app in installed_apps([fact.value.partition(":")[0]]) if app.thing), lead)
    return f"{lead}: {words}{f' ({of})' if of else ''}?"


def suggested_start(spec: WorldSpec, asks: Sequence[str]) -> str:
    """When a task that asks for these facts is best begun, as an author writes it: `2026-03-02 10:30`.

    That is shortly before the nearest outage after everything that its storylines tell, of a product that the agent works with
    where there is one; else the next working morning after they have told it.
    """
    try:
        times = make_timetable(spec)
    except AuthoringError:
        return _late_morning(spec)
    first, last = times.calendar
    facts = {name: fact for story in spec.storylines.values() for name, fact in story.facts.items()}
    known = max([first, *(at for name in asks if (at := (times.windows.get(name) or (None, None))[0]) is not None)])
    told = max([known, *_told(spec, times, asks, facts)])
    for after in (told, known):
        near = [
            (not _is_used(spec, outage.on), times.moments[name])
            for name, outage in spec.outages.items()
            if name in times.moments and after <= times.moments[name] - LEAD < last
        ]
        if near:
            return _text(min(near)[1] - LEAD, spec)
    return _morning_after(told, last, spec)


def _told(spec: WorldSpec, times: Timetable, asks: Sequence[str], facts: Mapping[str, FactSpec]) -> list[Instant]:
    """When the storylines of these facts tell something."""
    found = []
    for story in spec.storylines.values():
        if any(name in story.facts for name in asks if name in facts):
            names = (*story.beats, *story.talks, *story.mails)
            found += [times.moments[name] for name in names if name in times.moments]
    return found


def actor_of_new_task(spec: WorldSpec) -> Actor | None:
    """The agent that a task more is begun for: the one of the first task, None where there is no task yet."""
    return next((task.actor for task in spec.tasks.values()), None)


def _is_used(spec: WorldSpec, on: str) -> bool:
    """Whether an outage is on a product that the agent of a task more works with."""
    actor = actor_of_new_task(spec)
    chosen = actor.apps if actor is not None and actor.apps and actor.apps != "all" else [*spec.world.apps]
    return on.split("/")[0] in chosen


def _text(at: Instant, spec: WorldSpec) -> str:
    step = 5 * MINUTE
    return local(at - at % step, spec.world.clock.zone).strftime("%Y-%m-%d %H:%M")


def _morning_after(at: Instant, last: Instant, spec: WorldSpec) -> str:
    """Ten o'clock on the first working day after a moment; near the calendar's end where there is none."""
    zone = spec.world.clock.zone
    day = _working(local(at, zone).date() + timedelta(days=1), 1)
    return f"{day} 10:00" if day < local(last, zone).date() else _late_morning(spec)


def _late_morning(spec: WorldSpec) -> str:
    """A working day's morning near the end of the calendar."""
    return f"{_working(date.fromisoformat(spec.world.clock.until[:10]) - timedelta(days=2), -1)} 10:00"


def _working(day: date, step: int) -> date:
    while day.weekday() >= 5:
        day += timedelta(days=step)
    return day
