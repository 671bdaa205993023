"""Exports to verifiers: a taskset whose tools and scores ask one session server (docs.primeintellect.ai)."""

from brownout.exporters.framework_exporter import FrameworkExporter

__all__ = ["exporter"]

exporter = FrameworkExporter(
    name="verifiers",
    title="verifiers",
    home="brownout.exporters.verifiers",
    requires=("verifiers==0.4.0", "starlette>=0.50", "uvicorn>=0.40", "uv"),  # harnesses are scripts that uv runs
)
