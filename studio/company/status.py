"""Status: which products and services work at a moment, and what their status pages admit."""

from dataclasses import dataclass

from brownout.core.instants import Instant
from studio.company.showing import Tone
from studio.company.timeline import mode_text
from studio.company.viewing import Viewing
from worlds.package import Outage

__all__ = ["PlannedOutage", "ServiceState", "Status", "status_at"]


@dataclass(frozen=True, slots=True)
class ServiceState:
    """One product or service.

    Attributes:
        truly: how it is.
        page: what its status page says.
        outage: the outage that explains it, empty where it works.
    """

    name: str
    title: str
    truly: str
    tone: Tone
    page: str
    page_tone: Tone
    outage: str = ""
    since: Instant | None = None
    until: Instant | None = None


@dataclass(frozen=True, slots=True)
class PlannedOutage:
    """An outage of the calendar, or one that waits for its condition."""

    name: str
    target: str
    mode: str
    start: Instant | None
    until: Instant | None
    when: str
    announced: Instant | None
    phase: str


@dataclass(frozen=True, slots=True)
class Status:
    """All of it."""

    services: tuple[ServiceState, ...]
    outages: tuple[PlannedOutage, ...]


_SAYS: dict[str, tuple[str, Tone]] = {
    "down": ("Down", "red"),
    "errors": ("Failing in part", "red"),
    "slow": ("Slow", "orange"),
    "rate_limited": ("Limiting requests", "orange"),
    "read_only": ("Read-only", "orange"),
    "auth_expired": ("Refusing logins", "red"),
    "stale_reads": ("Showing an old state", "orange"),
    "lost_ack": ("Losing answers", "orange"),
    "delayed_delivery": ("Delivering late", "orange"),
}


def status_at(viewing: Viewing) -> Status:
    """How everything is at the moment that is shown."""
    active = viewing.active_outages()
    outages = {outage.name: outage for outage in viewing.package.outages}
    apps = viewing.setting.apps
    titles = {app.vendor: app.title for app in apps.values()}
    aliases = {app.name: app.vendor for app in apps.values()}
    targets = {aliases.get(outage.target, outage.target) for outage in outages.values()}
    services = []
    for target in [*titles, *sorted(targets - titles.keys())]:
        name = next((n for n in active if aliases.get(outages[n].target, outages[n].target) == target), None)
        title = titles.get(target, target)
        services.append(_service(target, title, outages.get(name or ""), active.get(name or ""), viewing.now))
    planned = sorted(outages.values(), key=lambda outage: (outage.start is None, outage.start or 0, outage.name))
    return Status(tuple(services), tuple(_planned(outage, active, viewing.now) for outage in planned))


def _service(name: str, title: str, outage: Outage | None, since: Instant | None, now: Instant) -> ServiceState:
    if outage is None or since is None:
        return ServiceState(name, title, "Operational", "green", "Operational", "green")
    word, tone = _SAYS.get(outage.mode, (mode_text(outage.mode).capitalize(), "orange"))
    is_told = outage.announced is not None and now >= since + outage.announced
    page, page_tone = (word, tone) if is_told else ("Operational", "green")
    return ServiceState(name, title, word, tone, page, page_tone, outage.name, since, since + outage.lasts)


def _planned(outage: Outage, active: dict[str, Instant], now: Instant) -> PlannedOutage:
    start = active.get(outage.name, outage.start)
    until = None if start is None else start + outage.lasts
    if outage.name in active:
        phase = "Now"
    elif start is None or until is None:
        phase = "Waiting"
    else:
        phase = "Over" if now >= until else "Ahead"
    announced = None if start is None or outage.announced is None else start + outage.announced
    return PlannedOutage(
        outage.name, outage.target, mode_text(outage.mode), start, until, outage.when, announced, phase
    )
