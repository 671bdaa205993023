"""Commands about worlds: validate, build, tasks."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import typer
from rich.markup import escape

from brownout.api import open_package
from brownout.catalog import built_package, find_spec
from brownout.cli.output import console, counted, print_json, table
from brownout.cli.progress import PROGRESS, Told, stages
from brownout.core.errors import AuthoringError, BrownoutError, Mistake, UsageError
from brownout.core.instants import clock_text
from brownout.core.values import Json, JsonObject
from generators.build import build_world
from generators.world_check import FoundMistake, mistakes_by_seed, read_whole
from worlds.package import Package, PartDifference, TaskRecord, differing_parts
from worlds.spec import BackgroundSpec, read_world
from worlds.spec.tasks import counted_calls

__all__ = ["build", "tasks", "validate"]

_STAGES = {
    "text": "Checking the text",
    "past": "Living up to the first task",
    "future": "Living on to the other tasks",
    "package": "Writing the package",
}
_TWICE = {**_STAGES, "again": "Building it again in another process", "compare": "Comparing both"}
_OTHER_HASHES = "4242"
"""PYTHONHASHSEED of the second build, so that what rests on the order of a set comes out."""


def validate(world: str, seeds: int, as_json: bool) -> None:
    """Check a world's text; every mistake is reported at once with its file and line, then what could be better."""
    folder = find_spec(world)
    found = [*mistakes_by_seed(folder, seeds)]
    mistakes = [each for each in found if each.is_wrong]
    warnings = [] if mistakes else found
    if as_json:
        print_json({"valid": not mistakes, "mistakes": _listed(mistakes), "warnings": _listed(warnings)})
        raise typer.Exit(2 if mistakes else 0)
    if mistakes:
        raise AuthoringError([_with_seed(each) for each in mistakes])
    for warning in warnings:
        console.print(f"[yellow]![/] {escape(str(_with_seed(warning)))}")
    spec = read_world(folder)
    people, tasks = counted(len(spec.people), "person", "people"), counted(len(spec.tasks), "task")
    tried = f" with {counted(seeds, 'seed')}" if seeds > 1 else ""
    console.print(f"[green]✓[/] {spec.world.title}: {people}, {tasks}, no mistakes{tried}")


def _with_seed(found: FoundMistake) -> Mistake:
    """What was found, with the seed that shows it where that is not the author's."""
    one = found.mistake
    return one if found.is_own else Mistake(one.file, one.line, f"{one.message} (with seed {found.seed})")


def _listed(found: Sequence[FoundMistake]) -> list[Json]:
    return [
        {"file": one.file, "line": one.line, "message": one.message, "seed": each.seed}
        for each in found
        for one in [each.mistake]
    ]


def build(
    world: str,
    seed: int | None,
    out: Path | None,
    background: str | None,
    fresh: bool,
    twice: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Build a world package."""
    began = perf_counter()
    volumes = None if background is None else _volumes(background)
    differences: list[PartDifference] | None = None
    with stages(_TWICE if twice else _STAGES) as told:
        if out is None:
            package = built_package(world, seed=seed, background=volumes, fresh=fresh or twice, progress=told)
        else:
            spec = read_whole(find_spec(world))
            spec = spec if volumes is None else spec.with_background(volumes)
            package = build_world(spec, seed=seed, out=out, progress=told)
        if twice:
            differences = _differences(package, world, seed, background, told)
    seconds = round(perf_counter() - began, 3)
    manifest = package.manifest
    if as_json:
        counts: Json = dict(manifest.counts)
        again: Json = None if differences is None else [one.document() for one in differences]
        print_json(
            {
                "package": str(package.folder),
                "digest": manifest.digest,
                "seed": manifest.seed,
                "counts": counts,
                "seconds": seconds,
                **({"differs": again} if twice else {}),
            }
        )
    else:
        console.print(f"[green]✓[/] {manifest.title} · seed {manifest.seed} · {seconds:.2f} s")
        console.print(f"  package {package.folder}", markup=False, soft_wrap=True)
        console.print(f"  digest  {manifest.digest}")
        _show_counts(manifest.counts, verbose=verbose)
        _show_differences(differences)
    if differences:
        raise typer.Exit(1)


def _differences(
    package: Package, world: str, seed: int | None, background: str | None, told: Told
) -> list[PartDifference]:
    """Build a world once more, in a process with other hashes, and compare."""
    told("again", 0.0)
    with TemporaryDirectory(prefix="brownout-twice-") as folder:
        place = Path(folder) / "package"
        options = {"--seed": None if seed is None else str(seed), "--background": background, "--out": str(place)}
        words = [word for option, value in options.items() if value is not None for word in (option, value)]
        code = "from brownout.cli import main; main()"
        command = [sys.executable, "-P", "-c", code, "build", world, *words, "--json"]
        environment = {name: value for name, value in os.environ.items() if name != PROGRESS}
        done = subprocess.run(
            command, capture_output=True, env={**environment, "PYTHONHASHSEED": _OTHER_HASHES}, check=False
        )
        if done.returncode:
            raise BrownoutError(f"the second build failed: {done.stderr.decode(errors='replace').strip()[-600:]}")
        told("again", 1.0)
        told("compare", 0.0)
        found = differing_parts(package, open_package(str(place)))
        told("compare", 1.0)
        return found


def _show_differences(differences: list[PartDifference] | None) -> None:
    if differences is None:
        return
    if not differences:
        console.print("  a second build in another process is the same")
    for one in differences:
        console.print(f"[red]✗[/] {escape(one.part)}: {escape(one.detail)}")
        for each in one.tables:
            console.print(f"    {escape(each.table)}: {each.first} rows only in the first, {each.second} in the second")
        for line in [*one.example, *(row for each in one.tables for row in each.example)]:
            console.print(f"    {line}", markup=False, soft_wrap=True)


def _volumes(text: str) -> BackgroundSpec:
    """How much everyday life is asked for: `0.5`, or by layer `people=1,work=0.5`.

    Raises:
        UsageError: it is neither, or out of range.
    """
    parts = [part.partition("=") for part in text.split(",")]
    is_one = len(parts) == 1 and not parts[0][1]
    try:
        given = {name.strip(): float(value) for name, _, value in parts} if not is_one else {}
        return BackgroundSpec.model_validate(given or dict.fromkeys(BackgroundSpec.model_fields, float(text)))
    except ValueError as error:
        layers = ", ".join(BackgroundSpec.model_fields)
        message = f"--background: expected a number from 0 to 3, or layer=number for {layers}; found {text!r}"
        raise UsageError(message) from error


def _show_counts(counts: Mapping[str, int], *, verbose: bool) -> None:
    named = {"people": ("person", "people"), "tasks": ("task", ""), "events": ("event", "")}
    tables = {name: count for name, count in counts.items() if name not in named}
    facts = [counted(counts.get(name, 0), *words) for name, words in named.items()]
    console.print("  " + " · ".join([*facts, counted(sum(tables.values()), "record")]))
    if verbose:
        shown = table("table", "rows", whole=("table",))
        for name, count in tables.items():
            shown.add_row(name, f"{count:,}")
        console.print(shown)


def tasks(package: str, why: bool, as_json: bool) -> None:
    """List a world's tasks."""
    opened = open_package(package)
    if as_json:
        listed: list[Json] = [_row(task, why=why) for task in opened.tasks.values()]
        print_json({"tasks": listed})
        return
    shown = table("task", "title", "starts", "oracle", *(["hard because"] if why else []), whole=("task",))
    for task in opened.tasks.values():
        start = clock_text(task.start, opened.manifest.zone)
        hard = [escape(task.hard_because)] if why else []
        shown.add_row(task.id, escape(task.title), start, counted_calls(opened.oracle(task.id)), *hard)
    console.print(shown)


def _row(task: TaskRecord, *, why: bool) -> Json:
    row: JsonObject = {
        "id": task.id,
        "title": task.title,
        "apps": [*task.apps],
        "start": task.start,
        "oracle_calls": task.oracle_calls,
    }
    return {**row, "hard_because": task.hard_because} if why else row
