"""Opens the world of an export, in whichever process the framework runs: what its lock names, and nothing else."""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Final, Self
from zipfile import ZipFile

from brownout.core.errors import ExportError, PackageError, is_environments
from brownout.exporters.export_folder import files_below
from brownout.exporters.export_request import ExportRow
from brownout.exporters.inside.episodes import Episodes
from brownout.exporters.lock import LOCK, Lock, evaluation_archive, file_digest, read_lock
from brownout.exporters.wheels import installed_runtime
from brownout.rollouts.agent_options import GradingOptions, grading_options
from worlds.package import Package

__all__ = ["EVALUATION", "ROWS", "ExportedWorld", "open_export"]

ROWS: Final = "rows.jsonl"
_SQLITES: Final = ("-journal", "-wal", "-shm")
"""What SQLite keeps beside a database while it is open."""
EVALUATION: Final = "BROWNOUT_EVALUATION"
"""Environment variable: the archive of reference solutions, where it does not lie beside the export's package."""


class ExportedWorld(Episodes):
    """The world of an export, open for many episodes.

    Attributes:
        lock: what it is made of.
    """

    def __init__(self, folder: Path, lock: Lock, *, hot: int = 64) -> None:
        """Open the world of the export's package in `folder`."""
        super().__init__(folder / "world", hot=hot)
        if (found := self.world.package.manifest.digest) != lock.package:
            super().close()
            raise ExportError(
                f"{folder} has the package {found}, its {LOCK} names {lock.package}; export the world again"
            )
        self.lock = lock
        self._folder = folder
        self._solutions: TemporaryDirectory[str] | None = None

    @cached_property
    def rows(self) -> tuple[ExportRow, ...]:
        """What it offers, in order."""
        lines = (self._folder / ROWS).read_text("utf-8").splitlines()
        return tuple(ExportRow.model_validate_json(line) for line in lines)

    @cached_property
    def grading(self) -> GradingOptions:
        """Who judges: the model that BROWNOUT_JUDGE_MODEL, _BASE_URL and _KEY_ENV name, else what is recorded."""
        model, address, key = (
            os.environ.get(f"BROWNOUT_JUDGE_{word}", "") for word in ("MODEL", "BASE_URL", "KEY_ENV")
        )
        return grading_options(judge_model=model, judge_base_url=address, judge_key_env=key)

    @property
    def evaluation(self) -> Path:
        """Where the archive of reference solutions and scripts belongs; a machine that trains need not have it."""
        return Path(os.environ.get(EVALUATION) or self._folder.parent / evaluation_archive(self.lock.module))

    @cached_property
    def solved(self) -> Package:
        """The package with its reference solutions, of which nothing else can be asked.

        Raises:
            PackageError: they are not on this machine; the message says where they belong.
            ExportError: they are another export's, or were changed.
        """
        place, name = self.evaluation, evaluation_archive(self.lock.module)
        try:
            data = place.read_bytes()
        except OSError as error:
            if is_environments(error):
                raise
            raise PackageError(
                f"expected the archive {name} at {place}; {EVALUATION} may name another place"
            ) from error
        if file_digest(data) != self.lock.files.get(name):
            raise ExportError(f"{place} is not the archive that {LOCK} names; take it from the same export")
        self._solutions = TemporaryDirectory(prefix="brownout-evaluation-")
        with ZipFile(BytesIO(data)) as archive:
            archive.extractall(self._solutions.name)
        return Package(Path(self._solutions.name), self.world.package.manifest)

    def close(self) -> None:
        """Close the world, and remove what was unpacked; a second close is harmless."""
        super().close()
        if self._solutions is not None:
            self._solutions.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_export(folder: str | Path, *, hot: int = 64) -> ExportedWorld:
    """The world of an export, by the folder of its Python package: `open_export(Path(__file__).parent)`.

    Raises:
        ExportError: there is no lock, a file is not what the lock says, or another runtime is installed.
        PackageError: the world is damaged.
    """
    place = Path(folder)
    home = next((each for each in (place, place.parent) if (each / LOCK).is_file()), place)
    lock = read_lock(home)
    changed = list(_changed(place.parent, lock))
    if changed:
        raise ExportError(f"{place} was changed after its {LOCK}: {', '.join(changed[:3])}; export the world again")
    if installed_runtime() != lock.runtime.version:
        raise ExportError(
            f"{place} needs the runtime {lock.runtime.version}, found {installed_runtime()}: "
            f"python -m pip install {place.parent / 'runtime' / lock.runtime.file}"
        )
    return ExportedWorld(place, lock, hot=hot)


def _changed(root: Path, lock: Lock) -> Iterator[str]:
    """The files of the export's Python package that are not what the lock says."""
    for name, digest in _inside(lock.files, lock.module).items():
        try:
            if file_digest((root / name).read_bytes()) != digest:
                yield name
        except OSError as error:
            if is_environments(error):
                raise
            yield f"{name} is missing"
    for name in files_below(root / lock.module / "world"):
        full = f"{lock.module}/world/{name}"
        if full not in lock.files and not name.endswith(_SQLITES):
            yield f"{full} is not in it"


def _inside(digests: Mapping[str, str], module: str) -> dict[str, str]:
    return {name: digest for name, digest in digests.items() if name.startswith(f"{module}/")}
