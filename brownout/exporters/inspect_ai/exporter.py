"""Writes the Inspect package: the modules of `module/` and the runtime under their new names, the world beside them."""

import json
import re
from collections.abc import Sequence
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from brownout.core.instants import SECOND
from brownout.core.values import Json, JsonObject
from brownout.exporters.folder import ExportFolder
from brownout.exporters.runtime import VendoredRuntime, collect_runtime, open_exported
from worlds.package import Package
from worlds.spec.models import Rubric

__all__ = ["InspectExporter", "exporter"]

INSPECT = "inspect-ai>=0.3.285"
"""The oldest version that this was run with."""
OPENAI = "openai>=3.4"
"""Inspect's own minimum for `--model openai-api/…`."""

_HOME = "brownout.exporters.inspect_ai.module"
_UNTYPED = re.compile(rb"^# mypy: disable-error-code=.*\n", re.MULTILINE)


class InspectExporter:
    """Exports a world as a Python package with one Inspect task."""

    name = "inspect"

    def export(self, package: Package, out: Path, tasks: Sequence[str]) -> Path:
        """Write the package.

        Raises:
            ExportError: it cannot be written. Whatever stood at `out` before stands there still.
        """
        world = package.manifest.world
        module = f"brownout_{re.sub(r'[^a-z0-9]+', '_', world.lower())}"
        with ExportFolder(out) as folder:
            runtime = collect_runtime(package, module, _HOME)
            for name, text in _front(package, module, runtime, tasks).items():
                folder.write(name, text)
            for name, data in runtime.own.items():
                folder.write(f"{module}/{name}", _UNTYPED.sub(b"", data))
            for name, data in runtime.files.items():
                folder.write(f"{module}/_runtime/{name}", data)
            folder.write(f"{module}/py.typed", "")
            folder.write(f"{module}/_runtime/LICENSE", _license())
            folder.write(f"{module}/tasks.json", json.dumps(list(tasks)))
            folder.copy_tree(f"{module}/world", package.folder)
            open_exported(folder.draft, module, list(tasks))
            return folder.finish(_facts(package, module, tasks))


exporter = InspectExporter()


def _facts(package: Package, module: str, tasks: Sequence[str]) -> JsonObject:
    listed: list[Json] = [*tasks]
    return {
        "to": InspectExporter.name,
        "module": module,
        "world": package.manifest.world,
        "package": package.manifest.digest,
        "seed": package.manifest.seed,
        "tasks": listed,
    }


def _front(package: Package, module: str, runtime: VendoredRuntime, tasks: Sequence[str]) -> dict[str, str]:
    """README.md and pyproject.toml."""
    manifest = package.manifest
    engine = distribution("brownout").version
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    environment.filters |= {"quoted": _quoted, "plain": _plain}
    values = {
        "module": module,
        "distribution": module.replace("_", "-"),
        "version": f"{engine}+{manifest.digest[:12]}",
        "description": f"{manifest.title}: a simulated company as an Inspect task",
        "requirements": [INSPECT, *runtime.requirements],
        "openai": OPENAI,
        "is_judged": any(_is_judged(package.rubric(name)) for name in tasks),
        "title": manifest.title,
        "tools": sum(len(package.tools(app)) for app in manifest.apps),
        "apps": manifest.apps,
        "tasks": [package.task(name) for name in tasks],
        "turn_seconds": manifest.turn_cost // SECOND,
        "has_code": (package.folder / "repos").is_dir(),
        "world": manifest.world,
        "seed": manifest.seed,
        "digest": manifest.digest,
        "engine": engine,
    }
    here = files("brownout.exporters.inspect_ai")
    return {
        name: environment.from_string(here.joinpath(f"{name}.j2").read_text("utf-8")).render(values)
        for name in ("README.md", "pyproject.toml")
    }


def _is_judged(rubric: Rubric) -> bool:
    return any(
        one.grader == "judge" for part in (rubric.gates, rubric.points, rubric.penalties) for one in part.values()
    )


def _quoted(text: str) -> str:
    """A TOML string; JSON's spelling of a string is one."""
    return json.dumps(" ".join(text.split()).replace("\x7f", ""))


def _plain(text: str) -> str:
    """An author's words as Markdown that says just these words, on one line."""
    return re.sub(r"([\\`*_{}\[\]<>()#|!~&$])", r"\\\1", " ".join(text.split()))


def _license() -> str:
    """The licence of the copied runtime."""
    found = distribution("brownout")
    for path in found.files or ():
        if path.name == "LICENSE":
            return path.read_text()
    return (Path(str(files("brownout"))).parent / "LICENSE").read_text("utf-8")
