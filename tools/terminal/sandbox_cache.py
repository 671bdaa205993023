"""Live sandboxes, kept as a cache of what rows say: losing one loses nothing.

A sandbox is taken out of the cache while it is used, so that no two sessions ever share one, and it is found again
only by the very state that it was left in.
"""

import atexit
import os
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final

from brownout.sandbox import Sandbox, WorkspaceEntry
from tools.terminal.mirrors import Served, Services

__all__ = ["CachedSandbox", "Key", "SandboxCache", "idle_sandboxes"]

_MOST: Final = 24
"""How many are kept: some 6 MB each, and the files in them."""


@dataclass(frozen=True, slots=True)
class Key:
    """What tells one state of one person's machine from every other.

    Attributes:
        history: digest of the commands that led here; processes and inodes are numbered by it.
        digest: of the files.
    """

    package: Path
    owner: str
    history: str
    digest: str


@dataclass(slots=True)
class CachedSandbox:
    """A sandbox and what is known of the files in it.

    Attributes:
        found: every path as the sandbox was last seen, the mirrors' included.
        kept: every path as rows have it.
        served: the repositories as their mirrors have them.
        services: how GitHub serves whoever asks it.
    """

    sandbox: Sandbox
    key: Key
    found: Mapping[bytes, WorkspaceEntry] = field(default_factory=dict)
    kept: Mapping[bytes, WorkspaceEntry] = field(default_factory=dict)
    served: dict[str, Served] = field(default_factory=dict)
    services: Services = field(default_factory=Services)


class SandboxCache:
    """A bounded number of sandboxes that nobody uses at the moment; those used longest ago are ended first."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._lock = Lock()
        self._cached: OrderedDict[int, CachedSandbox] = OrderedDict()
        self._parents: list[object] = []

    def __len__(self) -> int:
        return len(self._cached)

    def take(self, key: Key) -> CachedSandbox | None:
        """The sandbox that was left in this state, the caller's from now on."""
        with self._lock:
            for number, cached in reversed(self._cached.items()):
                if cached.key == key:
                    return self._cached.pop(number)
        return None

    def give(self, cached: CachedSandbox) -> None:
        """Keep a sandbox that the caller no longer uses."""
        with self._lock:
            self._cached[id(cached)] = cached
            ended = [self._cached.popitem(last=False)[1] for _ in range(len(self._cached) - self._most)]
        for old in ended:
            old.sandbox.close()

    def close(self) -> None:
        """End every sandbox that is kept."""
        with self._lock:
            ended = [*self._cached.values()]
            self._cached.clear()
        for cached in ended:
            cached.sandbox.close()

    def disown(self) -> None:
        """After a fork of this process: the sandboxes are the parent's, not to be used or ended here."""
        self._lock = Lock()
        self._parents.append(self._cached)
        self._cached = OrderedDict()


idle_sandboxes: Final = SandboxCache()
atexit.register(idle_sandboxes.close)
os.register_at_fork(after_in_child=idle_sandboxes.disown)
