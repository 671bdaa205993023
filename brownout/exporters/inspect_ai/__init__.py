"""Exports to Inspect, the evaluation framework of the UK AI Security Institute (inspect.aisi.org.uk)."""

from brownout.exporters.inspect_ai.exporter import exporter

__all__ = ["exporter"]
