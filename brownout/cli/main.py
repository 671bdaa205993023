"""The commands, and what every one of them does with errors.

`--json` prints one JSON document on stdout; progress and messages go to stderr. Exit 0 ok, 1 failed,
2 usage or incomplete input.
"""

import sys
from typing import NoReturn

import typer

from brownout.cli import export, runs, show, studio, worlds
from brownout.cli.output import complain
from brownout.core.errors import AuthoringError, BrownoutError, PackageError, UnknownPlugin, UnknownTask

__all__ = ["app", "main"]

app = typer.Typer(
    name="brownout",
    help="Compose simulated companies and break them on schedule.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
worlds.register(app)
runs.register(app)
show.register(app)
export.register(app)
studio.register(app)

_USAGE = (AuthoringError, PackageError, UnknownPlugin, UnknownTask)


def main() -> NoReturn:
    """Run the command line and exit."""
    try:
        app(standalone_mode=False)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        complain("stopped; nothing half-written was left behind")
        sys.exit(130)
    except BrownoutError as error:
        complain(str(error))
        sys.exit(2 if isinstance(error, _USAGE) else 1)
    except Exception as error:
        _usage_error(error)
        raise
    sys.exit(0)


def _usage_error(error: Exception) -> None:
    """Exit 2 for a mistake on the command line itself; the parser's own classes differ between versions."""
    show = getattr(error, "show", None)
    if callable(show):
        show()
        sys.exit(int(getattr(error, "exit_code", 2)) or 2)
