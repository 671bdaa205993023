"""`brownout show tool`: one operation of a world, with what comes back, as the world itself answers."""

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Annotated, Final

import typer

from brownout.cli.arguments import AsJson, Package
from brownout.cli.output import console, print_json
from brownout.cli.show import arguments_of
from brownout.cli.show_context import As, At, Look, looking
from brownout.core.apps import Operation, VendorError
from brownout.core.arguments import suggestion
from brownout.core.errors import UsageError
from brownout.core.values import Json, JsonObject

__all__ = ["tool"]

_MOST_TRIES: Final = 300
_MOST_VALUES: Final = 40
_LONGEST_EXAMPLE: Final = 60
_LONGEST_TEXT: Final = 1_000
_ANYTHING: Final = {"jql": "created >= 2000-01-01", "query": "the", "contains": "a"}
"""Values for arguments that nothing in an answer stands for."""


def tool(
    package: Package,
    name: Annotated[str, typer.Argument(help="The operation, e.g. slack_read_channel.")],
    at: At = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """One operation: its arguments, and the fields of what comes back with an example from the world."""
    with looking(package, at, viewer) as look:
        operations = look.world.setting.operations
        operation = operations.get(name)
        if operation is None:
            raise UsageError(f"{look.world.setting.world} has no operation {name!r}{suggestion(name, operations)}")
        asked, answer = _example(look, operation)
    fields = dict(_fields("", answer)) if answer is not None else {}
    if as_json:
        shown: JsonObject = {"name": name, "description": operation.description, "input_schema": operation.schema}
        print_json({**shown, "example": {"arguments": asked, "fields": {**fields}}})
        return
    console.print(f"[bold]{name}[/]")
    console.print(f"  {operation.description}", markup=False)
    for argument, text in arguments_of(operation.schema):
        console.print(f"    [cyan]{argument}[/]  {_plain(text)}")
    if operation.writes:
        console.print("  It writes; what comes back is seen in an episode.")
    elif answer is None:
        console.print("  Nothing in this world, as it is at that moment, answers to it.")
    else:
        console.print(f"  What comes back, asked with {_plain(str(asked))}:")
        for field, example in fields.items():
            console.print(f"    [green]{_plain(field)}[/]  {_plain(str(example))}")


def _plain(text: str) -> str:
    return text.replace("[", "\\[")


def _example(look: Look, operation: Operation) -> tuple[JsonObject, Json]:
    """Arguments to which the world has an answer, and the answer; None where none was found or the operation writes."""
    if operation.writes:
        return {}, None
    names = _required(operation)
    known = _values(look, operation) if names else {}
    choices = [_choices(operation, name, known) for name in names]
    best: tuple[JsonObject, Json] = ({}, None)
    for values in islice(product(*choices), _MOST_TRIES):
        arguments: JsonObject = dict(zip(names, values, strict=True))
        try:
            answer = look.preview.ask(operation.name, arguments, look.person)
        except (VendorError, ValueError):
            continue
        if len(dict(_fields("", answer))) > len(dict(_fields("", best[1]))):
            best = arguments, answer
            if not names or not _is_empty(answer):
                break
    return best


def _is_empty(answer: Json) -> bool:
    """Whether all the lists of an answer are empty."""
    lists = [part for part in (answer.values() if isinstance(answer, dict) else [answer]) if isinstance(part, list)]
    return bool(lists) and not any(lists)


def _values(look: Look, operation: Operation) -> Mapping[str, list[Json]]:
    """What the app shows without being asked for anything in particular, by the name of the field it stands in."""
    found: dict[str, list[Json]] = {}
    for other in look.world.setting.apps[operation.app].operations.values():
        if other.writes or not _is_asked_freely(other):
            continue
        arguments: JsonObject = {name: _ANYTHING[name] for name in _required(other)}
        try:
            answer = look.preview.ask(other.name, arguments, look.person)
        except (VendorError, ValueError):
            continue
        for field, value in _leaves("", answer):
            values = found.setdefault(field, [])
            if value not in values and len(values) < _MOST_VALUES:
                values.append(value)
    return found


def _required(operation: Operation) -> list[str]:
    required = operation.schema.get("required")
    return [str(name) for name in required] if isinstance(required, list) else []


def _is_asked_freely(operation: Operation) -> bool:
    return all(name in _ANYTHING for name in _required(operation))


def _choices(operation: Operation, name: str, known: Mapping[str, list[Json]]) -> list[Json]:
    """Values to try for an argument: those of fields that are called alike first."""
    properties = operation.schema.get("properties")
    schema = properties.get(name) if isinstance(properties, dict) else None
    kind = schema.get("type") if isinstance(schema, dict) else None
    alike = {name, name.removesuffix("_id"), "id", "key", "name", "full_name", "title"}
    ordered = sorted(known, key=lambda field: (field != name, field not in alike))
    values: list[Json] = [_ANYTHING[name]] if name in _ANYTHING else []
    for field in ordered:
        values += [value for value in known[field] if isinstance(value, int) == (kind == "integer")]
    if kind == "integer":
        values = [1, *values]
    return values[:_MOST_VALUES] or [""]


def _leaves(field: str, value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(name, part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(field, part)
    elif isinstance(value, str | int) and not isinstance(value, bool) and value != "":
        yield field, value


def _fields(place: str, value: Json) -> Iterator[tuple[str, Json]]:
    """Every field of an answer by its path, with the first example of it: `messages[].ts`."""
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from _fields(f"{place}.{name}" if place else name, part)
    elif isinstance(value, list) and value:
        seen: dict[str, Json] = {}
        for part in value:
            for field, example in _fields(f"{place}[]", part):
                seen.setdefault(field, example)
        yield from seen.items()
    elif value is not None or place:
        text = " ".join(value[:_LONGEST_TEXT].split()) if isinstance(value, str) else ""
        yield place, f"{text[:_LONGEST_EXAMPLE]}…" if len(text) > _LONGEST_EXAMPLE else text or value
