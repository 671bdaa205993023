"""What a package's files hold, as values."""

from pydantic import Field

from brownout.core.strict_model import StrictModel
from brownout.core.values import JsonObject
from worlds.spec.findings import FindingSchema
from worlds.spec.tasks import offered

__all__ = ["Outage", "TaskRecord", "ToolSchema"]


class ToolSchema(StrictModel):
    """A function tool as models are shown it."""

    name: str
    description: str
    input_schema: JsonObject


class Outage(StrictModel):
    """An outage with its times resolved; `start` is None while it waits for a condition."""

    name: str
    target: str
    mode: str
    start: int | None
    lasts: int
    when: str = ""
    announced: int | None = Field(description="Microseconds after its start; None is never.")
    operations: list[str] = Field(default=[])
    people: list[str] = Field(default=[])
    settings: JsonObject = Field(default={})


class TaskRecord(StrictModel):
    """A line of tasks.jsonl. The rubric and the oracle are kept apart, so that a server need not hold them."""

    id: str
    title: str
    hard_because: str
    prompt: str
    start: int
    actor: str
    requester: str
    requester_replies: bool
    apps: list[str]
    limit_sim: int
    limit_calls: int
    settle: int
    oracle_calls: int
    findings: list[FindingSchema] = Field(default=[])
    tools: list[str] = Field(default=[])
    """Patterns of the operations that are offered; empty for all of its apps'."""

    def offers(self, operation: str, app: str) -> bool:
        """Whether the agent may call an operation of an app."""
        return app in self.apps and offered(operation, self.tools)
