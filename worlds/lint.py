"""What can be wrong with a spec as it stands, before anything is built: names that name nothing, mostly."""

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import partial

from pydantic import ValidationError

from brownout.core.errors import BrokenPlugin, Mistake, UnknownPlugin
from brownout.core.plugins import load_plugin, plugin_names
from brownout.core.values import Json
from brownout.llm import Recorded
from worlds.attendance import days_off
from worlds.expressions import ExpressionError, parse_condition, parse_moment, parse_selector
from worlds.facts import pattern_mistake
from worlds.harness import read_harness
from worlds.spec import Beat, Criterion, Storyline, Task, WorldSpec
from worlds.systems import parse_alert, parse_complaint, parse_effect, parse_need_state, parse_until

__all__ = ["lint"]

_NAME = re.compile(r"[a-z][a-z0-9-]*")


def lint(spec: WorldSpec) -> list[Mistake]:
    """Every mistake in the spec that can be seen without building it."""
    return [
        *_people(spec),
        *_apps(spec),
        *_outages(spec),
        *_systems(spec),
        *_storylines(spec),
        *_sections(spec),
        *_tasks(spec),
        *_judged(spec),
        *_harnesses(spec),
        *_circles(spec),
    ]


def _near(name: str, known: Iterable[str]) -> str:
    found = get_close_matches(name, sorted(known), 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    return f"there is no {what} {name!r}{_near(name, known)}"


def _people(spec: WorldSpec) -> Iterator[Mistake]:
    facts = _facts(spec)
    for name, person in spec.people.items():
        line = spec.lines.get(("people.yaml", name), 0)
        if person.manager and person.manager not in spec.people:
            yield Mistake("people.yaml", line, f"{name}.manager: {_unknown('person', person.manager, spec.people)}")
        for app in person.reads:
            if app not in spec.world.apps:
                yield Mistake("people.yaml", line, f"{name}.reads: {_unknown('app', app, spec.world.apps)}")
        for fact in person.asked:
            if fact not in facts:
                yield Mistake("people.yaml", line, f"{name}.asked: {_unknown('fact', fact, facts)}")
        for word, text in (("joins", person.joins), ("leaves", person.leaves)):
            if text and (problem := _time_problem(text, spec.world.clock.zone)):
                yield Mistake("people.yaml", line, f"{name}.{word}: {problem}")
        try:
            days_off(person.away, person.zone or spec.world.clock.zone)
        except (ExpressionError, KeyError) as error:
            yield Mistake("people.yaml", line, f"{name}.away: {error}")
    for name in spec.customers:
        if name in spec.people:
            yield Mistake("customers.yaml", 0, f"{name}: a person has this name already")
    yield from _customers(spec)
    if not spec.people:
        yield Mistake("people.yaml", 0, "expected at least one person")


def _customers(spec: WorldSpec) -> Iterator[Mistake]:
    """Names of customers' contacts that are taken, and owners who do not work here."""
    taken = [*spec.people, *spec.customers]
    for name, customer in spec.customers.items():
        line = spec.lines.get(("customers.yaml", name), 0)
        if customer.owner and customer.owner not in spec.people:
            yield Mistake("customers.yaml", line, f"{name}.owner: {_unknown('person', customer.owner, spec.people)}")
        for contact in customer.contacts:
            if contact.short in taken:
                yield Mistake("customers.yaml", line, f"{name}.contacts: {contact.short!r} is somebody's name already")
            taken += [contact.short] if contact.short else []
        emails = [contact.email for contact in customer.contacts]
        if len(set(emails)) < len(emails):
            yield Mistake("customers.yaml", line, f"{name}.contacts: two of them have the same mail address")


def _sections(spec: WorldSpec) -> Iterator[Mistake]:
    """Entries of the apps' own words (`meetings:`) that name people or facts who are not there."""
    known = _everyone(spec)
    for line, words in spec.sections.items():
        file = f"storylines/{line}.yaml"
        for word, entries in words.items():
            for name, entry in entries.items():
                place, at = f"{word}.{name}", spec.lines.get((file, name), 0)
                for person in entry.people:
                    if person not in known and "@" not in person:
                        yield Mistake(file, at, f"{place}: {_unknown('person', person, known)}")
                for fact in entry.states:
                    if fact not in _facts(spec):
                        yield Mistake(file, at, f"{place}: {_unknown('fact', fact, _facts(spec))}")


def _judged(spec: WorldSpec) -> Iterator[Mistake]:
    """Lines of `judged.jsonl`, the judge's recorded answers, that are none."""
    for task in spec.tasks:
        path = spec.root / "tasks" / task / "judged.jsonl"
        for number, line in enumerate(path.read_bytes().splitlines() if path.is_file() else (), start=1):
            try:
                Recorded.model_validate_json(line)
            except ValidationError as error:
                why = error.errors()[0]
                place = ".".join(str(part) for part in why["loc"]) or "the line"
                yield Mistake(f"tasks/{task}/judged.jsonl", number, f"{place}: {why['msg']}")


def _harnesses(spec: WorldSpec) -> Iterator[Mistake]:
    """Files of `repos/<name>/hidden/harness.yaml` that are no list of paths in the repository."""
    for path in sorted((spec.root / "repos").glob("*/hidden/harness.yaml")):
        name = path.relative_to(spec.root).as_posix()
        try:
            read_harness(path)
        except ValueError as error:
            yield Mistake(name, 0, str(error))


def _circles(spec: WorldSpec) -> Iterator[Mistake]:
    """Chains of managers, and of services' needs, that come back to their beginning."""
    bosses = {name: [person.manager] for name, person in spec.people.items() if person.manager}
    needs = {name: [need.on for need in service.needs.values()] for name, service in spec.services.items()}
    for file, word, arrows in (("people.yaml", "manager", bosses), ("systems.yaml", "needs", needs)):
        circle = _circle(arrows)
        if circle:
            shown = " -> ".join(circle)
            yield Mistake(file, spec.lines.get((file, circle[0]), 0), f"{word}: this comes back to itself: {shown}")


def _circle(arrows: dict[str, list[str]]) -> list[str]:
    done: set[str] = set()

    def walk(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for other in arrows.get(name, ()):
            found = walk(other, [*path, name])
            if found:
                return found
        done.add(name)
        return []

    for start in arrows:
        found = walk(start, [])
        if found:
            return found
    return []


def _apps(spec: WorldSpec) -> Iterator[Mistake]:
    for name in spec.world.apps:
        if name not in plugin_names("apps"):
            yield Mistake("world.yaml", 0, f"apps: {_unknown('app', name, plugin_names('apps'))}")
    problem = _time_problem("2026-01-01", spec.world.clock.zone)
    since = spec.world.company.since
    if since and not problem and (wrong := _time_problem(since, spec.world.clock.zone)):
        yield Mistake("world.yaml", 0, f"company.since: {wrong}")
    if problem:
        yield Mistake("world.yaml", 0, f"clock.zone: {spec.world.clock.zone!r} is not in the tz database")


def _outages(spec: WorldSpec) -> Iterator[Mistake]:
    for name, outage in spec.outages.items():
        line = spec.lines.get(("outages.yaml", name), 0)
        if outage.mode not in plugin_names("faults"):
            yield Mistake(
                "outages.yaml", line, f"{name}.mode: {_unknown('fault mode', outage.mode, plugin_names('faults'))}"
            )
        if bool(outage.start) == bool(outage.when):
            yield Mistake("outages.yaml", line, f"{name}: expected either from: or when:")
        if outage.when:
            yield from _condition(spec, "outages.yaml", line, name, outage.when)
        for person in outage.people:
            if person not in _everyone(spec):
                yield Mistake("outages.yaml", line, f"{name}.people: {_unknown('person', person, _everyone(spec))}")


def _everyone(spec: WorldSpec) -> list[str]:
    return [*spec.people, *_outsiders(spec), *(task.actor.person for task in spec.tasks.values())]


def _outsiders(spec: WorldSpec) -> list[str]:
    """The customers, and those of their contacts who act under a name of their own."""
    contacts = [contact.short for customer in spec.customers.values() for contact in customer.contacts]
    return [*spec.customers, *(name for name in contacts if name)]


def _condition(spec: WorldSpec, file: str, line: int, name: str, text: str) -> Iterator[Mistake]:
    """A condition on a service, a vendor's part or an operation."""
    try:
        found = parse_condition(text)
    except ExpressionError as error:
        yield Mistake(file, line, f"{name}.when: {error}")
        return
    if found.state not in ("slow", "errors", "down", "called"):
        yield Mistake(
            file, line, f"{name}.when: {_unknown('state', found.state, ('slow', 'errors', 'down', 'called'))}"
        )
    elif found.state != "called" and found.name not in spec.services:
        yield Mistake(file, line, f"{name}.when: {_unknown('service', found.name, spec.services)}")


def _groups(spec: WorldSpec) -> list[str]:
    """Names that an app's settings give to several people at once (`support`)."""
    found = [settings.get("groups") for settings in spec.world.apps.values()]
    return [name for groups in found if isinstance(groups, dict) for name in groups]


def _channels(spec: WorldSpec) -> list[str]:
    """Rooms that an app's settings make (`#support`)."""
    found = [settings.get("channels") for settings in spec.world.apps.values()]
    return [name for channels in found if isinstance(channels, dict) for name in channels]


def _systems(spec: WorldSpec) -> Iterator[Mistake]:
    for name, service in spec.services.items():
        line = spec.lines.get(("systems.yaml", name), 0)
        if service.on_call and service.on_call not in _everyone(spec):
            yield Mistake(
                "systems.yaml", line, f"{name}.on_call: {_unknown('person', service.on_call, _everyone(spec))}"
            )
        for app in service.shows.posts.values():
            if app not in spec.world.apps:
                yield Mistake("systems.yaml", line, f"{name}.shows.posts: {_unknown('app', app, spec.world.apps)}")
        checks: list[tuple[str, Callable[[], object]]] = []
        for key, behaviour in service.behaves.items():
            during = behaviour.during or behaviour.once
            checks += [
                (f"{name}.{key}", partial(parse_need_state, during)),
                (f"{name}.{key}.multiplies", partial(parse_effect, behaviour.multiplies)),
                (f"{name}.{key}.until", partial(parse_until, behaviour.until)),
            ]
            need = during.rpartition(".")[0]
            if need and need not in service.needs:
                yield Mistake("systems.yaml", line, f"{name}.{key}: {_unknown('need', need, service.needs)}")
        if service.shows.alert:
            checks.append((f"{name}.shows.alert", partial(parse_alert, service.shows.alert)))
        if service.shows.customers:
            checks.append((f"{name}.shows.customers", partial(parse_complaint, service.shows.customers)))
        for place, check in checks:
            try:
                check()
            except ExpressionError as error:
                yield Mistake("systems.yaml", line, f"{place}: {error}")


def _facts(spec: WorldSpec) -> set[str]:
    return {name for story in spec.storylines.values() for name in story.facts}


def _storylines(spec: WorldSpec) -> Iterator[Mistake]:
    facts = _facts(spec)
    for line, story in spec.storylines.items():
        file = f"storylines/{line}.yaml"
        yield from _patterns(file, story)
        yield from _audiences(spec, file, story)
        for name, beat in story.beats.items():
            known = [*spec.people, *_outsiders(spec)]
            if beat.who not in known:
                yield Mistake(file, 0, f"{name}.who: {_unknown('person', beat.who, known)}")
            if bool(beat.at) == bool(beat.when):
                yield Mistake(file, 0, f"{name}: expected either at: or when:")
            if beat.when:
                yield from _condition(spec, file, 0, name, beat.when)
            for fact in (*beat.makes, *beat.states, *beat.learns):
                if fact not in facts:
                    yield Mistake(file, 0, f"{name}: {_unknown('fact', fact, facts)}")
            yield from _actions(spec, file, name, beat)
        yield from _talks(spec, file, story)
        yield from _mails(spec, file, story)


def _is_document(spec: WorldSpec, name: str) -> bool:
    """Whether the author has such a document; a name that leads out of the folder is none."""
    root = (spec.root / "documents").resolve()
    path = (root / name).resolve()
    return path.is_file() and path.is_relative_to(root)


def _talks(spec: WorldSpec, file: str, story: Storyline) -> Iterator[Mistake]:
    for name, talk in story.talks.items():
        if talk.via not in spec.world.apps:
            yield Mistake(file, 0, f"{name}.via: {_unknown('app', talk.via, spec.world.apps)}")
        if not talk.where.startswith("#") and talk.where not in spec.people:
            yield Mistake(file, 0, f"{name}.in: {_unknown('person', talk.where, spec.people)}")
        for line in talk.lines:
            for who in (line.who, *(reader for readers in line.reacts.values() for reader in readers)):
                if who not in spec.people:
                    yield Mistake(file, 0, f"{name}: {_unknown('person', who, spec.people)}")
            if line.was and line.edited is None:
                yield Mistake(file, 0, f"{name}: was: only a line that was `edited` said something else before")
        for fact in talk.states:
            if fact not in _facts(spec):
                yield Mistake(file, 0, f"{name}: {_unknown('fact', fact, _facts(spec))}")


def _mails(spec: WorldSpec, file: str, story: Storyline) -> Iterator[Mistake]:
    if story.mails and "gmail" not in spec.world.apps:
        yield Mistake(file, 0, "mails: this world has no gmail; add it to apps in world.yaml")
    for name, mail in story.mails.items():
        if mail.who not in _everyone(spec):
            yield Mistake(file, 0, f"{name}.who: {_unknown('person', mail.who, _everyone(spec))}")
        answerable = [*story.mails, *_mailed(story), *(f"complaint/{customer}" for customer in spec.customers)]
        if mail.re is not None and mail.re not in answerable:
            yield Mistake(file, 0, f"{name}.re: {_unknown('mail', mail.re, answerable)}")
        for fact in mail.states:
            if fact not in _facts(spec):
                yield Mistake(file, 0, f"{name}: {_unknown('fact', fact, _facts(spec))}")


def _mailed(story: Storyline) -> list[str]:
    """The beats that are mails."""
    return [name for name, beat in story.beats.items() if any(action.via == "gmail" for action in beat.does)]


def _patterns(file: str, story: Storyline) -> Iterator[Mistake]:
    for name, fact in story.facts.items():
        for pattern in fact.said:
            if problem := pattern_mistake(pattern):
                yield Mistake(file, 0, f"{name}.said: {pattern!r}: {problem}")


def _audiences(spec: WorldSpec, file: str, story: Storyline) -> Iterator[Mistake]:
    teams = {f"team {person.team}" for person in spec.people.values() if person.team}
    known = {*_everyone(spec), *_channels(spec), *teams, "customers", "company"}
    for name, fact in story.facts.items():
        for target in fact.audience or ():
            if target not in known:
                kind = "channel" if target.startswith("#") else "team" if target.startswith("team ") else "person"
                yield Mistake(file, 0, f"{name}.audience: {_unknown(kind, target, known)}")


def _actions(spec: WorldSpec, file: str, name: str, beat: Beat) -> Iterator[Mistake]:
    known = [*_everyone(spec), *_groups(spec)]
    for action in beat.does:
        if action.via and action.via not in spec.world.apps:
            yield Mistake(file, 0, f"{name}: {_unknown('app', action.via, spec.world.apps)}")
        file_named = action.details.get("file")
        if isinstance(file_named, str) and not _is_document(spec, file_named):
            yield Mistake(file, 0, f"{name}: expected documents/{file_named}, found no such file")
        for target in action.to:
            if not target.startswith("#") and "@" not in target and target not in known:
                yield Mistake(file, 0, f"{name}: {_unknown('person', target, known)}")


def _tasks(spec: WorldSpec) -> Iterator[Mistake]:
    for name, task in spec.tasks.items():
        file = f"tasks/{name}/task.yaml"
        if task.requester.person not in spec.people:
            yield Mistake(file, 0, f"requester: {_unknown('person', task.requester.person, spec.people)}")
        apps = [] if task.actor.apps == "all" else task.actor.apps
        for app in apps:
            if app not in spec.world.apps:
                yield Mistake(file, 0, f"actor.apps: {_unknown('app', app, spec.world.apps)}")
        if not spec.oracles.get(name):
            yield Mistake(f"tasks/{name}/oracle.yaml", 0, "expected at least one step")
        yield from _rubric(spec, file, task)


def _rubric(spec: WorldSpec, file: str, task: Task) -> Iterator[Mistake]:
    criteria = {**task.rubric.gates, **task.rubric.points, **task.rubric.penalties}
    if sum(criterion.worth for criterion in task.rubric.points.values()) == 0:
        yield Mistake(file, 0, "rubric: the points are worth nothing; give each criterion a worth")
    for name, criterion in criteria.items():
        place = f"rubric.{name}"
        try:
            grader = load_plugin("graders", criterion.grader)
        except (UnknownPlugin, BrokenPlugin):
            yield Mistake(file, 0, f"{place}: {_unknown('grader', criterion.grader, plugin_names('graders'))}")
            continue
        for problem in grader.check(criterion.asks):  # type: ignore[attr-defined]
            yield Mistake(file, 0, f"{place}: {problem}")
        for other in criterion.needs:
            if other not in criteria:
                yield Mistake(file, 0, f"{place}.needs: {_unknown('criterion', other, criteria)}")
        yield from _named(spec, file, place, criterion)


def _named(spec: WorldSpec, file: str, place: str, criterion: Criterion) -> Iterator[Mistake]:
    """Facts, apps and times that a criterion names."""
    facts = _facts(spec)
    for fact in _facts_in(criterion.asks) if criterion.grader != "trajectory" else ():
        if fact not in facts:
            yield Mistake(file, 0, f"{place}: {_unknown('fact', fact, facts)}")
    if criterion.by and (problem := _time_problem(criterion.by, spec.world.clock.zone)):
        yield Mistake(file, 0, f"{place}.by: {problem}")
    if criterion.grader == "world_state" and isinstance(criterion.asks, dict) and "only" not in criterion.asks:
        for text in criterion.asks:
            try:
                app = parse_selector(text).app
            except ExpressionError:
                continue
            if app not in spec.world.apps:
                yield Mistake(file, 0, f"{place}: {_unknown('app', app, spec.world.apps)}")


def _facts_in(asks: Json) -> Iterator[str]:
    """The facts that a criterion names, whichever grader it is for."""
    for word in ("facts", "states", "never"):
        named: Json = asks.get(word) if isinstance(asks, dict) else None
        for entry in named if isinstance(named, list) else ():
            fact = entry.get("fact") if isinstance(entry, dict) else entry
            if isinstance(fact, str) and fact not in ("rivals", "undisclosed", "people") and _NAME.fullmatch(fact):
                yield fact


def _time_problem(text: str, zone: str) -> str:
    try:
        parse_moment(text, zone)
    except ExpressionError as error:
        return str(error)
    except KeyError:
        return f"there is no time zone {zone!r}"
    return ""
