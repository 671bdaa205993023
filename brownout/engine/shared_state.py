"""What all sessions of an open package share."""

from dataclasses import dataclass, field

from brownout.background.timeline import Timeline
from brownout.core.session_tools import SESSION_TOOLS
from brownout.core.values import Json, JsonObject, canonical, digest_of
from brownout.engine.commit_verdicts import Proofs
from brownout.engine.outages import FaultPlan
from brownout.engine.setting import Setting
from brownout.engine.shared_texts import SharedTexts
from worlds.findings import findings_tool
from worlds.package import Package, TaskRecord

__all__ = ["SharedState", "tools_digest", "tools_of"]


@dataclass(frozen=True, slots=True)
class SharedState:
    """An open package, without its storage."""

    setting: Setting
    package: Package
    plan: FaultPlan
    tools_digest: str
    proofs: Proofs
    days: Timeline | None
    texts: SharedTexts = field(default_factory=SharedTexts)


def tools_of(setting: Setting, task: TaskRecord) -> list[JsonObject]:
    """The function tools of a task's agent: `{"name", "description", "input_schema"}` each."""
    tools: list[JsonObject] = []
    for name in task.apps:
        for operation in setting.apps[name].operations.values():
            if not task.offers(operation.name, name):
                continue
            tools.append(_tool(operation.name, operation.description, operation.schema))
    for name, (model, schema) in SESSION_TOOLS.items():
        tools.append(_tool(name, (model.__doc__ or "").strip(), schema))
    if task.findings:
        tools.append(findings_tool(task.findings))
    return tools


def tools_digest(setting: Setting) -> str:
    """Digest over every tool's name, description and schema."""
    tools: list[Json] = [[o.name, o.description, o.schema] for _, o in sorted(setting.operations.items())]
    return digest_of(canonical(tools))


def _tool(name: str, description: str, schema: JsonObject) -> JsonObject:
    return {"name": name, "description": description, "input_schema": schema}
