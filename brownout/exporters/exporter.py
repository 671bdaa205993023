"""What an exporter is, and the one way to run it."""

from pathlib import Path
from typing import Protocol, runtime_checkable

from brownout.core.errors import BrokenPlugin
from brownout.core.plugins import load_plugin
from brownout.exporters.export_request import ExportRequest
from worlds.package import Package

__all__ = ["Exporter", "export_world", "load_exporter"]


@runtime_checkable
class Exporter(Protocol):
    """Writes worlds as packages of one framework. `brownout.exporters.framework_exporter` makes one of a folder of templates."""

    @property
    def name(self) -> str:
        """What `--to` calls it."""
        ...

    def export(self, package: Package, out: Path, request: ExportRequest) -> Path:
        """Write the package; `out` itself is returned.

        Args:
            out: a new folder, an empty one, or an earlier export that nobody has touched since.

        Raises:
            UnknownTask: the world has no such task.
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


def export_world(to: str, package: Package, out: Path, request: ExportRequest | None = None) -> Path:
    """Write a world for a framework.

    Args:
        to: the exporter's name.
        request: what to offer; without one, every task with seed 0.

    Raises:
        UnknownPlugin: no exporter is called that.
        UnknownTask: the world has no such task.
        ExportError: the world has no tasks, or the export cannot be written.
    """
    return load_exporter(to).export(package, out, request or ExportRequest())
