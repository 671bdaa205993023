"""The tools every session has beside its apps: letting time pass, reading notices, ending."""

from typing import Annotated

from pydantic import BaseModel, Field

from brownout.core.strict_model import StrictModel
from brownout.core.tool_schemas import schema_of
from brownout.core.values import JsonObject

__all__ = ["SESSION_TOOLS", "ListNotices", "Submit", "Wait"]


class Wait(StrictModel):
    """Let time pass: for so long, or until something reaches you (a mention, a reply, a page), whichever is sooner."""

    minutes: Annotated[int, Field(description="At most; 15 if left out.", ge=1, le=1440)] = 15
    until_notice: Annotated[bool, Field(description="Stop waiting when something reaches you.")] = True


class ListNotices(StrictModel):
    """List what has reached you so far, newest first: mentions, direct messages, replies, assignments, pages."""

    limit: Annotated[int, Field(description="20 if left out.", ge=1, le=200)] = 20


class Submit(StrictModel):
    """Hand in the work and end. Nothing can be done afterwards."""

    answer: Annotated[str, Field(description="What you tell the person who asked.", max_length=20_000)]


SESSION_TOOLS: dict[str, tuple[type[BaseModel], JsonObject]] = {
    "wait": (Wait, schema_of(Wait)),
    "notices_list": (ListNotices, schema_of(ListNotices)),
    "submit": (Submit, schema_of(Submit)),
}
