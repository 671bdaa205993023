"""The one door to everything that is found by name: apps, fault modes, graders, agents, exporters.

Built-ins stand in one table of strings, so that a bare checkout works; strangers use entry points of the
same group. Nothing is imported before it is asked for.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Literal, TypeAlias

from brownout.core.errors import BrokenPlugin, UnknownPlugin

__all__ = ["Kind", "load_plugin", "plugin_address", "plugin_names"]

Kind: TypeAlias = Literal["apps", "faults", "graders", "agents", "exporters"]

_BUILT_IN: dict[str, dict[str, str]] = {
    "apps": {
        "slack": "tools.slack:app",
        "jira": "tools.jira:app",
        "gmail": "tools.gmail:app",
        "docs": "tools.docs:app",
        "github": "tools.github:app",
        "ops": "tools.ops:app",
        "terminal": "tools.terminal:app",
    },
    "faults": {
        name: f"brownout.faults.modes:{name.upper()}"
        for name in (
            "auth_expired",
            "delayed_delivery",
            "down",
            "errors",
            "lost_ack",
            "rate_limited",
            "read_only",
            "slow",
            "stale_reads",
        )
    },
    "graders": {
        "document": "graders.document:document",
        "judge": "graders.judge:judge",
        "rubric": "graders.rubric:grading",
        "said": "graders.said:said",
        "told": "graders.told:told",
        "trajectory": "graders.trajectory:trajectory",
        "unit_tests": "graders.unit_tests:unit_tests",
        "world_state": "graders.world_state:world_state",
    },
    "agents": {
        "lazy": "brownout.rollouts.agents:LazyAgent",
        "llm": "brownout.rollouts.llm_agent:LlmAgent",
        "noop": "brownout.rollouts.agents:NoopAgent",
        "oracle": "brownout.rollouts.agents:OracleAgent",
        "random": "brownout.rollouts.random_agent:RandomAgent",
    },
    "exporters": {"inspect": "brownout.exporters.inspect_ai:exporter"},
}


@cache
def _targets(kind: Kind) -> dict[str, str]:
    targets = dict(_BUILT_IN[kind])
    for point in entry_points(group=f"brownout.{kind}"):
        if targets.setdefault(point.name, point.value) != point.value:
            message = f"two plug-ins of kind {kind} are called {point.name!r}: {targets[point.name]} and {point.value}"
            raise BrokenPlugin(message)
    return targets


def plugin_names(kind: Kind) -> list[str]:
    """The names of every plug-in of a kind, sorted."""
    return sorted(_targets(kind))


def plugin_address(kind: Kind, name: str) -> str:
    """Where a plug-in stands: `tools.slack:app`.

    Raises:
        UnknownPlugin: none is called that; the message lists those that are installed.
    """
    address = _targets(kind).get(name)
    if address is None:
        raise UnknownPlugin(f"no {kind} named {name!r}; installed: {', '.join(plugin_names(kind)) or 'none'}")
    return address


@cache
def load_plugin(kind: Kind, name: str) -> object:
    """The plug-in itself.

    Raises:
        UnknownPlugin: none is called that; the message lists those that are installed.
        BrokenPlugin: it cannot be imported, or lacks what its address names.
    """
    target = plugin_address(kind, name)
    module, _, attribute = target.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise BrokenPlugin(f"{kind} plug-in {name!r} ({target}) cannot be loaded: {error}") from error
