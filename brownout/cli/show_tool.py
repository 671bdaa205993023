"""`brownout show tool`: one operation of a world, with what comes back, as the world itself answers."""

from collections.abc import Iterator
from typing import Final

from brownout.cli.output import console, print_json
from brownout.cli.show_context import trying
from brownout.cli.show_package import arguments_of
from brownout.core.arguments import suggestion
from brownout.core.errors import UsageError
from brownout.core.values import Json, JsonObject
from brownout.rollouts.operation_examples import Example, Examples

__all__ = ["tool"]

_LONGEST_EXAMPLE: Final = 60
_LONGEST_TEXT: Final = 1_000


def tool(package: str, name: str, at: str, viewer: str, as_json: bool) -> None:
    """One operation: its arguments, and the fields of what comes back with an example from the world.

    It is really called, writing operations too, in a copy of the world that is thrown away.
    """
    with trying(package, at, viewer) as (world, trial):
        operations = world.setting.operations
        operation = operations.get(name)
        if operation is None:
            raise UsageError(f"{world.setting.world} has no operation {name!r}{suggestion(name, operations)}")
        with Examples(world, trial, viewer) as examples:
            example = examples.of(name)
    fields = dict(_fields("", example.answer)) if example.answer is not None else {}
    if as_json:
        shown: JsonObject = {"name": name, "description": operation.description, "input_schema": operation.schema}
        found: JsonObject = {"arguments": example.arguments, "person": example.person, "after": example.after}
        print_json({**shown, "example": {**found, "fields": {**fields}, "why_not": example.why_not}})
        return
    console.print(f"[bold]{name}[/]")
    console.print(f"  {operation.description}", markup=False)
    for argument, text in arguments_of(operation.schema):
        console.print(f"    [cyan]{argument}[/]  {_plain(text)}")
    console.print(f"  {_heading(example)}", markup=False)
    for field, value in fields.items():
        console.print(f"    [green]{_plain(field)}[/]  {_plain(str(value))}")


def _heading(example: Example) -> str:
    """What was asked to see what comes back, or why nothing did."""
    if example.answer is None:
        return f"Nothing in this world answers to it, the nearest was: {example.why_not}"
    after = f", after {example.after}" if example.after else ""
    empty = "" if example.is_full else " The world has none of these."
    asked = {name: _short(value) for name, value in example.arguments.items()}
    return f"What comes back, asked by {example.person} with {asked}{after}:{empty}"


def _short(value: Json) -> Json:
    """A value as it is shown: a long text by its beginning."""
    text = " ".join(value[:_LONGEST_TEXT].split()) if isinstance(value, str) else ""
    return f"{text[:_LONGEST_EXAMPLE]}…" if len(text) > _LONGEST_EXAMPLE else text or value


def _plain(text: str) -> str:
    return text.replace("[", "\\[")


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
        yield place, _short(value)
