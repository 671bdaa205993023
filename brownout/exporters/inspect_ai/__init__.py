"""Exports to Inspect, the evaluation framework of the UK AI Security Institute (inspect.aisi.org.uk)."""

from brownout.exporters.framework_exporter import FrameworkExporter

__all__ = ["exporter"]

exporter = FrameworkExporter(
    name="inspect",
    title="Inspect",
    home="brownout.exporters.inspect_ai",
    requires=("inspect-ai==0.3.285", "openai>=3.4"),  # its own minimum for `--model openai-api/…`
)
