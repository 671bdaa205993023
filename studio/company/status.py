"""Status: which products and services work at a moment, what their status pages admit, and what alerts are open."""

from dataclasses import dataclass, replace

from brownout.core.instants import Instant
from brownout.core.values import JsonObject
from brownout.engine.outages import words_of
from studio.app_titles import title_of_target
from studio.company.broken_products import breaks
from studio.company.company_view import PersonView, Viewing, ViewRefused
from studio.company.pane_content import Tone
from studio.company.vendor_json import instant, items, number, text
from worlds.package import Outage, Package

__all__ = ["Alert", "OpenIncident", "PlannedOutage", "ServiceStatus", "Status", "status_at"]


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """A product that the company uses, a vendor it depends on, or a service of its own.

    Attributes:
        truly: how it is.
        page: what its status page says; for a service of the company's own, whose it is.
        outage: the outage that explains it, empty where it works.
    """

    name: str
    title: str
    truly: str
    tone: Tone
    page: str
    page_tone: Tone
    is_own: bool = False
    about: str = ""
    outage: str = ""
    since: Instant | None = None
    until: Instant | None = None


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert that is open."""

    service: str
    summary: str
    severity: str
    status: str
    at: Instant
    assigned: str


@dataclass(frozen=True, slots=True)
class OpenIncident:
    """An incident of the company's own that is not resolved; `public` is what its status page says of its services."""

    title: str
    severity: str
    status: str
    services: str
    about: str
    public: str
    at: Instant
    next_update: Instant | None


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
    """All of it, at a moment."""

    now: Instant
    services: tuple[ServiceStatus, ...]
    alerts: tuple[Alert, ...]
    outages: tuple[PlannedOutage, ...]
    incidents: tuple[OpenIncident, ...] = ()


_HEALTH: dict[str, tuple[str, Tone]] = {
    "healthy": ("Operational", "green"),
    "degraded": ("Degraded", "orange"),
    "down": ("Down", "red"),
}
_INDICATORS: dict[str, Tone] = {"none": "green", "minor": "orange", "major": "red", "critical": "red"}


def status_at(viewing: Viewing, person: str) -> Status:
    """How everything is at the moment that is shown; alerts and status pages as that person is shown them."""
    active = viewing.active_outages()
    planned = sorted(viewing.package.outages, key=lambda o: (o.start is None, o.start or 0, o.name))
    outages = tuple(_planned(viewing.package, outage, active, viewing.now) for outage in planned)
    vendors = _vendors(viewing, active)
    if "ops" not in viewing.setting.apps:
        return Status(viewing.now, tuple(vendors), (), outages)
    eyes = viewing.as_person(person)
    try:
        pages = _pages(eyes)
        services = [_own(service, viewing) for service in items(eyes.ask("ops_list_services"), "services")]
        alerts = tuple(_alert(alert, viewing) for alert in items(eyes.ask("ops_list_alerts", limit=25), "alerts"))
        incidents = _incidents(eyes)
    except ViewRefused:
        return Status(viewing.now, tuple(vendors), (), outages)
    told = [_with_page(vendor, pages.get(vendor.name)) for vendor in vendors]
    return Status(viewing.now, (*told, *services), alerts, outages, incidents)


def _vendors(viewing: Viewing, active: dict[str, Instant]) -> list[ServiceStatus]:
    """The products in use, each with a card of its own, then whatever else breaks on the calendar."""
    outages = {outage.name: outage for outage in viewing.package.outages}
    apps = [app for app in viewing.setting.apps.values() if app.name != "ops"]
    found = []
    for app in apps:
        name = next((name for name in active if breaks(outages[name], app)), "")
        found.append(_vendor(app.vendor, app.title, outages.get(name), active.get(name), viewing.now))
    products = {name for app in viewing.setting.apps.values() for name in (app.name, app.vendor)}
    for target in sorted({outage.target for outage in outages.values()} - products):
        name = next((name for name in active if outages[name].target == target), "")
        found.append(
            _vendor(target, title_of_target(target, viewing.package), outages.get(name), active.get(name), viewing.now)
        )
    return found


def _vendor(name: str, title: str, outage: Outage | None, since: Instant | None, now: Instant) -> ServiceStatus:
    if outage is None or since is None:
        return ServiceStatus(name, title, "Operational", "green", "Operational", "green")
    words = words_of(outage.mode)
    tone: Tone = "red" if words.is_severe else "orange"
    is_told = outage.announced is not None and now >= since + outage.announced
    page, page_tone = (words.badge, tone) if is_told else ("Operational", "green")
    return ServiceStatus(
        name, title, words.badge, tone, page, page_tone, outage=outage.name, since=since, until=since + outage.lasts
    )


def _pages(eyes: PersonView) -> dict[str, tuple[str, Tone]]:
    """What each followed status page says."""
    found: dict[str, tuple[str, Tone]] = {}
    for vendor in items(eyes.ask("ops_list_vendor_status"), "vendors"):
        tone = _INDICATORS.get(text(vendor, "status", "indicator"), "orange")
        said = "Operational" if tone == "green" else text(vendor, "status", "description")
        found[text(vendor, "vendor")] = (said, tone)
    return found


def _with_page(vendor: ServiceStatus, page: tuple[str, Tone] | None) -> ServiceStatus:
    return vendor if page is None else replace(vendor, page=page[0], page_tone=page[1])


def _own(service: JsonObject, viewing: Viewing) -> ServiceStatus:
    word, tone = _HEALTH.get(text(service, "status"), (text(service, "status").capitalize(), "gray"))
    on_call = viewing.name_of(text(service, "on_call"))
    alerts = number(service, "open_alerts")
    about = [f"version {text(service, 'version')}"] if text(service, "version") else []
    about += [f"{on_call} is on call"] if on_call else []
    about += [f"{alerts} open alert{'s' if alerts != 1 else ''}"] if alerts else []
    name = text(service, "name")
    return ServiceStatus(
        name, name, word, tone, text(service, "description"), "gray", is_own=True, about=" · ".join(about)
    )


def _alert(alert: JsonObject, viewing: Viewing) -> Alert:
    return Alert(
        text(alert, "service"),
        text(alert, "summary"),
        text(alert, "severity"),
        text(alert, "status"),
        instant(alert, "triggered_at"),
        viewing.name_of(text(alert, "assigned_to")),
    )


def _incidents(eyes: PersonView) -> tuple[OpenIncident, ...]:
    """The open incidents, newest first."""
    found = items(eyes.ask("ops_list_incidents", limit=25), "incidents")
    page = eyes.ask("ops_get_status_page") if found else {}
    public = {text(one, "service"): text(one, "status") for one in items(page, "components")}
    return tuple(_incident(one, public, eyes.viewing) for one in found)


def _incident(incident: JsonObject, public: dict[str, str], viewing: Viewing) -> OpenIncident:
    listed = incident.get("services")
    services = [str(name) for name in listed] if isinstance(listed, list) else []
    runs_on = [
        f"{text(one, 'need')} of {text(one, 'service')} on {title_of_target(text(one, 'target'), viewing.package)}"
        for one in items(incident, "runs_on")
    ]
    commander = viewing.name_of(text(incident, "commander"))
    about = [f"led by {commander}" if commander else "", text(incident, "mitigation"), *runs_on]
    said = dict.fromkeys(public.get(name, "").replace("_", " ") for name in services)
    return OpenIncident(
        text(incident, "title"),
        text(incident, "severity"),
        text(incident, "status"),
        ", ".join(services),
        " · ".join(filter(None, about)),
        ", ".join(filter(None, said)),
        instant(incident, "started_at"),
        instant(incident, "next_update_at") or None,
    )


def _planned(package: Package, outage: Outage, active: dict[str, Instant], now: Instant) -> PlannedOutage:
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
        outage.name,
        title_of_target(outage.target, package),
        words_of(outage.mode).said,
        start,
        until,
        outage.when,
        announced,
        phase,
    )
