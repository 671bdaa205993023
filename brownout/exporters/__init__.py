"""Writes a world as a package of somebody else's framework: one exporter a framework, found by name."""
