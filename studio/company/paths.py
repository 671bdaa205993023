"""Where a path of the engine's (`jira:BOX.issue/BOX-41.comment/7`) is shown in the studio."""

import re
from dataclasses import dataclass

from studio.company.showing import SurfaceName

__all__ = ["Destination", "destination_of"]


@dataclass(frozen=True, slots=True)
class Destination:
    """A thing on a surface."""

    surface: SurfaceName
    item: str
    label: str


_CHAT = re.compile(r"slack:([#@][^/]+)\.message/(\d+\.\d+)")
_ISSUE = re.compile(r"jira:[^/]+\.issue/([A-Z][A-Z0-9]*-\d+)(\.comment/\d+)?")


def destination_of(path: str) -> Destination | None:
    """Where to look at what is at a path, None where no surface shows it."""
    if found := _CHAT.fullmatch(path):
        return Destination("chat", f"{found[1]}/{found[2]}", found[1])
    if found := _ISSUE.match(path):
        return Destination("issues", found[1], f"{found[1]} comment" if found[2] else found[1])
    return None
