"""What a copied runtime needs from others, in the versions that it was tried with: those that are installed here."""

import ast
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions, version

from brownout.core.errors import ExportError
from brownout.exporters.runtime.sources import ModuleSource

__all__ = ["pinned", "requirements_of"]


def requirements_of(sources: Iterable[ModuleSource], tops: frozenset[str]) -> list[str]:
    """The distributions that the sources import or read files of, `name==version` each, sorted.

    Raises:
        ExportError: a module is imported that nothing installed here has.
    """
    homes = packages_distributions()
    found: set[str] = set()
    for source in sources:
        for module in _strangers(source):
            name = module.partition(".")[0]
            if name in tops or name in sys.stdlib_module_names or source.place.with_name(f"{name}.py").is_file():
                continue
            if name not in homes:
                raise ExportError(f"{source.path} needs {name}, which is not installed here")
            found.add(next((home for home in homes[name] if f"{module}.".startswith(f"{home}.")), homes[name][0]))
    return sorted((pinned(name) for name in found), key=str.lower)


def pinned(distribution: str) -> str:
    """`name==version` of what is installed."""
    return f"{distribution}=={version(distribution)}"


def _strangers(source: ModuleSource) -> Iterator[str]:
    said = source.mentions
    for node in said.imports:
        if node not in said.running:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif node.level == 0 and node.module:
            yield node.module
    yield from said.folders
