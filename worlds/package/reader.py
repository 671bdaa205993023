"""Opens a package and says plainly what is wrong with one that is not whole."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import orjson
from pydantic import TypeAdapter, ValidationError

from brownout.core.errors import PackageError, UnknownTask, is_environments
from brownout.core.trajectory import Event, load_event
from brownout.core.values import JsonObject, canonical, digest_of
from worlds.package.integrity import is_whole
from worlds.package.manifest import FORMAT, Manifest
from worlds.package.package_records import Outage, TaskRecord, ToolSchema
from worlds.spec.case_scripts import CaseKind
from worlds.spec.models import OracleStep, Rubric, Service

__all__ = ["Package", "open_package"]

_TOOLS = TypeAdapter(list[ToolSchema])
_OUTAGES = TypeAdapter(list[Outage])
_SERVICES = TypeAdapter(dict[str, Service])
_PHRASES = TypeAdapter(dict[str, dict[str, tuple[str, ...]]])
_VERDICTS = TypeAdapter(dict[str, dict[str, bool]])
_STEPS = TypeAdapter(list[OracleStep])


@dataclass(frozen=True)
class Package:
    """A world package on disk. Its parts are read when they are first asked for."""

    folder: Path
    manifest: Manifest

    @property
    def base(self) -> Path:
        """The immutable world.sqlite."""
        return self.folder / "world.sqlite"

    @property
    def origin(self) -> Path:
        """origin.sqlite: the company on the first day of its calendar, with everything still to come."""
        return self.folder / "origin.sqlite"

    @property
    def truth(self) -> Path:
        """truth.sqlite: events, which artefact states which facts, the calendar. Never reachable through a surface."""
        return self.folder / "truth.sqlite"

    @cached_property
    def tasks(self) -> dict[str, TaskRecord]:
        """The tasks by id, in the author's order."""
        lines = self.read("tasks.jsonl").splitlines()
        return {task.id: task for task in (TaskRecord.model_validate_json(line) for line in lines)}

    @cached_property
    def outages(self) -> list[Outage]:
        """The outages of the world's calendar."""
        return _OUTAGES.validate_json(self.read("outages.json"))

    @cached_property
    def services(self) -> dict[str, Service]:
        """The company's services as their author described them."""
        return _SERVICES.validate_json(self.read("services.json"))

    @cached_property
    def phrases(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """What people and services say at run time, by `voice.dry`, `logs.boxoffice`, `customers.boxoffice`."""
        return _PHRASES.validate_json(self.read("phrases.json"))

    @cached_property
    def verdicts(self) -> dict[str, dict[str, bool]]:
        """Which commits of the past pass which hidden tests, as it was found when the repository was recorded."""
        return _VERDICTS.validate_json(self.read("verdicts.json"))

    @property
    def has_life(self) -> bool:
        """Whether the company has an everyday life."""
        return "life.json" in self.manifest.digests

    @property
    def life(self) -> bytes:
        """What the company's everyday life is drawn from, as JSON; empty where it has none."""
        return self.read("life.json") if self.has_life else b""

    def kept_day(self, day: int) -> bytes | None:
        """What happens on a day (its number, counted from 1970-01-01) in which a task is played, a line an item; None for others."""
        name = f"days/{day}.jsonl"
        return self.read(name) if name in self.manifest.digests else None

    def events(self) -> list[Event] | None:
        """What happens from the first day to the end of the calendar where no agent does anything, without the rows that it writes.

        None where the package does not say, as those of an earlier build.
        """
        if "events.jsonl" not in self.manifest.digests:
            return None
        return [load_event(line) for line in self.read("events.jsonl").splitlines()]

    def task(self, name: str) -> TaskRecord:
        """The task of that id.

        Raises:
            UnknownTask: there is none; the message lists those there are.
        """
        if name not in self.tasks:
            raise UnknownTask(f"{self.manifest.world} has no task {name!r}; it has: {', '.join(self.tasks)}")
        return self.tasks[name]

    def tools(self, app: str) -> list[ToolSchema]:
        """The tool schemas of an app as they were when the package was built."""
        return _TOOLS.validate_json(self.read(f"tools/{app}.json"))

    def start(self, task: str) -> bytes | None:
        """The changeset that takes the base to a task's start, None where the base is the start."""
        path = self.folder / "starts" / f"{task}.changeset"
        return path.read_bytes() if path.is_file() else None

    def rubric(self, task: str) -> Rubric:
        """What a task is judged by."""
        return Rubric.model_validate_json(self.read(f"graders/{task}.json"))

    def judged(self, task: str) -> bytes:
        """Answers of the judge that were recorded, or written by hand, with the task; often none."""
        name = f"graders/{task}.judged.jsonl"
        return self.read(name) if name in self.manifest.digests else b""

    def oracle(self, task: str) -> list[OracleStep]:
        """A task's reference solution."""
        return _STEPS.validate_json(self.read(f"oracle/{task}.json"))

    def cases(self, task: str, kind: CaseKind) -> dict[str, list[OracleStep]]:
        """Scripts that test a task's rubric, by name: `lazy` ones want to be paid for nothing, `good` ones do it honestly."""
        folder = self.folder / "cases" / task / kind
        return {
            path.stem: _STEPS.validate_json(self.read(f"cases/{task}/{kind}/{path.name}"))
            for path in sorted(folder.glob("*.json"))
        }

    def settings(self, app: str) -> JsonObject:
        """The world's settings of an app."""
        found = orjson.loads(self.read("settings.json")).get(app, {})
        return found if isinstance(found, dict) else {}

    def read(self, name: str) -> bytes:
        """The bytes of a file in the package, compared with the digest in the manifest.

        Raises:
            PackageError: it is missing or damaged.
            OSError: the machine has no file handle left, or its disk fails.
        """
        try:
            data = (self.folder / name).read_bytes()
        except OSError as error:
            if is_environments(error):
                raise
            raise PackageError(
                f"{self.folder / name}: expected a part of the package, found {error.strerror}"
            ) from error
        expected = self.manifest.digests.get(name)
        if expected not in (digest_of(data), _json_digest(name, data)):
            raise PackageError(
                f"{self.folder / name} is damaged: its digest is not the one in manifest.json; build the world again"
            )
        return data


def _json_digest(name: str, data: bytes) -> str | None:
    if not name.endswith(".json"):
        return None
    try:
        return digest_of(canonical(orjson.loads(data)))
    except orjson.JSONDecodeError:
        return None


def open_package(folder: Path) -> Package:
    """The package in `folder`.

    Raises:
        PackageError: there is none, it is damaged, or its format is another.
        OSError: the machine has no file handle left, or its disk fails.
    """
    path = folder / "manifest.json"
    if not path.is_file():
        raise PackageError(
            f"expected a world package in {folder}, found no manifest.json; make one with: brownout build WORLD"
        )
    try:
        tree = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        if is_environments(error):
            raise
        raise PackageError(f"{path} cannot be read: {error}") from error
    found = tree.get("format") if isinstance(tree, dict) else None
    if found not in (FORMAT, FORMAT - 1):
        raise PackageError(
            f"{path}: this version reads package formats {FORMAT - 1} and {FORMAT}, found {found!r}; run: brownout build {tree.get('world', 'WORLD') if isinstance(tree, dict) else 'WORLD'}"
        )
    try:
        manifest = Manifest.model_validate(tree)
    except ValidationError as error:
        raise PackageError(f"{path} is damaged: {error.errors()[0]['msg']}; build the world again") from error
    for name in ("world.sqlite", "origin.sqlite", "truth.sqlite"):
        if not (folder / name).is_file():
            raise PackageError(f"{folder} has no {name}; build the world again")
        if not is_whole(folder / name, manifest.files.get(name, "")):
            raise PackageError(f"{folder / name} is damaged: it is not the file that was built; build the world again")
    return Package(folder, manifest)
