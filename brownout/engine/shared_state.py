"""What all sessions of an open package share: its setting, plan and tools, and long texts that many have alike, held once."""

from dataclasses import dataclass, field
from typing import Final

from brownout.background.timeline import Timeline
from brownout.core.session_tools import SESSION_TOOLS
from brownout.core.values import Json, JsonObject, canonical, digest_of
from brownout.engine.commit_verdicts import Proofs
from brownout.engine.outages import FaultPlan
from brownout.engine.simulation_setting import Setting
from worlds.findings import findings_tool
from worlds.package import Package, TaskRecord

__all__ = ["SharedState", "SharedTexts", "tools_digest", "tools_of"]

_SHORT: Final = 256
"""Characters below which a text is not worth looking up."""
_MOST: Final = 4 << 20
"""Characters that are remembered."""


class SharedTexts:
    """The latest long texts, some megabytes of them. What a session is given stays its own when it is forgotten here.

    texts.same(answer)      # an equal text that somebody else was given lately, or this one
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._held = 0

    def same(self, text: str) -> str:
        """An equal text, the same object for all who ask for it about the same time."""
        if len(text) < _SHORT:
            return text
        found = self._known.setdefault(text, text)
        if found is text:
            self._held += len(text)
            while self._held > _MOST:
                self._held -= len(self._known.pop(next(iter(self._known))))
        return found


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
