"""The part of Brownout that runs sessions, under another name, so that an export needs nothing of ours installed.

Only what a session of that very world can reach is taken. Absolute imports get their new names, so no export puts
`tools` or `worlds` among the modules of a stranger's process.
"""

from brownout.exporters.runtime.trial import open_exported
from brownout.exporters.runtime.vendoring import VendoredRuntime, collect_runtime

__all__ = ["VendoredRuntime", "collect_runtime", "open_exported"]
