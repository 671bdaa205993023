"""What an exporter is, and the one way to run it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from brownout.core.errors import BrokenPlugin, ExportError
from brownout.core.plugins import load_plugin
from worlds.package import Package

__all__ = ["Exporter", "export_world", "load_exporter"]


@runtime_checkable
class Exporter(Protocol):
    """Writes worlds as packages of one framework that stand alone: none of them needs Brownout installed."""

    @property
    def name(self) -> str:
        """What `--to` calls it."""
        ...

    def export(self, package: Package, out: Path, tasks: Sequence[str]) -> Path:
        """Write the package; `out` itself is returned.

        Args:
            out: a new folder, an empty one, or an earlier export that nobody has touched since.
            tasks: the tasks that the framework is to offer, at least one.

        Raises:
            ExportError: it cannot be written. Whatever stood at `out` before stands there still.
        """
        ...


def load_exporter(name: str) -> Exporter:
    """The exporter of that name.

    Raises:
        UnknownPlugin: there is none.
        BrokenPlugin: what is registered under that name is not one.
    """
    found = load_plugin("exporters", name)
    if not isinstance(found, Exporter):
        raise BrokenPlugin(
            f"exporters plug-in {name!r} is {type(found).__name__}; expected a name and an export method"
        )
    return found


def export_world(to: str, package: Package, out: Path, tasks: Sequence[str] = ()) -> Path:
    """Write a world for a framework.

    Args:
        to: the exporter's name.
        tasks: which of its tasks to offer; none means every one.

    Raises:
        UnknownPlugin: no exporter is called that.
        UnknownTask: the world has no such task.
        ExportError: the world has no tasks, or the export cannot be written.
    """
    exporter = load_exporter(to)
    chosen = [package.task(name).id for name in tasks] or list(package.tasks)
    if not chosen:
        raise ExportError(f"{package.manifest.world} has no tasks, so there is nothing to export")
    return exporter.export(package, out, chosen)
