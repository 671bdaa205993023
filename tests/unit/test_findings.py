"""`findings:` of a task: what an author may write, and what of it the agent is told."""

from pathlib import Path

import pytest

from brownout.core.readers import FactKind
from generators.task_findings import recorded_findings, resolved_findings
from generators.world_check import mistakes_in
from worlds.spec import WorldSpec, read_world

TASK = "mend-the-help-page"
FILE = f"tasks/{TASK}/task.yaml"


def asks(folder: Path, *fields: str) -> None:
    """Have the task ask for these fields, too."""
    text = (folder / FILE).read_text()
    assert "\nfindings:" not in text
    written = "".join(f"  {field}\n" for field in fields)
    (folder / FILE).write_text(text.replace("\nrubric:\n", f"\nfindings:\n{written}rubric:\n"))


def problems(folder: Path) -> list[str]:
    return [str(mistake) for mistake in mistakes_in(folder)]


@pytest.mark.parametrize(
    "field",
    [
        "it: {asks: x, time: '10:12'}",
        "it: {asks: x, time: start + 5m}",
        "it: {asks: x, date: 2026-03-31}",
        "it: {asks: x, date: rds-evening.from}",
        "it: {asks: x, duration: 10 minutes, unit: minutes}",
        "it: {asks: x, quantity: 31, unit: clinic, units: [clinics, Praxen]}",
        "it: {asks: x, person: tomas}",
        "it: {asks: x, person: unknown}",
        "it: {asks: x, person: [tomas, ida], many: true, least: 1}",
        "it: {asks: x, artefact: 'github:Simplify hold store'}",
        "it: {asks: x, artefact: ['jira:first-complaint', 'jira:second-complaint'], many: true}",
        "it: {asks: x, part: boxoffice}",
        "it: {asks: x, part: aws-rds/eu-west-1, of: {aws-rds/eu-west-1: [Ireland]}}",
        "it: {asks: x, choice: failover, of: [failover, restart]}",
        "it: {asks: x, fact: hold-10, labels: [Hold]}",
        "it: {asks: x, fact: [hold-10, hold-15]}",
    ],
)
def test_any_kind_of_field_can_be_asked_for(spec_folder: Path, field: str) -> None:
    asks(spec_folder, field)

    assert problems(spec_folder) == []


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        ("it: {asks: x}", "a finding has one of time, date, duration, quantity, person, artefact, part, choice or fact; found none"),
        ("it: {asks: x, time: '10:12', date: 2026-03-31}", "found time, date"),
        ("It: {asks: x, time: '10:12'}", "It"),
        ("it: {time: '10:12'}", "it.asks"),
        ("it: {asks: x, time: '10:12', unknown: true}", "it.unknown: unknown word"),
        ("it: {asks: x, time: soonish}", "findings.it: 'soonish' is no time, and nothing called so has one"),
        ("it: {asks: x, time: rds-evenin.from}", "'rds-evenin.from' is no time, and nothing called so has one; did you mean 'rds-evening'?"),
        ("it: {asks: x, date: spring}", "findings.it: 'spring' is no date, and nothing called so has one"),
        ("it: {asks: x, date: '31.02.'}", "findings.it: '31.02.' cannot be read as a date"),
        ("it: {asks: x, duration: a while}", "findings.it: 'a while' cannot be read as a duration"),
        ("it: {asks: x, quantity: many}", "findings.it: 'many' cannot be read as a quantity"),
        ("it: {asks: x, person: thomas}", "findings.it: 'thomas' cannot be read as a person"),
        ("it: {asks: x, part: bookings}", "findings.it: 'bookings' cannot be read as a part"),
        ("it: {asks: x, choice: failover}", "a choice has `of`: the options, the rivals too"),
        ("it: {asks: x, choice: failower, of: [failover]}", "findings.it: 'failower' cannot be read as a choice"),
        ("it: {asks: x, artefact: '#51'}", "findings.it: expected app:thing"),
        ("it: {asks: x, artefact: 'jra:BOX-3'}", "findings.it: there is no app 'jra'; did you mean 'jira'?"),
        ("it: {asks: x, fact: hold-11}", "findings.it: there is no fact 'hold-11'; did you mean 'hold-15'?"),
        ("it: {asks: x, fact: stuck-seats}", "findings.it: the value of boxoffice.stuck_seats has no type; write `is: {kind: value}`"),
        ("it: {asks: x, fact: [hold-10, stuck-holds]}", "findings.it: its facts are of several kinds"),
        ("it: {asks: x, person: [tomas, ida], least: 1}", "findings.it: `least` is for `many`"),
    ],
)  # fmt: skip
def test_a_field_that_means_nothing_is_a_mistake_with_its_line(spec_folder: Path, field: str, problem: str) -> None:
    asks(spec_folder, field)
    line = 1 + (spec_folder / FILE).read_text().partition(f"  {field}")[0].count("\n")

    found = problems(spec_folder)
    assert any(problem in each and each.startswith(f"{FILE}:{line}:") for each in found), found


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("{time: soonish}", "facts.slow-evening: 'soonish' cannot be read as a time"),
        ("{duration: x}", "facts.slow-evening: 'x' cannot be read as a duration"),
        ("{person: thomas}", "facts.slow-evening: 'thomas' cannot be read as a person"),
        ("{artefact: Simplify}", "facts.slow-evening: expected app:thing"),
        ("{time: since}", ""),
        ("{person: unknown}", ""),
    ],
)
def test_the_typed_value_of_a_fact_can_be_read(spec_folder: Path, value: str, problem: str) -> None:
    story = spec_folder / "storylines/holds.yaml"
    story.write_text(story.read_text().replace('{time: "19:10"}', value))

    found = problems(spec_folder)
    assert found == [] if not problem else any(problem in each for each in found), found


@pytest.mark.parametrize(
    ("criterion", "problem"),
    [
        ("findings: [slow_form]", "fields: there is no finding 'slow_form'; did you mean 'slow_from'?"),
        ("findings: {fields: [slow_from], in: 'jira:first-complain'}", "in: nothing in jira is called 'first-complain'"),
        ("findings: {fields: [slow_from], in: 'jira:first-complaint.prioritty'}", "in: jira:first-complaint has no 'prioritty'"),
        ("told: {fields: [slow_form], whom: [marcus]}", "fields: there is no finding 'slow_form'"),
        ("document: {find: 'docs:faq', fields: [slow_form]}", "fields: there is no finding 'slow_form'"),
        ("document: {find: 'docs:faq', holds: {'*': [slow_form]}}", "holds: there is no fact 'slow_form'"),
        ("document: {find: 'docs:faq', holds: {'*': [stuck-seats]}}", "holds: the value of stuck-seats has no type"),
        ("trajectory: {calls: {record_findings: 1..3}}", ""),
        ("findings: {fields: [slow_from], in: 'jira:first-complaint.priority'}", ""),
    ],
)  # fmt: skip
def test_a_criterion_names_fields_that_there_are(spec_folder: Path, criterion: str, problem: str) -> None:
    asks(spec_folder, "slow_from: {asks: From when it was slow, time: rds-evening.from, within: 3m}")
    text = (spec_folder / FILE).read_text()
    (spec_folder / FILE).write_text(text.replace("  points:\n", f"  points:\n    it: {{worth: 1, {criterion}}}\n"))

    found = problems(spec_folder)
    assert found == [] if not problem else any(f"rubric.points.it: {problem}" in each for each in found), found  # fmt: skip


def spec_of(folder: Path, *fields: str, wants: str = "[slow_from]") -> WorldSpec:
    asks(folder, *fields)
    text = (folder / FILE).read_text()
    (folder / FILE).write_text(text.replace("  points:\n", f"  points:\n    it: {{worth: 1, findings: {wants}}}\n"))
    return read_world(folder)


def test_the_agent_is_asked_only_for_what_is_recorded_with_the_tool(spec_folder: Path) -> None:
    fields = ["it: {asks: x, person: tomas}", "other: {asks: x, person: ida}"]
    spec = spec_of(spec_folder, *fields, wants="[it]}\n    that: {worth: 1, findings: {fields: [other], in: answer}")

    assert [field.name for field in recorded_findings(spec, spec.tasks[TASK])] == ["it"]


def test_what_the_agent_is_told_says_nothing_of_what_is_right(spec_folder: Path) -> None:
    spec = spec_of(
        spec_folder,
        "remedy: {asks: What helped, choice: restart, of: {restart: [turned off and on], failover: []}, labels: [Remedy]}",
        "hold: {asks: How long, fact: hold-10}",
        wants="[remedy, hold]",
    )

    remedy, hold = recorded_findings(spec, spec.tasks[TASK])
    assert (hold.name, hold.kind, hold.options) == ("hold", "duration", {})
    assert (remedy.kind, list(remedy.options), remedy.labels) == ("choice", ["failover", "restart"], ["Remedy"])
    assert "10 minutes" not in str(hold)
    assert not {"right", "within", "least"} & {*remedy.model_dump(), *hold.model_dump()}


@pytest.mark.parametrize("kind", ["choice", "part"])
def test_a_facts_rivals_are_options_beside_it(spec_folder: Path, kind: FactKind) -> None:
    story = spec_folder / "storylines/holds.yaml"
    text = story.read_text().replace("{duration: 15 minutes}", f"{{{kind}: long}}\n    called: [drawn out]")
    story.write_text(text.replace("{duration: 10 minutes}", f"{{{kind}: short}}"))
    spec = spec_of(spec_folder, "hold: {asks: How long, fact: hold-10, of: {medium: [average]}}", wants="[hold]")

    found = resolved_findings(spec, spec.tasks[TASK])["hold"]
    assert (found.kind, found.right) == (kind, ["fact:hold-10"])
    assert found.of == {"long": ["drawn out"], "short": [], "medium": ["average"]}
