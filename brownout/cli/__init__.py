"""The command line: `brownout`."""

from brownout.cli.main import main

__all__ = ["main"]
