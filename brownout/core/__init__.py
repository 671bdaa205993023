"""Plain values, protocols and the plug-in registry that every other room speaks in. No I/O."""
