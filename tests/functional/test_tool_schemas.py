"""What a model is shown of the tools: valid as function tools, and short."""

import json

import pytest

from brownout.core.plugins import plugin_names
from brownout.core.session_tools import SESSION_TOOLS
from brownout.core.values import Json, JsonObject
from brownout.engine.simulation_setting import load_app
from brownout.engine.world import World

_MOST_OF_THE_FLAGSHIP = 45_000
"""Characters of the flagship's tools as JSON."""
_LONGEST_DESCRIPTION = 1_024
"""Characters, by OpenAI's reference of function tools."""
_WORDS = {"type", "description", "enum", "items", "anyOf", "default", "maximum", "properties", "required"}
_KINDS = {"string", "integer", "number", "boolean", "array", "object", "null"}


@pytest.mark.parametrize("name", sorted(plugin_names("apps")))
def test_schemas_are_valid_as_function_tools(name: str) -> None:
    operations = load_app(name).operations.values()
    for operation in operations:
        assert 0 < len(operation.description) <= _LONGEST_DESCRIPTION, operation.name
        _check(operation.name, operation.schema)
        assert set(operation.schema["properties"]) == set(operation.arguments.model_fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SESSION_TOOLS)
def test_the_sessions_own_are_too(name: str) -> None:
    _check(name, SESSION_TOOLS[name][1])


def test_the_flagships_tools_are_short(larkspur: World) -> None:
    with larkspur.open_session("aws-down-slack-down") as session:
        length = sum(len(json.dumps(tool, separators=(",", ":"), ensure_ascii=False)) for tool in session.tools)
    assert length < _MOST_OF_THE_FLAGSHIP


def _check(name: str, schema: JsonObject) -> None:
    properties, kinds = schema["properties"], schema.get("$defs", {})
    assert isinstance(kinds, dict) and set(schema) <= _WORDS | {"$defs"}, name
    for kind, part in kinds.items():
        _check_kind(f"{name} {kind}", part, schema)
    assert schema["type"] == "object" and isinstance(properties, dict), name
    assert set(schema.get("required", [])) <= set(properties), name  # type: ignore[arg-type]
    for argument, part in properties.items():
        _check_kind(f"{name}.{argument}", part, schema)


def _check_kind(place: str, part: Json, schema: JsonObject) -> None:
    """Every argument says what it is, and what it refers to is there."""
    assert isinstance(part, dict), place
    if "$ref" in part:
        kind = str(part["$ref"]).removeprefix("#/$defs/")
        assert kind in schema["$defs"], place  # type: ignore[operator]
        return
    options = part.get("anyOf")
    for option in options if isinstance(options, list) else []:
        _check_kind(place, option, schema)
    assert set(part) <= _WORDS, place
    assert part.get("type") in _KINDS or isinstance(options, list), place
    inner = part.get("properties")
    for name, one in inner.items() if isinstance(inner, dict) else ():
        _check_kind(f"{place}.{name}", one, schema)
    if "items" in part:
        _check_kind(f"{place}[]", part["items"], schema)
