"""Reads an author's folder into a WorldSpec, reporting every mistake at once with its file and line."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from brownout.core.errors import AuthoringError, Mistake, under
from brownout.core.plugins import plugin_names
from brownout.core.storyline_sections import Section, SectionEntry
from brownout.core.vocabulary import near
from brownout.store.git import BadName, PatchError, apply_patch
from worlds.spec.apps import carried, installed_apps
from worlds.spec.case_scripts import CASE_KINDS, CaseChanges, CaseKind, Script, changed_script, written_script
from worlds.spec.drawable_people import Cast, cast_of, seed_of
from worlds.spec.drawn_slots import Drawing, declared_word
from worlds.spec.drawn_values import DrawnValue
from worlds.spec.field_types import Name
from worlds.spec.filled_files import Filling, has_slots
from worlds.spec.line_marks import Marks, PlacedMap, line_in
from worlds.spec.mistake_messages import plain, shown
from worlds.spec.models import (
    BackgroundSpec,
    Customer,
    OracleStep,
    OutageSpec,
    Outsider,
    Person,
    Service,
    Storyline,
    Task,
    WorldFile,
)
from worlds.spec.salvage import Path as Place
from worlds.spec.salvage import adapter_of, pieces_of, salvage_again
from worlds.spec.slots import BRACES
from worlds.spec.source import Source
from worlds.spec.yaml_loading import BrokenText, utf8

__all__ = ["WorldDraft", "WorldSpec", "read_draft", "read_drafts", "read_world"]

M = TypeVar("M")

_FILES = ("world.yaml", "people.yaml", "customers.yaml", "outsiders.yaml", "systems.yaml", "outages.yaml")
_FOLDERS = ("storylines", "prose", "tasks", "documents", "repos")
_MOST_LEGIBLE = 20
"""Of so many characters at most one is none in a text that was spoilt; what has more was never one."""
_STAND_INS = {"format": 1, "world": "world", "title": "", "company": {"name": "", "domain": "company.test"}}
"""What takes the place of what a world.yaml lacks while the rest is checked."""


@dataclass(frozen=True, slots=True)
class WorldSpec:
    """Everything an author wrote.

    Attributes:
        root: the author's folder.
        digest: of every file below it that means something, 32 hexadecimal digits.
        cases: by task and kind, the scripts that its rubric is tested by: the lazy must not be paid, the good ones in full.
        sections: what the apps' own words in storylines hold, by storyline, word and name.
        prose: recorded passages by storyline and beat, in the order they may be used.
        unread: by file, the names and texts of what stands there and could not be read; a whole world has none.
        lost: files of which nobody can say what names they were to have.
        holes: by file, the places of what could not be read.
        meant: by file and place in the words that were meant, the word that stands there, misspelt.
        outsiders: those who write from outside and are nobody's customer.
        marks: where everything stands, for messages.
        documents: the texts in documents/, by the name below it.
        drawing: the drawn slots as the author declares them.
        drawn: what the seed has drawn, by `storyline.slot`.
        undrawn: files and lines that use a slot whose declaration is wrong.
        absent: by file, the names of parts that are there with other draws only.
        source: the files, for another seed.
    """

    root: Path
    digest: str
    world: WorldFile
    people: Mapping[str, Person]
    customers: Mapping[str, Customer]
    services: Mapping[str, Service]
    storylines: Mapping[str, Storyline]
    outages: Mapping[str, OutageSpec]
    tasks: Mapping[str, Task]
    oracles: Mapping[str, tuple[OracleStep, ...]]
    cases: Mapping[str, Mapping[CaseKind, Mapping[str, Script]]]
    prose: Mapping[str, Mapping[str, object]]
    sections: Mapping[str, Mapping[str, Mapping[str, SectionEntry]]] = field(default_factory=dict)
    unread: Mapping[str, frozenset[str]] = field(default_factory=dict)
    lost: frozenset[str] = frozenset()
    holes: Mapping[str, frozenset[Place]] = field(default_factory=dict)
    meant: Mapping[str, Mapping[Place, str]] = field(default_factory=dict)
    outsiders: Mapping[str, Outsider] = field(default_factory=dict)
    marks: Marks = field(default_factory=lambda: Marks({}), repr=False, compare=False)
    documents: Mapping[str, str] = field(default_factory=dict)
    drawing: Drawing = field(default_factory=lambda: Drawing({}, Cast()), repr=False, compare=False)
    drawn: Mapping[str, DrawnValue] = field(default_factory=dict)
    undrawn: frozenset[tuple[str, int]] = frozenset()
    absent: Mapping[str, frozenset[str]] = field(default_factory=dict)
    source: Source | None = field(default=None, repr=False, compare=False)

    @property
    def contacts(self) -> tuple[str, ...]:
        """Those of customers' contacts who act under a name of their own."""
        listed = (contact.short for customer in self.customers.values() for contact in customer.contacts)
        return tuple(name for name in listed if name)

    def document(self, name: str) -> str:
        """The text of a file in documents/.

        Raises:
            KeyError: there is no such file.
        """
        folder = (self.root / "documents").resolve()
        return (
            self.documents[(folder / name).resolve().relative_to(folder).as_posix()]
            .replace("\r\n", "\n")
            .replace("\r", "\n")
        )

    def seeded(self, seed: int) -> "WorldSpec":
        """The same text with another seed: whatever is drawn is drawn anew.

        Where slots are drawn the text is read again, and of the changes that were made to this value since only the volume
        of everyday life is in it.

        Raises:
            AuthoringError: something is wrong with the text as that seed draws it.
        """
        if self.drawing.slots and self.source is not None:
            return _whole(_drafted(self.source, seed)).with_background(self.world.background)
        generation = self.world.generation.model_copy(update={"seed": seed})
        return replace(self, world=self.world.model_copy(update={"generation": generation}))

    def with_background(self, background: BackgroundSpec) -> "WorldSpec":
        """The same text with another volume of everyday life."""
        return replace(self, world=self.world.model_copy(update={"background": background}))

    def line(self, file: str, *path: str | int) -> int:
        """The line of something in a file: the deepest part of its path that is there, 0 where none is."""
        if path[:1] == ("beats",) and len(path) > 1 and not self.marks.has(file, *path[:2]):
            path = self._ticket_path(file, str(path[1])) or path
        meant = self.meant.get(file, {})
        return self.marks.line(file, *(meant.get(path[: depth + 1], part) for depth, part in enumerate(path)))

    def has_hole(self, file: str, *path: str | int) -> bool:
        """Whether something at or below a place could not be read, so that nobody can say what it lacks."""
        return any(hole[: len(path)] == path for hole in self.holes.get(file, ()))

    def _ticket_path(self, file: str, beat: str) -> tuple[str | int, ...]:
        """Where the beat that a ticket, or a line of it, came to was written."""
        name, _, number = beat.rpartition("-")
        if self.marks.has(file, "tickets", beat):
            return ("tickets", beat)
        if number.isdigit() and self.marks.has(file, "tickets", name):
            return ("tickets", name, "then", int(number) - 1)
        return ()


@dataclass(frozen=True, slots=True)
class WorldDraft:
    """A world as far as it can be read.

    Attributes:
        spec: what could be read of it; None where that is too little to look any further.
        mistakes: what could not.
    """

    spec: WorldSpec | None
    mistakes: tuple[Mistake, ...]


def read_draft(root: Path, seed: int | None = None, *, texts: Mapping[str, bytes] | None = None) -> WorldDraft:
    """The world in the folder `root` as far as it can be read, mistakes and all.

    Args:
        seed: of the world; None takes the author's.
        texts: what some of its files are to say in place of what is on disk, by their path below it.
    """
    return _drafted(Source(root, texts), seed)


def read_drafts(root: Path, seeds: Iterable[int]) -> Iterator[WorldDraft]:
    """The world in the folder `root` with each of several seeds, its files read once."""
    source = Source(root)
    yield from (_drafted(source, seed) for seed in seeds)


def read_world(root: Path, seed: int | None = None) -> WorldSpec:
    """The world in the folder `root`.

    Args:
        seed: of the world; None takes the author's.

    Raises:
        AuthoringError: the folder or its world.yaml is missing, or anything in it is wrong.
    """
    return _whole(read_draft(root, seed))


def _drafted(source: Source, seed: int | None) -> WorldDraft:
    reader = _WorldReader(source, seed)
    spec = reader.read()
    return WorldDraft(spec, tuple(sorted(reader.mistakes, key=lambda m: (m.file, m.line))))


def _whole(draft: WorldDraft) -> WorldSpec:
    if draft.spec is None or draft.mistakes:
        raise AuthoringError(draft.mistakes)
    return draft.spec


class _WorldReader:
    def __init__(self, source: Source, seed: int | None) -> None:
        self.source = source
        self.root = source.root
        self.seed = seed
        self.mistakes: list[Mistake] = []
        self._digest = blake2b(digest_size=16)
        self._trees: dict[str, object] = {}
        self._unread: dict[str, set[str]] = {}
        self._lost: set[str] = set()
        self._holes: dict[str, set[Place]] = {}
        self._meant: dict[str, dict[Place, str]] = {}
        self._sections: dict[str, dict[str, dict[str, SectionEntry]]] = {}
        self._documents: dict[str, str] = {}

    def read(self) -> WorldSpec | None:
        if not (self.root / "world.yaml").is_file():
            self._mistake("world.yaml", 0, f"expected a world in {self.root}, found no world.yaml")
            return None
        self._look_around()
        self._draw()
        world = self._one("world.yaml", WorldFile) or self._stood_in()
        if world is not None and self.seed is not None:
            generation = world.generation.model_copy(update={"seed": self.seed})
            world = world.model_copy(update={"generation": generation})
        people = self._many("people.yaml", Person)
        customers = self._many("customers.yaml", Customer)
        outsiders = self._many("outsiders.yaml", Outsider)
        services = self._many("systems.yaml", Service)
        outages = self._many("outages.yaml", OutageSpec)
        is_whole = world is not None and "world.yaml" not in self._unread
        words = _section_words(world.apps if world is not None and is_whole else plugin_names("apps"))
        storylines = {p.stem: self._storyline(p, words) for p in self._files("storylines", "*.yaml")}
        tasks, oracles = self._tasks()
        cases = {name: self._cases(name, oracles.get(name, ())) for name in tasks}
        prose = {p.stem: self._mapping(f"prose/{p.name}") for p in self._files("prose", "*.yaml")}
        for folder in ("documents", "repos", "tasks"):
            for path in sorted((self.root / folder).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    name = path.relative_to(self.root).as_posix()
                    data = self.source.data(name)
                    self._count(name, data)
                    if folder == "documents":
                        self._documents[name.removeprefix("documents/")] = self._filled_text(name, data)
                    elif path.suffix == ".patch":
                        self._text(name, data)
        self._take_filling()
        if world is None:
            return None
        return WorldSpec(
            root=self.root,
            digest=self._digest.hexdigest(),
            world=world,
            people=people,
            customers=customers,
            services=services,
            storylines={name: carried(line, world.apps) for name, line in storylines.items() if line is not None},
            outages=outages,
            tasks=tasks,
            oracles=oracles,
            cases=cases,
            prose=prose,
            unread={file: frozenset(names) for file, names in self._unread.items() if names},
            lost=frozenset(self._lost),
            holes={file: frozenset(places) for file, places in self._holes.items()},
            meant=self._meant,
            marks=Marks(self._trees),
            sections=self._sections,
            outsiders=outsiders,
            documents=self._documents,
            drawing=self._filling.drawing,
            drawn=self._filling.texts.values,
            undrawn=frozenset((file, line) for file, lines in self._filling.open.items() for line in lines),
            absent={file: frozenset(names) for file, names in self._filling.absent.items()},
            source=self.source,
        )

    def _draw(self) -> None:
        """Draw the slots, which everything else is read with."""
        cast = cast_of(*map(self.source.tree_or_none, ("world.yaml", "people.yaml", "customers.yaml")))
        lines = self._files("storylines", "*.yaml")
        drawing = Drawing({path.stem: self.source.tree_or_none(f"storylines/{path.name}") for path in lines}, cast)
        seed = seed_of(self.source.tree_or_none("world.yaml")) if self.seed is None else self.seed
        texts, wrong = drawing.drawn(seed)
        self._filling = Filling(drawing, texts)
        self.mistakes += [*drawing.mistakes, *wrong]

    def _take_filling(self) -> None:
        """Take over what is wrong with uses of slots; what else is wrong in those lines follows from it."""
        for file, pieces in self._filling.lost.items():
            self._lose(file, pieces)
        opened = self._filling.open
        self.mistakes = [each for each in self.mistakes if each.line not in opened.get(each.file, ())]
        self.mistakes += self._filling.mistakes

    def _look_around(self) -> None:
        """What stands in the folder and is no part of a world, a misspelt name most often."""
        for path in sorted(self.root.iterdir()):
            known = _FOLDERS if path.is_dir() else _FILES
            is_meant = path.is_dir() or path.suffix in (".yaml", ".yml")
            if is_meant and path.name not in known and not path.name.startswith((".", "__")):
                self._mistake(
                    path.name,
                    0,
                    f"a world has no such {'folder' if path.is_dir() else 'file'}{near(path.name, known)}",
                )
        for path in [*self._files("storylines", "*.yaml"), *sorted(self.root.glob("tasks/*/"))]:
            if problem := _name_problem(path.stem if path.suffix == ".yaml" else path.name):
                self._mistake(path.relative_to(self.root).as_posix(), 0, problem)
        for path in sorted(self.root.glob("*/*.yml")):
            self._mistake(
                path.relative_to(self.root).as_posix(), 0, f"expected a name that ends in .yaml: {path.stem}.yaml"
            )

    def _stood_in(self) -> WorldFile | None:
        """The world's own page with stand-ins for what it lacks, None where that is its calendar or its apps."""
        plain = _plain(self._trees.get("world.yaml"))
        if not isinstance(plain, dict):
            return None
        try:
            WorldFile.model_validate(plain)
        except ValidationError as error:
            wrong = {str(detail["loc"][0]) for detail in error.errors() if detail["loc"]}
            kept = {name: part for name, part in plain.items() if name not in wrong}
            try:
                return WorldFile.model_validate({**_STAND_INS, **kept})
            except ValidationError:
                return None
        return None

    def _storyline(self, path: Path, words: Mapping[str, Section]) -> Storyline | None:
        """A storyline; what its words are that the world's apps add goes to the sections."""
        name = f"storylines/{path.name}"
        plain = _plain(self._load(name))
        if not isinstance(plain, dict):
            self._lost |= set() if plain is None else {name}
            return None if plain is None else self._valid(name, adapter_of(Storyline), plain)
        if (word := declared_word(plain)) in plain:  # what is wrong in there is said already
            plain[word] = {}
        found: dict[str, dict[str, SectionEntry]] = {}
        for word in [word for word in plain if word in words]:
            entries = plain.pop(word) or {}
            if not isinstance(entries, dict):
                line = line_in(self._trees[name], (word,))
                self._mistake(name, line, f"{word}: expected a mapping of names, found {shown(entries)}")
                self._lose(name, pieces_of(entries))
                continue
            found[word] = self._entries(name, adapter_of(words[word].entry), entries, word)
        self._sections[path.stem] = found
        story = self._valid(name, adapter_of(Storyline), plain)
        return story and story.model_copy(update={"drawn": self._filling.drawing.of(path.stem)})

    def _tasks(self) -> tuple[dict[str, Task], dict[str, tuple[OracleStep, ...]]]:
        tasks: dict[str, Task] = {}
        oracles: dict[str, tuple[OracleStep, ...]] = {}
        for folder in sorted(p for p in (self.root / "tasks").glob("*") if p.is_dir()):
            task = self._one(f"tasks/{folder.name}/task.yaml", Task)
            if task is not None:
                tasks[folder.name] = task
            else:
                self._lose(f"tasks/{folder.name}/task.yaml", {folder.name})
            name = f"tasks/{folder.name}/oracle.yaml"
            if not (self.root / name).is_file():
                self._mistake(name, 0, "expected the task's reference solution, found no such file")
                self._lose(name, {""})
                continue
            oracles[folder.name] = self._steps(name)
        return tasks, oracles

    def _filled(self, name: str, value: object, *place: object) -> object:
        """A value in which every `{file: NAME}` has become the text of that file, `{file: NAME, patch: NAME}` with the patch."""
        if isinstance(value, list):
            return [self._filled(name, part, *place, number) for number, part in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if "file" not in value or not value.keys() <= {"file", "patch"}:
            return {key: self._filled(name, part, *place, key) for key, part in value.items()}
        file = self._task_file(name, value["file"], *place, "file")
        patch = self._task_file(name, value["patch"], *place, "patch") if "patch" in value else None
        if file is None or (patch is None and "patch" in value):
            return ""
        data = self.source.data(file)
        if patch is not None:
            inner = file.split("/", 2)[2]
            try:
                made = apply_patch({inner: data}, self.source.data(patch))[inner]
            except (PatchError, BadName, KeyError) as error:
                why = f"it does not change {inner}" if isinstance(error, KeyError) else str(error)
                self._mistake(patch, 1, f"expected a patch of the task's {inner}: {why}")
                return ""
            data = made.data if made else b""
        return self._filled_text(file, data)

    def _task_file(self, name: str, path: object, *place: object) -> str | None:
        """The file of a task's folder that one of its scripts names, seen from the script; None, and a mistake, if it is none."""
        task = (self.root / Path(*Path(name).parts[:2])).resolve()
        found = ((self.root / name).parent / str(path).replace("\0", "")).resolve()
        if found.is_file() and found.is_relative_to(task):
            return found.relative_to(self.root.resolve()).as_posix()
        self._mistake(name, line_in(self._trees.get(name), place), f"expected a file {path} of the task, found none")
        return None

    def _cases(self, task: str, oracle: tuple[OracleStep, ...]) -> dict[CaseKind, dict[str, Script]]:
        solution = written_script(f"tasks/{task}/oracle.yaml", oracle)
        return {
            kind: {
                path.stem: self._case(f"tasks/{task}/{kind}/{path.name}", solution)
                for path in self._files(f"tasks/{task}/{kind}", "*.yaml")
            }
            for kind in CASE_KINDS
        }

    def _case(self, name: str, oracle: Script) -> Script:
        """A script of its own, or the reference solution with changes."""
        plain = self._filled(name, _plain(self._load(name)))
        if not isinstance(plain, dict):
            steps = self._valid(name, _steps_adapter(), plain)
            return written_script(name, steps or ())
        changes = self._valid(name, adapter_of(CaseChanges), plain)
        if changes is None or self._unread.get(f"{name.rsplit('/', 2)[0]}/oracle.yaml"):
            return ()
        script, wrong = changed_script(oracle, changes, name)
        for path, message in wrong:
            self._mistake(name, line_in(self._trees.get(name), path) or 1, message)
        return script

    def _steps(self, name: str) -> tuple[OracleStep, ...]:
        plain = _plain(self._load(name))
        return self._valid(name, _steps_adapter(), self._filled(name, plain)) or ()

    def _files(self, folder: str, pattern: str) -> list[Path]:
        return sorted((self.root / folder).glob(pattern))

    def _one(self, name: str, model: type[M]) -> M | None:
        if not (self.root / name).is_file():
            self._mistake(name, 0, "expected this file, found none")
            return None
        count = len(self.mistakes)
        tree = self._load(name)
        if tree is None and len(self.mistakes) == count:
            self._mistake(name, 0, "expected a mapping of words to values, found an empty file")
        return None if tree is None else self._valid(name, adapter_of(model), _plain(tree))

    def _many(self, name: str, model: type[M]) -> dict[str, M]:
        return self._entries(name, adapter_of(model), self._mapping(name))

    def _entries(self, name: str, adapter: TypeAdapter[M], written: Mapping[str, object], *above: str) -> dict[str, M]:
        """The entries of a mapping by their short names; whoever names one by what is no short name is not blamed for it."""
        result: dict[str, M] = {}
        for key, value in written.items():
            if problem := _name_problem(key):
                self._mistake(
                    name, line_in(self._trees.get(name), (*above, key)) or 1, under(".".join([*above, key]), problem)
                )
            found = self._valid(name, adapter, value, *above, key)
            if found is not None:
                result[key] = found
        return result

    def _mapping(self, name: str) -> dict[str, object]:
        if not (self.root / name).is_file():
            return {}
        names = _plain(self._load(name))
        if names is None:
            return {}
        if not isinstance(names, dict):
            self._mistake(name, 1, f"expected a mapping of names, found {shown(names)}")
            self._lose(name, pieces_of(names))
            self._lost.add(name)
            return {}
        return {str(k): v for k, v in names.items()}

    def _load(self, name: str) -> object:
        data = self.source.data(name)
        self._count(name, data)
        try:
            tree = self.source.tree(name)
            self._trees[name] = self._filling.tree(name, tree) if self._is_drawn(name, data) else tree
            return self._trees[name]
        except BrokenText as error:
            self._mistake(name, error.line, str(error))
            text = data.decode(errors="replace")
            self._lose(name, {text})
            if "\0" in text or text.count("\ufffd") > len(text) // _MOST_LEGIBLE:
                self._lost.add(name)
        return None

    def _is_drawn(self, name: str, data: bytes) -> bool:
        """Whether a file may read otherwise with other values."""
        return BRACES.encode() in data or (has_slots(name) and b"when" in data)

    def _filled_text(self, name: str, data: bytes) -> str:
        return self._filling.text(name, self._text(name, data))

    def _lose(self, name: str, pieces: set[str]) -> None:
        """Remember names and texts that stand in a file and could not be read."""
        self._unread.setdefault(name, set()).update(pieces)

    def _text(self, name: str, data: bytes) -> str:
        """The text of a file, empty where it is none."""
        try:
            return utf8(data)
        except BrokenText as error:
            self._mistake(name, error.line, str(error))
        return ""

    def _count(self, name: str, data: bytes) -> None:
        for part in (name.encode(), data):
            self._digest.update(len(part).to_bytes(8, "big") + part)

    def _valid(self, name: str, adapter: TypeAdapter[M], value: object, *above: str) -> M | None:
        """The value as the adapter reads it; of one that has mistakes what is left without them, None if too little."""
        found = salvage_again(adapter, value)
        for place, message in dict.fromkeys(found.wrong):
            path = (*above, *place)
            message = f"{'.'.join(map(str, path))}: {message}" if path else message
            self._mistake(name, line_in(self._trees.get(name), path) or 1, message)
        if found.wrong:
            self._lose(name, {*found.lost, *(above[-1:] if found.value is None else ())})
            self._holes.setdefault(name, set()).update((*above, *place) for place in found.holes)
            self._meant.setdefault(name, {}).update({(*above, *place): word for place, word in found.meant.items()})
        return found.value

    def _mistake(self, name: str, line: int, message: str) -> None:
        self.mistakes.append(Mistake(name, line, message))


def _section_words(apps: Iterable[str]) -> dict[str, Section]:
    """The words that apps add to storylines; one that is not installed is reported elsewhere."""
    return {word: section for app in installed_apps(apps) for word, section in app.sections.items()}


@cache
def _steps_adapter() -> TypeAdapter[tuple[OracleStep, ...]]:
    return TypeAdapter(tuple[OracleStep, ...])


@cache
def _name_adapter() -> TypeAdapter[str]:
    return TypeAdapter(Name)


def _name_problem(name: str) -> str:
    """Why nothing can be called so; empty where it can."""
    try:
        _name_adapter().validate_python(name)
    except ValidationError as error:
        return plain(error.errors()[0])
    return ""


def _plain(tree: object) -> object:
    """Plain values of a YAML tree; dates and numbers stay as written where authors mean text."""
    kind = type(tree)
    if kind is str:
        return tree
    if kind is PlacedMap:
        return {str(k): _plain(v) for k, v in cast("PlacedMap", tree).items()}
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
