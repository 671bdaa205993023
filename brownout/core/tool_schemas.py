"""The JSON schema of an operation's arguments as agents are shown it: what they need to know, and nothing twice.

What reads the arguments is the pydantic model; the schema leaves out what it can without misleading anybody: titles, defaults that
say nothing was given, bounds that nobody meets, and that there are no other arguments.
"""

from typing import Final, cast

from pydantic import BaseModel

from brownout.core.values import Json, JsonObject

__all__ = ["schema_of"]

_NOTHING: Final[tuple[Json, ...]] = (None, "", [], {})
_SHORT_TEXT: Final = 100
_LONG_TEXT: Final = 1_000
_MANY: Final = 20
_LARGE: Final = 1 << 31
_UPPER: Final = {"maxLength": _LONG_TEXT, "maxItems": _MANY, "maximum": _LARGE, "exclusiveMaximum": _LARGE}
"""Bounds that are shown only below these: who exceeds a larger one is told. Short texts are ids and names of what is there."""
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
    kept = {name: part for name, part in _flat(value).items() if not _is_idle(name, part)}
    properties = kept.get("properties")
    short: JsonObject = {name: _shortened(part) for name, part in kept.items() if name != "properties"}
    if isinstance(properties, dict):
        short["properties"] = {name: _shortened(_untitled(part)) for name, part in properties.items()}
    for model in cast(JsonObject, short.get("$defs", {})).values():
        if isinstance(model, dict):
            model.pop("title", None)
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


def _is_idle(name: str, part: Json) -> bool:
    if name == "default":
        return part in _NOTHING and not isinstance(part, bool | int)
    if name in ("minLength", "minimum"):
        return part in (0, 1)
    if name == "maxLength" and isinstance(part, int) and part < _SHORT_TEXT:
        return True
    if name == "additionalProperties":
        return part is False
    limit = _UPPER.get(name)
    return limit is not None and isinstance(part, int) and part >= limit


def _untitled(part: Json) -> Json:
    return {name: inner for name, inner in part.items() if name != "title"} if isinstance(part, dict) else part
