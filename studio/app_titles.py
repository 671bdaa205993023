"""What products are called on pages: `GitHub` for the app `github`."""

from brownout.core.apps import App
from brownout.core.errors import BrownoutError
from brownout.core.plugins import load_plugin, plugin_names

__all__ = ["app_title", "outage_target_title"]


def app_title(name: str) -> str:
    """What a product is called: `GitHub` for `github`; one that is not installed by its own name."""
    try:
        app = load_plugin("apps", name)
    except BrownoutError:
        return name.capitalize()
    return app.title if isinstance(app, App) else name.capitalize()


def outage_target_title(target: str) -> str:
    """What an outage is on, as people call it: `Slack` for the app `slack`; vendors' parts and services by their own names."""
    return app_title(target) if target in plugin_names("apps") else target
