"""What differs between two builds of one world, part by part: which tables, which lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from brownout.core.values import Json, JsonObject
from brownout.store import TableDifference, differing_tables
from worlds.package.reader import Package

__all__ = ["PartDifference", "differing_parts"]

_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class PartDifference:
    """A part that two packages do not have alike.

    Attributes:
        part: as the manifest calls it: `world.sqlite`, `starts/find-the-change.changeset`.
        detail: in a few words, how it differs.
        tables: of a database, those that differ.
        example: of a text, the first line that differs, in the one and in the other.
    """

    part: str
    detail: str
    tables: tuple[TableDifference, ...] = ()
    example: tuple[str, ...] = ()

    def document(self) -> JsonObject:
        """The difference as JSON."""
        tables: list[Json] = [
            {"table": one.table, "first": one.first, "second": one.second, "example": [*one.example]}
            for one in self.tables
        ]
        return {"part": self.part, "detail": self.detail, "tables": tables, "example": [*self.example]}


def differing_parts(first: Package, second: Package) -> list[PartDifference]:
    """The parts of two packages whose digests are not the same; none where they are the same to all who use them."""
    one, other = first.manifest.digests, second.manifest.digests
    parts = sorted(part for part in one.keys() | other.keys() if one.get(part) != other.get(part))
    # What a start's rows are is said of the start, not of its bytes too.
    said = {part.removesuffix("/rows") for part in parts if part.endswith("/rows")}
    return [_difference(part, first, second) for part in parts if part not in said]


def _difference(part: str, first: Package, second: Package) -> PartDifference:
    if part not in first.manifest.digests or part not in second.manifest.digests:
        which = "second" if part in second.manifest.digests else "first"
        return PartDifference(part, f"only the {which} build has it")
    if part.endswith("/rows"):
        return PartDifference(part.removesuffix("/rows"), "the company at this start is another one")
    paths = first.folder / part, second.folder / part
    if not all(path.is_file() for path in paths):
        return PartDifference(part, "its digest is another one")
    if part.endswith(".sqlite"):
        tables = tuple(differing_tables(*paths))
        return PartDifference(part, f"{len(tables)} tables differ" if len(tables) != 1 else "1 table differs", tables)
    return next(_lines(part, *paths), PartDifference(part, "its bytes differ"))


def _lines(part: str, first: Path, second: Path) -> Iterator[PartDifference]:
    texts = (path.read_bytes().decode(errors="replace").splitlines() for path in (first, second))
    for number, (one, other) in enumerate(zip_longest(*texts, fillvalue=""), 1):
        if one != other:
            at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            cut = slice(max(0, at - 80), at + _LONGEST)
            yield PartDifference(part, f"line {number} differs", example=(one[cut], other[cut]))
