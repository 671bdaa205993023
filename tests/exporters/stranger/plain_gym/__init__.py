"""Exports to a framework that knows reset and step."""

from brownout.exporters.framework_exporter import FrameworkExporter

__all__ = ["exporter"]

exporter = FrameworkExporter(name="plain-gym", title="Plain Gym", home="plain_gym", requires=())
