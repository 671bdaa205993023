"""The commands: what each is called, where it is, and its line in the list of them.

A module is imported when its own command is called. So `brownout --help` costs no world, no store and no studio; the lines
stand here a second time, and a test holds them to the functions' own. What a command takes stands apart from what it does
(`done_by`), so its own help costs none of them either.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, ParamSpec

import typer

from brownout.cli.output import console

__all__ = ["COMMANDS", "GROUPS", "CommandEntry", "command_line", "done_by", "load_command"]

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command that is not loaded yet.

    Attributes:
        address: `module:function`.
        summary: the first line of the function's docstring.
    """

    address: str
    summary: str


GROUPS = {
    "new": "Make something whole to start from.",
    "show": "Look into a package: its people, its timeline, its products, where an artefact came from.",
    "trajectory": "Take runs to other formats, runs of others in, and see that histories only grow.",
    "annotate": "What people said of runs, and how far they agree.",
}
"""The first words of commands of two words."""

COMMANDS = {
    "list": CommandEntry("brownout.cli.list_worlds:list_worlds", "List the worlds that are shipped."),
    "validate": CommandEntry(
        "brownout.cli.signatures.worlds:validate",
        "Check a world's text; every mistake is reported at once with its file and line, then what could be better.",
    ),
    "fmt": CommandEntry(
        "brownout.cli.signatures.worlds:fmt",
        "Tidy the YAML of a world's folder without changing what it says: line ends, trailing spaces, the last line.",
    ),
    "schema": CommandEntry(
        "brownout.cli.signatures.schema:schema",
        "Print the JSON schema of the files of a world, for any editor that takes one.",
    ),
    "build": CommandEntry("brownout.cli.signatures.worlds:build", "Build a world package."),
    "tasks": CommandEntry("brownout.cli.signatures.worlds:tasks", "List a world's tasks."),
    "new world": CommandEntry(
        "brownout.cli.new:new_world",
        "Write a company of a trade as text that you own: people, customers, systems, storylines, tasks with their solutions.",
    ),
    "new person": CommandEntry(
        "brownout.cli.signatures.new_parts:new_person",
        "Add somebody who works at a world's company to its people, channels and groups.",
    ),
    "new customer": CommandEntry(
        "brownout.cli.signatures.new_parts:new_customer", "Add a customer to those that a world's company works for."
    ),
    "new service": CommandEntry(
        "brownout.cli.signatures.new_parts:new_service", "Add a service to what runs at a world's company."
    ),
    "new task": CommandEntry(
        "brownout.cli.signatures.new_parts:new_task", "Add a task to a world: what to find out, and whom to tell."
    ),
    "new outage": CommandEntry(
        "brownout.cli.signatures.new_parts:new_outage", "Add an outage to what breaks in a world."
    ),
    "new storyline": CommandEntry(
        "brownout.cli.signatures.new_parts:new_storyline",
        "Add a storyline of a kind to a world, with its task, solution and cases, told by people who are there.",
    ),
    "new kind": CommandEntry(
        "brownout.cli.new:new_kind",
        "Write a storyline kind that works, to be changed into yours. See docs/storylines.md.",
    ),
    "new app": CommandEntry(
        "brownout.cli.new:new_app",
        "Write an app that works, as a package for pip: shared lists, to be changed into yours. See docs/add-an-app.md.",
    ),
    "run": CommandEntry("brownout.cli.signatures.runs:run", "Run an agent through a task and print its reward."),
    "replay": CommandEntry(
        "brownout.cli.signatures.runs:replay_run",
        "Show the steps of a recorded run; with --check, run it again and compare every observation.",
    ),
    "grade": CommandEntry(
        "brownout.cli.signatures.runs:grade_run",
        "Judge a recorded run again with today's graders, and show what that changes.",
    ),
    "why": CommandEntry(
        "brownout.cli.signatures.annotate:why_run", "Say in words where a run's reward came from and where it was lost."
    ),
    "demo": CommandEntry(
        "brownout.cli.signatures.demo:demo",
        "Play a world's flagship task twice, with its reference solution and doing nothing, and replay the first.",
    ),
    "serve": CommandEntry(
        "brownout.cli.signatures.serve:serve",
        "Serve sessions of a package over HTTP and MCP; one line of JSON on stdout says where, when it is ready.",
    ),
    "show people": CommandEntry("brownout.cli.signatures.show:people", "Everybody in the world."),
    "show timeline": CommandEntry(
        "brownout.cli.signatures.show:timeline", "Beats, outages and tasks in the order of their times."
    ),
    "show tools": CommandEntry(
        "brownout.cli.signatures.show:tools",
        "The operations of the products in use, with their arguments: what agents call and solutions are written with.",
    ),
    "show tool": CommandEntry(
        "brownout.cli.signatures.show:tool",
        "One operation: its arguments, and the fields of what comes back with an example from the world.",
    ),
    "show chat": CommandEntry(
        "brownout.cli.signatures.show:chat",
        "A channel as it was at a moment, with its threads; the newest messages where there are very many.",
    ),
    "show mail": CommandEntry(
        "brownout.cli.signatures.show:mail", "Somebody's mail as it was at a moment, newest first."
    ),
    "show issues": CommandEntry("brownout.cli.signatures.show:issues", "Issues as they were at a moment."),
    "show code": CommandEntry(
        "brownout.cli.signatures.show:code",
        "A repository as it was at a moment: its newest commits and pull requests.",
    ),
    "show docs": CommandEntry(
        "brownout.cli.signatures.show:docs",
        "Pages as they were at a moment, the last changed first; a page by its title, whole.",
    ),
    "show customers": CommandEntry(
        "brownout.cli.signatures.show:customers", "The customers in the register as they were at a moment."
    ),
    "show calendar": CommandEntry(
        "brownout.cli.signatures.show:calendar", "Somebody's events from a moment on, the next first."
    ),
    "show facts": CommandEntry(
        "brownout.cli.signatures.show:facts",
        "What is true at a moment, what was and what will be: every fact with its slot, value and window.",
    ),
    "show drawn": CommandEntry(
        "brownout.cli.signatures.show:drawn",
        "The drawn slots of a world with their values for a seed, and how each reads in its forms.",
    ),
    "show status": CommandEntry(
        "brownout.cli.signatures.show:status",
        "How everything was at a moment: services, vendors' status pages, open alerts, and what was really broken.",
    ),
    "show why": CommandEntry(
        "brownout.cli.signatures.show:why",
        "Where an artefact came from: the event that made it, its cause, and the facts it states.",
    ),
    "qa": CommandEntry(
        "brownout.cli.signatures.worlds:qa",
        "Play every task's oracle, idlers, lazy scripts and chance, and say whether the rewards are what they must be.",
    ),
    "report": CommandEntry(
        "brownout.cli.signatures.worlds:report",
        "Say how real a built world is: every figure beside what is usual, and what does not hold together.",
    ),
    "record-judge": CommandEntry(
        "brownout.cli.signatures.worlds:record_judge",
        "Record what a judge says of a task's reference solution and cases; without a model, list what is to be answered.",
    ),
    "export": CommandEntry(
        "brownout.cli.signatures.worlds:export",
        "Check a world's rewards, and write it as a package of a framework; its runtime comes with it.",
    ),
    "trajectory convert": CommandEntry(
        "brownout.cli.signatures.trajectory:convert",
        "Write a run as an ATIF 1.7 document, as messages of a chat model, or as a log that Inspect's viewer opens.",
    ),
    "trajectory import": CommandEntry(
        "brownout.cli.signatures.trajectory:import_file",
        "Read runs that were played elsewhere, so that they can be read and annotated like any other.",
    ),
    "trajectory check": CommandEntry(
        "brownout.cli.signatures.trajectory:check",
        "Check that each prompt of an episode begins with all that was seen before it, to the last token.",
    ),
    "annotate export": CommandEntry(
        "brownout.cli.signatures.annotate:export_annotations",
        "Write what annotators said of runs as lines of JSON or as a table.",
    ),
    "annotate agreement": CommandEntry(
        "brownout.cli.signatures.annotate:agreement", "Say how far annotators agree, and where they do not."
    ),
    "dev": CommandEntry(
        "brownout.cli.signatures.dev:dev",
        "Build a world whenever its text is saved, and show it in the studio as it then is.",
    ),
    "studio": CommandEntry(
        "brownout.cli.studio:studio",
        "Start the studio: make and change worlds, look at companies, replay and compare what agents did in them.",
    ),
}
"""By the words that are typed, in the order of the list."""


def _print_version(asked: bool) -> None:
    if asked:
        try:
            console.print(f"brownout {version('brownout')}")
        except PackageNotFoundError:
            console.print("brownout, from a folder that is not installed")
        raise typer.Exit


def brownout(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Compose simulated companies and break them on schedule."""


def command_line(arguments: Sequence[str]) -> typer.Typer:
    """The command line with the one command loaded that the arguments call, if they call one."""
    app = typer.Typer(
        name="brownout",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )
    app.callback()(brownout)
    called = _called(arguments)
    groups: dict[str, typer.Typer] = {}
    for words, command in COMMANDS.items():
        group, _, name = words.rpartition(" ")
        if group and group not in groups:
            groups[group] = typer.Typer(help=GROUPS[group], no_args_is_help=True)
            app.add_typer(groups[group], name=group)
        place = groups[group] if group else app
        if words == called:
            place.command(name)(load_command(command))
        else:
            place.command(name, help=command.summary)(_not_loaded)
    return app


def done_by(address: str, *, begun_by: str = "") -> Callable[[Callable[P, None]], Callable[P, None]]:
    """A command whose work is the function of the same arguments at `module:function`, imported when it is run.

    So its help costs only what the command itself imports.

    Args:
        begun_by: a function of them by name that is called before the work is imported.
    """

    def command(arguments: Callable[P, None]) -> Callable[P, None]:
        @wraps(arguments)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            if begun_by:
                _at(begun_by)(**kwargs)
            _at(address)(*args, **kwargs)

        return run

    return command


def load_command(command: CommandEntry) -> Callable[..., object]:
    """A command's function."""
    return _at(command.address)


def _at(address: str) -> Callable[..., object]:
    module, _, name = address.partition(":")
    found: Callable[..., object] = getattr(import_module(module), name)
    return found


def _called(arguments: Sequence[str]) -> str:
    """The words of the command; what stands before a command are switches."""
    words = [word for word in arguments if not word.startswith("-")]
    return " ".join(words[: 2 if words[:1] and words[0] in GROUPS else 1])


def _not_loaded() -> None:
    """Stands for a command that is only named in a list."""
    raise AssertionError("called a command that the arguments did not name")
