"""The Python interface: build a world, open it, run a session."""

from collections.abc import Callable
from pathlib import Path

from brownout.catalog import build_at, built_package, package_at
from brownout.core.trajectory import Event
from brownout.engine.session import Session
from brownout.engine.world import World
from worlds.package import Package
from worlds.spec import BackgroundSpec

__all__ = ["build", "open_package", "open_session", "open_world"]


def build(
    world: str | Path,
    *,
    seed: int | None = None,
    background: BackgroundSpec | None = None,
    out: str | Path | None = None,
) -> Package:
    """The package of a world.

    Args:
        world: a folder with a world.yaml, or the name of a shipped world.
        seed: None takes the author's.
        background: how much everyday life it has beside its storylines; None takes the author's.
        out: where to write it; None takes it from the cache, where it is built first if need be.

    Raises:
        UsageError: there is no such world.
        AuthoringError: the world's text has mistakes; all of them are listed.
        PackageError: the package cannot be written.
    """
    if out is None:
        return built_package(world, seed=seed, background=background)
    return build_at(world, Path(out), seed=seed, background=background)


def open_package(place: str | Path) -> Package:
    """A package from its folder, or a world's, built first or taken from the cache."""
    return package_at(place)


def open_world(package: Package | str | Path, *, hot: int = 64) -> World:
    """A package opened for many sessions in this process; close it, or use it as a context manager."""
    return World(package if isinstance(package, Package) else open_package(package), hot=hot)


def open_session(
    package: Package | str | Path, *, task: str, seed: int = 0, sink: Callable[[Event], None] | None = None
) -> Session:
    """One session of a package. Closing it closes the package too."""
    world = open_world(package, hot=2)
    try:
        session = world.open_session(task, seed=seed, sink=sink)
    except BaseException:
        world.close()
        raise
    session.when_closed = world.close
    return session
