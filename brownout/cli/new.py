"""`brownout new`: something whole to start from."""

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shlex import quote
from shutil import copytree, ignore_patterns
from typing import TYPE_CHECKING, Annotated

import typer

from brownout.cli.output import console
from brownout.core.errors import AuthoringError, UsageError
from brownout.core.own_folders import expect_room
from brownout.core.plugins import plugin_address, plugin_names
from brownout.core.top_level_packages import room_folder
from brownout.core.vocabulary import near_or_all

if TYPE_CHECKING:
    from generators.authoring.world_request import WorldRequest

__all__ = ["new_app", "new_kind", "new_world"]

_NAME = re.compile(r"[a-z][a-z0-9]*")
_KIND = re.compile(r"[a-z][a-z0-9-]*")
_OTHERS = re.compile(r'\[project\.entry-points\."brownout\.(?:faults|graders)"\]\n.*?\n(?:\n|$)', re.DOTALL)


def new_world(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put it; an empty folder or none.")],
    trade: Annotated[str, typer.Option(help="What the company does: a trade, or the folder of one, ./laundry.")] = "",
    company: Annotated[str, typer.Option(help="What it is called; a name of the trade's without it.")] = "",
    people: Annotated[int, typer.Option(help="Who works there, from 6.")] = 24,
    days: Annotated[int, typer.Option(help="Length of the calendar, from 28.")] = 60,
    zones: Annotated[str, typer.Option(help="Where they work, the company's own zone first.")] = "Europe/Berlin",
    customers: Annotated[int, typer.Option(help="Whom it works for.")] = 20,
    services: Annotated[int | None, typer.Option(help="What runs; as many as suit the people without it.")] = None,
    storylines: Annotated[
        str, typer.Option(help="Kinds that must be told, or folders of such: migration,./late-delivery.")
    ] = "",
    outages: Annotated[str, typer.Option(help="What breaks: payments,slack.")] = "",
    tasks: Annotated[int, typer.Option(help="Storylines that an agent can be given as a task.")] = 3,
    seed: Annotated[int, typer.Option(help="World seed: another one is another company.")] = 1,
    starter: Annotated[
        bool, typer.Option("--starter", help="The bakery of docs/authoring.md: the smallest one.")
    ] = False,
) -> None:
    """Write a company of a trade as text that you own: people, customers, systems, storylines, tasks with their solutions.

    At a terminal, without --trade, it asks.
    """
    expect_room(folder)
    if starter:
        given = [name for name in _given(context) if name not in ("folder", "starter")]
        if given:
            raise UsageError(
                f"--starter writes the bakery as it is; leave out {', '.join(f'--{name}' for name in given)}"
            )
        copytree(room_folder("worlds") / "starter", folder, dirs_exist_ok=True, ignore=ignore_patterns("__pycache__"))
        _show(folder, f"brownout validate {quote(str(folder))} && brownout qa {quote(str(folder))}")
        return
    from generators.authoring.new_world import write_world
    from generators.authoring.world_request import WorldRequest

    request = WorldRequest(
        name=_world_name(folder),
        trade=trade or "food-delivery",
        company=company.strip(),
        people=people,
        days=days,
        zones=_words(zones),
        customers=customers,
        services=services,
        storylines=_words(storylines),
        outages=_words(outages),
        tasks=tasks,
        seed=seed,
    )
    written = _written_as_asked(request, folder) if not trade and sys.stdin.isatty() else write_world(request, folder)
    console.print(f"{folder}: {len(written)} files", markup=False)
    typed = quote(str(folder))
    then = f"now: brownout validate {typed} && brownout build {typed} && brownout tasks {typed}"
    console.print(then, markup=False, soft_wrap=True)


def _given(context: typer.Context) -> list[str]:
    """The parameters that were typed, also such as they would be without."""
    sources = [(str(one.name), context.get_parameter_source(str(one.name))) for one in context.command.params]
    return [name for name, source in sources if source is not None and source.name == "COMMANDLINE"]


def _written_as_asked(request: "WorldRequest", folder: Path) -> list[str]:
    """What was written for whoever answers; where no company can be as they want it, they are asked again."""
    from generators.authoring.new_world import write_world
    from generators.authoring.storyline_kinds import kind_names
    from generators.authoring.trades import trade_names

    request.check(trade_names(), kind_names())
    console.print(f"trades: {', '.join(trade_names())}", markup=False)
    console.print(f"storyline kinds: {', '.join(kind_names())}", markup=False)
    while True:
        request = _asked(request)
        try:
            return write_world(request, folder)
        except UsageError as error:
            console.print(f"{error}; your answers are kept, change those that it takes", markup=False, soft_wrap=True)


def _asked(request: "WorldRequest") -> "WorldRequest":
    """The request as somebody at a terminal wants it; an empty answer takes what stands in brackets."""
    request = _answered(request, "trade", "trade", request.trade, str.strip)
    label = "company's name" if request.company else "company's name, empty for one of the trade's"
    request = _answered(request, "company", label, request.company, str.strip)
    for word in ("people", "days", "customers"):
        request = _answered(request, word, word, str(getattr(request, word)), _whole)
    request = _answered(request, "zones", "time zones", ",".join(request.zones), _words)
    request = _answered(request, "storylines", "storylines", ",".join(request.storylines) or "any", _words)
    request = _answered(request, "outages", "what breaks", ",".join(request.outages) or "nothing", _words)
    for word in ("tasks", "seed"):
        request = _answered(request, word, word, str(getattr(request, word)), _whole)
    return request


def _answered(
    request: "WorldRequest", field: str, label: str, default: str, read: Callable[[str], object]
) -> "WorldRequest":
    """The request with one more answer; one that cannot be is refused at once, and the question asked again."""
    from generators.authoring.company import products_in_use
    from generators.authoring.storyline_kinds import kind_names
    from generators.authoring.trades import load_trade, trade_names

    def checked(text: str) -> "WorldRequest":
        try:
            found = replace(request, **{field: read(text)})  # type: ignore[arg-type]
            found.check(trade_names(), kind_names())
            pack = load_trade(found.trade)
        except (UsageError, AuthoringError) as error:
            raise typer.BadParameter(str(error)) from error
        known = [*pack.outages, *products_in_use(), *pack.services]
        strange = next((word for word in found.outages if word not in known), None)
        if strange is not None:
            raise typer.BadParameter(
                f"there is nothing called {strange!r} that could break{near_or_all(strange, known)}"
            )
        return found

    answer: WorldRequest = typer.prompt(label, default=default, show_default=bool(default), value_proc=checked)
    return answer


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"expected a whole number, found {text!r}") from None


def _words(text: str) -> tuple[str, ...]:
    """`migration, customer-leaving` as its words; `any` and `nothing` are none."""
    return tuple(word for word in (part.strip() for part in text.split(",")) if word not in ("", "any", "nothing"))


def _world_name(folder: Path) -> str:
    """The folder's name as a world's short name."""
    from brownout.core.short_names import spelt

    name = spelt(folder.resolve().name)
    if not name:
        raise UsageError(f"expected a folder whose name has a letter of a to z, such as acme, found {folder.name!r}")
    return name


def new_app(
    name: Annotated[str, typer.Argument(help="Its short name: lower-case letters and digits.")],
    out: Annotated[
        Path | None, typer.Option(help="Where to put it; a folder of that name where none is given.")
    ] = None,
) -> None:
    """Write an app that works, as a package for pip: shared lists, to be changed into yours. See docs/add-an-app.md."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"expected a name of lower-case letters and digits such as menu, found {name!r}")
    if name in plugin_names("apps"):
        raise UsageError(f"there is an app {name!r} already; it is {plugin_address('apps', name)}")
    folder = out or Path(name)
    expect_room(folder)
    example = _example()
    package = folder / f"{name}_app"
    package.mkdir(parents=True)
    for source, target in (
        (example / "pyproject.toml", folder / "pyproject.toml"),
        (example / "todo_app" / "__init__.py", package / "__init__.py"),
    ):
        target.write_text(_renamed(source.read_text("utf-8"), name), "utf-8")
    _show(folder, f"pip install --editable {quote(str(folder))}, and name it in a world: apps: {{{name}: {{}}}}")


def new_kind(
    name: Annotated[str, typer.Argument(help="Its short name: lower-case letters, digits and hyphens.")],
    out: Annotated[
        Path | None, typer.Option(help="Where to put it; a folder of that name where none is given.")
    ] = None,
) -> None:
    """Write a storyline kind that works, to be changed into yours. See docs/storylines.md."""
    from generators.authoring.storyline_kinds import kind_names
    from generators.data_files import data_path

    if not _KIND.fullmatch(name):
        raise UsageError(f"expected a name such as late-delivery (lower-case letters, digits, -), found {name!r}")
    if name in kind_names():
        raise UsageError(f"there is a storyline kind {name!r} already")
    folder = out or Path(name)
    expect_room(folder)
    copytree(data_path("scaffolds", "kind"), folder, dirs_exist_ok=True)
    shown = folder if folder.is_absolute() else f"./{folder}"
    _show(
        folder,
        f"brownout new world trial --tasks 1 --storylines {quote(str(shown))} && brownout validate trial --seeds 3",
    )


def _example() -> Path:
    """The app to start from: inside the package where that was installed from a wheel, in its own folder in a checkout."""
    installed = room_folder("brownout") / "starter_app"
    return installed if installed.is_dir() else installed.parent.parent / "examples" / "todo"


def _renamed(text: str, name: str) -> str:
    """The example under another name, without the fault mode and the grader beside it."""
    own = _OTHERS.sub("", text)
    return own.replace("To-do", name.title()).replace("todo", name)


def _show(folder: Path, then: str) -> None:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        console.print(f"  {path}", markup=False, soft_wrap=True)
    console.print(f"now: {then}", markup=False, soft_wrap=True)
