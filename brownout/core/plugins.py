"""The registry of everything that is found by name: apps, fault modes, graders and what grades with them, readers, agents, exporters.

Built-ins stand in one table of strings, so that a bare checkout works; strangers use entry points of the
same group. Nothing is imported before it is asked for.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import Distribution, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

from brownout.core.apps import app_problem
from brownout.core.errors import BrokenPlugin, UnknownPlugin
from brownout.core.extras import extra_of, missing_extra
from brownout.core.values import digest_of

__all__ = ["Kind", "load_plugin", "plugin_address", "plugin_files", "plugin_names", "plugin_package", "plugin_stamp"]

Kind: TypeAlias = Literal["apps", "faults", "graders", "grading", "readers", "agents", "exporters"]

_BUILT_IN: dict[str, dict[str, str]] = {
    "apps": {
        "slack": "tools.slack:app",
        "jira": "tools.jira:app",
        "gmail": "tools.gmail:app",
        "docs": "tools.docs:app",
        "github": "tools.github:app",
        "ops": "tools.ops:app",
        "terminal": "tools.terminal:app",
        "calendar": "tools.calendar:app",
        "customers": "tools.customers:app",
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
        "disclosure": "graders.disclosure:disclosure",
        "document": "graders.document:document",
        "findings": "graders.findings:findings",
        "judge": "graders.judge:judge",
        "seen": "graders.seen:seen",
        "told": "graders.told:told",
        "trajectory": "graders.trajectory:trajectory",
        "unit_tests": "graders.unit_tests:unit_tests",
        "world_state": "graders.world_state:world_state",
    },
    "grading": {"rubric": "graders.rubric:grading"},
    "readers": {"model": "graders.readers.model:model", "values": "graders.readers.values:values"},
    "agents": {
        "good": "brownout.rollouts.agents:GoodAgent",
        "lazy": "brownout.rollouts.agents:LazyAgent",
        "llm": "brownout.rollouts.llm_agent:LlmAgent",
        "noop": "brownout.rollouts.agents:NoopAgent",
        "oracle": "brownout.rollouts.agents:OracleAgent",
        "random": "brownout.rollouts.random_agent:RandomAgent",
        "hand": "brownout.rollouts.hand_agent:HandAgent",
    },
    "exporters": {
        "inspect": "brownout.exporters.inspect_ai:exporter",
        "nemo-gym": "brownout.exporters.nemo_gym:exporter",
        "openenv": "brownout.exporters.openenv:exporter",
        "trl": "brownout.exporters.trl:exporter",
        "verifiers": "brownout.exporters.verifiers:exporter",
    },
}


_ONE: dict[str, str] = {
    "apps": "app",
    "faults": "fault mode",
    "graders": "grader",
    "grading": "way of grading",
    "readers": "reader",
    "agents": "agent",
    "exporters": "exporter",
}


@cache
def _packages(kind: Kind) -> dict[str, str]:
    """The distribution that each stranger's plug-in comes with."""
    return {point.name: point.dist.name for point in entry_points(group=f"brownout.{kind}") if point.dist is not None}


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


def is_built_in(kind: Kind, name: str) -> bool:
    """Whether a plug-in is ours."""
    return _BUILT_IN[kind].get(name) == plugin_address(kind, name)


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
        MissingExtra: it is ours, and needs what an extra installs.
        BrokenPlugin: it cannot be imported, lacks what its address names, or is an app that breaks an app's rules.
    """
    target = plugin_address(kind, name)
    module, _, attribute = target.partition(":")
    try:
        found: object = getattr(import_module(module), attribute)
    except Exception as error:
        if _BUILT_IN[kind].get(name) == target and (extra := extra_of(error)):
            raise missing_extra(f"{_ONE[kind]} {name!r}", extra) from error
        raise BrokenPlugin(_unusable(kind, name, _why(error, target))) from error
    if kind == "apps" and (problem := app_problem(name, found)):
        raise BrokenPlugin(_unusable(kind, name, problem))
    return found


def _unusable(kind: Kind, name: str, why: str) -> str:
    target = _targets(kind)[name]
    package = _packages(kind).get(name, target.partition(":")[0].partition(".")[0])
    return f"{_ONE[kind]} {name!r} of package {package} cannot be loaded: {why}"


def _why(error: Exception, target: str) -> str:
    """What is wrong with a plug-in's code, so that its author finds the place."""
    if isinstance(error, ModuleNotFoundError) and error.name == target.partition(":")[0]:
        return f"there is no module {error.name}; install the package, and see the entry point {target}"
    if isinstance(error, ImportError | AttributeError):
        return str(error)
    return str(error).replace(".__init__()", "") if isinstance(error, TypeError) else f"{type(error).__name__}: {error}"


def plugin_stamp(kind: Kind, name: str) -> str:
    """What tells one state of a stranger's plug-in from another: name, version and a digest of its package's files.

    It is empty for what is built in. The files are read anew each time.

    Raises:
        UnknownPlugin: none is called that.
        BrokenPlugin: its package is not there.
    """
    if is_built_in(kind, name):
        return ""
    package = plugin_package(kind, name)
    parts = (part for path, data in plugin_files(kind, name) for part in (path, data))
    return f"{kind}/{name}=={package.version if package is not None else ''}@{digest_of(*parts)}"


def plugin_package(kind: Kind, name: str) -> Distribution | None:
    """The installed package that a stranger's plug-in comes with."""
    points = (point for point in entry_points(group=f"brownout.{kind}") if point.name == name)
    return next((point.dist for point in points), None)


def plugin_files(kind: Kind, name: str) -> Iterator[tuple[str, bytes]]:
    """The files of the top-level package that a plug-in stands in, `todo_app/__init__.py`, compiled ones left out, in one order.

    Raises:
        UnknownPlugin: none is called that.
        BrokenPlugin: its package is not there.
    """
    address = plugin_address(kind, name)
    top = address.partition(":")[0].partition(".")[0]
    found = find_spec(top)
    if found is None:
        raise BrokenPlugin(f"{address} cannot be found; install the plug-in again")
    if found.submodule_search_locations is None:
        yield Path(str(found.origin)).name, Path(str(found.origin)).read_bytes()
        return
    for root in map(Path, found.submodule_search_locations):
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{top}/{path.relative_to(root).as_posix()}", path.read_bytes()
