"""The tool `record_findings` of a task that asks for findings: its schema, and the reading of a call."""

from collections.abc import Mapping, Sequence
from typing import Final

from brownout.core.entities import Entities
from brownout.core.values import Json, JsonObject
from brownout.core.vocabulary import near
from worlds.findings.given_values import Given, read_given
from worlds.spec.findings import FindingSchema

__all__ = ["RECORD_FINDINGS", "findings_tool", "read_findings"]

RECORD_FINDINGS: Final = "record_findings"
_DESCRIPTION: Final = (
    "Record what you found, field by field; what you recorded last counts, and the person who asked gets it when you end. "
    "Each field is a text with one value. Where something cannot be known, the answer is `unknown`."
)
_LONGEST: Final = 1000
_FORMS: Final[Mapping[str, str]] = {
    "time": "a time of day, `14:05`",
    "date": "a day, `2026-03-31`",
    "duration": "a length of time, `45 minutes`",
    "quantity": "a number",
    "person": "one person's name or address",
    "artefact": "a key, number, link or title",
    "part": "a service or a vendor's part",
    "choice": "one of the options",
}
_REFUSED: Final[Mapping[str, str]] = {
    "several": "expected one value, found several",
    "hedged": "expected a value you stand behind, or `unknown` and no value beside it",
    "missing": "expected a value, found nothing",
}


def findings_tool(fields: Sequence[FindingSchema]) -> JsonObject:
    """The function tool: `{"name", "description", "input_schema"}`, an optional text for each field."""
    properties: JsonObject = {field.name: _property(field) for field in fields}
    schema: JsonObject = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"name": RECORD_FINDINGS, "description": _DESCRIPTION, "input_schema": schema}


def _property(field: FindingSchema) -> JsonObject:
    form = _FORMS[field.kind]
    if field.kind == "quantity" and field.unit:
        form = f"a number of {field.unit}"
    if field.options and field.kind == "choice":
        form = f"one of: {', '.join(field.options)}"
    several = "Several, separated by commas, each " if field.many else "As "
    return {"type": "string", "description": f"{field.asks.rstrip('.')}. {several}{form}."}


def read_findings(
    fields: Sequence[FindingSchema], arguments: Mapping[str, Json], entities: Entities
) -> tuple[dict[str, Given], list[str]]:
    """What a call hands in, by field, and everything that is wrong with its form; what is wrong is not handed in."""
    known = {field.name: field for field in fields}
    found: dict[str, Given] = {}
    wrong: list[str] = []
    for name, value in arguments.items():
        if name not in known:
            wrong.append(f"{name}: there is no such field{near(name, known)}; there are {', '.join(known)}")
        elif not isinstance(value, str) or len(value) > _LONGEST:
            wrong.append(f"{name}: expected a text of at most {_LONGEST} characters")
        else:
            given = read_given(known[name], value, entities)
            if given.outcome in ("value", "unknown", "none"):
                found[name] = given
            else:
                form = _FORMS[known[name].kind]
                wrong.append(f"{name}: {_REFUSED.get(given.outcome, f'expected {form}, found {value[:80]!r}')}")
    if not arguments:
        wrong.append(f"expected at least one field: {', '.join(known)}")
    return found, wrong
