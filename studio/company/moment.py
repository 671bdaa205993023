"""A moment in a few words: which outages hold, and the names that its texts may link to."""

from dataclasses import dataclass

from brownout.core.instants import Instant
from brownout.core.trajectory import OutageEvent
from brownout.engine.outages import words_of
from studio.app_titles import title_of_target
from studio.company.broken_products import BrokenProduct, broken_products
from studio.company.company_view import Viewing, ViewRefused
from studio.company.pane_content import ShownName
from studio.company.surfaces import SURFACES

__all__ = ["Moment", "OutageNow", "moment_of"]


@dataclass(frozen=True, slots=True)
class OutageNow:
    """An outage that holds, or that began because of something that happened.

    Attributes:
        product: what breaks, as people call it.
    """

    name: str
    label: str
    product: str
    since: Instant
    until: Instant


@dataclass(frozen=True, slots=True)
class Moment:
    """What is so at the moment shown.

    Attributes:
        fired: the outages so far that are not on the calendar.
        names: what a text may name.
        broken: the products that an outage holds, with what an agent gets of them.
    """

    now: Instant
    outages: tuple[OutageNow, ...]
    fired: tuple[OutageNow, ...]
    names: tuple[ShownName, ...]
    broken: tuple[BrokenProduct, ...]


def moment_of(viewing: Viewing, person: str) -> Moment:
    """The moment that is shown, for somebody."""
    planned = {outage.name: outage for outage in viewing.package.outages}

    def shown(name: str, since: Instant) -> OutageNow:
        outage = planned[name]
        title = title_of_target(outage.target, viewing.package)
        return OutageNow(name, f"{title} {words_of(outage.mode).said}", title, since, since + outage.lasts)

    fired = [
        shown(event.name, event.at)
        for event in viewing.events
        if isinstance(event, OutageEvent) and event.edge == "began" and planned[event.name].start is None
    ]
    active = [shown(name, since) for name, since in viewing.active_outages().items()]
    return Moment(viewing.now, tuple(active), tuple(fired), _names(viewing, person), broken_products(viewing, person))


def _names(viewing: Viewing, person: str) -> tuple[ShownName, ...]:
    eyes = viewing.as_person(person)
    found: list[ShownName] = []
    for surface in SURFACES.values():
        if surface.app in viewing.setting.apps:
            try:
                found += surface.names(eyes)
            except ViewRefused:
                continue
    return tuple(found)
