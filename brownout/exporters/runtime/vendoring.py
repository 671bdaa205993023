"""Collects the runtime of one world: every module that a session of it can reach, and the files beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from brownout.core.errors import ExportError
from brownout.core.plugins import Kind, load_plugin, plugin_address
from brownout.exporters.runtime.requirements import pinned, requirements_of
from brownout.exporters.runtime.rewriting import Renaming, rewritten
from brownout.exporters.runtime.sources import ModuleSource, Sources
from worlds.package import Package

__all__ = ["VendoredRuntime", "collect_runtime"]

_PACKAGES = frozenset({"brownout", "worlds", "tools", "graders"})
_TABLE = "brownout/core/plugins.py"
_FACADE = b'"""The part of Brownout that runs the sessions of this world."""\n'
_TOP = b'"""Brownout, as far as this world needs it; its modules are copies."""\n'


@dataclass(frozen=True)
class VendoredRuntime:
    """A runtime ready to be written, and the exporter's own modules that stand above it.

    Attributes:
        files: path below the runtime's own folder -> content.
        own: path below the export's module -> content.
        modules: the old names of the runtime's modules.
        requirements: what it needs installed, `name==version` each; the framework itself is not among them.
    """

    files: Mapping[str, bytes]
    own: Mapping[str, bytes]
    modules: frozenset[str]
    requirements: tuple[str, ...]


def collect_runtime(package: Package, module: str, own: str) -> VendoredRuntime:
    """The runtime of a world, to stand in `<module>/_runtime`.

    Args:
        module: the export's top-level package.
        own: the package whose modules become those of `module`; what they import is part of the runtime.

    Raises:
        ExportError: a module of it cannot be exported.
        UnknownPlugin, BrokenPlugin: the world needs a plug-in that is missing here.
    """
    addresses = _addresses(package)
    tops = _PACKAGES.union(_top(address) for address in addresses.values())
    sources = Sources(tops)
    ours = {name: _known(sources, name) for name in _modules_below(_known(sources, own))}
    reached = _reached(sources, ours, [address.partition(":")[0] for address in addresses.values()])
    renaming = Renaming(f"{module}._runtime", tops, frozenset(reached), {own: module})
    needed = requirements_of((s for s in reached.values() if s.module != "brownout"), tops)
    if (package.folder / "repos").is_dir():
        needed.append(pinned("pytest"))  # runs the visible tests of code bases
    return VendoredRuntime(
        files=_runtime_files(reached, renaming, _strangers(addresses, renaming)),
        own={source.place.name: rewritten(source, renaming) for source in ours.values()},
        modules=frozenset(reached),
        requirements=tuple(sorted(needed, key=str.lower)),
    )


def _runtime_files(
    reached: Mapping[str, ModuleSource], renaming: Renaming, strangers: Sequence[str]
) -> dict[str, bytes]:
    files = {"__init__.py": _TOP}
    for source in reached.values():
        files[source.path] = _FACADE if source.module == "brownout" else rewritten(source, renaming)
        files |= _files_beside(source)
    files[_TABLE] += "".join(f"{line}\n" for line in strangers).encode()
    return files


def _strangers(addresses: Mapping[tuple[Kind, str], str], renaming: Renaming) -> list[str]:
    """Lines that put the plug-ins of others into the table: their entry points are not carried along."""
    lines = []
    for (kind, name), address in addresses.items():
        if _top(address) not in _PACKAGES:
            module, _, attribute = address.partition(":")
            lines.append(f"_BUILT_IN[{kind!r}][{name!r}] = {f'{renaming.name(module)}:{attribute}'!r}")
    return lines


def _top(address: str) -> str:
    return address.partition(":")[0].partition(".")[0]


def _needed_plugins(package: Package) -> set[tuple[Kind, str]]:
    """The plug-ins that a world's sessions and grades use."""
    needed: set[tuple[Kind, str]] = {("graders", "rubric"), ("readers", "model"), ("readers", "values")}
    needed |= {("apps", app) for app in package.manifest.apps}
    needed |= {("faults", outage.mode) for outage in package.outages}
    for task in package.tasks:
        rubric = package.rubric(task)
        for criteria in (rubric.gates, rubric.points, rubric.penalties):
            needed |= {("graders", criterion.grader) for criterion in criteria.values()}
            needed |= {("readers", criterion.reader) for criterion in criteria.values() if criterion.reader}
    return needed


def _addresses(package: Package) -> dict[tuple[Kind, str], str]:
    """Where those plug-ins stand: `tools.slack:app`."""
    found = {}
    for kind, name in sorted(_needed_plugins(package)):
        load_plugin(kind, name)  # says what is wrong with one that is missing
        found[kind, name] = plugin_address(kind, name)
    return found


def _known(sources: Sources, module: str) -> ModuleSource:
    source = sources.find(module)
    if source is None:
        raise ExportError(f"expected a module {module} to export, found none")
    return source


def _reached(sources: Sources, ours: Mapping[str, ModuleSource], roots: Sequence[str]) -> dict[str, ModuleSource]:
    """The modules that some modules import, directly or not, with their parent packages; `ours` are not among them."""
    reached: dict[str, ModuleSource] = {}
    waiting = [*roots, *(name for source in ours.values() for name in sources.named_in(source))]
    while waiting:
        module = waiting.pop()
        if module in reached or module in ours:
            continue
        source = reached[module] = _known(sources, module)
        waiting.append(module.rpartition(".")[0] or module)
        if module != "brownout":
            waiting += sources.named_in(source)
            waiting += (one for folder in source.mentions.folders for one in _programs(sources, folder))
    return dict(sorted(reached.items()))


def _programs(sources: Sources, package: str) -> list[str]:
    """The modules of a package whose files are read: programs for the inside of a sandbox are never imported."""
    return _modules_below(_known(sources, package)) if package.partition(".")[0] in sources.tops else []


def _modules_below(source: ModuleSource) -> list[str]:
    folder = source.place.parent
    below = (path.relative_to(folder).with_suffix("").as_posix() for path in sorted(folder.rglob("*.py")))
    return [f"{source.module}.{path.replace('/', '.')}".removesuffix(".__init__") for path in below]


def _files_beside(source: ModuleSource) -> dict[str, bytes]:
    """What lies in a package's folder and is not Python; folders without a package of their own included."""
    if source.place.name != "__init__.py" or source.module in _PACKAGES:
        return {}
    found: dict[str, bytes] = {}
    waiting = [source.place.parent]
    while waiting:
        folder = waiting.pop()
        for path in sorted(folder.iterdir()):
            if path.is_dir() and path.name != "__pycache__" and not (path / "__init__.py").is_file():
                waiting.append(path)
            elif path.is_file() and path.suffix not in (".py", ".pyc", ".pyi") and path.name != "py.typed":
                relative = path.relative_to(source.place.parent).as_posix()
                found[f"{Path(source.path).parent.as_posix()}/{relative}"] = path.read_bytes()
    return found
