"""What `brownout new person|customer|service|outage|storyline|task` take; `brownout.cli.new_parts` does it."""

from typing import Annotated, TypeAlias

import typer

from brownout.cli.commands import done_by

__all__ = ["new_customer", "new_outage", "new_person", "new_service", "new_storyline", "new_task"]

World: TypeAlias = Annotated[str, typer.Argument(help="The folder of the world.")]
Short: TypeAlias = Annotated[str, typer.Argument(help="Its short name; made of --name where none is given.")]
Named: TypeAlias = Annotated[str, typer.Argument(help="Its short name.")]
DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Show what would be written, and write nothing.")]


@done_by("brownout.cli.new_parts:new_person")
def new_person(
    world: World,
    short: Short = "",
    name: Annotated[str, typer.Option(help="Full name.")] = "",
    role: Annotated[str, typer.Option(help="What they are there.")] = "",
    team: Annotated[str, typer.Option(help="Their team; they join the channels and groups that all of it is in.")] = "",
    manager: Annotated[str, typer.Option(help="Whom they answer to; as most of their team without it.")] = "",
    zone: Annotated[str, typer.Option(help="Where they work: Europe/Warsaw; the world's zone without it.")] = "",
    hours: Annotated[str, typer.Option(help="When they read and answer: 09:00-17:30.")] = "",
    reads: Annotated[str, typer.Option(help="Apps they watch, first choice first; as most of their team.")] = "",
    voice: Annotated[str, typer.Option(help="plain, dry, warm, terse, formal or chatty.")] = "",
    story: Annotated[str, typer.Option(help="Who they are, one line.")] = "",
    dry_run: DryRun = False,
) -> None:
    """Add somebody who works at a world's company to its people, channels and groups."""


@done_by("brownout.cli.new_parts:new_customer")
def new_customer(
    world: World,
    short: Short = "",
    name: Annotated[str, typer.Option(help="The customer's name, a company often.")] = "",
    contact: Annotated[str, typer.Option(help="Who writes for it, full name.")] = "",
    email: Annotated[str, typer.Option(help="Their address, below .test; made of the names without it.")] = "",
    plan: Annotated[str, typer.Option(help="What they pay for.")] = "",
    owner: Annotated[str, typer.Option(help="Who of the company looks after them.")] = "",
    voice: Annotated[str, typer.Option(help="plain, dry, warm, terse, formal or chatty.")] = "",
    region: Annotated[str, typer.Option(help="Where.")] = "",
    sites: Annotated[int | None, typer.Option(min=0, help="How many places they have.")] = None,
    health: Annotated[str, typer.Option(help="good, watch or at-risk.")] = "",
    tags: Annotated[str, typer.Option(help="Words they are filed under: group,hamburg.")] = "",
    dry_run: DryRun = False,
) -> None:
    """Add a customer to those that a world's company works for."""


@done_by("brownout.cli.new_parts:new_service")
def new_service(
    world: World,
    short: Named = "",
    says: Annotated[str, typer.Option(help="What it is for, one line.")] = "",
    team: Annotated[str, typer.Option(help="Whose it is.")] = "",
    on_call: Annotated[str, typer.Option(help="Who is paged.")] = "",
    needs: Annotated[
        list[str] | None, typer.Option(help="What it depends on: database=aws-rds/eu-west-1. Can be repeated.")
    ] = None,
    alert: Annotated[str, typer.Option(help="When somebody is paged: error_rate > 5% for 3m -> page on_call.")] = "",
    posts: Annotated[str, typer.Option(help="Where alerts and deploys are posted: #ops=slack.")] = "",
    repo: Annotated[str, typer.Option(help="The code base it is built from, of repos/.")] = "",
    dry_run: DryRun = False,
) -> None:
    """Add a service to what runs at a world's company."""


@done_by("brownout.cli.new_parts:new_outage")
def new_outage(
    world: World,
    short: Named = "",
    on: Annotated[str, typer.Option(help="What breaks: a product, a vendor's part or a service.")] = "",
    start: Annotated[str, typer.Option("--from", help="When it begins: 2026-04-14 10:12, rds-evening + 31m.")] = "",
    when: Annotated[str, typer.Option(help="What it waits for instead: bookings.down for 20m.")] = "",
    lasts: Annotated[str, typer.Option("--for", help="How long it lasts: 45m.")] = "",
    mode: Annotated[str, typer.Option(help="How it fails: errors, slow, …; down without it.")] = "",
    announced: Annotated[str, typer.Option(help="What the status page says: at once, 25m late or never.")] = "",
    setting: Annotated[
        list[str] | None, typer.Option(help="A setting of the mode: share=60%. Can be repeated.")
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Add an outage to what breaks in a world."""


@done_by("brownout.cli.new_parts:new_storyline")
def new_storyline(
    world: World,
    kind: Annotated[str, typer.Argument(help="A storyline kind: migration, policy-changed ...")],
    short: Annotated[str, typer.Argument(help="The storyline's name, and its task's; the kind's without it.")] = "",
    trade: Annotated[
        str, typer.Option(help="Whose words it takes; those that the world was written in without it.")
    ] = "",
    dry_run: DryRun = False,
) -> None:
    """Add a storyline of a kind to a world, with its task, solution and cases, told by people who are there."""


@done_by("brownout.cli.new_parts:new_task")
def new_task(
    world: World,
    short: Annotated[str, typer.Argument(help="The task's short name, which is its folder's.")],
    asks: Annotated[str, typer.Option(help="What the agent is to find out, facts: hours-new,hours-day.")] = "",
    requester: Annotated[str, typer.Option(help="Who asks, by short name; as in the world's first task.")] = "",
    tell: Annotated[str, typer.Option(help="Whom the agent tells: #ops, somebody's short name.")] = "",
    start: Annotated[str, typer.Option(help="When the agent comes in: 2026-04-14 10:30.")] = "",
    title: Annotated[str, typer.Option(help="One line for people.")] = "",
    dry_run: DryRun = False,
) -> None:
    """Add a task to a world: what to find out, and whom to tell.

    Its solution and its cases are begun; `brownout qa` says what the solution is still to read.
    """
