"""The world package: immutable, content-addressed, written by generators alone and read by everyone else."""

from worlds.package.differences import PartDifference, differing_parts
from worlds.package.manifest import FORMAT, Manifest
from worlds.package.package_records import Outage, TaskRecord, ToolSchema
from worlds.package.reader import Package, open_package
from worlds.package.writer import PackageWriter

__all__ = [
    "FORMAT",
    "Manifest",
    "Outage",
    "Package",
    "PackageWriter",
    "PartDifference",
    "TaskRecord",
    "ToolSchema",
    "differing_parts",
    "open_package",
]
