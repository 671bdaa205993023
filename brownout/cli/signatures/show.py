"""What the commands `brownout show …` take; `brownout.cli.show_package`, `show_products`, `show_facts` and `show_tool` do it."""

from typing import Annotated

import typer

from brownout.cli.arguments import As, AsJson, At, Package, World
from brownout.cli.commands import done_by

__all__ = [
    "calendar",
    "chat",
    "code",
    "customers",
    "docs",
    "drawn",
    "facts",
    "issues",
    "mail",
    "people",
    "status",
    "timeline",
    "tool",
    "tools",
    "why",
]


@done_by("brownout.cli.show_package:people")
def people(package: Package, as_json: AsJson = False) -> None:
    """Everybody in the world."""


@done_by("brownout.cli.show_package:timeline")
def timeline(package: Package, as_json: AsJson = False) -> None:
    """Beats, outages and tasks in the order of their times."""


@done_by("brownout.cli.show_package:tools")
def tools(
    package: Package,
    app: Annotated[str, typer.Option(help="Only this product's; all without it.")] = "",
    as_json: AsJson = False,
) -> None:
    """The operations of the products in use, with their arguments: what agents call and solutions are written with."""


@done_by("brownout.cli.show_tool:tool")
def tool(
    package: Package,
    name: Annotated[str, typer.Argument(help="The operation, e.g. slack_read_channel.")],
    at: Annotated[str, typer.Option(help="The moment to try it at; the last task's start where none is given.")] = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """One operation: its arguments, and the fields of what comes back with an example from the world.

    It is really called, writing operations too, in a copy of the world that is thrown away.
    """


@done_by("brownout.cli.show_products:chat")
def chat(
    package: Package,
    channel: Annotated[str, typer.Argument(help="#channel")],
    at: At = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """A channel as it was at a moment, with its threads; the newest messages where there are very many."""


@done_by("brownout.cli.show_products:mail")
def mail(
    package: Package,
    query: Annotated[str, typer.Argument(help="As Gmail searches: from:gareth, subject:seats, has:attachment …")] = "",
    at: At = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """Somebody's mail as it was at a moment, newest first."""


@done_by("brownout.cli.show_products:issues")
def issues(
    package: Package,
    jql: Annotated[str, typer.Argument(help="JQL.")] = "ORDER BY updated DESC",
    at: At = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """Issues as they were at a moment."""


@done_by("brownout.cli.show_products:code")
def code(
    package: Package,
    repository: Annotated[str, typer.Argument(help="Its name; the company's first where none is given.")] = "",
    at: At = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """A repository as it was at a moment: its newest commits and pull requests."""


@done_by("brownout.cli.show_products:status")
def status(package: Package, at: At = "", viewer: As = "", as_json: AsJson = False) -> None:
    """How everything was at a moment: services, vendors' status pages, open alerts, and what was really broken."""


@done_by("brownout.cli.show_products:docs")
def docs(
    package: Package,
    page: Annotated[
        str, typer.Argument(help="Words of a page: those that have them; one title alone is shown whole.")
    ] = "",
    at: At = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """Pages as they were at a moment, the last changed first; a page by its title, whole."""


@done_by("brownout.cli.show_products:customers")
def customers(
    package: Package,
    query: Annotated[str, typer.Argument(help="As the register searches; all of them without it.")] = "",
    at: At = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """The customers in the register as they were at a moment."""


@done_by("brownout.cli.show_products:calendar")
def calendar(
    package: Package,
    whose: Annotated[str, typer.Argument(help="A person or a room; who looks without it.")] = "primary",
    at: At = "",
    viewer: As = "",
    as_json: AsJson = False,
) -> None:
    """Somebody's events from a moment on, the next first."""


@done_by("brownout.cli.show_facts:facts")
def facts(
    package: Package,
    slot: Annotated[str, typer.Argument(help="A slot, a fact or a part of one; all without it.")] = "",
    at: At = "",
    as_json: AsJson = False,
) -> None:
    """What is true at a moment, what was and what will be: every fact with its slot, value and window."""


@done_by("brownout.cli.show_facts:drawn")
def drawn(
    world: World,
    seed: Annotated[
        int | None, typer.Option(help="World seed, which the company is drawn by; the author's where none is given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The drawn slots of a world with their values for a seed, and how each reads in its forms."""


@done_by("brownout.cli.show_package:why")
def why(
    package: Package,
    artefact: Annotated[str, typer.Argument(help="A path, or a part of one: BOX-32, #support …")],
    as_json: AsJson = False,
) -> None:
    """Where an artefact came from: the event that made it, its cause, and the facts it states.

    It covers what people and services made from the calendar's first day to the first task's start: messages, mails,
    tickets, pages, commits, alerts. What an agent did is in its run; see `brownout replay`.
    """
