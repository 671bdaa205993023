"""The package that a run was recorded on, found again."""

from pathlib import Path

from brownout.catalog import built_package, kept_package, shipped_worlds
from brownout.core.errors import OtherPackage, PackageError, UsageError
from brownout.core.trajectory import HeaderEvent
from brownout.rollouts.recorder import RunResult, StoredRun
from brownout.rollouts.replay import header_of
from worlds.package import Package, open_package

__all__ = ["find_package", "package_beside", "recorded_package"]


def find_package(run: StoredRun, *, cache: Path | None = None) -> Package:
    """The package a run was recorded on: where it lay then, else from the cache, else built again of the world's text.

    Args:
        cache: where packages are kept; None is the default cache.

    Raises:
        UsageError: neither it nor the world's text is found.
        OtherPackage: the text, or the code that builds, has changed since.
        AuthoringError: the text has mistakes now.
    """
    found = recorded_package(run, cache=cache)
    if found is not None:
        return found
    header = header_of(run)
    world = _text_of(run, header)
    if world is None:
        raise UsageError(
            f"{run.folder} was recorded on package {header.package} of world {header.world}, which is neither where it "
            "was nor in the cache; name it with --package FOLDER"
        )
    built = built_package(world, seed=header.world_seed, folder=cache)
    if built.manifest.digest != header.package:
        raise OtherPackage(
            f"{run.folder} was recorded on package {header.package} of world {header.world}; built again it is "
            f"{built.manifest.digest}, because its text or the code has changed. If you have the very package, name it "
            "with --package FOLDER"
        )
    return built


def recorded_package(run: StoredRun, *, cache: Path | None = None) -> Package | None:
    """The package a run was recorded on if it still exists: where it lay then, or in the cache. Nothing is built."""
    lying = package_beside(run.folder, run.result) if run.result is not None else None
    return lying or kept_package(header_of(run).package, folder=cache)


def package_beside(folder: Path, result: RunResult) -> Package | None:
    """The package where it lay when the run in `folder` was recorded, None where it is gone or another one lies there."""
    if not result.package_folder:
        return None
    try:
        found = open_package(folder / result.package_folder)
    except PackageError:
        return None
    return found if found.manifest.digest == result.package else None


def _text_of(run: StoredRun, header: HeaderEvent) -> Path | None:
    """The author's folder of the run's world, None where it is not known any more."""
    if run.result is not None and run.result.world_folder:
        folder = (run.folder / run.result.world_folder).resolve()
        if (folder / "world.yaml").is_file():
            return folder
    return shipped_worlds().get(header.world)
