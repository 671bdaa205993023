"""The commands, and what every one of them does with errors.

`--json` prints one JSON document on stdout, also where the command could not do its work: then it is
`{"error": {"kind": …, "message": …}}`. Progress and messages go to stderr. Exit 0 ok, 1 failed, 2 usage or incomplete input.
"""

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer
from typer.main import get_command

from brownout.cli.commands import command_line
from brownout.cli.output import complain, give_up_stdout, make_printable, print_json
from brownout.cli.progress import PROGRESS
from brownout.core.error_notes import notes_of
from brownout.core.errors import (
    AuthoringError,
    BrownoutError,
    EditRefused,
    FolderTaken,
    MissingRun,
    Mistake,
    OtherPackage,
    PackageError,
    PluginError,
    SandboxUnavailable,
    UnknownTask,
    UsageError,
    kind_of,
)
from brownout.core.extras import extra_of, missing_extra

if TYPE_CHECKING:
    from brownout.core.values import Json

__all__ = ["main"]

_TRACEBACK = "BROWNOUT_TRACEBACK"
"""Environment variable: show where an unforeseen error came from."""

_USAGE = (
    AuthoringError,
    EditRefused,
    FolderTaken,
    MissingRun,
    OtherPackage,
    PackageError,
    PluginError,
    SandboxUnavailable,
    UnknownTask,
    UsageError,
)


def main() -> NoReturn:
    """Run the command line and exit."""
    make_printable()
    try:
        command = get_command(command_line(sys.argv[1:]))
        _hide_types_of_switches(command)
        code = command(standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted", "stopped; nothing half-written was left behind", 130)
    except BrownoutError as error:
        mistakes = error.mistakes if isinstance(error, AuthoringError) else ()
        _fail(kind_of(error), str(error), 2 if isinstance(error, _USAGE) else 1, mistakes)
    except Exception as error:
        _usage_error(error)
        _crash(error)
    sys.exit(code if isinstance(code, int) else 0)


def _crash(error: Exception) -> NoReturn:
    """Say what nobody foresaw in one line with its place; the machine's own troubles (a full disk) need no more."""
    if os.environ.get(_TRACEBACK) and PROGRESS not in os.environ:
        traceback.print_exception(error)
    if extra := extra_of(error):
        missing = missing_extra(f"brownout {' '.join(sys.argv[1:2])}", extra)
        _fail(kind_of(missing), str(missing), 2)
    if isinstance(error, OSError):
        _fail("os_error", str(error), 1)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
    lines = [f"{type(error).__name__}: {error} ({place})"]
    if notes := notes_of(error):
        lines.append(f"It was about {'; '.join(notes)}.")
    if PROGRESS in os.environ:  # a page shows it: whoever reads that can set no variable, and finds the way in the log
        traceback.print_exception(error)
        lines.append("This is a mistake in Brownout; the log has the way to it, for a report.")
    else:
        lines.append(f"This is a mistake in Brownout; {_TRACEBACK}=1 shows the way to it, for a report.")
    _fail("crash", "\n".join(lines), 1)


def _fail(kind: str, message: str, code: int, mistakes: Sequence[Mistake] = ()) -> NoReturn:
    complain(message)
    with suppress(OSError):  # stdout may be what failed
        _tell_programs(kind, message, mistakes)
    give_up_stdout()
    sys.exit(code)


def _tell_programs(kind: str, message: str, mistakes: Sequence[Mistake] = ()) -> None:
    """Print the error as the one document on stdout where one was asked for, with each mistake of a text by its file and line."""
    if "--json" in sys.argv[1:]:
        places: list[Json] = [{"file": one.file, "line": one.line, "message": str(one.message)} for one in mistakes]
        print_json({"error": {"kind": kind, "message": message, **({"mistakes": places} if places else {})}})


def _usage_error(error: Exception) -> None:
    """Exit 2 for a mistake on the command line itself; the parser's own classes differ between versions."""
    show = getattr(error, "show", None)
    if callable(show):
        show()
        said = getattr(error, "format_message", None)
        _tell_programs("usage_error", str(said() if callable(said) else error))
        sys.exit(int(getattr(error, "exit_code", 2)) or 2)


def _hide_types_of_switches(command: object) -> None:
    """Keep help from saying that a switch takes a value."""
    make_context = getattr(command, "context_class", None)
    get_help = getattr(command, "get_help_option", None)
    help_option = get_help(make_context(command)) if make_context and get_help else None
    for option in (*getattr(command, "params", ()), help_option):
        if getattr(option, "is_flag", False):
            option.metavar = ""
    for below in getattr(command, "commands", {}).values():
        _hide_types_of_switches(below)
