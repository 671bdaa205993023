"""The worlds the studio can show: their text as it stands, and the packages that were built of it."""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from brownout.catalog import default_cache, package_folder, packages_of, shipped_worlds
from brownout.core.errors import BrownoutError, Mistake, PackageError
from brownout.core.top_level_packages import room_folder
from brownout.engine.world import World
from brownout.rollouts.recorded_packages import package_beside
from brownout.rollouts.recorder import RunResult
from studio.checked_texts import checked_text
from studio.start_options import choices
from worlds.package import Manifest, Package, open_package
from worlds.spec import WorldSpec

__all__ = [
    "BuildState",
    "KnownWorld",
    "WorldText",
    "built_state",
    "find_package",
    "find_world",
    "known_worlds",
    "package_of",
    "package_of_run",
    "read_text",
    "why_closed",
]


@dataclass(frozen=True, slots=True)
class KnownWorld:
    """A world by the name it is called by in links."""

    name: str
    folder: Path
    is_shipped: bool

    @property
    def can_change(self) -> bool:
        """Whether the studio may write into its folder."""
        return not self.is_shipped and not choices().read_only


@dataclass(frozen=True, slots=True)
class WorldText:
    """What an author wrote, as it stands.

    Attributes:
        spec: None where it cannot be read at all.
        mistakes: everything that is wrong with it.
    """

    spec: WorldSpec | None
    mistakes: tuple[Mistake, ...]


class BuildState(Enum):
    """How the newest package of a world stands to its text."""

    BUILT = "Built"
    OUT_OF_DATE = "Out of date"
    NOT_BUILT = "Not built"


def known_worlds() -> dict[str, KnownWorld]:
    """The shipped worlds, then those in the folder of worlds and in its `worlds/`; in a checkout not what new worlds start from.

    An own world that is called like a shipped one stands in its place, for its author would look for what they change in vain.
    """
    starter = room_folder("worlds") / "starter"
    found = {name: KnownWorld(name, folder, True) for name, folder in shipped_worlds().items()}
    here = choices().here
    for place in (here, *sorted(here.glob("*/")), *sorted(here.glob("worlds/*/"))):
        if place.name.startswith(".") or not (place / "world.yaml").is_file() or place.samefile(starter):
            continue
        is_new = place.name not in found or found[place.name].is_shipped
        if is_new and not any(place.samefile(known.folder) for known in found.values()):
            found[place.name] = KnownWorld(place.name, place, False)
    return found


def find_world(name: str) -> KnownWorld | None:
    """The world of that name: its folder's, as links have it, or the one in its world.yaml, as runs have it."""
    worlds = known_worlds()
    if name in worlds:
        return worlds[name]
    texts = ((world, read_text(world).spec) for world in worlds.values())
    return next((world for world, spec in texts if spec is not None and spec.world.world == name), None)


def read_text(world: KnownWorld) -> WorldText:
    """The world's text; it is read again only when one of its files has changed."""
    checked = checked_text(world.folder)
    return WorldText(None if checked.draft.mistakes else checked.draft.spec, checked.mistakes)


# -- packages -----------------------------------------------------------------------------------------------


def package_of(world: KnownWorld) -> Package | None:
    """The package to show of a world: where the catalogue keeps that of its text, else the newest that came of its folder.

    One of another folder with a world of the same name is none of its.
    """
    text = read_text(world)
    name = text.spec.world.world if text.spec else world.name
    own = {*packages_of(world.folder, folder=default_cache())}
    kept = [one for one in _kept() if one.manifest.world == name]
    if text.spec is None:
        kept = [one for one in kept if one.folder in own]
    else:
        seed, digest = text.spec.world.generation.seed, text.spec.digest
        place = package_folder(text.spec, folder=default_cache())
        kept = [one for one in kept if one.folder in own or _is_of(one.manifest, digest, seed)]
        kept.sort(
            key=lambda one: (one.folder != place, not _is_of(one.manifest, digest, seed), one.manifest.seed != seed)
        )
    return next((package for one in kept if (package := _opened(one.folder, one.stamp)) is not None), None)


def built_state(world: KnownWorld, package: Package | None) -> BuildState:
    """How a world's package stands to its text; one that this version cannot open is out of date."""
    if package is None:
        return BuildState.NOT_BUILT
    spec = read_text(world).spec
    is_fresh = (
        spec is not None
        and _is_of(package.manifest, spec.digest, spec.world.generation.seed)
        and not why_closed(package)
    )
    return BuildState.BUILT if is_fresh else BuildState.OUT_OF_DATE


def why_closed(package: Package) -> str:
    """Why this version cannot open a package, empty where it can."""
    return _why_closed(package.folder, package.manifest.digest)


@lru_cache(maxsize=64)
def _why_closed(folder: Path, digest: str) -> str:
    try:
        World(open_package(folder), hot=1).close()
    except BrownoutError as error:
        return str(error)
    return ""


def find_package(digest: str) -> Package | None:
    """The package of that digest, if it is kept here and can be opened."""
    kept = (one for one in _kept() if one.manifest.digest == digest)
    return next((package for one in kept if (package := _opened(one.folder, one.stamp)) is not None), None)


def package_of_run(folder: Path, digest: str, result: RunResult | None) -> Package | None:
    """The package that the run in a folder was recorded on: kept here, or where it lay then."""
    return find_package(digest) or (package_beside(folder, result) if result is not None else None)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A folder that calls itself a package. Opening it reads all of it, so that is left to those that need it."""

    folder: Path
    stamp: int
    manifest: Manifest


def _kept() -> list[_Kept]:
    """Every package that is kept, newest first."""
    dated = sorted(((path.stat().st_mtime_ns, path) for path in default_cache().glob("*/manifest.json")), reverse=True)
    found = ((stamp, path, _manifest(path, stamp)) for stamp, path in dated)
    return [_Kept(path.parent, stamp, manifest) for stamp, path, manifest in found if manifest is not None]


@lru_cache(maxsize=512)
def _manifest(path: Path, stamp: int) -> Manifest | None:
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


@lru_cache(maxsize=64)
def _opened(folder: Path, stamp: int) -> Package | None:
    try:
        return open_package(folder)
    except PackageError:
        return None


def _is_of(manifest: Manifest, digest: str, seed: int) -> bool:
    return manifest.digests.get("spec") == digest and manifest.seed == seed
