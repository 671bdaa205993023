"""Finds worlds by name and keeps the packages that were built of them."""

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import gettempdir

from brownout.core.errors import AuthoringError, Mistake, PackageError
from brownout.core.values import digest_of
from generators.build import build_world
from worlds.package import FORMAT, Package, open_package
from worlds.spec import WorldSpec, read_world

__all__ = ["built_package", "default_cache", "find_spec", "package_folder", "shipped_worlds"]


def shipped_worlds() -> dict[str, Path]:
    """The worlds that come with the product, by name."""
    root = Path(str(files("worlds"))) / "catalog"
    return {path.parent.name: path.parent for path in sorted(root.glob("*/world.yaml"))}


def find_spec(world: str | Path) -> Path:
    """The author's folder of a world given by folder or by name.

    Raises:
        AuthoringError: there is no such world.
    """
    path = Path(world)
    if (path / "world.yaml").is_file():
        return path
    shipped = shipped_worlds()
    if str(world) in shipped:
        return shipped[str(world)]
    near = get_close_matches(str(world), list(shipped), 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; shipped worlds: {', '.join(shipped)}"
    raise AuthoringError([Mistake(str(world), 0, f"expected a folder with a world.yaml or a world's name{hint}")])


def built_package(world: str, *, seed: int | None = None, folder: Path | None = None) -> Package:
    """The package of a world, from the cache where its text has not changed since.

    Args:
        folder: where packages are kept; None is a folder of the user's in the system's temporary place.
    """
    spec = read_world(find_spec(world))
    place = package_folder(spec, seed=seed, folder=folder)
    if (place / "manifest.json").is_file():
        try:
            return open_package(place)
        except PackageError:
            pass
    return build_world(spec, seed=seed, out=place)


def package_folder(spec: WorldSpec, *, seed: int | None = None, folder: Path | None = None) -> Path:
    """Where the package of a world's text is kept, whether it is there yet or not.

    Args:
        seed: None takes the author's.
        folder: where packages are kept; None is the default cache.
    """
    wanted = spec.world.generation.seed if seed is None else seed
    return (folder or default_cache()) / f"{spec.world.world}-{_cache_key(spec, wanted)}"


def default_cache() -> Path:
    """Where packages are kept when nothing else was said."""
    return Path(gettempdir()) / f"brownout-cache-{Path.home().name}"


def _cache_key(spec: WorldSpec, seed: int) -> str:
    return digest_of(spec.digest, str(seed), str(FORMAT), _code_digest())[:12]


@cache
def _code_digest() -> str:
    """Digest of the code that shapes packages, so that a change of it is never hidden by the cache."""
    root = Path(str(files("worlds"))).parent
    rooms = ("brownout/core", "brownout/engine", "brownout/faults", "brownout/store", "generators", "tools", "worlds")
    sources = sorted(path for room in rooms for path in (root / room).rglob("*.py"))
    return digest_of(*(part for path in sources for part in (path.name, path.read_bytes())))
