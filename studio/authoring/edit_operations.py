"""Changes that forms, the time line and dialogs make: patches of a world's files, proved, checked and written at once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.errors import EditRefused
from brownout.core.values import Json
from generators.authoring.new_storyline import storyline_files
from generators.authoring.new_task import TaskRequest, task_files
from studio.authoring.locked_writes import WrittenText, change, read_text_file
from studio.authoring.problems import TextProblem, draft_of, problems_of
from studio.authoring.world_times import lengthened, moved
from studio.known_worlds import KnownWorld
from worlds.editing import YamlText
from worlds.editing.team_defaults import lists_of_team

__all__ = [
    "EditOperation",
    "Edited",
    "Move",
    "Place",
    "add_storyline",
    "add_task",
    "edit",
    "edited_texts",
    "move_item",
    "new_problems",
    "plain_value",
    "write_texts",
]

Place = tuple[str | int, ...]


class EditOperation(BaseModel):
    """One change at a place of a file."""

    model_config = ConfigDict(extra="forbid")
    op: Literal["set", "insert", "remove", "rename"]
    path: list[str | int]
    value: Any = None
    at: str | int | None = Field(default=None, description="Of an insert: the new key, or the index.")
    key: str = Field(default="", description="Of a rename: the new one.")


@dataclass(frozen=True, slots=True)
class Edited:
    """What came of an edit.

    Attributes:
        written: the files as they are now; empty where nothing was written.
        problems: what is wrong with the world by it that was not before; where nothing was written, because of which.
        is_written: whether anything was, also where files were only taken away.
    """

    written: list[WrittenText]
    problems: list[TextProblem]
    is_written: bool


def edit(
    world: KnownWorld,
    file: str,
    base: str | None,
    operations: Sequence[EditOperation],
    *,
    label: str,
    anyway: bool = False,
    joins: bool = False,
) -> Edited:
    """Make changes of one file, unless they would make mistakes.

    Args:
        base: the hash of the text that the changes were made for; None where there was no such file.
        anyway: write it though it makes mistakes.
        joins: who is new in a team goes onto the lists of members that the whole team is on, too.

    Raises:
        Changed: the file says something else by now.
        EditRefused: it cannot be proved that nothing else changes.
    """
    text = "" if base is None else read_text_file(world, file).text
    texts, bases = edited_texts(world, file, text, base, operations, joins=joins)
    return write_texts(world, texts, bases, label, anyway=anyway)


def edited_texts(
    world: KnownWorld,
    file: str,
    text: str,
    base: str | None,
    operations: Sequence[EditOperation],
    *,
    joins: bool = False,
) -> tuple[dict[str, str], dict[str, str | None]]:
    """By file, what a world would say after changes of one file, and the hash of what it says now; nothing is written.

    Args:
        text: what the file says, with the hash `base`.
        joins: who is new in a team goes onto the lists of members that the whole team is on, too.

    Raises:
        EditRefused: it cannot be proved that nothing else changes.
    """
    yaml = YamlText(text)
    for operation in operations:
        yaml = _applied(yaml, operation)
    texts: dict[str, str] = {file: yaml.text}
    bases = {file: base}
    if joins and file == "people.yaml":
        company = read_text_file(world, "world.yaml")
        joined = _joined(world, company.text, operations)
        if joined != company.text:
            texts["world.yaml"], bases["world.yaml"] = joined, company.hash
    return texts, bases


def _joined(world: KnownWorld, text: str, operations: Sequence[EditOperation]) -> str:
    """world.yaml with those who are new on the lists of members that their whole team is on."""
    spec = draft_of(world).spec
    for operation in operations:
        team = operation.value.get("team", "") if isinstance(operation.value, dict) else ""
        if spec is None or not team or len(operation.path) != 1:
            continue
        for place in lists_of_team(spec, str(team)):
            yaml = YamlText(text)
            listed: object = yaml.value
            for step in place:
                listed = listed[step] if isinstance(listed, dict) else None
            if isinstance(listed, list):
                text = yaml.insert(place, len(listed), str(operation.path[0])).text
    return text


def _applied(yaml: YamlText, operation: EditOperation) -> YamlText:
    path = tuple(operation.path)
    match operation.op:
        case "set":
            return _set(yaml, path, operation.value)
        case "insert":
            if operation.at is None:
                raise EditRefused("an insert says where")
            return yaml.insert(path, operation.at, operation.value)
        case "remove":
            return yaml.remove(path) if yaml.has(path) else yaml
        case "rename":
            return yaml.rename(path, operation.key)


def _set(yaml: YamlText, path: Place, value: Any) -> YamlText:
    """A value at a place; what stands above it and is not there is made."""
    depth = len(path) - 1
    while depth > 0 and not yaml.has(path[:depth]):
        value = {str(path[depth]): value}
        depth -= 1
    return yaml.set(path[: depth + 1], value)


def write_texts(
    world: KnownWorld,
    texts: Mapping[str, str | None] | Mapping[str, str],
    bases: Mapping[str, str | None],
    label: str,
    *,
    anyway: bool,
) -> Edited:
    """Write texts unless the world would have mistakes that it has not now; `anyway` writes them and tells which."""
    new = new_problems(world, texts)
    if new and not anyway:
        return Edited([], new, is_written=False)
    return Edited(change(world, label, texts, bases), new, is_written=True)


def new_problems(world: KnownWorld, texts: Mapping[str, str | None] | Mapping[str, str]) -> list[TextProblem]:
    """Mistakes that a world would have with these texts, where None is no file, and does not have as it is."""
    wrong = [one for one in problems_of(world, texts) if one.severity == "error"]
    if not wrong:
        return []
    known = Counter((one.file, one.message) for one in problems_of(world) if one.severity == "error")
    found = []
    for one in wrong:
        known[(one.file, one.message)] -= 1
        if known[(one.file, one.message)] < 0:
            found.append(one)
    return found


# -- moving in time -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """How something is moved in time.

    Attributes:
        path: the entry.
        field: the word that holds its time; empty where it stays.
        by: how far it goes, in microseconds, whole minutes.
        span: the word that holds how long it lasts; empty where it has none.
        longer: how much longer it lasts then, in microseconds, whole minutes; its end goes that far from its beginning.
    """

    path: Place
    field: str
    by: int
    span: str = ""
    longer: int = 0

    @property
    def label(self) -> str:
        """What it does, for the history."""
        name = str(self.path[-1]) if self.path else "it"
        if not self.longer:
            return f"Move {name}"
        side, is_later = ("Begin", self.by > 0) if self.by else ("End", self.longer > 0)
        return f"{side} {name} {'later' if is_later else 'earlier'}"


def move_item(world: KnownWorld, file: str, base: str, move: Move, *, anyway: bool = False) -> Edited:
    """Move something in time, or one of its ends; what is relative to something stays so.

    Raises:
        Changed: the file says something else by now.
        EditRefused: it says no time there, or would last no minute.
    """
    value = YamlText(read_text_file(world, file).text).value
    operations = []
    if move.by:
        spec = draft_of(world).spec
        to = moved(_text_at(value, move.path, move.field), move.by, spec.world.clock.zone if spec else "UTC")
        operations.append(EditOperation(op="set", path=[*move.path, move.field], value=to))
    if move.longer:
        lasts = lengthened(_text_at(value, move.path, move.span), move.longer)
        operations.append(EditOperation(op="set", path=[*move.path, move.span], value=lasts))
    return edit(world, file, base, operations, label=move.label, anyway=anyway)


def _text_at(value: object, path: Place, word: str) -> str:
    for step in (*path, word):
        value = value[step] if isinstance(value, dict) and step in value else None
    if not isinstance(value, str):
        raise EditRefused(f"{'.'.join(map(str, path))} says no time in {word!r}")
    return value


def add_task(world: KnownWorld, request: TaskRequest) -> Edited:
    """Add a task with its rubric, its solution and its cases begun.

    Raises:
        EditRefused: the world cannot be read, or the task's name is taken.
        UsageError: something that the task asks for is not there.
    """
    spec = draft_of(world).spec
    if spec is None:
        raise EditRefused(f"{world.name} cannot be read yet; mend it first")
    texts: dict[str, str | None] = {**task_files(spec, request)}
    return write_texts(world, texts, dict.fromkeys(texts), f"Add task {request.name}", anyway=True)


def add_storyline(world: KnownWorld, kind: str, trade: str, name: str) -> Edited:
    """Add a storyline of a kind, told by people who are there, with its task, its solution and its cases.

    Raises:
        EditRefused: the world cannot be read.
        UsageError: there is no such kind or trade, or the world lacks what it needs.
    """
    spec = draft_of(world).spec
    if spec is None:
        raise EditRefused(f"{world.name} cannot be read yet; mend it first")
    added = storyline_files(spec, kind, trade=trade, name=name)
    before = {file: (read_text_file(world, file) if (world.folder / file).is_file() else None) for file in added}
    texts: dict[str, str | None] = {}
    for file, text in added.items():
        old = before[file]
        texts[file] = text if old is None else old.text + text
    bases = {file: None if old is None else old.hash for file, old in before.items()}
    return write_texts(world, texts, bases, f"Add storyline {name or kind}", anyway=False)


def plain_value(value: object) -> Json:
    """A tree of a file as plain values, for forms."""
    if isinstance(value, dict):
        return {str(key): plain_value(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain_value(part) for part in value]
    if isinstance(value, bool) or value is None:
        return value
    return int(value) if isinstance(value, int) else float(value) if isinstance(value, float) else str(value)
