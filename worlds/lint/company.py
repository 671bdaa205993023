"""The company itself: people, customers, the products in use, services, outages."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial

from pydantic import ValidationError

from brownout.core.errors import BrokenPlugin, Mistake, PluginError, Unknown, under
from brownout.core.faults import FaultMode
from brownout.core.plugins import load_plugin, plugin_names
from worlds.expressions import ExpressionError, parse_condition, parse_duration, parse_moment
from worlds.lint.names import Names, near, nearest, section_mistakes, unknown
from worlds.spec import OutageSpec
from worlds.spec.mistake_messages import plain
from worlds.systems import parse_alert, parse_complaint, parse_effect, parse_need_state, parse_until

__all__ = ["circle_in", "company_mistakes", "condition_problem", "time_problem"]

_PEOPLE, _SYSTEMS, _OUTAGES, _WORLD = "people.yaml", "systems.yaml", "outages.yaml", "world.yaml"
_STATES = ("ok", "slow", "errors", "down", "called")
_ANNOUNCED = re.compile(r"at once|never|(\S+) late")


def company_mistakes(names: Names) -> Iterator[Mistake]:
    """What is wrong with world.yaml, people.yaml, customers.yaml, outsiders.yaml, systems.yaml and outages.yaml."""
    yield from _apps(names)
    yield from _people(names)
    yield from _systems(names)
    yield from _outages(names)
    yield from _circles(names)


# -- world.yaml ---------------------------------------------------------------------------------------------


def _apps(names: Names) -> Iterator[Mistake]:
    spec = names.spec
    for name in spec.world.apps:
        line = spec.line(_WORLD, "apps", name)
        if name not in plugin_names("apps"):
            yield Mistake(_WORLD, line, under("apps", unknown("app", name, plugin_names("apps"), is_listed=True)))
            continue
        try:
            load_plugin("apps", name)
        except BrokenPlugin as error:
            yield Mistake(_WORLD, line, f"apps: {error}")
            continue
        yield from section_mistakes(names, name)
        for problem in names.vocabularies[name].problems if name in names.vocabularies else ():
            place = ".".join(["apps", name, *map(str, problem.place)])
            yield Mistake(_WORLD, spec.line(_WORLD, "apps", name, *problem.place), under(place, problem.message))
    if (since := spec.world.company.since) and (problem_of := time_problem(since, spec.world.clock.zone)):
        yield Mistake(_WORLD, spec.line(_WORLD, "company", "since"), f"company.since: {problem_of}")
    if (first := spec.world.flagship) and first not in spec.tasks:
        yield Mistake(_WORLD, spec.line(_WORLD, "flagship"), under("flagship", unknown("task", first, spec.tasks)))


# -- people.yaml, customers.yaml ----------------------------------------------------------------------------


def _people(names: Names) -> Iterator[Mistake]:
    spec = names.spec
    for name, person in spec.people.items():
        if person.manager and person.manager not in names.people:
            line = spec.line(_PEOPLE, name, "manager")
            yield Mistake(_PEOPLE, line, under(f"{name}.manager", unknown("person", person.manager, names.people)))
        for number, app in enumerate(person.reads):
            if app not in spec.world.apps:
                line = spec.line(_PEOPLE, name, "reads", number)
                yield Mistake(_PEOPLE, line, under(f"{name}.reads", unknown("app", app, spec.world.apps)))
        for fact in person.asked:
            if not names.is_fact(fact):
                line = spec.line(_PEOPLE, name, "asked", fact)
                yield Mistake(_PEOPLE, line, under(f"{name}.asked", unknown("fact", fact, names.facts)))
    for name in spec.customers:
        if name in names.people:
            yield Mistake(
                "customers.yaml", spec.line("customers.yaml", name), f"{name}: a person has this name already"
            )
    yield from _customers(names)
    yield from _outsiders(names)
    if not names.people and (spec.root / _PEOPLE).is_file() and not spec.unread.get(_PEOPLE):
        yield Mistake(_PEOPLE, 0, "expected at least one person")


def _customers(names: Names) -> Iterator[Mistake]:
    """Names of customers' contacts that are taken, and owners who do not work here."""
    spec, file = names.spec, "customers.yaml"
    taken = [*names.people, *spec.customers]
    for name, customer in spec.customers.items():
        if customer.owner and customer.owner not in names.people:
            line = spec.line(file, name, "owner")
            yield Mistake(file, line, under(f"{name}.owner", unknown("person", customer.owner, names.people)))
        for number, contact in enumerate(customer.contacts):
            line = spec.line(file, name, "contacts", number)
            if contact.short in taken:
                yield Mistake(file, line, f"{name}.contacts: {contact.short!r} is somebody's name already")
            taken += [contact.short] if contact.short else []
        emails = [contact.email for contact in customer.contacts]
        if len(set(emails)) < len(emails):
            line = spec.line(file, name, "contacts")
            yield Mistake(file, line, f"{name}.contacts: two of them have the same mail address")


def _outsiders(names: Names) -> Iterator[Mistake]:
    """Outsiders whose name or address somebody has."""
    spec, file = names.spec, "outsiders.yaml"
    emails = {f"{name}@{spec.world.company.domain}" for name in spec.people}
    for customer in spec.customers.values():
        emails |= {customer.email, *(contact.email for contact in customer.contacts)}
    for name, outsider in spec.outsiders.items():
        if name in [*names.people, *names.customers]:
            yield Mistake(file, spec.line(file, name), f"{name}: somebody has this name already")
        if outsider.email in emails:
            yield Mistake(file, spec.line(file, name, "email"), f"{name}.email: {outsider.email} is somebody's already")
        emails.add(outsider.email)


def _circles(names: Names) -> Iterator[Mistake]:
    """Chains of managers, and of services' needs, that come back to their beginning."""
    spec = names.spec
    bosses: dict[str, list[str]] = {name: [person.manager] for name, person in spec.people.items() if person.manager}
    needs = {name: [need.on for need in service.needs.values()] for name, service in spec.services.items()}
    for file, word, arrows in ((_PEOPLE, "manager", bosses), (_SYSTEMS, "needs", needs)):
        circle = circle_in(arrows)
        if circle:
            shown = " -> ".join(circle)
            line = spec.line(file, circle[0], word)
            yield Mistake(file, line, f"{word}: this comes back to itself: {shown}")


def circle_in(arrows: Mapping[str, Sequence[str]]) -> list[str]:
    """The first chain that comes back to its beginning, which stands at both ends; none where there is none."""
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


# -- systems.yaml -------------------------------------------------------------------------------------------


def _systems(names: Names) -> Iterator[Mistake]:
    spec = names.spec
    for name, service in spec.services.items():
        if service.on_call and service.on_call not in names.everyone:
            line = spec.line(_SYSTEMS, name, "on_call")
            yield Mistake(_SYSTEMS, line, under(f"{name}.on_call", unknown("person", service.on_call, names.everyone)))
        for place_named, app in service.shows.posts.items():
            if app not in spec.world.apps:
                line = spec.line(_SYSTEMS, name, "shows", "posts", place_named)
                yield Mistake(_SYSTEMS, line, under(f"{name}.shows.posts", unknown("app", app, spec.world.apps)))
            elif app in names.apps and (missing := names.channel_problem(place_named, app)):
                line = spec.line(_SYSTEMS, name, "shows", "posts", place_named)
                yield Mistake(_SYSTEMS, line, under(f"{name}.shows.posts", missing))
        checks: list[tuple[tuple[str, ...], Callable[[], object]]] = []
        for key, behaviour in service.behaves.items():
            during = behaviour.during or behaviour.once
            place: tuple[str, ...] = ("behaves", key)
            checks += [
                (place, partial(parse_need_state, during)),
                ((*place, "multiplies"), partial(parse_effect, behaviour.multiplies)),
                ((*place, "until"), partial(parse_until, behaviour.until)),
            ]
            need = during.rpartition(".")[0]
            if need and need not in service.needs:
                line = spec.line(_SYSTEMS, name, *place, "while" if behaviour.during else "once")
                yield Mistake(
                    _SYSTEMS, line, under(f"{name}.{key}", unknown("need", need, service.needs, scope=_SYSTEMS))
                )
        yield from _ends(names, name)
        if service.shows.alert:
            checks.append((("shows", "alert"), partial(_alert, names, service.shows.alert)))
        if service.shows.customers:
            checks.append((("shows", "customers"), partial(_complaint, names, service.shows.customers)))
        for place, check in checks:
            try:
                check()
            except ExpressionError as error:
                shown = ".".join([name, *(part for part in place if part != "behaves")])
                yield Mistake(_SYSTEMS, spec.line(_SYSTEMS, name, *place), under(shown, error.args[0]))


def _ends(names: Names, name: str) -> Iterator[Mistake]:
    """What a service is built from, and what ends a behaviour, and is not there: a code base, a hidden test, a flag."""
    spec, service = names.spec, names.spec.services[name]
    if service.repo and not (spec.root / "repos" / service.repo).is_dir():
        known = [path.name for path in (spec.root / "repos").glob("*") if path.is_dir()]
        line = spec.line(_SYSTEMS, name, "repo")
        yield Mistake(_SYSTEMS, line, under(f"{name}.repo", unknown("code base", service.repo, known)))
        return
    for key, behaviour in service.behaves.items():
        try:
            ends = parse_until(behaviour.until)
        except ExpressionError:
            continue
        if ends.kind == "flag" and ends.name not in service.flags:
            problem = unknown("flag", ends.name, service.flags)
        elif ends.kind == "passes" and not (spec.root / "repos" / service.repo / ends.name).is_file():
            hidden = (spec.root / "repos" / service.repo / "hidden").glob("test_*.py")
            problem = unknown("hidden test", ends.name, [f"hidden/{path.name}" for path in hidden])
        else:
            continue
        line = spec.line(_SYSTEMS, name, "behaves", key, "until")
        yield Mistake(_SYSTEMS, line, under(f"{name}.{key}.until", problem))


def _alert(names: Names, text: str) -> None:
    whom = parse_alert(text).whom
    if whom != "on_call" and whom not in names.everyone:
        raise ExpressionError(unknown("person", whom, [*names.everyone, "on_call"]))


def _complaint(names: Names, text: str) -> None:
    to = parse_complaint(text).to
    known = [*names.everyone, *names.groups]
    if "@" not in to and to not in known:
        raise ExpressionError(unknown("person or group", to, known))


# -- outages.yaml -------------------------------------------------------------------------------------------


def _outages(names: Names) -> Iterator[Mistake]:
    spec = names.spec
    for name, outage in spec.outages.items():

        def wrong(place: str, message: str, name: str = name) -> Mistake:
            return Mistake(_OUTAGES, spec.line(_OUTAGES, name, place), message)

        if problem := _target_problem(names, outage.on):
            yield wrong("on", under(f"{name}.on", problem))
        yield from (wrong(word, f"{name}.{problem}") for word, problem in _mode_problems(outage))
        is_misspelt = any(nearest(word, ("from", "when")) for word in outage.settings)
        if bool(outage.start) == bool(outage.when) and not is_misspelt and not spec.has_hole(_OUTAGES, name):
            yield wrong("from", f"{name}: expected either from: or when:")
        if outage.when and (problem := condition_problem(names, outage.when)):
            yield wrong("when", under(f"{name}.when", problem))
        if problem := _announced_problem(outage.announced):
            yield wrong("announced", under(f"{name}.announced", problem))
        for person in outage.people:
            if person not in names.everyone:
                yield wrong("people", under(f"{name}.people", unknown("person", person, names.everyone)))
        for pattern in outage.operations:
            if problem := _requests_problem(names, pattern):
                yield wrong("operations", under(f"{name}.operations", problem))


def _target_problem(names: Names, target: str) -> str:
    """Why an outage on that breaks nothing: it is no product in use, no service, and nothing hangs on it."""
    vendors = {part for app in names.apps.values() for part in (app.vendor, app.name)}
    parts = {
        part
        for service in names.spec.services.values()
        for need in service.needs.values()
        for part in (need.on, *need.can_be)
    }
    known = {*vendors, *names.spec.world.apps, *names.services, *parts}
    if target in known or any(part.startswith(f"{target}/") for part in parts):
        return ""
    hint = near(target, known) or f"; there are {', '.join(sorted(known))}"
    return Unknown(f"nothing in this world is called {target!r} or hangs on it{hint}", name=target, kind="service")


def _mode_problems(outage: OutageSpec) -> Iterator[tuple[str, str]]:
    """What the mode finds wrong with its settings, each with the word that is meant."""
    try:
        mode: FaultMode = load_plugin("faults", outage.mode)  # type: ignore[assignment]
    except PluginError:
        yield "mode", under("mode", unknown("fault mode", outage.mode, plugin_names("faults"), is_listed=True))
        return
    try:
        mode.parameters.model_validate(outage.settings)
    except ValidationError as error:
        own = [field.alias or word for word, field in OutageSpec.model_fields.items() if word != "settings"]
        for detail in error.errors():
            word = str(detail["loc"][0]) if detail["loc"] else "mode"
            if detail["type"] == "extra_forbidden":
                settings = [*mode.parameters.model_fields]
                listed = f"the mode {outage.mode} has {', '.join(settings) or 'no settings'}"
                yield word, f"{word}: unknown word{near(word, [*settings, *own]) or f'; {listed}'}"
            else:
                yield word, f"{word}: {plain(detail)}"


def _announced_problem(text: str) -> str:
    found = _ANNOUNCED.fullmatch(text)
    try:
        if found and found[1]:
            parse_duration(found[1])
    except ExpressionError as error:
        return str(error)
    return "" if found else f"expected `at once`, `never` or `25m late`, found {text!r}"


def _requests_problem(names: Names, pattern: str) -> str:
    requests = [*names.operations]
    for app in names.apps.values():
        requests += [f"{app.name}_{kind}" for kind in app.intents]
    for vocabulary in names.vocabularies.values():
        requests += vocabulary.requests
    if not names.knows_all_operations or any(fnmatchcase(request, pattern) for request in requests):
        return ""
    return unknown("operation", pattern, requests)


# -- times and conditions -----------------------------------------------------------------------------------


def condition_problem(names: Names, text: str) -> str:
    """What is wrong with a condition on a service, or on an operation; empty where nothing is."""
    try:
        found = parse_condition(text)
    except ExpressionError as error:
        return str(error)
    if found.state not in _STATES:
        return unknown("state", found.state, _STATES)
    if found.state == "called":
        return _called_problem(names, found.name)
    return "" if found.name in names.services else unknown("service", found.name, names.services)


def _called_problem(names: Names, operation: str) -> str:
    is_known = operation in names.operations or not names.knows_all_operations
    return "" if is_known else unknown("operation", operation, names.operations)


def time_problem(text: str, zone: str, anchors: Iterable[str] | None = None) -> str:
    """What is wrong with a time; empty where nothing is.

    Args:
        anchors: what it may hang on; None leaves that unchecked.
    """
    try:
        found = parse_moment(text, zone)
    except ExpressionError as error:
        return str(error)
    if anchors is None or isinstance(found, int) or found.name in anchors:
        return ""
    text = f"nothing called {found.name!r} has a time that a rubric may use{near(found.name, anchors)}"
    return Unknown(text, name=found.name, kind="outage")
