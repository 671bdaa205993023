"""Findings of tasks: facts that are typed, values that can be read as their kind, things and options that there are."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from brownout.core.entities import Entities
from brownout.core.errors import Mistake, Unknown, under
from worlds.expressions import ExpressionError, parse_moment, parse_selector
from worlds.findings import read_given
from worlds.lint.names import Names, near, unknown
from worlds.spec import FactSpec, Finding, FindingSchema

__all__ = ["finding_mistakes"]

_TYPED: Final = ("time", "date", "duration", "quantity")


def finding_mistakes(names: Names) -> Iterator[Mistake]:
    """What is wrong with the tasks' findings, and with the typed values of facts."""
    for task, written in names.spec.tasks.items():
        file = f"tasks/{task}/task.yaml"
        for name, finding in written.findings.items():
            for problem in _problems(names, name, finding):
                yield Mistake(file, names.spec.line(file, "findings", name), under(f"findings.{name}", problem))
    for line, story in names.spec.storylines.items():
        file = f"storylines/{line}.yaml"
        for name, fact in story.facts.items():
            if problem := _value_problem(names, fact):
                yield Mistake(file, names.spec.line(file, "facts", name, "is"), under(f"facts.{name}", problem))


def _problems(names: Names, name: str, finding: Finding) -> Iterator[str]:
    if finding.kind == "fact":
        known = [names.facts[right] for right in finding.right if right in names.facts]
        yield from (unknown("fact", right, names.facts) for right in finding.right if not names.is_fact(right))
        yield from (
            f"the value of {fact.slot} has no type; write `is: {{kind: value}}`" for fact in known if not fact.kind
        )
        if len({fact.kind for fact in known}) > 1:
            yield "its facts are of several kinds"
        return
    for right in finding.right:
        if right != "unknown" and (problem := _right_problem(names, name, finding, right)):
            yield problem
    if finding.kind == "choice" and not finding.of:
        yield "a choice has `of`: the options, the rivals too"
    if finding.least and not finding.many:
        yield "`least` is for `many`"


def _right_problem(names: Names, name: str, finding: Finding, right: str) -> str:
    if finding.kind in ("time", "date"):
        try:
            found = parse_moment(right, names.spec.world.clock.zone)
        except ExpressionError:
            pass
        else:
            anchors = ["start", *names.spec.outages]
            is_known = isinstance(found, int) or found.name in anchors
            if is_known:
                return ""
            text = f"{right!r} is no {finding.kind}, and nothing called so has one{near(right, anchors)}"
            return Unknown(text, name=right.partition(".")[0], kind="outage")
    if finding.kind == "artefact":
        return _artefact_problem(names, right)
    assert finding.kind != "fact"
    schema = FindingSchema(
        name=name, kind=finding.kind, asks=finding.asks, unit=finding.unit, options=finding.of, many=finding.many
    )
    if finding.kind == "person" and right in names.everyone:
        return ""
    given = read_given(schema, right, _entities(names))
    if given.outcome == "value":
        return ""
    return Unknown(f"{right!r} cannot be read as a {finding.kind}", name=right, kind=finding.kind)


def _artefact_problem(names: Names, right: str) -> str:
    try:
        app = parse_selector(right).app
    except ExpressionError as error:
        return str(error)
    return "" if app in names.spec.world.apps else unknown("app", app, names.spec.world.apps)


def _value_problem(names: Names, fact: FactSpec) -> str:
    if fact.kind in _TYPED or fact.kind == "person":
        assert fact.kind
        schema = FindingSchema(name="is", kind=fact.kind, asks="")
        if (
            fact.value not in ("unknown", "since", *names.everyone)
            and read_given(schema, fact.value, _entities(names)).outcome != "value"
        ):
            return Unknown(f"{fact.value!r} cannot be read as a {fact.kind}", name=fact.value, kind=fact.kind)
    return _artefact_problem(names, fact.value) if fact.kind == "artefact" else ""


def _entities(names: Names) -> Entities:
    """The names of the world's text; what a text refers to is not known before the world is built."""
    people: dict[str, tuple[str, ...]] = {name: (person.name,) for name, person in names.spec.people.items()}
    people |= {name: () for name in names.everyone if name not in people}
    services: dict[str, tuple[str, ...]] = dict.fromkeys(names.spec.services, ())
    clock = names.spec.world.clock
    return Entities(people, services, lambda _: [], date.fromisoformat(clock.start), clock.zone)
