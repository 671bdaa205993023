"""What products are called on pages: `GitHub` for the app `github`."""

from brownout.core.apps import App
from brownout.core.errors import BrownoutError
from brownout.core.plugins import load_plugin

__all__ = ["app_title"]


def app_title(name: str) -> str:
    """What a product is called: `GitHub` for `github`; one that is not installed by its own name."""
    try:
        app = load_plugin("apps", name)
    except BrownoutError:
        return name.capitalize()
    return app.title if isinstance(app, App) else name.capitalize()
