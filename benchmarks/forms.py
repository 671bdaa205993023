"""What typed fields credit on filled-in forms: tool calls and labelled lines, honest ones and such as deceive."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from brownout.core.entities import Entities, EntityReference
from brownout.core.instants import MINUTE
from graders.expected_fields import Expected, problem_of
from worlds.findings import Given, label_names, labelled, read_given
from worlds.spec.findings import FindingSchema

__all__ = ["Answer", "answers", "forms_report"]

_FORMS: Final = Path(__file__).parents[1] / "tests" / "data" / "readers" / "forms.jsonl"
_ROUTES: Final = {True: "tool call", False: "labelled lines"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A field of a form.

    Attributes:
        expected: the author's outcome: `right`, `wrong`, `several`, `missing` …
        is_right: whether it is credited.
        is_called: it came with a tool call, not in a text.
    """

    form: str
    field: str
    kind: str
    is_honest: bool
    is_called: bool
    expected: str
    is_right: bool
    problem: str


def answers() -> list[Answer]:
    """Every field of every form, read as the graders read it."""
    lines = _FORMS.read_text(encoding="utf-8").splitlines()
    return [answer for line in lines if line.strip() for answer in _read(json.loads(line))]


def _read(form: Mapping[str, Any]) -> Iterator[Answer]:
    entities = _entities(form)
    schemas = {field["name"]: _schema(field) for field in form["fields"]}
    if "answers" in form:
        given = {name: [text] for name, text in form["answers"].items()}
    else:
        given = labelled(form["text"], {name: label_names(name, schema.labels) for name, schema in schemas.items()})
    for field in form["fields"]:
        problem = _problem(field, schemas[field["name"]], given.get(field["name"], []), entities)
        yield Answer(
            form["id"], field["name"], field["kind"], form["label"] == "honest", "answers" in form,
            form["expected"][field["name"]], not problem, problem,
        )  # fmt: skip


def _problem(field: Mapping[str, Any], schema: FindingSchema, texts: Sequence[str], entities: Entities) -> str:
    """Why a field is not right; two lines of one label that differ contradict each other."""
    found = [given for text in texts if (given := read_given(schema, text, entities)).outcome != "missing"]
    if not found:
        return "missing"
    if any(given.values != found[0].values or given.outcome != found[0].outcome for given in found):
        return "the lines of one label differ"
    return problem_of(_expected(field, schema, entities), found[0])


def _expected(field: Mapping[str, Any], schema: FindingSchema, entities: Entities) -> Expected:
    texts = field["right"] if isinstance(field["right"], list) else [field["right"]]
    given = [
        read_given(schema.model_copy(update={"many": False}), text, entities) for text in texts if text != "unknown"
    ]
    right = tuple(
        _value(each, text) for each, text in zip(given, [text for text in texts if text != "unknown"], strict=True)
    )
    if schema.kind == "artefact" and not schema.many and right:
        right = (frozenset[str]().union(*(each for each in right if isinstance(each, frozenset))),)
    within = int(str(field.get("within", "0m")).rstrip("m")) * MINUTE
    return Expected(schema, right, "unknown" in texts, ", ".join(texts), within, field.get("least", 0))


def _value(given: Given, text: str) -> Any:
    """The value that a form calls right; a canonical name stands for itself."""
    return given.values[0] if given.outcome == "value" else frozenset({text})


def _schema(field: Mapping[str, Any]) -> FindingSchema:
    names = field.get("option_names", {})
    return FindingSchema(
        name=field["name"], kind=field["kind"], asks=field["name"], unit=field.get("unit", ""),
        options={option: names.get(option, []) for option in field.get("options", [])},
        many=field.get("many", False), labels=field["labels"],
    )  # fmt: skip


def _entities(form: Mapping[str, Any]) -> Entities:
    known = form.get("entities", [])
    people, parts = (
        {each["canonical"]: tuple(each["names"]) for each in known if each["kind"] == kind}
        for kind in ("person", "part")
    )
    artefacts = [
        (name, each["canonical"])
        for each in known
        if each["kind"] == "artefact"
        for name in [each["canonical"], *each["names"]]
    ]
    return Entities(people, parts, _references(artefacts), date.fromisoformat(form["today"]), form["zone"])


def _references(names: Sequence[tuple[str, str]]) -> Callable[[str], Sequence[EntityReference]]:
    known = [(re.compile(rf"(?<![\w/-]){re.escape(name)}(?![\w-])", re.IGNORECASE), path) for name, path in names]
    shas = [(name, path) for name, path in names if re.fullmatch(r"[0-9a-f]{40}", name)]

    def references(text: str) -> Sequence[EntityReference]:
        found = [EntityReference(hit.start(), hit.end(), path) for name, path in known for hit in name.finditer(text)]
        starts = [
            EntityReference(hit.start(), hit.end(), path)
            for hit in re.finditer(r"\b[0-9a-f]{7,40}\b", text)
            for sha, path in shas
            if sha.startswith(hit[0])
        ]
        return [*found, *starts]

    return references


def forms_report(found: Sequence[Answer]) -> Iterator[str]:
    """The tables."""
    forms = {each.form for each in found}
    yield f"fields: {len(found)} of {len(forms)} forms"
    yield f"    {'':<16}{'right credited':>18}{'others credited':>18}"
    yield _line("all", found)
    for called in (True, False):
        yield _line(_ROUTES[called], [each for each in found if each.is_called is called])
    for kind in sorted({each.kind for each in found}):
        yield _line(kind, [each for each in found if each.kind == kind])
    whole = [form for form in forms if all(each.is_right for each in found if each.form == form)]
    honest = {each.form for each in found if each.is_honest}
    yield f"    wholly right: {len(honest.intersection(whole))}/{len(honest)} honest forms, {len(set(whole) - honest)}/{len(forms - honest)} dishonest"


def _line(name: str, found: Sequence[Answer]) -> str:
    cells = []
    for right in (True, False):
        mine = [each for each in found if (each.expected == "right") is right]
        credited = sum(each.is_right for each in mine)
        cells.append(f"{credited}/{len(mine)} ({credited / len(mine):.0%})" if mine else "-")
    return f"    {name:<16}{cells[0]:>18}{cells[1]:>18}"
