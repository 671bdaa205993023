"""Exports from a page: the command that makes one, what it wrote, and that as an archive."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from brownout.core.errors import BrownoutError, ExportError, UsageError
from brownout.core.plugins import plugin_names
from brownout.exporters.export_request import parse_seeds, parse_split, placed
from brownout.exporters.exporter import load_exporter
from brownout.exporters.lock import LOCK, Lock, read_lock
from studio.known_worlds import KnownWorld
from studio.start_options import choices

__all__ = ["ExportedFile", "WantedExport", "archive_of", "export_targets", "files_of", "folded", "shown_file"]

_FEW = 12
"""A folder with more files than that is one row."""
_MOST_SHOWN = 200_000


@dataclass(frozen=True, slots=True)
class WantedExport:
    """What is to be exported.

    Attributes:
        to: the exporter's name.
        tasks: none means every one.
        seeds, split: as `brownout export` reads them.
        smoke: play it when it is written.
        allow: rules that tasks may break all the same.
    """

    to: str
    tasks: tuple[str, ...] = ()
    seeds: str = "0"
    split: str = "train=1"
    smoke: bool = True
    allow: tuple[str, ...] = ()

    def folder(self, world: KnownWorld) -> Path:
        """Where it is written: `dist/WORLD-FORMAT` in the folder of worlds."""
        return choices().here / "dist" / f"{world.name}-{self.to}"

    def arguments(self, world: KnownWorld) -> list[str]:
        """The words after `brownout`."""
        words = ["export", str(world.folder), "--to", self.to, "--out", str(self.folder(world))]
        words += ["--tasks", ",".join(self.tasks)] if self.tasks else []
        words += ["--seeds", self.seeds] if self.seeds != "0" else []
        words += ["--split", self.split] if self.split != "train=1" else []
        words += [word for rule in self.allow for word in ("--allow", rule)]
        return [*words, *(["--smoke"] if self.smoke else []), "--json"]

    def mistakes(self, tasks: Sequence[str]) -> dict[str, str]:
        """What is wrong with it, by field.

        Args:
            tasks: every task of the world.
        """
        found: dict[str, str] = {}
        try:
            parse_seeds(self.seeds)
        except UsageError as error:
            found["seeds"] = str(error)
        try:
            placed(self.tasks or tasks, parse_split(self.split))
        except UsageError as error:
            found["split"] = str(error)
        return found


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A row of an export's tree: a file, or a folder with many.

    Attributes:
        path: from the export's folder; a folder ends with a slash.
        files: how many there are in it.
    """

    path: str
    size: int
    files: int = 1


def export_targets() -> dict[str, str]:
    """What `--to` can name here, each with the framework as its users write it; a broken plug-in is left out."""
    found = {}
    for name in plugin_names("exporters"):
        try:
            found[name] = str(getattr(load_exporter(name), "title", name))
        except BrownoutError:
            continue
    return found


def files_of(folder: Path) -> list[ExportedFile]:
    """What an export consists of, by path; folders with many files are one row.

    Raises:
        ExportError: there is none in the folder.
    """
    sizes = {name: (folder / name).stat().st_size for name in _names(folder, read_lock(folder))}
    return sorted(folded(sizes), key=lambda one: (one.path.count("/") > 0, one.path))


def folded(sizes: dict[str, int], below: str = "") -> list[ExportedFile]:
    """Files by path, with their sizes in bytes; a folder with many files is one row.

    Args:
        below: the folder that all of them are in, with its `/`.
    """
    own = [name for name in sizes if "/" not in name[len(below) :]]
    if len(sizes) > _FEW and (len(own) > _FEW or below.count("/") >= 3):
        return [ExportedFile(below, sum(sizes.values()), len(sizes))]
    found = [ExportedFile(name, sizes[name]) for name in own]
    for folder in sorted({name[len(below) :].partition("/")[0] for name in sizes if name not in own}):
        start = f"{below}{folder}/"
        found += folded({name: size for name, size in sizes.items() if name.startswith(start)}, start)
    return found


def shown_file(folder: Path, name: str) -> str:
    """The text of a file of an export; a sentence where it is none, or too long.

    Raises:
        ExportError: the export has no such file.
    """
    if name not in _names(folder, read_lock(folder)):
        raise ExportError(f"{name} not found in {folder}")
    data = (folder / name).read_bytes()
    if len(data) > _MOST_SHOWN:
        return f"({len(data):,} bytes, too long to be shown)"
    try:
        return data.decode()
    except UnicodeDecodeError:
        return f"({len(data):,} bytes, no text)"


def archive_of(folder: Path) -> io.BytesIO:
    """The export as a zip file with one folder in it; what somebody else put there is left out.

    Raises:
        ExportError: there is none in the folder.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _names(folder, read_lock(folder)):
            archive.write(folder / name, f"{folder.name}/{name}")
    stream.seek(0)
    return stream


def _names(folder: Path, lock: Lock) -> list[str]:
    """Its files as its lock names them, those that are still there and in the folder."""
    root = folder.resolve()
    places = {name: (root / name).resolve() for name in sorted({LOCK, *lock.files})}
    return [name for name, place in places.items() if place.is_relative_to(root) and place.is_file()]
