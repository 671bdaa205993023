"""brownout.lock: what an export is made of, by digest, so that training, evaluation and deployment are the same world."""

from collections.abc import Sequence
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from brownout.core.errors import ExportError, is_environments
from brownout.core.values import digest_of
from brownout.exporters.wheels import Wheel
from worlds.package import Package

__all__ = ["LOCK", "Lock", "LockedWheel", "evaluation_archive", "file_digest", "read_lock", "task_digests"]

LOCK = "brownout.lock"

_FORMAT = 1


class LockedWheel(BaseModel):
    """A wheel that comes with an export."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    distribution: str
    version: str
    file: str
    sha256: str

    @classmethod
    def of(cls, wheel: Wheel) -> "LockedWheel":
        """What a lock says of a wheel."""
        return cls(distribution=wheel.distribution, version=wheel.version, file=wheel.file, sha256=wheel.sha256)


class Lock(BaseModel):
    """The lock of an export.

    Attributes:
        to: the exporter's name.
        requires: the framework, in the version that the export was tried with.
        module: the export's Python package.
        package: digest of the world package, and what it was built of.
        tools: digest of each app's tool schemas.
        tasks: digest of each task that is offered, its rubric included.
        runtime: what runs it.
        plugins: the packages of strangers' plug-ins that the world uses.
        files: digest of every file that was written, by its path.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: int = _FORMAT
    to: str
    requires: tuple[str, ...]
    module: str
    world: str
    package: str
    seed: int
    tools: dict[str, str]
    tasks: dict[str, str]
    runtime: LockedWheel
    plugins: tuple[LockedWheel, ...]
    files: dict[str, str] = {}


def evaluation_archive(module: str) -> str:
    """The file beside an export's package that holds reference solutions and scripts: `brownout_tiny-evaluation.zip`."""
    return f"{module}-evaluation.zip"


def file_digest(data: bytes) -> str:
    """The digest by which a lock knows a file."""
    return digest_of(data)


def task_digests(package: Package, tasks: Sequence[str]) -> dict[str, str]:
    """The digest of each task with what judges it."""
    digests = package.manifest.digests
    return {
        task: digest_of(
            package.task(task).model_dump_json(),
            *(digests[name] for name in sorted(digests) if name.startswith((f"graders/{task}.", f"graders/{task}/"))),
        )
        for task in tasks
    }


def read_lock(folder: Path) -> Lock:
    """The lock in a folder.

    Raises:
        ExportError: there is none, or it cannot be read.
    """
    try:
        data = (folder / LOCK).read_bytes()
        found = orjson.loads(data)
        if isinstance(found, dict) and found.get("format", _FORMAT) != _FORMAT:
            raise ExportError(
                f"{folder / LOCK} has format {found['format']}, expected {_FORMAT}; export the world again"
            )
        return Lock.model_validate_json(data)
    except (OSError, orjson.JSONDecodeError, ValidationError) as error:
        if is_environments(error):
            raise
        raise ExportError(f"expected an export in {folder}, found no readable {LOCK}") from error
