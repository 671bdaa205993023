"""`brownout export`: a world as a package of somebody else's framework."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from brownout.api import open_package
from brownout.cli.output import complain, console, print_json
from brownout.core.errors import ExportError, UsageError
from brownout.core.plugins import plugin_names
from brownout.core.values import JsonObject
from brownout.engine.world import World
from brownout.exporters.exporter import export_world, load_exporter
from brownout.exporters.lock import read_lock
from brownout.exporters.request import ExportRequest, parse_seeds, parse_split
from brownout.qa import TIERS, check_package
from worlds.package import Package

__all__ = ["export"]

_ALL = "all"
_TIER = "smoke"


def export(
    package: str,
    to: str,
    out: Path,
    task: list[str] | None,
    tasks: str,
    seeds: str,
    split: str,
    allow: list[str] | None,
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
    named = [*(task or ()), *(name.strip() for name in tasks.split(",") if name.strip())]
    request = ExportRequest(named, parse_seeds(seeds), parse_split(split))
    opened = open_package(package)
    _check(opened, request.chosen(opened), frozenset(allow or ()))
    documents: list[JsonObject] = []
    for name in names:
        document = _exported(name, opened, out / name if to == _ALL else out, request)
        documents.append(document)
        if not as_json:
            _show(document)
    if as_json:
        print_json({"exports": [*documents]} if to == _ALL else documents[0])


def _check(package: Package, tasks: Sequence[str], allowed: frozenset[str]) -> None:
    """Return if the rewards of the tasks can be trusted, as far as the quick rules tell.

    Raises:
        ExportError: a rule that is not allowed to fail does; every one is listed with its reason.
    """
    with World(package, hot=4) as world:
        reports = check_package(world, tasks=tasks, tier=_TIER)
    broken = [
        f"{report.task}: {finding.rule}: {finding.detail}"
        for report in reports
        for finding in report.findings
        if finding.passed is False and finding.rule not in allowed
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


def _show(document: JsonObject) -> None:
    folder, seconds = str(document["export"]), float(str(document["seconds"]))
    size = f"{document['files']} files, {int(str(document['bytes'])) / 1e6:.1f} MB"
    console.print(f"[green]✓[/] {document['world']} for {document['to']} · {size} · {seconds:.2f} s")
    console.print(f"  {folder}\n  How to run it: {Path(folder) / 'README.md'}", markup=False, soft_wrap=True)
