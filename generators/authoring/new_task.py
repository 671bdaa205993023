"""One task more for a world that exists: find out what holds now, record it and tell somebody."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import FileSystemLoader

from brownout.core.errors import UsageError
from brownout.core.short_names import slug
from brownout.core.vocabulary import near_or_all
from generators.authoring.fact_questions import actor_of_new_task, question_of, suggested_start
from generators.data_files import data_path
from generators.jinja_templates import environment, rendered
from worlds.spec import WorldSpec

__all__ = ["TaskRequest", "task_files"]


@dataclass(frozen=True, slots=True)
class TaskRequest:
    """A task as an author asks for it.

    Attributes:
        name: its short name, and the folder's.
        asks: the facts that the agent is to find out.
        requester: who asks, by short name.
        tell: where the agent says what it found: a channel, a person or a customer; the requester where it is empty.
        start: when the agent comes in, `2026-04-14 10:30`; shortly before an outage where it is empty.
        title: one line for people; made of what is asked for where it is empty.
    """

    name: str
    asks: tuple[str, ...]
    requester: str = ""
    tell: str = ""
    start: str = ""
    title: str = ""


def task_files(spec: WorldSpec, request: TaskRequest) -> dict[str, str]:
    """The files of the task, by their path in the author's folder: task.yaml, oracle.yaml, one lazy and one good case.

    Raises:
        UsageError: no fact is named or one that there is not, nobody is called so, or there is a task of that name.
    """
    problems = [*_problems(spec, request)]
    if problems:
        raise UsageError("; ".join(problems))
    fields = _fields(spec, request.asks)
    asked = ", ".join(one["asks"] for one in fields.values())
    requester = request.requester or next(
        (one.requester.person for one in spec.tasks.values()), next(iter(spec.people))
    )
    tell = request.tell or requester
    actor = actor_of_new_task(spec)
    rivals = [one["rival"] for one in fields.values()]
    values: dict[str, Any] = {
        "title": request.title or f"Find out: {asked}",
        "start": request.start or suggested_start(spec, request.asks),
        "person": actor.person if actor else _free_name(spec),
        "actor": (actor.name or actor.person.capitalize()) if actor else _free_name(spec).capitalize(),
        "role": actor.role if actor else "assistant",
        "apps": actor.apps if actor else [],
        "requester": requester,
        "tell": tell,
        "told": "me" if tell == requester else _called(spec, tell),
        "room": tell if tell[0] in "#@" else f"@{tell}",
        "products": [*spec.world.apps],
        "fields": fields,
        "asked": asked,
        "facts": [*request.asks],
        "lies": rivals if all(rivals) else [],
    }
    folder = data_path("scaffolds", "task")
    templates = environment(FileSystemLoader(folder))
    found = {}
    for path in sorted(folder.rglob("*.j2")):
        place = path.relative_to(folder).as_posix()
        text = rendered(templates, place, f"task/{place}", values)
        if text.strip():
            found[f"tasks/{request.name}/{place.removesuffix('.j2')}"] = text
    return found


def _called(spec: WorldSpec, tell: str) -> str:
    """A channel as it is written, somebody by their name."""
    somebody = spec.people.get(tell) or spec.customers.get(tell) or spec.outsiders.get(tell)
    return somebody.name if somebody else tell


def _problems(spec: WorldSpec, request: TaskRequest) -> list[str]:
    world = spec.world.world
    found = []
    if not re.fullmatch(r"[a-z][a-z0-9-]*", request.name):
        found.append(
            f"expected a short name such as late-orders (lower-case letters, digits, -), found {request.name!r}"
        )
    if request.name in spec.tasks:
        found.append(f"{world} has a task {request.name!r} already; give the new one another name")
    if not request.asks:
        found.append(
            "expected one fact at least that the agent is to find out, found none; `brownout show facts` lists them"
        )
    known = [name for story in spec.storylines.values() for name in story.facts]
    found += [f"{world} has no fact {name!r}{near_or_all(name, known)}" for name in request.asks if name not in known]
    if request.requester and request.requester not in spec.people:
        found.append(f"nobody in {world} is called {request.requester!r}{near_or_all(request.requester, spec.people)}")
    return found


def _fields(spec: WorldSpec, asks: Sequence[str]) -> dict[str, dict[str, str]]:
    """A finding for each fact: what it asks, the fact, and another value of the same slot where there is one."""
    facts = {name: fact for story in spec.storylines.values() for name, fact in story.facts.items()}
    found: dict[str, dict[str, str]] = {}
    for name in asks:
        words = slug(facts[name].slot.rpartition(".")[2] or name).replace("-", "_")
        label = next(one for one in (words, *(f"{words}_{number}" for number in range(2, 99))) if one not in found)
        rival = next((one for one, other in facts.items() if other.slot == facts[name].slot and one != name), "")
        found[label] = {"asks": question_of(spec, facts[name].slot), "fact": name, "rival": rival}
    return found


def _free_name(spec: WorldSpec) -> str:
    taken = {*spec.people, *spec.customers, *spec.outsiders}
    return next((name for name in ("robin", "sam", "alex", "kim", "noa") if name not in taken), "assistant")
