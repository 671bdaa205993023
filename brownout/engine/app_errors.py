"""An error in a stranger's app, so that its author finds it: which app, what it was doing, and the line."""

from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from typing import Final

from brownout.core.apps import VendorError
from brownout.core.errors import BrokenApp, BrownoutError, is_environments
from brownout.core.plugins import is_built_in, plugin_address

__all__ = ["blamed", "blaming", "line_of"]

_LONGEST: Final = 1_000


@contextmanager
def blaming(app: str, doing: str) -> Iterator[None]:
    """A block that runs an app's code.

    Raises:
        BrokenApp: it fails, the app is not one of ours, and neither a vendor would answer so nor the environment failed.
    """
    try:
        yield
    except (VendorError, LookupError):
        raise
    except Exception as error:
        raise blamed(app, doing, error) from error


def blamed(app: str, doing: str, error: Exception) -> Exception:
    """The error with the place in the app's code; as it is where it is ours or the environment's."""
    if is_built_in("apps", app) or is_environments(error):
        return error
    place = line_of(app, error)
    kind = "" if isinstance(error, BrownoutError) else f"{type(error).__name__}: "
    found = BrokenApp(f"app {app!r}, {doing}{f', {place}' if place else ''}: {kind}{error}"[:_LONGEST])
    found.__cause__ = error
    return found


def line_of(app: str, error: BaseException) -> str:
    """The innermost line of an app's own code that an error went through: `todo_app/__init__.py:34 in add`."""
    top = plugin_address("apps", app).partition(":")[0].partition(".")[0]
    found = ""
    for frame, line in walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] == top:
            parts = frame.f_code.co_filename.replace("\\", "/").split("/")
            start = max((number for number, part in enumerate(parts) if part == top), default=-1)
            found = f"{'/'.join(parts[start:])}:{line} in {frame.f_code.co_name}"
    return found
