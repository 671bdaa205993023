"""What products, and whatever else breaks, are called on pages: `GitHub` for the app `github`, `AWS RDS eu-central-1` for a vendor's part."""

from collections.abc import Container, Iterable

from brownout.core.apps import App
from brownout.core.errors import BrownoutError
from brownout.core.plugins import load_plugin
from worlds.package import Package
from worlds.spec import WorldSpec

__all__ = ["app_title", "title_of_target", "titled_target", "vendor_title"]

_ABBREVIATED = 3
"""Letters up to which a word of a vendor's name is an abbreviation: `aws`, `sms`, `s3`."""


def app_title(name: str) -> str:
    """What a product is called: `GitHub` for `github`; one that is not installed by its own name."""
    app = _app(name)
    return app.title if app is not None else name.capitalize()


def _app(name: str) -> App | None:
    try:
        app = load_plugin("apps", name)
    except BrownoutError:
        return None
    return app if isinstance(app, App) else None


def vendor_title(name: str) -> str:
    """A vendor or a part of one as people write it: `Stripe payments` for `stripe/payments`, `AWS RDS eu-central-1` for `aws-rds/eu-central-1`.

    A region keeps its spelling, for people type it so.
    """
    vendor, _, part = name.partition("/")
    words = [word.upper() if len(word) <= _ABBREVIATED else word.capitalize() for word in vendor.split("-")]
    if any(letter.isdigit() for letter in part):
        return " ".join((*words, part))
    return " ".join(
        (*words, *(word.upper() if len(word) <= _ABBREVIATED else word for word in part.split("-")))
    ).strip()


def titled_target(target: str, *, apps: Iterable[str], services: Container[str]) -> str:
    """What people call what an outage is on.

    A product has its title, a vendor with one product here that product's; a service of the company's own has the name that its authors use.

    Args:
        apps: the products of the company.
        services: its own services.
    """
    if target in services:
        return target
    here = [app for app in map(_app, apps) if app is not None]
    sold = [app.title for app in here if app.vendor == target]
    named = next((app.title for app in here if app.name == target), sold[0] if len(sold) == 1 else "")
    return named or vendor_title(target)


def title_of_target(target: str, world: Package | WorldSpec) -> str:
    """What people of a world call what an outage is on."""
    apps = world.manifest.apps if isinstance(world, Package) else world.world.apps
    return titled_target(target, apps=apps, services=world.services)
