"""`brownout export`: a world as a package of somebody else's framework."""

from pathlib import Path
from time import perf_counter

import orjson

from brownout.api import open_package
from brownout.cli.output import console, print_json
from brownout.exporters.exporter import export_world
from brownout.exporters.folder import MARK

__all__ = ["export"]


def export(package: str, to: str, out: Path, task: list[str] | None, as_json: bool) -> None:
    """Write a world as a package of a framework; it runs where Brownout is not installed."""
    began = perf_counter()
    folder = export_world(to, open_package(package), out, task or [])
    mark = orjson.loads((folder / MARK).read_bytes())
    files = mark.pop("files")
    document = {
        "export": str(folder),
        **{name: value for name, value in mark.items() if name != "format"},
        "files": len(files),
        "bytes": sum((folder / name).stat().st_size for name in files),
        "seconds": round(perf_counter() - began, 3),
    }
    if as_json:
        print_json(document)
        return
    size = f"{document['files']} files, {document['bytes'] / 1e6:.1f} MB"
    console.print(f"[green]✓[/] {mark['world']} for {to} · {size} · {document['seconds']:.2f} s")
    console.print(f"  {folder}\n  How to run it: {folder / 'README.md'}", markup=False, soft_wrap=True)
