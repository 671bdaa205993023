"""Finds the sources of modules and what each of them names: our own modules, and strangers'."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from brownout.core.errors import ExportError

__all__ = ["ModuleSource", "Sources", "folders_read", "import_in_text"]

import_in_text = re.compile(r"\b(from|import)(\s+)([A-Za-z_]\w*(?:\.\w+)+)")
"""An import inside a string: a program that is handed to another interpreter."""

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


@dataclass(frozen=True)
class ModuleSource:
    """One module.

    Attributes:
        module: its dotted name.
        path: relative to the folder that holds its top-level package.
        place: on this machine.
    """

    module: str
    path: str
    place: Path

    @cached_property
    def data(self) -> bytes:
        """The file."""
        return self.place.read_bytes()

    @cached_property
    def tree(self) -> ast.Module:
        """The file, parsed.

        Raises:
            ExportError: it is not Python.
        """
        try:
            return ast.parse(self.data)
        except SyntaxError as error:
            raise ExportError(f"{self.path}:{error.lineno} is not Python: {error.msg}") from error

    @cached_property
    def running(self) -> tuple[ast.AST, ...]:
        """Every node but those that only a type checker reads."""
        found: list[ast.AST] = []
        waiting: list[ast.AST] = [self.tree]
        while waiting:
            node = waiting.pop()
            found.append(node)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                waiting.extend(node.orelse)
            else:
                waiting.extend(ast.iter_child_nodes(node))
        return tuple(found)


class Sources:
    """The modules below some top-level packages."""

    def __init__(self, tops: frozenset[str]) -> None:
        """Look in the packages of these names.

        Raises:
            ExportError: one is not installed.
        """
        self.tops = tops
        self._found: dict[str, ModuleSource | None] = {}
        self._folders = {top: _folder(top) for top in tops}

    def find(self, module: str) -> ModuleSource | None:
        """A module's source; None where there is no such module."""
        if module not in self._found:
            self._found[module] = self._look(module)
        return self._found[module]

    def _look(self, module: str) -> ModuleSource | None:
        top, _, rest = module.partition(".")
        if top not in self.tops:
            return None
        stem = Path(*rest.split(".")) if rest else Path()
        for path in (stem / "__init__.py", stem.with_suffix(".py") if rest else stem / "__init__.py"):
            place = self._folders[top] / path
            if place.is_file():
                return ModuleSource(module, (Path(top) / path).as_posix(), place)
        return None

    def named_in(self, source: ModuleSource) -> Iterator[str]:
        """Every module of ours that a module imports, or names in a string, as soon or as late as may be.

        A facade that loads what it is asked for tells type checkers what that is: those imports count too.
        """
        is_facade = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in source.tree.body)
        for node in ast.walk(source.tree) if is_facade else source.running:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in self.tops)
            elif isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in self.tops:
                yield node.module
                yield from (f"{node.module}.{a.name}" for a in node.names if self.find(f"{node.module}.{a.name}"))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from self._in_text(node.value)

    def _in_text(self, text: str) -> Iterator[str]:
        if _DOTTED.fullmatch(text) and self.find(text):
            yield text
        yield from (found[3] for found in import_in_text.finditer(text) if self.find(found[3]))


def folders_read(source: ModuleSource) -> Iterator[str]:
    """The packages whose files a module reads: `files("tzdata")`."""
    for node in source.running:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "files" and node.args:
            given = node.args[0]
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                yield given.value


def _folder(top: str) -> Path:
    spec = find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        raise ExportError(f"expected {top} to be an installed package, found none")
    return Path(next(iter(spec.submodule_search_locations)))
