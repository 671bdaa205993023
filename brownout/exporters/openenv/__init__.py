"""Exports to OpenEnv: a server whose every WebSocket is an episode (meta-pytorch.org/OpenEnv)."""

from brownout.exporters.framework_exporter import FrameworkExporter

__all__ = ["exporter"]

exporter = FrameworkExporter(
    name="openenv", title="OpenEnv", home="brownout.exporters.openenv", requires=("openenv==0.10.0",)
)
