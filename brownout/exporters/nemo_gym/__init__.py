"""Exports to NeMo Gym: a resources server whose sessions are those of a session server (docs.nvidia.com/nemo/gym)."""

from brownout.exporters.framework_exporter import FrameworkExporter

__all__ = ["exporter"]

exporter = FrameworkExporter(
    name="nemo-gym",
    title="NeMo Gym",
    home="brownout.exporters.nemo_gym",
    requires=("nemo-gym==0.7.0",),
    python=">=3.13.14",
)
