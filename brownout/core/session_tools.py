"""The tools every session has beside its apps: letting time pass, reading notices, ending."""

from typing import Annotated, cast

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.values import JsonObject

__all__ = ["SESSION_TOOLS", "ListNotices", "Submit", "Wait"]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Wait(_Arguments):
    """Let time pass: for so long, or until something reaches you (a mention, a reply, a page), whichever is sooner."""

    minutes: Annotated[int, Field(description="Minutes to wait at most.", ge=1, le=1440)] = 15
    until_notice: Annotated[bool, Field(description="Stop waiting when something reaches you.")] = True


class ListNotices(_Arguments):
    """List what has reached you so far, newest first: mentions, direct messages, replies, assignments, pages."""

    limit: Annotated[int, Field(description="How many to return at most.", ge=1, le=200)] = 20


class Submit(_Arguments):
    """Hand in the work and end. Nothing can be done afterwards."""

    answer: Annotated[str, Field(description="What you tell the person who asked.", max_length=20_000)]


def _schema(model: type[BaseModel]) -> JsonObject:
    schema = model.model_json_schema()
    schema.pop("title", None)
    schema.pop("description", None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
    return cast(JsonObject, schema)


SESSION_TOOLS: dict[str, tuple[type[BaseModel], JsonObject]] = {
    "wait": (Wait, _schema(Wait)),
    "notices_list": (ListNotices, _schema(ListNotices)),
    "submit": (Submit, _schema(Submit)),
}
