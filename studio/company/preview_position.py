"""Where a preview stands, as its link says: the moment, the surface, the thing that is open."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from brownout.core.instants import Instant, from_datetime, local, zone
from brownout.core.values import JsonObject
from studio.company.surfaces import Tab
from studio.company.timeline import CalendarBars

__all__ = ["PARAMETERS", "Position", "link_time", "read_position"]

PARAMETERS = ("at", "surface", "place", "item", "week", "q")
"""What of a link is the pane's own; it writes them, and reads them when they were changed outside of it."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a preview is to stand.

    Attributes:
        wrong: what the link asks for that there is not.
    """

    at: Instant
    surface: str
    place: str = ""
    item: str = ""
    week: str = ""
    q: str = ""
    wrong: tuple[str, ...] = field(default=())

    def document(self, rev: int) -> JsonObject:
        """What the pane is told; it obeys when `rev` has changed, never otherwise."""
        return {
            "rev": rev, "at": self.at, "surface": self.surface, "place": self.place, "item": self.item,
            "week": self.week, "q": self.q,
        }  # fmt: skip


def read_position(link: Mapping[str, str], timeline: CalendarBars, tabs: list[Tab]) -> Position:
    """The position a link names; what it leaves open is the first task's start, on a surface that has something."""
    wrong = []
    at = timeline.start
    if given := link.get("at"):
        found = _time(given, timeline.zone)
        if found is None:
            wrong.append(f"Time {given} not found")
        else:
            at = min(max(found, timeline.first), timeline.last)
    filled = [str(tab.surface) for tab in tabs if tab.product]
    surface = "chat" if "chat" in filled else next(iter(filled), "status")
    if named := link.get("surface"):
        if named in [tab.surface for tab in tabs]:
            surface = named
        else:
            wrong.append(f"Surface {named} not found")
    place, item, week, q = (link.get(name, "") for name in ("place", "item", "week", "q"))
    return Position(at, surface, place, item, week, q, tuple(wrong))


def link_time(at: Instant, zone_name: str) -> str:
    """A moment as links spell it: `2026-03-24T11:40`, in the world's zone."""
    moment = local(at, zone_name)
    return moment.strftime("%Y-%m-%dT%H:%M:%S" if moment.second else "%Y-%m-%dT%H:%M")


def _time(text: str, zone_name: str) -> Instant | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return from_datetime(moment if moment.tzinfo else moment.replace(tzinfo=zone(zone_name)))
