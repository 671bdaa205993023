"""What a package's files hold, as values."""

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.values import JsonObject
from worlds.spec.findings import FindingSchema
from worlds.spec.tasks import offered

__all__ = ["Outage", "TaskRecord", "ToolSchema"]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolSchema(_Record):
    """A function tool as models are shown it."""

    name: str
    description: str
    input_schema: JsonObject


class Outage(_Record):
    """An outage with its times resolved; `start` is None while it waits for a condition."""

    name: str
    target: str
    mode: str
    start: int | None
    lasts: int
    when: str = ""
    announced: int | None = Field(description="Microseconds after its start; None is never.")
    operations: list[str] = []
    people: list[str] = []
    settings: JsonObject = {}


class TaskRecord(_Record):
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
    findings: list[FindingSchema] = []
    tools: list[str] = []
    """Patterns of the operations that are offered; empty for all of its apps'."""

    def offers(self, operation: str, app: str) -> bool:
        """Whether the agent may call an operation of an app."""
        return app in self.apps and offered(operation, self.tools)
