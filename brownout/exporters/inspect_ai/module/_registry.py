"""What Inspect finds by name once this package is installed."""

from brownout.exporters.inspect_ai.module.playing import begin, oracle, play
from brownout.exporters.inspect_ai.module.scoring import graded
from brownout.exporters.inspect_ai.module.task import world

__all__ = ["begin", "graded", "oracle", "play", "world"]
