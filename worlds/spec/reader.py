"""Reads an author's folder into a WorldSpec, reporting every mistake at once with its file and line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from brownout.core.apps import App
from brownout.core.errors import AuthoringError, Mistake, PluginError
from brownout.core.plugins import load_plugin
from brownout.core.sections import Entry, Section
from worlds.spec.models import Customer, OracleStep, OutageSpec, Person, Service, Storyline, Task, World

__all__ = ["WorldSpec", "read_world"]

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class WorldSpec:
    """Everything an author wrote.

    Attributes:
        root: the author's folder.
        digest: of every file below it that means something, 32 hexadecimal digits.
        lazies: by task, scripts that want to be paid without doing the work; they must not be.
        sections: what the apps' own words in storylines hold, by storyline, word and name.
        prose: recorded passages by storyline and beat, in the order they may be used.
        lines: where each thing stands, `("people.yaml", "mara") -> 3`, for messages.
    """

    root: Path
    digest: str
    world: World
    people: Mapping[str, Person]
    customers: Mapping[str, Customer]
    services: Mapping[str, Service]
    storylines: Mapping[str, Storyline]
    outages: Mapping[str, OutageSpec]
    tasks: Mapping[str, Task]
    oracles: Mapping[str, tuple[OracleStep, ...]]
    lazies: Mapping[str, Mapping[str, tuple[OracleStep, ...]]]
    prose: Mapping[str, Mapping[str, object]]
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    sections: Mapping[str, Mapping[str, Mapping[str, Entry]]] = field(default_factory=dict)


def read_world(root: Path) -> WorldSpec:
    """The world in the folder `root`.

    Raises:
        AuthoringError: the folder or its world.yaml is missing, or anything in it is wrong.
    """
    reader = _Reader(root)
    spec = reader.read()
    if reader.mistakes:
        raise AuthoringError(reader.mistakes)
    return spec


class _Reader:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.mistakes: list[Mistake] = []
        self._lines: dict[tuple[str, ...], int] = {}
        self._digest = blake2b(digest_size=16)
        self._trees: dict[str, object] = {}
        self._sections: dict[str, dict[str, dict[str, Entry]]] = {}

    def read(self) -> WorldSpec:
        if not (self.root / "world.yaml").is_file():
            raise AuthoringError([Mistake("world.yaml", 0, f"expected a world in {self.root}, found no world.yaml")])
        world = self._one("world.yaml", World)
        people = self._many("people.yaml", Person)
        customers = self._many("customers.yaml", Customer)
        services = self._many("systems.yaml", Service)
        outages = self._many("outages.yaml", OutageSpec)
        words = _section_words(world) if world else {}
        storylines = {p.stem: self._storyline(p, words) for p in self._files("storylines", "*.yaml")}
        tasks, oracles = self._tasks()
        lazies = {name: self._lazies(name) for name in tasks}
        prose = {p.stem: self._mapping(f"prose/{p.name}") for p in self._files("prose", "*.yaml")}
        for folder in ("documents", "repos", "tasks"):
            for path in sorted((self.root / folder).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    self._count(path.relative_to(self.root).as_posix(), path.read_bytes())
        if self.mistakes:
            raise AuthoringError(sorted(self.mistakes, key=lambda m: (m.file, m.line)))
        assert world is not None
        return WorldSpec(
            root=self.root,
            digest=self._digest.hexdigest(),
            world=world,
            people=people,
            customers=customers,
            services=services,
            storylines={name: line for name, line in storylines.items() if line is not None},
            outages=outages,
            tasks=tasks,
            oracles=oracles,
            lazies=lazies,
            prose=prose,
            lines=self._lines,
            sections=self._sections,
        )

    def _storyline(self, path: Path, words: Mapping[str, Section]) -> Storyline | None:
        """A storyline; what its words are that the world's apps add goes to the sections."""
        name = f"storylines/{path.name}"
        tree = self._load(name)
        plain = _plain(tree)
        if not isinstance(plain, dict):
            return None if plain is None else self._valid(name, TypeAdapter(Storyline), plain, tree)
        found: dict[str, dict[str, Entry]] = {}
        for word in [word for word in plain if word in words]:
            entries = plain.pop(word) or {}
            if not isinstance(entries, dict):
                self._mistake(name, _line(tree, (word,)), f"{word}: expected a mapping of names, found something else")
                continue
            adapter = TypeAdapter(words[word].entry)
            valid = {key: self._valid(name, adapter, value, tree, word, key) for key, value in entries.items()}
            found[word] = {key: entry for key, entry in valid.items() if entry is not None}
            self._lines |= {(name, key): _line(tree, (word, key)) for key in entries}
        self._sections[path.stem] = found
        return self._valid(name, TypeAdapter(Storyline), plain, tree)

    def _tasks(self) -> tuple[dict[str, Task], dict[str, tuple[OracleStep, ...]]]:
        tasks: dict[str, Task] = {}
        oracles: dict[str, tuple[OracleStep, ...]] = {}
        for folder in sorted(p for p in (self.root / "tasks").glob("*") if p.is_dir()):
            task = self._one(f"tasks/{folder.name}/task.yaml", Task)
            if task is not None:
                tasks[folder.name] = task
            name = f"tasks/{folder.name}/oracle.yaml"
            if not (self.root / name).is_file():
                self._mistake(name, 0, "expected the task's reference solution, found no such file")
                continue
            tree = self._load(name)
            steps = self._valid(name, TypeAdapter(tuple[OracleStep, ...]), self._filled(name, _plain(tree)), tree)
            oracles[folder.name] = steps or ()
        return tasks, oracles

    def _filled(self, name: str, value: object) -> object:
        """A value in which every `{file: NAME}` has become the text of that file, beside the one that names it."""
        if isinstance(value, list):
            return [self._filled(name, part) for part in value]
        if not isinstance(value, dict):
            return value
        if set(value) != {"file"}:
            return {key: self._filled(name, part) for key, part in value.items()}
        folder = (self.root / name).parent.resolve()
        path = (folder / str(value["file"])).resolve()
        if not path.is_file() or not path.is_relative_to(folder):
            self._mistake(name, 0, f"expected a file {value['file']} beside it, found none")
            return ""
        return path.read_text("utf-8")

    def _lazies(self, task: str) -> dict[str, tuple[OracleStep, ...]]:
        found = {}
        for path in self._files(f"tasks/{task}/lazy", "*.yaml"):
            name = f"tasks/{task}/lazy/{path.name}"
            tree = self._load(name)
            plain = self._filled(name, _plain(tree))
            found[path.stem] = self._valid(name, TypeAdapter(tuple[OracleStep, ...]), plain, tree) or ()
        return found

    def _files(self, folder: str, pattern: str) -> list[Path]:
        return sorted((self.root / folder).glob(pattern))

    def _one(self, name: str, model: type[M]) -> M | None:
        if not (self.root / name).is_file():
            self._mistake(name, 0, "expected this file, found none")
            return None
        tree = self._load(name)
        return None if tree is None else self._valid(name, TypeAdapter(model), _plain(tree), tree)

    def _many(self, name: str, model: type[M]) -> dict[str, M]:
        result: dict[str, M] = {}
        for key, value in self._mapping(name).items():
            found = self._valid(name, TypeAdapter(model), value, self._trees[name], str(key))
            if found is not None:
                result[str(key)] = found
        return result

    def _mapping(self, name: str) -> dict[str, object]:
        if not (self.root / name).is_file():
            return {}
        tree = self._load(name)
        self._trees[name] = tree
        plain = _plain(tree)
        if plain is None:
            return {}
        if not isinstance(plain, dict):
            self._mistake(name, 1, "expected a mapping of names, found something else")
            return {}
        for key in plain:
            self._lines[(name, str(key))] = _line(tree, (key,))
        return {str(k): v for k, v in plain.items()}

    def _load(self, name: str) -> object:
        data = (self.root / name).read_bytes()
        self._count(name, data)
        try:
            yaml = YAML(typ="rt")
            yaml.preserve_quotes = True
            return yaml.load(StringIO(data.decode()))
        except UnicodeDecodeError as error:
            self._mistake(name, 0, f"expected UTF-8 text: {error}")
        except MarkedYAMLError as error:
            mark = error.problem_mark
            self._mistake(name, mark.line + 1 if mark else 0, f"broken YAML: {error.problem or error.context}")
        except YAMLError as error:
            self._mistake(name, 0, f"broken YAML: {error}")
        return None

    def _count(self, name: str, data: bytes) -> None:
        for part in (name.encode(), data):
            self._digest.update(len(part).to_bytes(8, "big") + part)

    def _valid(self, name: str, adapter: TypeAdapter[M], value: object, tree: object, *above: str) -> M | None:
        try:
            return adapter.validate_python(value)
        except ValidationError as error:
            for detail in error.errors():
                path = (*above, *detail["loc"])
                self._mistake(name, _line(tree, path), _message(detail["type"], detail["msg"], path, adapter, detail))
            return None

    def _mistake(self, name: str, line: int, message: str) -> None:
        self.mistakes.append(Mistake(name, line, message))


def _section_words(world: World) -> dict[str, Section]:
    """The words that the world's apps add to storylines; an app that is not installed is reported elsewhere."""
    words: dict[str, Section] = {}
    for name in world.apps:
        try:
            app = load_plugin("apps", name)
        except PluginError:
            continue
        words.update(app.sections if isinstance(app, App) else {})
    return words


def _plain(tree: object) -> object:
    """Plain values of a YAML tree; dates and numbers stay as written where authors mean text."""
    if isinstance(tree, Mapping):
        return {str(k): _plain(v) for k, v in tree.items()}
    if isinstance(tree, list | tuple):
        return [_plain(v) for v in tree]
    if isinstance(tree, bool) or tree is None:
        return tree
    if isinstance(tree, int):
        return int(tree)
    if isinstance(tree, float):
        return float(tree)
    return str(tree)


def _line(tree: object, path: tuple[object, ...]) -> int:
    """The 1-based line of the deepest part of `path` that the tree has."""
    line = 1
    for part in path:
        if isinstance(tree, CommentedMap) and part in tree:
            line = tree.lc.key(part)[0] + 1
            tree = tree[part]
        elif isinstance(tree, CommentedSeq) and isinstance(part, int) and part < len(tree):
            line = tree.lc.item(part)[0] + 1
            tree = tree[part]
        else:
            break
    return line


def _message(
    kind: str, text: str, path: tuple[object, ...], adapter: TypeAdapter[M], detail: Mapping[str, object]
) -> str:
    place = ".".join(str(part) for part in path)
    if kind == "extra_forbidden":
        near = get_close_matches(str(path[-1]), list(_words(adapter)), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return f"{place}: unknown word{hint}"
    if kind == "missing":
        return f"{place}: expected this, found nothing"
    found = detail.get("input")
    shown = f", found {found!r}" if isinstance(found, str | int | float | bool) else ""
    return f"{place}: {text.removeprefix('Value error, ')}" + ("" if kind == "value_error" else shown)


def _words(adapter: TypeAdapter[M]) -> Iterator[str]:
    """Every field name in the models that the adapter validates."""
    schema = adapter.json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        yield from part.get("properties", {})
