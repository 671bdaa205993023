"""Finds the sources of modules and what each of them names: our own modules, and strangers'."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from brownout.core.errors import ExportError
from brownout.core.syntax import parsed

__all__ = ["ModuleSource", "Sources", "import_in_text"]

import_in_text = re.compile(r"\b(from|import)(\s+)([A-Za-z_]\w*(?:\.\w+)+)")
"""An import inside a string: a program that is handed to another interpreter."""

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_KEPT: Final = 1_000
_LEAVES: Final = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop)
"""Parts of a tree that hold nothing, and are every second one of it."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The parts of a module that say something of other modules, in the order of the walk.

    Attributes:
        imports: every import.
        running: what of the imports and of the plain strings is not for type checkers alone.
        texts: every plain string, those inside formatted ones included.
        strings: every string as a whole: a formatted one, and not its parts.
        folders: the packages whose files it reads, `files("tzdata")`.
        climbs: expressions such as `Path(__file__).parent`.
        is_facade: it loads what it is asked for.
    """

    imports: tuple[ast.Import | ast.ImportFrom, ...]
    running: frozenset[ast.AST]
    texts: tuple[ast.Constant, ...]
    strings: tuple[ast.expr, ...]
    folders: tuple[str, ...]
    climbs: tuple[ast.Attribute, ...]
    is_facade: bool


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
    def mentions(self) -> Mentions:
        """What it says of other modules.

        Raises:
            ExportError: it is not Python.
        """
        try:
            return _mentions(self.data)
        except SyntaxError as error:
            raise ExportError(f"{self.path}:{error.lineno} is not Python: {error.msg}") from error


@lru_cache(_KEPT)
def _mentions(data: bytes) -> Mentions:
    """One walk over the tree, of which little is kept: a runtime has hundreds of modules, most of them in every export."""
    tree = parsed(data)
    imports: list[ast.Import | ast.ImportFrom] = []
    running: list[ast.AST] = []
    texts: list[ast.Constant] = []
    strings: list[ast.expr] = []
    folders: list[str] = []
    climbs: list[ast.Attribute] = []
    waiting: list[tuple[ast.AST, bool, bool]] = [(tree, True, False)]
    while waiting:
        node, runs, is_part = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(node)
        elif isinstance(node, ast.Constant):
            if not isinstance(node.value, str):
                continue
            texts.append(node)
            if not is_part:
                strings.append(node)
        elif isinstance(node, ast.JoinedStr):
            if not is_part:
                strings.append(node)
            is_part = True
        elif isinstance(node, ast.Attribute) and node.attr == "parent":
            climbs.append(node)
        elif isinstance(node, ast.Call) and runs:
            folders += _folder_read(node)
        if runs and isinstance(node, ast.Import | ast.ImportFrom | ast.Constant):
            running.append(node)
        only_else = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for name in node._fields:
            value = getattr(node, name, None)
            still = runs and (not only_else or name == "orelse")
            if isinstance(value, ast.AST):
                if not isinstance(value, _LEAVES):
                    waiting.append((value, still, is_part))
            elif isinstance(value, list):
                waiting += [(each, still, is_part) for each in value if isinstance(each, ast.AST)]
    is_facade = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body)
    return Mentions(
        tuple(imports), frozenset(running), tuple(texts), tuple(strings), tuple(folders), tuple(climbs), is_facade
    )


def _folder_read(call: ast.Call) -> list[str]:
    if isinstance(call.func, ast.Name) and call.func.id == "files" and call.args:
        given = call.args[0]
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            return [given.value]
    return []


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
        said = source.mentions
        for node in said.imports:
            if not said.is_facade and node not in said.running:
                continue
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in self.tops)
            elif node.module and node.module.partition(".")[0] in self.tops:
                yield node.module
                yield from (f"{node.module}.{a.name}" for a in node.names if self.find(f"{node.module}.{a.name}"))
        for text in said.texts:
            if said.is_facade or text in said.running:
                yield from self._in_text(str(text.value))

    def _in_text(self, text: str) -> Iterator[str]:
        if _DOTTED.fullmatch(text) and self.find(text):
            yield text
        yield from (found[3] for found in import_in_text.finditer(text) if self.find(found[3]))


def _folder(top: str) -> Path:
    spec = find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        raise ExportError(f"expected {top} to be an installed package, found none")
    return Path(next(iter(spec.submodule_search_locations)))
