"""The surfaces a world can be looked at through, in the order of their tabs."""

from collections.abc import Mapping
from dataclasses import dataclass

from brownout.engine.simulation_setting import load_app
from studio.company.calendar import Calendar
from studio.company.chat import Chat
from studio.company.code import Code
from studio.company.customers import Customers
from studio.company.documents import Documents
from studio.company.issues import Issues
from studio.company.mail import MailboxView
from studio.company.pane_content import Surface, SurfaceName
from worlds.package import Package

__all__ = ["SURFACES", "Tab", "tabs_of"]

_ALL: tuple[Surface, ...] = (MailboxView(), Chat(), Issues(), Code(), Documents(), Calendar(), Customers())
SURFACES: Mapping[SurfaceName, Surface] = {surface.name: surface for surface in _ALL}

_LABELS: Mapping[SurfaceName, str] = {
    "mail": "Mail",
    "chat": "Chat",
    "issues": "Issues",
    "code": "Code",
    "docs": "Docs",
    "calendar": "Calendar",
    "customers": "Customers",
    "status": "Status",
}
_ALWAYS = frozenset({"mail", "chat", "issues", "code", "status"})
"""Tabs that every world has; without a product they say so."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the preview.

    Attributes:
        product: the title of the app that fills it, empty where the world has none.
    """

    surface: SurfaceName
    label: str
    product: str


def tabs_of(package: Package) -> list[Tab]:
    """The tabs for a package's apps.

    Raises:
        PluginError: one of its apps is not installed.
    """
    titles = {name: load_app(name).title for name in package.manifest.apps}
    tabs = []
    for surface, label in _LABELS.items():
        known = SURFACES.get(surface)
        product = "Status" if surface == "status" else titles.get(known.app, "") if known else ""
        if product or surface in _ALWAYS:
            tabs.append(Tab(surface, label, product))
    return tabs
