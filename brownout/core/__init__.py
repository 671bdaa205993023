"""Plain values, protocols and the plug-in registry that every other package speaks in. No I/O."""
