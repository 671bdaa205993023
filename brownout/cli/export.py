"""`brownout export`: a world as a package of somebody else's framework."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import typer

from brownout.api import open_package
from brownout.catalog import code_digest
from brownout.cli.output import complain, console, print_json
from brownout.cli.progress import Told, stages
from brownout.core.errors import ExportError, UsageError
from brownout.core.plugins import plugin_names
from brownout.core.reward_words import reward_text
from brownout.core.values import Json, JsonObject, objects_in
from brownout.engine.world import World
from brownout.exporters.export_folder import check_place
from brownout.exporters.export_request import ExportRequest, parse_seeds, parse_split
from brownout.exporters.exporter import export_world, load_exporter
from brownout.exporters.lock import read_lock
from brownout.exporters.smoke_test import try_export
from brownout.qa import TIERS, RuleResult, check_package
from brownout.qa.kept_results import KeptResults
from worlds.package import Package

__all__ = ["export"]

_ALL = "all"
_TIER = "smoke"
_STAGES = {"check": "Check the rewards", "write": "Write the package", "play": "Play it without a model"}


def export(
    package: str,
    to: str,
    out: Path,
    task: list[str] | None,
    tasks: str,
    seeds: str,
    split: str,
    allow: list[str] | None,
    keep: Path | None,
    results: Path | None,
    smoke: bool,
    as_json: bool,
) -> None:
    """Write a world as a package of a framework; its runtime comes with it."""
    unknown = set(allow or ()) - set(TIERS[_TIER])
    if unknown:
        raise UsageError(
            f"expected a rule of `brownout qa`: {', '.join(TIERS[_TIER])}; found {', '.join(sorted(unknown))}"
        )
    names = plugin_names("exporters") if to == _ALL else [to]
    for name in names:
        load_exporter(name)
    places = {name: out / name if to == _ALL else out for name in names}
    for place in places.values():  # before the rewards are checked, which takes minutes
        check_place(place)
    named = [*(task or ()), *(name.strip() for name in tasks.split(",") if name.strip())]
    request = ExportRequest(named, parse_seeds(seeds), parse_split(split))
    opened = open_package(package)
    with stages(_STAGES) as told:
        _check(opened, request.chosen(opened), frozenset(allow or ()), told, keep=keep, results=results)
        documents: list[JsonObject] = []
        for number, (name, place) in enumerate(places.items()):
            documents.append(_exported(name, opened, place, request))
            told("write", (number + 1) / len(names))
        for document in documents if smoke else ():
            document["smoke"] = _played(Path(str(document["export"])), told)
    if as_json:
        print_json({"exports": [*documents]} if to == _ALL else documents[0])
    else:
        for document in documents:
            _show(document)
    if any(one["reward"] != one["expected"] for document in documents for one in objects_in(document.get("smoke"))):
        raise typer.Exit(1)


def _check(
    package: Package,
    tasks: Sequence[str],
    allowed: frozenset[str],
    told: Told,
    *,
    keep: Path | None,
    results: Path | None,
) -> None:
    """Return if the rewards of the tasks can be trusted, as far as the quick rules tell.

    Args:
        keep: where runs stay by which a rule is broken.
        results: a file with what was found of this package before; it gets what is found now.

    Raises:
        ExportError: a rule that is not allowed to fail does; every one is listed with its reason.
    """
    kept = None if results is None else KeptResults(results, package.manifest.digest, code_digest())
    known = {} if kept is None else kept.known()
    unknown = [task for task in tasks if task not in known]
    expected, found = len(unknown) * len(TIERS[_TIER]), 0

    def tell(task: str, result: RuleResult) -> None:
        nonlocal found
        found += 1
        told("check", min(found / expected, 1.0))

    reports = [known[task] for task in tasks if task in known]
    if unknown:
        if keep is not None and keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
            raise UsageError(f"--keep {keep} is there already and not empty; name a new folder")
        place = keep.absolute() if keep is not None else None
        with World(package, hot=4) as world:
            played = check_package(world, tasks=unknown, tier=_TIER, keep=place, progress=tell)
        reports += played
        if kept is not None:
            kept.keep(played)
    told("check", 1.0)
    broken = [
        f"{report.task}: {result.rule}: {result.detail}"
        for report in reports
        for result in report.results
        if result.passed is False and result.rule not in allowed
    ]
    if broken:
        raise ExportError("\n".join([*broken, "Nothing was written; mend the tasks, or override a rule: --allow RULE"]))
    for report in reports:
        if report.skipped:
            complain(f"{report.task} was not checked: {report.skipped}")


def _exported(to: str, package: Package, out: Path, request: ExportRequest) -> JsonObject:
    began = perf_counter()
    folder = export_world(to, package, out, request)
    lock = read_lock(folder)
    size = sum((folder / name).stat().st_size for name in lock.files)
    kept = lock.model_dump(include={"to", "requires", "module", "world", "package", "seed"})
    return {
        "export": str(folder),
        **kept,
        "tasks": [*lock.tasks],
        "runtime": lock.runtime.version,
        "files": len(lock.files),
        "bytes": size,
        "seconds": round(perf_counter() - began, 3),
    }


def _played(folder: Path, told: Told) -> list[Json]:
    return [one.model_dump() for one in try_export(folder, lambda share: told("play", share))]


def _show(document: JsonObject) -> None:
    folder, seconds = str(document["export"]), float(str(document["seconds"]))
    size = f"{document['files']} files, {int(str(document['bytes'])) / 1e6:.1f} MB"
    console.print(f"[green]✓[/] {document['world']} for {document['to']} · {size} · {seconds:.2f} s")
    console.print(f"  {folder}\n  How to run it: {Path(folder) / 'README.md'}", markup=False, soft_wrap=True)
    for one in objects_in(document.get("smoke")):
        is_right = one["reward"] == one["expected"]
        what = f"earns {_reward(one['reward'])}" if one["reward"] is not None else f"could not be played: {one['why']}"
        wanted = "" if is_right else f", expected {_reward(one['expected'])}"
        console.print(f"  {'[green]✓[/]' if is_right else '[red]✗[/]'} {one['task']}: {one['script']} {what}{wanted}")


def _reward(found: Json) -> str:
    return reward_text(found) if isinstance(found, int | float) else str(found)
