"""Changes that forms, the time line and dialogs make: patches of a world's files, proved, checked and written at once."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.errors import EditRefused
from brownout.core.values import Json
from generators.authoring.existing import storyline_files
from generators.authoring.new_task import TaskRequest, task_files
from studio.authoring.history import hash_of
from studio.authoring.problems import Problem, draft_of, problems_of
from studio.authoring.times import lengthened, moved
from studio.authoring.writing import WrittenText, change, read_text_file
from studio.registry import KnownWorld
from worlds.editing import YamlText
from worlds.editing.joining import lists_of_team
from worlds.spec.loading import BrokenText, load_yaml
from worlds.spec.marks import PlacedList, PlacedMap

__all__ = [
    "Edited",
    "Move",
    "Operation",
    "Place",
    "Use",
    "add_storyline",
    "add_task",
    "edit",
    "edited_texts",
    "move_item",
    "new_problems",
    "plain_value",
    "rename_name",
    "uses_of",
    "write_texts",
]

Place = tuple[str | int, ...]
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


class Operation(BaseModel):
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
    """

    written: list[WrittenText]
    problems: list[Problem]


@dataclass(frozen=True, slots=True)
class Use:
    """A place that names something.

    Attributes:
        text: the line it stands in.
        is_reference: whether it means the name itself; else the word stands in a text.
    """

    file: str
    line: int
    text: str
    is_reference: bool


def edit(
    world: KnownWorld,
    file: str,
    base: str | None,
    operations: Sequence[Operation],
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
    world: KnownWorld, file: str, text: str, base: str | None, operations: Sequence[Operation], *, joins: bool = False
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


def _joined(world: KnownWorld, text: str, operations: Sequence[Operation]) -> str:
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


def _applied(yaml: YamlText, operation: Operation) -> YamlText:
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
    return Edited([] if new and not anyway else change(world, label, texts, bases), new)


def new_problems(world: KnownWorld, texts: Mapping[str, str | None] | Mapping[str, str]) -> list[Problem]:
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
        operations.append(Operation(op="set", path=[*move.path, move.field], value=to))
    if move.longer:
        lasts = lengthened(_text_at(value, move.path, move.span), move.longer)
        operations.append(Operation(op="set", path=[*move.path, move.span], value=lasts))
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


# -- names --------------------------------------------------------------------------------------------------


def uses_of(world: KnownWorld, name: str) -> list[Use]:
    """Everywhere that a short name stands in a world's YAML: as a name, or as a word of a text."""
    found = []
    for file, text in _yaml_files(world):
        lines = text.splitlines()
        spots = _spots(file, text, name)
        named = {line for line, _, _ in spots}
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        for number, line in enumerate(lines, 1):
            if number in named:
                found.append(Use(file, number, line.strip()[:160], True))
            elif word.search(line.partition(" #")[0]):
                found.append(Use(file, number, line.strip()[:160], False))
    return found


def rename_name(world: KnownWorld, old: str, new: str, *, anyway: bool = False) -> Edited:
    """Call something by another short name, in every place that means it; texts that only contain the word stay.

    Raises:
        EditRefused: the new name is none, or is in use.
    """
    if not _NAME.fullmatch(new):
        raise EditRefused(f"expected a short name such as wiktoria-n (lower-case letters, digits, -), found {new!r}")
    if any(use.is_reference for use in uses_of(world, new)):
        raise EditRefused(f"{new!r} is in use already; choose another name")
    texts: dict[str, str | None] = {}
    bases: dict[str, str | None] = {}
    for file, text in _yaml_files(world):
        lines = text.splitlines(keepends=True)
        for line, start, end in sorted(_spots(file, text, old), reverse=True):
            row = lines[line - 1]
            lines[line - 1] = row[:start] + new + row[end:]
        after = "".join(lines)
        if after != text:
            texts[file], bases[file] = after, hash_of(text)
    if not texts:
        raise EditRefused(f"nothing is called {old!r}")
    return write_texts(world, texts, bases, f"Rename {old} to {new}", anyway=anyway)


def _yaml_files(world: KnownWorld) -> Iterator[tuple[str, str]]:
    for path in sorted(world.folder.rglob("*.yaml")):
        parts = path.relative_to(world.folder).parts
        if any(part.startswith(".") for part in parts) or (parts[0] == "repos" and path.name != "series.yaml"):
            continue
        try:
            yield "/".join(parts), path.read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue


def _spots(file: str, text: str, name: str) -> set[tuple[int, int, int]]:
    """Where a text means a name: a key, a whole value, the speaker of a line, what a time or a selector hangs on.

    Returns:
        Lines from 1, and the characters of each from and to.
    """
    try:
        tree = load_yaml(text.encode())
    except BrokenText:
        return set()
    lines = text.splitlines()
    forms = _Forms.of(name)
    found: set[tuple[int, int, int]] = set()
    for line, word in _words(tree, is_script=_is_script(file)):
        is_named = any(form.fullmatch(word) for form in forms.whole)
        if not (is_named or any(form.match(word) for form in forms.heads)):
            continue
        for number in (line, line + 1):  # a text of several lines begins below its dash
            row = lines[number - 1] if 0 < number <= len(lines) else ""
            spots = [spot for spot in forms.word.finditer(row) if _stands_alone(row, spot, is_named=is_named)]
            found |= {(number, spot.start(), spot.end()) for spot in spots}
            if spots:
                break
    for number, row in enumerate(lines, 1):
        found |= {(number, spot.start(1), spot.end(1)) for spot in forms.filled.finditer(row)}
    return found


@dataclass(frozen=True, slots=True)
class _Forms:
    """The ways in which a name is written.

    Attributes:
        whole: texts that are the name, or a time or selector that hangs on it.
        heads: beginnings of texts that name somebody.
        filled: in scripts, what a fact or a time is put in for.
    """

    word: re.Pattern[str]
    whole: tuple[re.Pattern[str], ...]
    heads: tuple[re.Pattern[str], ...]
    filled: re.Pattern[str]

    @classmethod
    def of(cls, name: str) -> "_Forms":
        one = re.escape(name)
        edges = r"(?:\.(?:from|until|down|slow|errors|ok))?(?:\s*[+-]\s*\S+|\s+for\s+\S+)?"
        return cls(
            re.compile(rf"(?<![\w-]){one}(?![\w-])"),
            (re.compile(rf"(?:@|team |> ?)?{one}"), re.compile(one + edges), re.compile(rf"[a-z]+:{one}(?:[./].*)?")),
            (
                re.compile(rf"(?:> ?)?{one}:(?= |$)"),
                re.compile(rf"\d{{4}}-\d\d-\d\d \d\d:\d\d .*?(?<![\w-]){one}(?![\w-])"),
            ),
            re.compile(rf"\$\{{(?:fact|time):({one})(?![\w-])"),
        )


def _stands_alone(row: str, spot: re.Match[str], *, is_named: bool) -> bool:
    """Whether a word of a line is a name there, and no word of a sentence."""
    behind, ahead = row[: spot.start()], row[spot.end() :]
    opened = re.search(r"(^\s*|[\[{,:>\-\"'@]|team|[a-z]:|\d\d:\d\d|to|of) ?$", behind) is not None
    if not is_named:
        return opened and ahead.startswith((":", " takes", " gives", " closes", '"', "'"))
    return opened and re.match(r" ?($|[\]},:\"'.#/]|[+-] |for |takes|gives|closes)", ahead) is not None


def _is_script(file: str) -> bool:
    """Whether a file is a reference solution or a case, whose keys are operations and names of their own."""
    return file.startswith("tasks/") and not file.endswith("/task.yaml")


def _words(tree: object, line: int = 0, *, is_script: bool = False) -> Iterable[tuple[int, str]]:
    """Every key and scalar of a tree that is a text, with its line; of scripts the values alone."""
    if isinstance(tree, PlacedMap):
        for key, value in tree.items():
            if not is_script:
                yield tree.lines[key], str(key)
            if not (is_script and key in ("keep", "without")):
                yield from _words(value, tree.lines[key], is_script=is_script)
    elif isinstance(tree, PlacedList):
        for number, value in enumerate(tree):
            yield from _words(value, tree.lines[number], is_script=is_script)
    elif isinstance(tree, str):
        yield line, str(tree)


def plain_value(value: object) -> Json:
    """A tree of a file as plain values, for forms."""
    if isinstance(value, dict):
        return {str(key): plain_value(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain_value(part) for part in value]
    if isinstance(value, bool) or value is None:
        return value
    return int(value) if isinstance(value, int) else float(value) if isinstance(value, float) else str(value)
