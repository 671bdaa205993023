"""Judges typed fields that the agent handed in: each must be there, one value, and exactly right.

    findings: [since, cause]                                        as recorded with the tool
    findings: {fields: [by, until], in: "jira:decision"}            as labelled lines of what the agent wrote there
    findings: {fields: [cause], in: "jira:incident.root_cause"}     as what a field of a record holds

`in` is `answer`, or a selector: the text of the thing itself where the agent wrote it, and its comments or messages. What
stands there at the end counts. A false value that others could read for more than a few minutes costs the criterion, put
right or not; one that an edit or a later line puts right before is none, but whoever hands in several false values, however
shortly, at whatever
places, has handed in candidates. What was recorded with the tool reaches somebody at
the end only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from brownout.core.grading import EndState, Grader, GradingContext, Reads, Verdict
from brownout.core.instants import MINUTE, Instant, clock_text
from brownout.core.values import Json
from graders.agent_texts import ANSWER, find_mistake, texts_found
from graders.criterion_asks import names_in, unknown_words
from graders.expected_fields import MOST_SLIPS, expected_of, false_values, finding_named, is_false, problem_of
from graders.seen import seen_line
from worlds.expressions import parse_selector
from worlds.findings import label_names, labelled, read_given
from worlds.spec.models import Finding

__all__ = ["findings"]

_GRACE: Final = 5 * MINUTE
"""What was put right so soon has reached nobody."""


@dataclass(frozen=True, slots=True)
class _HandedIn:
    """One text that was handed in for a field.

    Attributes:
        at: when; `path` is where.
        stands: it is what is there at the end.
    """

    text: str
    path: str
    at: Instant
    stands: bool


class _Findings:
    name = "findings"
    version = 3
    reads: Reads = "fields"

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict):
            is_names = isinstance(asks, list) and asks and all(isinstance(name, str) and name for name in asks)
            return [] if is_names else ["findings takes [fields], or {fields: [...], in: app:pattern}"]
        wrong = unknown_words("findings", asks, {"fields", "in"})
        if not names_in(asks.get("fields")):
            wrong.append("findings: expected {fields: [...], in: app:pattern}")
        if "in" in asks and (problem := find_mistake(asks["in"])):
            wrong.append(f"findings.in: {problem.removeprefix('find').lstrip(': ')}")
        return wrong

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        """The verdict."""
        place = str(asks["in"]) if isinstance(asks, dict) and "in" in asks else ""
        names = names_in(asks["fields"] if isinstance(asks, dict) else asks)
        fields = {name: finding_named(means, name) for name in names}
        handed = _in_texts(end, place, fields) if place else _recorded(end, names)
        found = {name: _judged(end, name, fields[name], handed.get(name, []), by, place) for name in names}
        problems = [problem for problem, _ in found.values() if problem]
        reason = problems[0] if problems else f"{', '.join(names)}: right"
        evidence = tuple(dict.fromkeys([*(line for _, line in found.values() if line), *problems[:5]]))
        return Verdict(not problems, (len(names) - len(problems)) / len(names), reason, evidence)


def _recorded(end: EndState, names: Sequence[str]) -> dict[str, list[_HandedIn]]:
    """What was recorded with the tool; nobody reads it before the end."""
    return {
        name: [_HandedIn(end.findings[name][0], "record_findings", end.findings[name][1], stands=True)]
        for name in names
        if name in end.findings
    }


def _in_texts(end: EndState, place: str, fields: Mapping[str, Finding]) -> dict[str, list[_HandedIn]]:
    """The labelled lines of what was written at a place, what stands there now and what stood there for a while."""
    records = list(_record_fields(end, place))
    if records:
        return dict.fromkeys(fields, records)
    labels = {name: label_names(name, finding.labels) for name, finding in fields.items()}
    found: dict[str, list[_HandedIn]] = {}
    for path, text, at, stands in _texts(end, place):
        for name, answers in labelled(text, labels).items():
            found.setdefault(name, []).extend(_HandedIn(answer, path, at, stands) for answer in answers)
    return found


def _record_fields(end: EndState, place: str) -> Iterator[_HandedIn]:
    """What the agent wrote into a field of a record; nothing where the place names no field."""
    if place == ANSWER:
        return
    selector = parse_selector(place)
    for thing in end.find(selector.app, selector.thing) if selector.field else []:
        at = end.changed_at(thing, selector.field)
        if selector.field in thing.fields and at is not None:
            yield _HandedIn(str(thing.fields[selector.field]), f"{thing.path}.{selector.field}", at, stands=True)


def _texts(end: EndState, place: str) -> Iterator[tuple[str, str, Instant, bool]]:
    """Path, text, time and whether it stands: the things themselves, then what was said below them."""
    if place == ANSWER:
        yield from ((text.path, text.source, text.at, True) for text in texts_found(end, place))
        return
    app, _, pattern = place.partition(":")
    paths = [thing.path for thing in end.find(app, pattern)]
    bodies = {text.path: text for text in texts_found(end, place, is_optional=True)}
    yield from ((text.path, text.source, text.at, True) for text in bodies.values())
    said = [each for each in end.said if any(_is_below(each.path, path) for path in paths)]
    for number, each in enumerate(said):
        later = next((other.at for other in said[number + 1 :] if other.path == each.path), None)
        if later is None and each.path not in bodies:
            yield each.path, each.text, each.at, True
        elif (later or end.end) - each.at > _GRACE:
            yield each.path, each.text, each.at, False


def _is_below(path: str, thing: str) -> bool:
    return path == thing or path.startswith((f"{thing}.", f"{thing}/"))


def _judged(
    end: EndState, name: str, finding: Finding, handed: Sequence[_HandedIn], by: Instant | None, place: str
) -> tuple[str, str]:
    """What is wrong with a field, empty where nothing is; and what was handed in at a place, as evidence."""
    expected = expected_of(end, name, finding)
    standing: list[_HandedIn] = []
    slips = false_values(end, expected, {name: label_names(name, finding.labels)}) if place else set()
    for each in handed:
        given = read_given(expected.schema, each.text, end.entities)
        problem = problem_of(expected, given)
        if place and is_false(expected, given):
            slips.add(given.values)
        patience = _GRACE if is_false(expected, given) else end.end
        if problem and any(0 < other.at - each.at <= patience for other in handed):
            continue
        if problem and (each.stands or is_false(expected, given)):
            return f"{name}: {each.text[:120]!r} in {each.path}: {problem}", ""
        standing += [each] if each.stands else []
    if not standing:
        return f"{name}: nothing was handed in", ""
    if len(slips) > MOST_SLIPS:
        return f"{name}: it was one of {len(slips) + 1} values", ""
    last = standing[-1]
    facts = [end.facts[one.removeprefix("fact:")] for one in finding.right if one.startswith("fact:")]
    shown = "".join(f"; {seen_line(end, fact, last.at)}" for fact in facts)
    if by is not None and min(each.at for each in standing) > by:
        return f"{name}: handed in too late", ""
    return "", f"{name}: {last.text[:80]!r} in {last.path}, {clock_text(last.at, end.entities.zone)}{shown}"


findings: Grader = _Findings()
