"""`brownout new person|customer|service|outage|storyline|task`: something more in a world that exists.

Nothing is written that would break a world that was whole: names that nobody has, a zone that is none, a need of nothing.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import typer

from brownout.catalog import own_folder_of
from brownout.cli.output import console
from brownout.core.errors import UsageError
from brownout.core.short_names import slug
from brownout.core.vocabulary import near
from generators.world_check import mistakes_in
from worlds.editing import Value, WorldEdit
from worlds.editing.team_defaults import lists_of_team, usual_manager, usual_reads
from worlds.spec import WorldSpec, read_draft
from worlds.spec.scalars import plain_scalar

__all__ = ["new_customer", "new_outage", "new_person", "new_service", "new_storyline", "new_task"]

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class _Question:
    """A field of a new entry.

    Attributes:
        flag: the option that gives it, which is what is asked for at a terminal too.
        is_required: whether there is no entry without it.
        usual: what it is where nothing is said, of what is known of the fields before it; empty leaves it out.
    """

    flag: str
    is_required: bool = False
    usual: Callable[[Mapping[str, str]], str] = lambda known: ""


def new_person(
    world: str,
    short: str,
    name: str,
    role: str,
    team: str,
    manager: str,
    zone: str,
    hours: str,
    reads: str,
    voice: str,
    story: str,
    dry_run: bool,
) -> None:
    """Add somebody who works at a world's company to its people, channels and groups."""
    adding = _Adding(world, "people.yaml")
    spec = adding.spec
    given = adding.complete(
        {"name": name, "role": role, "team": team, "manager": manager, "zone": zone, "hours": hours}
        | {"reads": reads, "voice": voice, "story": story},
        _Question("name", is_required=True),
        _Question("role", is_required=True),
        _Question("team"),
        _Question("manager", usual=lambda known: usual_manager(spec, known["team"])),
        _Question("zone"),
        _Question("reads", usual=lambda known: ",".join(usual_reads(spec, known["team"]))),
    )
    team = given["team"]
    teams = {person.team for person in spec.people.values() if person.team}
    if team and team not in teams and (hint := near(team, teams)):
        raise UsageError(f"there is no team {team!r} in {spec.world.world}{hint}")
    same_zone = given["zone"] == spec.world.clock.zone
    short = adding.short_name(short, _given_name(given["name"]), given["name"])
    entry = _filled({**given, "zone": "" if same_zone else given["zone"]}, reads=_listed(given["reads"]))
    colleagues = [one for one, person in spec.people.items() if team and person.team == team]
    adding.insert(short, entry, behind=colleagues[-1] if colleagues else "")
    for place in lists_of_team(spec, team) if team else ():
        adding.edit.insert("world.yaml", place, len(_items(adding.edit, place)), short)
    adding.finish(dry_run=dry_run)


def new_customer(
    world: str,
    short: str,
    name: str,
    contact: str,
    email: str,
    plan: str,
    owner: str,
    voice: str,
    region: str,
    sites: int | None,
    health: str,
    tags: str,
    dry_run: bool,
) -> None:
    """Add a customer to those that a world's company works for."""
    adding = _Adding(world, "customers.yaml")
    given = adding.complete(
        {"name": name, "contact": contact, "email": email, "plan": plan, "owner": owner}
        | {"voice": voice, "region": region, "health": health, "tags": tags},
        _Question("name", is_required=True),
        _Question("contact", is_required=True),
        _Question("email", usual=lambda known: f"{slug(_given_name(known['contact']))}@{slug(known['name'])}.test"),
        _Question("plan"),
        _Question("owner"),
    )
    short = adding.short_name(short, given["name"])
    fields = ("name", "contact", "email", "voice", "plan", "sites", "region", "owner", "health", "tags")
    entry = _filled({key: given.get(key, "") for key in fields}, sites=sites, tags=_listed(given["tags"]))
    adding.insert(short, entry)
    adding.finish(dry_run=dry_run)


def new_service(
    world: str,
    short: str,
    says: str,
    team: str,
    on_call: str,
    needs: list[str] | None,
    alert: str,
    posts: str,
    repo: str,
    dry_run: bool,
) -> None:
    """Add a service to what runs at a world's company."""
    adding = _Adding(world, "systems.yaml")
    given = adding.complete(
        {"short": short, "says": says, "team": team, "on-call": on_call, "needs": ",".join(needs or [])}
        | {"alert": alert},
        _Question("short", is_required=True),
        _Question("says"),
        _Question("team"),
        _Question("on-call"),
        _Question("needs"),
        _Question("alert", usual=lambda known: _PAGE if known["on-call"] else ""),
    )
    shows = _filled({"alert": given["alert"]}, posts=_pairs("posts", posts.split(",")))
    needed: dict[str, Value] = {need: {"is": on} for need, on in _pairs("needs", given["needs"].split(",")).items()}
    entry = _filled(
        {"repo": repo, "team": given["team"], "on_call": given["on-call"], "says": given["says"]},
        needs=needed,
        shows=shows,
    )
    adding.insert(adding.short_name(given["short"]), entry)
    adding.finish(dry_run=dry_run)


def new_outage(
    world: str,
    short: str,
    on: str,
    start: str,
    when: str,
    lasts: str,
    mode: str,
    announced: str,
    setting: list[str] | None,
    dry_run: bool,
) -> None:
    """Add an outage to what breaks in a world."""
    adding = _Adding(world, "outages.yaml")
    given = adding.complete(
        {"short": short, "on": on, "from": start or (when and "-"), "for": lasts, "mode": mode},
        _Question("short", is_required=True),
        _Question("on", is_required=True),
        _Question("from", is_required=True),
        _Question("for", is_required=True),
        _Question("mode", usual=lambda known: "down"),
    )
    settings = {key: plain_scalar(value) for key, value in _pairs("setting", setting or []).items()}
    begins = {"when": when} if when and not start else {"from": given["from"]}
    entry = _filled({"on": given["on"], **begins, "for": given["for"], "mode": given["mode"]})
    adding.insert(adding.short_name(given["short"]), entry | settings | _filled({"announced": announced}))
    adding.finish(dry_run=dry_run)


def new_storyline(world: str, kind: str, short: str, trade: str, dry_run: bool) -> None:
    """Add a storyline of a kind to a world, with its task, solution and cases, told by people who are there."""
    adding = _Adding(world, "storylines")
    from generators.authoring.new_storyline import storyline_files

    for file, text in storyline_files(adding.spec, kind, trade=trade, name=short).items():
        adding.edit.replace(file, adding.edit.read(file) + text)
    adding.finish(dry_run=dry_run)


def new_task(
    world: str, short: str, asks: str, requester: str, tell: str, start: str, title: str, dry_run: bool
) -> None:
    """Add a task to a world: what to find out, and whom to tell.

    Its solution and its cases are begun; `brownout qa` says what the solution is still to read.
    """
    from generators.authoring.new_task import TaskRequest, task_files

    adding = _Adding(world, "tasks")
    request = TaskRequest(short, tuple(map(str, _listed(asks))), requester, tell, start, title)
    for file, text in task_files(adding.spec, request).items():
        adding.edit.replace(file, text)
    adding.finish(dry_run=dry_run)


_PAGE: Final = "error_rate > 5% for 5m -> page on_call"


class _Adding:
    """A new entry of one file of a world, from what was asked for to what was written."""

    def __init__(self, world: str, file: str) -> None:
        self.folder = own_folder_of(world)
        draft = read_draft(self.folder)
        if draft.spec is None:
            raise UsageError(f"{world} cannot be read; brownout validate {world} says why")
        self.spec: WorldSpec = draft.spec
        self.edit = WorldEdit(self.folder)
        self._file = file

    def complete(self, given: Mapping[str, str], *questions: _Question) -> dict[str, str]:
        """What was given with what is usual for the rest; at a terminal all is asked for where something must be.

        Raises:
            UsageError: something that must be there is not, and there is nobody to ask.
        """
        found = {key: value.strip() for key, value in given.items()}
        missing = [question.flag for question in questions if question.is_required and not found[question.flag]]
        asks = bool(missing) and sys.stdin.isatty()
        if missing and not asks:
            flags = " and ".join("NAME" if flag == "short" else f"--{flag}" for flag in missing)
            raise UsageError(f"expected {flags}; at a terminal they are asked for")
        for question in questions:
            if found[question.flag]:
                continue
            usual = question.usual(found)
            if asks:
                label = "short name" if question.flag == "short" else question.flag
                default = None if question.is_required and not usual else usual
                found[question.flag] = typer.prompt(label, default=default, show_default=bool(usual)).strip()
            else:
                found[question.flag] = usual
        return found

    def short_name(self, given: str, *names: str) -> str:
        """The name of the new entry: as given, else the first of what these names come to that nobody has.

        Raises:
            UsageError: it is no short name, or somebody has it.
        """
        spec = self.spec
        taken = {*spec.people, *spec.customers, *spec.contacts, *spec.outsiders}
        if self._file not in ("people.yaml", "customers.yaml"):
            taken = {*self.edit_names()}
        chosen = given or next((slug(name) for name in names if slug(name) not in taken), slug(names[-1]))
        if not _NAME.fullmatch(chosen):
            raise UsageError(
                f"expected a short name such as wiktoria-n (lower-case letters, digits, -), found {chosen!r}"
            )
        if chosen in taken:
            raise UsageError(f"{spec.world.world} has {chosen!r} already; give the new one another short name")
        return chosen

    def edit_names(self) -> Sequence[str]:
        """The names of the entries that the file has."""
        value = self.edit.text(self._file).value
        return [str(key) for key in value] if isinstance(value, dict) else []

    def insert(self, short: str, entry: Mapping[str, Value], *, behind: str = "") -> None:
        """Add the entry behind another one, at the end of the file without it."""
        names = [*self.edit_names()]
        following = names[names.index(behind) + 1 :] if behind in names else []
        self.edit.insert(self._file, (), short, entry, before=following[0] if following else None)

    def finish(self, *, dry_run: bool) -> None:
        """Show what changes, and write it unless it is only to be shown.

        Raises:
            AuthoringError: the world would have mistakes that it does not have now.
        """
        changes = self.edit.changes
        if dry_run:
            self.edit.check(mistakes_in)
        else:
            self.edit.write(mistakes_in)
        console.print("\n".join(change.diff for change in changes), markup=False, soft_wrap=True)
        files = ", ".join(str(self.folder / change.file) for change in changes)
        said = f"nothing was written; without --dry-run it is {files}" if dry_run else f"written: {files}"
        console.print(said, markup=False, soft_wrap=True)


def _given_name(name: str) -> str:
    """`Dr. Jörg Weiß` without titles and all that follows the first name."""
    return next((word for word in name.split() if not word.endswith(".")), name)


def _filled(fields: Mapping[str, str], **others: Value) -> dict[str, Value]:
    """The fields that say something, in their order; `others` take the place of their names, or stand last."""
    every: dict[str, Value] = {**fields, **others}
    return {key: value for key, value in every.items() if value not in ("", None, [], {})}


def _listed(text: str) -> list[Value]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _pairs(flag: str, texts: Sequence[str]) -> dict[str, str]:
    """Texts such as `database=aws-rds/eu-west-1` as a mapping."""
    found = {}
    for part in filter(None, (part.strip() for part in texts)):
        key, equals, value = part.partition("=")
        if not equals or not key or not value:
            raise UsageError(f"expected NAME=VALUE for --{flag}, found {part!r}")
        found[key.strip()] = value.strip()
    return found


def _items(edit: WorldEdit, place: tuple[str | int, ...]) -> Sequence[object]:
    tree = edit.text("world.yaml").value
    for step in place:
        tree = tree[step] if isinstance(tree, dict) else tree
    return tree if isinstance(tree, list) else []
