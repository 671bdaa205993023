"""A task's findings as they go into the package: what the agent is told of a field, and what is right apart from it."""

from worlds.spec import FactSpec, FieldKind, Finding, FindingSchema, Task, WorldSpec

__all__ = ["recorded_findings", "resolved_findings"]


def resolved_findings(spec: WorldSpec, task: Task) -> dict[str, Finding]:
    """The fields with kinds and options written out: those of facts are the facts', their rivals among the options."""
    facts = {name: fact for story in spec.storylines.values() for name, fact in story.facts.items()}
    return {name: _resolved(finding, facts) for name, finding in task.findings.items()}


def _resolved(finding: Finding, facts: dict[str, FactSpec]) -> Finding:
    if finding.kind != "fact":
        return finding
    named = [facts[name] for name in finding.right]
    kind = _kind(named)
    slots = {fact.slot for fact in named}
    options = {
        fact.value: [*fact.called]
        for fact in facts.values()
        if kind in ("choice", "part") and fact.slot in slots and fact.kind == kind
    }
    right = [f"fact:{name}" for name in finding.right]
    return finding.model_copy(update={"kind": kind, "right": right, "of": {**options, **finding.of}})


def _kind(facts: list[FactSpec]) -> FieldKind:
    [kind] = {fact.kind for fact in facts}
    if not kind:
        raise ValueError(f"{facts[0].slot} has no typed value")
    return kind


def recorded_findings(spec: WorldSpec, task: Task) -> list[FindingSchema]:
    """The fields that are handed in with the tool: those that a criterion does not read from a text."""
    rubric = task.rubric
    criteria = [*rubric.gates.values(), *rubric.points.values(), *rubric.penalties.values()]
    wanted = {
        str(name) for one in criteria if one.grader == "findings" and isinstance(one.asks, list) for name in one.asks
    }
    resolved = resolved_findings(spec, task)
    return [_schema(name, finding) for name, finding in resolved.items() if name in wanted]


def _schema(name: str, finding: Finding) -> FindingSchema:
    """What the agent is told of a field."""
    assert finding.kind != "fact"
    return FindingSchema(
        name=name,
        kind=finding.kind,
        asks=finding.asks,
        unit=finding.unit,
        units=finding.units,
        options={option: finding.of[option] for option in sorted(finding.of)},
        many=finding.many,
        labels=finding.labels,
    )
