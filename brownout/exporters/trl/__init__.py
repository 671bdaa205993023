"""Exports to TRL: environments for `GRPOTrainer(environment_factory=…)` (huggingface.co/docs/trl)."""

from brownout.exporters.framework_exporter import FrameworkExporter

__all__ = ["exporter"]

exporter = FrameworkExporter(
    name="trl",
    title="TRL",
    home="brownout.exporters.trl",
    requires=("trl==1.16.0", "jmespath>=1.0"),  # its own check asks for jmespath where there are tools
)
