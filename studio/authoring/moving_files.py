"""Files of a world that get another path or go into the trash: what names them follows, or is shown before."""

import posixpath
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from shutil import copy2

from brownout.core.errors import EditRefused
from studio.authoring.edit_history import hash_of, studio_folder
from studio.authoring.edit_operations import Edited, new_problems, write_texts
from studio.authoring.locked_writes import FileChanged, check_may_change, place_of, read_text_file
from studio.authoring.name_uses import Use, words_in
from studio.authoring.problems import draft_of
from studio.known_worlds import KnownWorld
from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["delete_file", "rename_file", "uses_of_file"]

_PATH = re.compile(r"[\w./-]+\.\w+")


def uses_of_file(world: KnownWorld, path: str) -> list[Use]:
    """Every place that names a file, or one of a folder's: by its path, or as the storyline or the task that it is."""
    moved = dict.fromkeys(_below(world, path), "")
    found = [
        Use(file, line, row.strip()[:160], True)
        for file, text in _texts(world)
        if file not in moved
        for line, row in _changed_lines(text, _followed(world, file, text, moved, _names(world, path, "")))
    ]
    return sorted(found, key=lambda use: (use.file, use.line))


def rename_file(world: KnownWorld, old: str, new: str, *, anyway: bool = False) -> Edited:
    """Give a file another path, or a folder and all that is in it; what names it follows.

    A storyline takes its passages in prose/ along.

    Raises:
        EditRefused: there is nothing at the one path, or something at the other, or it leads out of the world.
    """
    check_may_change(world)
    moved = {file: new + file.removeprefix(old) for file in _below(world, old)}
    if old == "world.yaml":
        raise EditRefused("world.yaml is what makes the folder a world; it keeps its name")
    prose = old.replace("storylines/", "prose/", 1)
    if _storyline(old) and _storyline(new) and (world.folder / prose).is_file():
        moved[prose] = new.replace("storylines/", "prose/", 1)
    for target in moved.values():
        if place_of(world, target).exists():
            raise EditRefused(f"{target} is there already")
    texts: dict[str, str | None] = {}
    bases: dict[str, str | None] = {}
    names = _names(world, old, new)
    for file, text in _texts(world):
        after = _followed(world, file, text, moved, names)
        if file in moved:
            texts[file], bases[file] = None, hash_of(text)
            texts[moved[file]], bases[moved[file]] = after, None
        elif after != text:
            texts[file], bases[file] = after, hash_of(text)
    if missing := [file for file in moved if file not in texts]:
        raise EditRefused(f"{missing[0]} is no text, or too long; rename it elsewhere")
    return write_texts(world, texts, bases, f"Rename {old} to {new}", anyway=anyway)


def delete_file(world: KnownWorld, path: str, *, base: str | None = None, anyway: bool = False) -> Edited:
    """Take a file away, or a folder with all that is in it; copies lie in the trash.

    Args:
        base: of a file, the hash of what whoever deletes it has read; None asks for nothing.

    Raises:
        Changed: it says something else by now.
        EditRefused: there is none, or it is world.yaml.
    """
    check_may_change(world)
    files = _below(world, path)
    if path == "world.yaml":
        raise EditRefused("world.yaml is what makes the folder a world; delete the world on Home")
    texts = {file: read_text_file(world, file) for file in files}
    if base is not None and path in texts and texts[path].hash != base:
        raise FileChanged(path, texts[path].text)
    removed: dict[str, str | None] = dict.fromkeys(texts)
    if not anyway and (problems := new_problems(world, removed)):
        return Edited([], problems, is_written=False)
    trash = studio_folder() / "trash" / f"{world.folder.name}.{time.strftime('%Y-%m-%d-%H%M%S')}"
    for file in texts:
        (trash / file).parent.mkdir(parents=True, exist_ok=True)
        copy2(place_of(world, file), trash / file)
    bases = {file: one.hash for file, one in texts.items()}
    return write_texts(world, removed, bases, f"Delete {path}", anyway=True)


# -- what a path means --------------------------------------------------------------------------------------


def _below(world: KnownWorld, path: str) -> list[str]:
    """The file of a path, or those of a folder.

    Raises:
        EditRefused: there is none.
    """
    place = world.folder / path
    if place.is_dir():
        place_of(world, f"{path}/any")
        files = [one for one in sorted(place.rglob("*")) if one.is_file() and "__pycache__" not in one.parts]
        found = [one.relative_to(world.folder).as_posix() for one in files]
    else:
        found = [path] if place_of(world, path).is_file() else []
    if not found:
        raise EditRefused(f"{path} not found")
    return found


def _texts(world: KnownWorld) -> Iterator[tuple[str, str]]:
    """The world's files that are texts."""
    for path in sorted(world.folder.rglob("*")):
        file = path.relative_to(world.folder).as_posix()
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in PurePosixPath(file).parts):
            try:
                yield file, read_text_file(world, file).text
            except EditRefused:
                continue


def _storyline(path: str) -> str:
    """The storyline that a file is, empty where it is none."""
    parts = PurePosixPath(path).parts
    return parts[1].removesuffix(".yaml") if len(parts) == 2 and parts[0] == "storylines" else ""


def _task(path: str) -> str:
    parts = PurePosixPath(path).parts
    return parts[1] if len(parts) == 2 and parts[0] == "tasks" else ""


@dataclass(frozen=True, slots=True)
class _Names:
    """Names that a path has beside itself, each with what it is called by then.

    Attributes:
        storyline: what its slots are told by elsewhere, `{{late-fees.amount}}`.
        task: what world.yaml calls its flagship.
    """

    storyline: tuple[str, str] | None
    slots: tuple[str, ...]
    task: tuple[str, str] | None


def _names(world: KnownWorld, old: str, new: str) -> _Names:
    spec = draft_of(world).spec
    line, task = _storyline(old), _task(old)
    slots = tuple(spec.drawing.of(line)) if spec is not None and line else ()
    return _Names((line, _storyline(new)) if line else None, slots, (task, _task(new)) if task else None)


def _followed(world: KnownWorld, file: str, text: str, moved: Mapping[str, str], names: _Names) -> str:
    """A file's text with what has another path called by that."""
    if names.storyline is not None:
        line, to = names.storyline
        text = re.sub(rf"(\{{\{{\s*){re.escape(line)}(?=\.)", rf"\g<1>{to}", text)
        for slot in names.slots:
            text = re.sub(
                rf"(?m)(^|[\s\[{{,\"']){re.escape(line)}(?=\.{re.escape(slot)}(?![\w-]))", rf"\g<1>{to}", text
            )
    if names.task is not None and file == "world.yaml":
        text = re.sub(rf"(?m)^(flagship:\s*[\"']?){re.escape(names.task[0])}(?![\w-])", rf"\g<1>{names.task[1]}", text)
    if not file.endswith(".yaml"):
        return text
    try:
        tree = load_yaml(text.encode())
    except BrokenText:
        return text
    rows = text.splitlines(keepends=True)
    for number, word in words_in(tree):
        then = _path_then(world, file, word, moved) if _PATH.fullmatch(word) else None
        if then is not None and then != word and 0 < number <= len(rows):
            pattern = rf"(?<![\w./-]){re.escape(word)}(?![\w./-])"
            rows[number - 1] = re.sub(pattern, then.replace("\\", ""), rows[number - 1])
    return "".join(rows)


def _path_then(world: KnownWorld, file: str, word: str, moved: Mapping[str, str]) -> str | None:
    """How a path in a file reads when files have moved, the file itself among them; None where it is none of this world."""
    own = posixpath.dirname(file)
    for base in _bases(world, file):
        target = posixpath.normpath(posixpath.join(base, word))
        if target in moved or (base == own and file in moved and (world.folder / target).is_file()):
            begins = posixpath.dirname(moved[file]) if base == own and file in moved else base
            then = moved.get(target, target)
            return posixpath.relpath(then, begins or ".") if then else ""
    return None


def _bases(world: KnownWorld, file: str) -> Iterator[str]:
    """Where the paths in a file begin: its own folder, a repository and its patches, the documents, the world."""
    yield posixpath.dirname(file)
    parts = PurePosixPath(file).parts
    if parts[0] == "repos":
        yield from (f"repos/{parts[1]}", f"repos/{parts[1]}/patches")
    else:
        yield from sorted(f"repos/{one.name}" for one in (world.folder / "repos").glob("*/"))
    yield from ("documents", "")


def _changed_lines(before: str, after: str) -> Iterator[tuple[int, str]]:
    rows = zip(before.splitlines(), after.splitlines(), strict=True) if before != after else ()
    yield from ((number, old) for number, (old, new) in enumerate(rows, 1) if old != new)
