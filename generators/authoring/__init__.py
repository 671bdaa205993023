"""Writes an author's folder: `brownout new world`. What comes out is text that its author reads, changes and owns."""

from generators.authoring.kinds import kind_names
from generators.authoring.new import write_world
from generators.authoring.request import WorldRequest
from generators.authoring.trades import trade_names

__all__ = ["WorldRequest", "kind_names", "trade_names", "write_world"]
