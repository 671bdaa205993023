"""Finds worlds by name and keeps the packages that were built of them.

A package is kept under a name that changes with everything it depends on: the world's text, the seed, the code that builds,
and the files of every plug-in that the world uses. Which package a text made is noted beside the packages, by the bytes of its
files and of all code, so that a text that was read before need not be read again to find its package. Which packages came of
a folder is noted too: worlds in two folders may have one name.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from brownout.core.errors import AuthoringError, PackageError, PluginError, UsageError
from brownout.core.own_folders import own_folder
from brownout.core.plugins import Kind, plugin_names, plugin_stamp
from brownout.core.top_level_packages import room_folder
from brownout.core.values import digest_of
from brownout.core.vocabulary import near
from worlds.package import FORMAT, Manifest, Package, open_package
from worlds.shipped_worlds import shipped_worlds
from worlds.spec import BackgroundSpec, WorldSpec, read_world

if TYPE_CHECKING:
    from generators.build import Progress

__all__ = [
    "build_at",
    "built_package",
    "code_digest",
    "default_cache",
    "find_spec",
    "forget_packages",
    "kept_package",
    "own_folder_of",
    "package_at",
    "package_folder",
    "packages_of",
    "shipped_worlds",
    "spec_of",
]

_CLAIMED: Final = 20
"""Packages of a folder that are remembered."""


def find_spec(world: str | Path) -> Path:
    """The author's folder of a world given by folder or by name.

    Raises:
        UsageError: there is no such world.
    """
    path = Path(world)
    if (path / "world.yaml").is_file():
        return path
    shipped = shipped_worlds()
    if str(world) in shipped:
        return shipped[str(world)]
    hint = near(str(world), shipped) or f"; shipped worlds: {', '.join(shipped)}"
    raise UsageError(f"expected a folder with a world.yaml or a world's name, found {str(world)!r}{hint}")


def own_folder_of(world: str) -> Path:
    """The author's folder of a world whose text is to be changed: given by folder, for shipped worlds are nobody's to change.

    Raises:
        UsageError: there is no such folder.
    """
    if (Path(world) / "world.yaml").is_file():
        return Path(world)
    raise UsageError(f"{world} comes with Brownout: copy {find_spec(world)} and name the copy's folder")


def package_at(place: str | Path) -> Package:
    """A package from its folder, or a world's, built first or taken from the cache."""
    path = Path(place)
    return open_package(path) if (path / "manifest.json").is_file() else built_package(str(place))


def built_package(
    world: str | Path,
    *,
    seed: int | None = None,
    background: BackgroundSpec | None = None,
    folder: Path | None = None,
    fresh: bool = False,
    progress: "Progress | None" = None,
) -> Package:
    """The package of a world, from the cache where its text has not changed since.

    Args:
        background: how much everyday life it has; None takes the author's.
        folder: where packages are kept; None is a folder of the user's in the system's temporary place.
        fresh: build it though it is there.
        progress: is told how far a build is.

    Raises:
        UsageError: there is no such world, or the folder of packages is one that others can write to.
    """
    cache_folder = folder or default_cache()
    _check_own(cache_folder)
    text = find_spec(world)
    note = cache_folder / "texts" / _text_key(text, str(seed), background.model_dump_json() if background else "")
    if not fresh and (known := _opened(_noted(note))):
        _claim(text, known.folder)
        return known
    spec = _checked(text, background)
    place = package_folder(spec, seed=seed, folder=folder)
    package = (None if fresh else _opened(place)) or _built(spec, seed, place, progress)
    _write_note(note, place.name)
    _claim(text, place)
    return package


def build_at(
    world: str | Path, out: Path, *, seed: int | None = None, background: BackgroundSpec | None = None
) -> Package:
    """The package of a world, built in a folder of its own.

    Raises:
        UsageError: there is no such world.
        AuthoringError: its text has mistakes.
        PackageError: the package cannot be written.
    """
    return _built(_checked(find_spec(world), background), seed, out)


def _checked(text: Path, background: BackgroundSpec | None) -> WorldSpec:
    """A world's text without mistakes. What checks and builds is loaded here: where a package is kept it costs a quarter of the start."""
    spec: WorldSpec = import_module("generators.world_check").read_whole(text)
    return spec if background is None else spec.with_background(background)


def _built(spec: WorldSpec, seed: int | None, out: Path, progress: "Progress | None" = None) -> Package:
    package: Package = import_module("generators.build").build_world(spec, seed=seed, out=out, progress=progress)
    return package


def _opened(place: Path | None) -> Package | None:
    """The package in a folder, None where there is none that can be opened."""
    with suppress(PackageError):
        return open_package(place) if place is not None and (place / "manifest.json").is_file() else None
    return None


def _noted(note: Path) -> Path | None:
    """The folder of packages that a note names."""
    try:
        name = note.read_text("utf-8")
    except (OSError, ValueError):
        return None
    return note.parent.parent / name if name and Path(name).name == name else None


def _write_note(note: Path, words: str) -> None:
    with suppress(OSError):  # a full disk costs the next one its time
        note.parent.mkdir(mode=0o700, exist_ok=True)
        part = note.with_name(f".{note.name}.{os.getpid()}")
        part.write_text(words, "utf-8")
        part.replace(note)


def packages_of(text: Path, *, folder: Path | None = None) -> list[Path]:
    """Where the packages that came of an author's folder are kept, the newest first; some may be gone by now.

    Args:
        folder: where packages are kept; None is the default cache.
    """
    place = folder or default_cache()
    return [place / name for name in reversed(_claimed(place, text)) if Path(name).name == name]


def forget_packages(text: Path) -> None:
    """Let the packages that came of an author's folder be nobody's, for another world may come to lie there."""
    _claims(default_cache(), text).unlink(missing_ok=True)


def _claim(text: Path, place: Path) -> None:
    """Note that a package came of a folder."""
    earlier = _claimed(place.parent, text)
    if not earlier or earlier[-1] != place.name:
        names = [*(name for name in earlier if name != place.name), place.name]
        _write_note(_claims(place.parent, text), "\n".join(names[-_CLAIMED:]))


def _claimed(place: Path, text: Path) -> list[str]:
    try:
        return _claims(place, text).read_text("utf-8").split("\n")
    except (OSError, ValueError):
        return []


def _claims(place: Path, text: Path) -> Path:
    return place / "folders" / digest_of(str(text.resolve()))


def _text_key(text: Path, *conditions: str) -> str:
    """What is the same only where reading and building would come to the same: all files of a folder, all code, all plug-ins."""
    names = (path for path in sorted(text.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    parts = (part for path in names for part in (path.relative_to(text).as_posix(), path.read_bytes()))
    return digest_of(*conditions, str(FORMAT), code_digest(), *_every_stranger(), "files", *parts)


@cache
def code_digest() -> str:
    """Digest of all code that builds, plays and judges: what was kept of its work holds as long as that is the same."""
    rooms = ("brownout", "generators", "graders", "tools", "worlds")
    sources = sorted(path for room in rooms for path in room_folder(room).rglob("*.py"))
    return digest_of(_code_digest(), *(part for path in sources for part in (path.name, path.read_bytes())))


def _every_stranger() -> Iterator[str]:
    """The state of every installed plug-in that a text could name."""
    kinds: tuple[Kind, ...] = ("apps", "faults", "graders", "readers")
    for kind in kinds:
        for name in sorted(plugin_names(kind)):
            try:
                stamp = plugin_stamp(kind, name)
            except PluginError:
                stamp = f"{kind}/{name} is broken"
            if stamp:
                yield stamp


def package_folder(spec: WorldSpec, *, seed: int | None = None, folder: Path | None = None) -> Path:
    """Where the package of a world's text is kept, whether it is there yet or not.

    Args:
        seed: None takes the author's.
        folder: where packages are kept; None is the default cache.
    """
    wanted = spec.world.generation.seed if seed is None else seed
    return (folder or default_cache()) / f"{spec.world.world}-{_cache_key(spec, wanted)}"


def spec_of(place: str | Path, package: Package) -> WorldSpec | None:
    """The text that a package was built of, from the world that was named or the shipped one of its name.

    Args:
        place: what the package was opened by: its folder, an author's folder or a world's name.

    Returns:
        None where there is no such text, or where it was changed since.
    """
    for world in (place, package.manifest.world):
        try:
            spec = read_world(find_spec(world))
        except (UsageError, AuthoringError):
            continue
        if spec.digest == package.manifest.digests.get("spec"):
            return spec
    return None


def kept_package(digest: str, *, folder: Path | None = None) -> Package | None:
    """The package of that digest, whatever it was built of; None where it is not kept, or cannot be opened.

    Args:
        folder: where packages are kept; None is the default cache.

    Raises:
        UsageError: the folder of packages is one that others can write to.
    """
    _check_own(folder or default_cache())
    for path in sorted((folder or default_cache()).glob("*/manifest.json")):
        try:
            if Manifest.model_validate_json(path.read_bytes()).digest == digest:
                return open_package(path.parent)
        except (OSError, ValidationError, PackageError):
            continue
    return None


def default_cache() -> Path:
    """Where packages are kept when nothing else was said."""
    return Path(gettempdir()) / f"brownout-cache-{Path.home().name}"


def _check_own(folder: Path) -> None:
    """Packages are opened without looking at what they were built of: nobody else may put one there."""
    if problem := own_folder(folder, mode=0o700):
        advice = f"remove it, or take others' rights away with chmod go-w {folder}; packages are kept there"
        raise UsageError(f"{problem}; {advice}")


def _cache_key(spec: WorldSpec, seed: int) -> str:
    background = spec.world.background
    volumes = "" if background.is_silent else background.model_dump_json()
    return digest_of(spec.digest, str(seed), str(FORMAT), volumes, _code_digest(), *_strangers(spec))[:12]


def _strangers(spec: WorldSpec) -> Iterator[str]:
    """The state of every installed plug-in that the world uses and that is not one of ours."""
    rubrics = [task.rubric for task in spec.tasks.values()]
    criteria = [one for each in rubrics for part in (each.gates, each.points, each.penalties) for one in part.values()]
    used: dict[Kind, set[str]] = {
        "apps": set(spec.world.apps),
        "faults": {outage.mode for outage in spec.outages.values()},
        "graders": {one.grader for one in criteria},
        "readers": {one.reader for one in criteria if one.reader},
    }
    for kind, names in used.items():
        yield from filter(None, (plugin_stamp(kind, name) for name in sorted(names & set(plugin_names(kind)))))


@cache
def _code_digest() -> str:
    """Digest of the code that shapes packages, so that a change of it is never hidden by the cache."""
    below = ("background", "core", "engine", "faults", "store")
    rooms = [*(room_folder("brownout") / room for room in below), *map(room_folder, ("generators", "tools", "worlds"))]
    data = [path for kind in ("*.yaml", "*.json") for path in room_folder("generators").rglob(kind)]
    sources = sorted([*data, *(path for room in rooms for path in room.rglob("*.py"))])
    return digest_of(*(part for path in sources for part in (path.name, path.read_bytes())))
