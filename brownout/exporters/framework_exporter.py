"""Writes a world as a package of a framework: the world, what runs it, and the framework's own files from templates.

What frameworks share is written once, here: the lock, the wheels, the rows, the reference solutions in an archive of their own.
An exporter adds what its framework wants to see.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Final, cast

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

from brownout.core.errors import ExportError
from brownout.core.instants import SECOND
from brownout.core.plugins import Kind, is_built_in, load_plugin
from brownout.core.tool_schemas import responses_tool
from brownout.exporters.archive import zipped
from brownout.exporters.export_folder import ExportFolder, files_below
from brownout.exporters.export_request import ExportRequest, ExportRow, placed
from brownout.exporters.inside.opened_export import ROWS, open_export
from brownout.exporters.lock import Lock, LockedWheel, evaluation_archive, task_digests
from brownout.exporters.wheels import Wheel, plugin_wheel, runtime_wheel
from worlds.package import Package
from worlds.spec.models import Rubric

__all__ = ["FrameworkExporter"]

_APART: Final = ("oracle", "cases")
"""Parts of a package that no episode needs; they go into the archive beside it."""

_MODULE: Final = "__module__"
"""In the path of a template, the name of the export's package."""

_SPLIT: Final = "__split__"
"""In the path of a template, the name of a split: there is a file for each, with its rows."""


@dataclass(frozen=True)
class FrameworkExporter:
    """An exporter made of templates.

    Every file below the folder `templates` of its package becomes a file of the export; what ends with `.j2` is rendered with
    jinja first. `README.md.j2` and `pyproject.toml.j2` may extend `common/README.md.j2` and `common/pyproject.toml.j2`, and
    stand for themselves where there are none.

    Attributes:
        name: what `--to` calls it.
        title: the framework as its users write it.
        home: the Python package with the templates.
        requires: the framework, and what must be installed with it, in the versions that were tried.
        python: which Pythons can have it.
    """

    name: str
    title: str
    home: str
    requires: tuple[str, ...]
    python: str = ">=3.11"

    def export(self, package: Package, out: Path, request: ExportRequest) -> Path:
        """Write the package.

        Raises:
            UnknownTask: the world has no such task.
            UsageError: the tasks are too few for the splits.
            ExportError: it cannot be written. Whatever stood at `out` before stands there still.
        """
        tasks = request.chosen(package)
        splits = placed(tasks, request.split)
        wheels = [runtime_wheel(), *_plugin_wheels(package, self.name)]
        module = f"brownout_{re.sub(r'[^a-z0-9]+', '_', package.manifest.world.lower())}"
        with ExportFolder(out, self._lock(package, tasks, module, wheels)) as folder:
            folder.copy_tree(f"{module}/world", package.folder, leave_out=_APART)
            folder.write(evaluation_archive(module), _evaluation(package))
            for wheel in wheels:
                folder.write(f"runtime/{wheel.file}", wheel.data)
            folder.lock()
            with open_export(folder.draft / module) as opened:
                prompts = {task: opened.instructions(task) for task in tasks}
                tools = {task: opened.tools(task) for task in tasks}
            rows = [
                ExportRow(task=task, seed=seed, split=splits[task], prompt=prompts[task])
                for task in tasks
                for seed in request.seeds
            ]
            folder.write(f"{module}/{ROWS}", "".join(f"{row.model_dump_json()}\n" for row in rows))
            for name, content in self._rendered(self._values(package, module, rows, wheels) | {"tools": tools}):
                folder.write(name, content)
            return folder.finish()

    def _lock(self, package: Package, tasks: Sequence[str], module: str, wheels: Sequence[Wheel]) -> Lock:
        manifest = package.manifest
        runtime, *plugins = map(LockedWheel.of, wheels)
        return Lock(
            to=self.name,
            requires=self.requires,
            module=module,
            world=manifest.world,
            package=manifest.digest,
            seed=manifest.seed,
            tools={app: manifest.digests[f"tools/{app}.json"] for app in manifest.apps},
            tasks=task_digests(package, tasks),
            runtime=runtime,
            plugins=tuple(plugins),
        )

    def _rendered(self, values: Mapping[str, object]) -> Iterator[tuple[str, str | bytes]]:
        """The files that templates make: path and content."""
        own, common = (Path(str(files(home))) / "templates" for home in (self.home, "brownout.exporters"))
        environment = Environment(
            loader=ChoiceLoader([PrefixLoader({"common": FileSystemLoader(common)}), FileSystemLoader([own, common])]),
            undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        environment.filters |= {"quoted": _quoted, "plain": _plain, "responses_tool": responses_tool}
        found = {path.relative_to(root).as_posix(): path for root in (common, own) for path in sorted(root.rglob("*"))}
        for name, path in sorted(found.items()):
            if path.is_file() and "__pycache__" not in path.parts:
                for target, known in _targets(name, values):
                    if name.endswith(".j2"):
                        yield target.removesuffix(".j2"), environment.get_template(name).render(known)
                    else:
                        yield target, path.read_bytes()

    def _values(
        self, package: Package, module: str, rows: Sequence[ExportRow], wheels: Sequence[Wheel]
    ) -> dict[str, object]:
        manifest = package.manifest
        tasks = list(dict.fromkeys(row.task for row in rows))
        return {
            "framework": self,
            "module": module,
            "distribution": module.replace("_", "-"),
            "evaluation": evaluation_archive(module),
            "class_name": "".join(word.capitalize() for word in module.removeprefix("brownout_").split("_")),
            "version": f"{distribution('brownout').version.partition('+')[0]}+{manifest.digest[:12]}",
            "description": f"{manifest.title}: a simulated company for {self.title}",
            "requirements": [*self.requires, *(wheel.requirement for wheel in wheels)],
            "is_judged": any(_is_judged(package.rubric(name)) for name in tasks),
            "title": manifest.title,
            "tool_count": sum(len(package.tools(app)) for app in manifest.apps),
            "apps": manifest.apps,
            "tasks": [package.task(name) for name in tasks],
            "rows": rows,
            "splits": list(dict.fromkeys(row.split for row in rows)),
            "turn_seconds": manifest.turn_cost // SECOND,
            "has_code": (package.folder / "repos").is_dir(),
            "world": manifest.world,
            "seed": manifest.seed,
            "digest": manifest.digest,
            "runtime": wheels[0],
        }


def _targets(name: str, values: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The files that a template becomes, and what it knows for each."""
    target = name.replace(_MODULE, str(values["module"]))
    if _SPLIT not in name:
        yield target, values
        return
    rows, splits = cast(list[ExportRow], values["rows"]), cast(list[str], values["splits"])
    for split in splits:
        yield target.replace(_SPLIT, split), {**values, "rows": [row for row in rows if row.split == split]}


def _evaluation(package: Package) -> bytes:
    """The archive of what tests a world's tasks: reference solutions, and the scripts that its rubrics withstand."""
    try:
        return zipped(
            {
                f"{part}/{name}": (package.folder / part / name).read_bytes()
                for part in _APART
                for name in files_below(package.folder / part)
            }
        )
    except OSError as error:
        raise ExportError(f"cannot read the reference solutions of {package.folder}: {error.strerror}") from error


def _plugin_wheels(package: Package, exporter: str) -> list[Wheel]:
    """The packages of strangers that the world's sessions and grades use, and the exporter's own, each once."""
    needed: set[tuple[Kind, str]] = {*_needed_plugins(package), ("exporters", exporter)}
    strangers = sorted(plugin for plugin in needed if not is_built_in(*plugin))
    wheels = [plugin_wheel(kind, name) for kind, name in strangers]
    return list({wheel.distribution: wheel for wheel in wheels}.values())


def _needed_plugins(package: Package) -> set[tuple[Kind, str]]:
    """The plug-ins that a world's sessions and grades use."""
    needed: set[tuple[Kind, str]] = {("apps", app) for app in package.manifest.apps}
    needed |= {("faults", outage.mode) for outage in package.outages}
    for task in package.tasks:
        rubric = package.rubric(task)
        for criteria in (rubric.gates, rubric.points, rubric.penalties):
            needed |= {("graders", criterion.grader) for criterion in criteria.values()}
            needed |= {("readers", criterion.reader) for criterion in criteria.values() if criterion.reader}
    for kind, name in sorted(needed):
        load_plugin(kind, name)  # says what is wrong with one that is missing
    return needed


def _is_judged(rubric: Rubric) -> bool:
    return any(
        one.grader == "judge" for part in (rubric.gates, rubric.points, rubric.penalties) for one in part.values()
    )


def _quoted(text: str) -> str:
    """A TOML, YAML or Python string; JSON's spelling of a string is one."""
    return json.dumps(" ".join(text.split()).replace("\x7f", ""))


def _plain(text: str) -> str:
    """An author's words as Markdown that says just these words, on one line."""
    return re.sub(r"([\\`*_{}\[\]<>()#|!~&$])", r"\\\1", " ".join(text.split()))
