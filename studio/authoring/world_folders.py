"""Whole worlds: made, copied, taken in from elsewhere, put into the trash."""

import re
import time
from pathlib import Path
from shutil import copytree, ignore_patterns, move, rmtree
from tempfile import mkdtemp

from brownout.catalog import forget_packages
from brownout.core.errors import EditRefused
from brownout.core.short_names import slug
from brownout.core.vocabulary import near
from generators.authoring.new_world import write_world
from generators.authoring.world_request import WorldRequest
from studio.authoring.edit_history import studio_folder
from studio.known_worlds import KnownWorld, known_worlds
from studio.start_options import choices
from worlds.editing import YamlText

__all__ = ["delete_world", "duplicate_world", "free_name", "import_world", "make_world", "trash_folder", "world_name"]

_NAME = re.compile(r"[a-z][a-z0-9-]*")


def trash_folder() -> Path:
    """Where deleted worlds go."""
    return studio_folder() / "trash"


def world_name(text: str) -> str:
    """A title as a world's short name: `Acme Söhne 2` is `acme-sohne-2`."""
    return re.sub(r"^[^a-z]+", "", slug(text))


def free_name(wanted: str) -> str:
    """A name that no world has, beginning as wanted."""
    taken = {*known_worlds(), *(path.name for path in choices().new_worlds.glob("*"))}
    return next(name for name in (wanted, *(f"{wanted}-{number}" for number in range(2, 10_000))) if name not in taken)


def make_world(request: WorldRequest) -> Path:
    """Write a new company into the folder of worlds; its folder.

    Raises:
        EditRefused: the name is none, or taken.
        UsageError: no company can be as it was asked for.
    """
    folder = _room_for(request.name)
    write_world(request, folder)
    return folder


def duplicate_world(world: KnownWorld, name: str) -> Path:
    """Copy a world's text under another name; the copy's folder.

    Raises:
        EditRefused: the name is none, or taken.
    """
    return _taken_in(world.folder, name)


def import_world(folder: Path, name: str = "") -> Path:
    """Copy a world's text from a folder elsewhere on this machine.

    Raises:
        EditRefused: there is no world, or its name is taken.
    """
    folder = folder.expanduser()
    if not (folder / "world.yaml").is_file():
        if (folder / "manifest.json").is_file():
            raise EditRefused(f"{folder} is a built package; a world's text has a world.yaml")
        if folder.is_dir():
            inside = sorted(path.parent.name for path in folder.glob("*/world.yaml"))
            hint = f"; in it there are {', '.join(inside[:6])}" if inside else ""
            raise EditRefused(f"expected a folder with a world.yaml, found none in {folder}{hint}")
        known = [path.name for path in folder.parent.glob("*/")] if folder.parent.is_dir() else []
        raise EditRefused(f"there is no folder {folder}{near(folder.name, known)}")
    return _taken_in(folder, name or world_name(folder.name))


def delete_world(world: KnownWorld) -> Path:
    """Move a world's folder into the trash; where it lies now.

    Raises:
        EditRefused: it is shipped, or the folder of worlds itself.
    """
    if world.is_shipped or choices().read_only:
        raise EditRefused(f"{world.name} cannot be deleted here")
    if choices().here.resolve() == world.folder.resolve():
        raise EditRefused("this world is the folder that the studio was started with; delete it yourself")
    if not world.folder.resolve().is_relative_to(choices().here.resolve()):
        raise EditRefused(f"{world.name} lies outside the folder of worlds")
    trash_folder().mkdir(parents=True, exist_ok=True)
    place = trash_folder() / f"{world.folder.name}.{time.strftime('%Y-%m-%d-%H%M%S')}"
    move(world.folder, place)
    rmtree(studio_folder() / "history" / world.folder.name, ignore_errors=True)
    forget_packages(world.folder)
    return place


def _taken_in(source: Path, name: str) -> Path:
    """A copy of a world's text whose world.yaml has its name."""
    folder = _room_for(name)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f".{name}-", dir=folder.parent))
    try:
        copytree(source, draft, dirs_exist_ok=True, ignore=ignore_patterns(".*", "__pycache__"))
        text = (draft / "world.yaml").read_bytes().decode(errors="replace")
        try:
            text = YamlText(text).set(("world",), name).text
            (draft / "world.yaml").write_bytes(text.encode())
        except EditRefused:
            pass  # a world that cannot be read yet is copied as it is
        draft.chmod(0o755)
        draft.replace(folder)
    finally:
        rmtree(draft, ignore_errors=True)
    return folder


def name_problem(name: str) -> str:
    """Why no new world can have a short name; empty where one can."""
    if not _NAME.fullmatch(name):
        return f"expected a short name such as acme (lower-case letters, digits, -), found {name!r}"
    if (choices().new_worlds / name).exists() or name in known_worlds():
        return f"there is a world {name!r} already; choose another name"
    return ""


def _room_for(name: str) -> Path:
    if choices().read_only:
        raise EditRefused("the studio was started read-only")
    if problem := name_problem(name):
        raise EditRefused(problem)
    return choices().new_worlds / name
