"""The JSON schema of an operation's arguments as agents are shown it: what they need to know, and nothing twice.

What reads the arguments is the pydantic model, and who exceeds a bound is told which. So the schema leaves out titles, lengths of
texts, patterns that the description shows by an example, defaults that say nothing was given or where a list begins, the size of a
page that was not asked for, and that there are no other arguments. Kinds, words to choose from, what must be given and the largest
page stay.
"""

from typing import Final, cast

from pydantic import BaseModel

from brownout.core.values import Json, JsonObject

__all__ = ["function_tool", "responses_tool", "schema_of"]

_SAYS_NOTHING: Final[tuple[Json, ...]] = (None, "", [], {}, 0, 1, False)
"""Defaults that anybody expects; what is left out is empty, off, or begins with the first."""
_LARGE: Final = 20_000
"""Numbers that nobody exceeds by chance."""
_TOLD_WHEN_BROKEN: Final = frozenset(
    {"minLength", "maxLength", "minItems", "maxItems", "pattern", "minimum", "exclusiveMinimum"}
)
_WORDS_OF_MODELS: Final = ("title", "description")


def schema_of(model: type[BaseModel]) -> JsonObject:
    """The schema of a model of arguments, without the model's own title and description."""
    schema = model.model_json_schema()
    for name in _WORDS_OF_MODELS:
        schema.pop(name, None)
    shown = cast(JsonObject, _shortened(schema))
    shown.setdefault("properties", {})
    return shown


def _shortened(value: Json) -> Json:
    if isinstance(value, list):
        return [_shortened(part) for part in value]
    if not isinstance(value, dict):
        return value
    flat = _flat(value)
    kept = {name: part for name, part in flat.items() if not _is_idle(flat, name)}
    properties = kept.get("properties")
    short: JsonObject = {name: _shortened(part) for name, part in kept.items() if name != "properties"}
    if isinstance(properties, dict):
        short["properties"] = {name: _shortened(_untitled(part)) for name, part in properties.items()}
    for model in cast(JsonObject, short.get("$defs", {})).values():
        if isinstance(model, dict):
            for name in _WORDS_OF_MODELS:
                model.pop(name, None)
    return short


def _flat(schema: JsonObject) -> JsonObject:
    """What may be left out and is null then, as the kind that it is when it is given."""
    options = schema.get("anyOf")
    if "default" not in schema or schema["default"] is not None or not isinstance(options, list):
        return schema
    real = [option for option in options if isinstance(option, dict) and option.get("type") != "null"]
    if len(real) != 1:
        return schema
    return {**real[0], **{name: part for name, part in schema.items() if name not in ("anyOf", "default")}}


def _is_idle(schema: JsonObject, name: str) -> bool:
    part = schema[name]
    match name:
        case "default":
            is_nothing = any(part == nothing and type(part) is type(nothing) for nothing in _SAYS_NOTHING)
            return is_nothing or (schema.get("type") == "integer" and "maximum" in schema)
        case "maximum" | "exclusiveMaximum":
            return isinstance(part, int) and part >= _LARGE
        case "additionalProperties":
            return part is False
        case _:
            return name in _TOLD_WHEN_BROKEN


def _untitled(part: Json) -> Json:
    return {name: inner for name, inner in part.items() if name != "title"} if isinstance(part, dict) else part


def function_tool(tool: JsonObject) -> JsonObject:
    """A session's tool (`{"name", "description", "input_schema"}`) as chat models are told of it.

    Example:
        >>> function_tool({"name": "wait", "description": "Let time pass.", "input_schema": {"type": "object"}})
        {'type': 'function', 'function': {'name': 'wait', 'description': 'Let time pass.', 'parameters': {'type': 'object'}}}
    """
    return {
        "type": "function",
        "function": {"name": tool["name"], "description": tool["description"], "parameters": tool["input_schema"]},
    }


def responses_tool(tool: JsonObject) -> JsonObject:
    """A session's tool as OpenAI's Responses are told of it: all in one object, and optional arguments may be left out."""
    told = {"name": tool["name"], "description": tool["description"], "parameters": tool["input_schema"]}
    return {"type": "function", **told, "strict": False}
