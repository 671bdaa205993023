"""The program that runs the code under test, under names that are drawn anew for every grade.

The code shares its process with this program, so it could ask whether it is being judged and behave only then. What it
would ask for is drawn: where the program lies, what its functions, classes, attributes and local names are called.
"""

import ast
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from brownout.core.python_syntax import parsed
from brownout.core.seeds import Stream

__all__ = ["SUBJECT", "SUITE", "Disguise", "disguised", "drawn_name"]

SUBJECT: Final = ("plain_values.py", "subject.py")
"""Answers what it is asked of the code under test."""
SUITE: Final = ("suite.py",)
"""Runs a repository's own tests."""
_BEGINNINGS: Final = "bcdfghjklmnprstvw"
_VOWELS: Final = "aeiou"
_ENTRY: Final = "main"


def drawn_name(stream: Stream) -> str:
    """A word of three syllables, such as `ravolu`: fit for a module, a folder, a login or a host."""
    return "".join(stream.choice(_BEGINNINGS) + stream.choice(_VOWELS) for _ in range(3))


@cache
def _program(parts: tuple[str, ...]) -> str:
    """The parts of a program as one file, without what only people and type checkers read."""
    body: list[ast.stmt] = []
    for name in parts:
        source = files("brownout.sandbox").joinpath("inside", name).read_text("utf-8")
        body += [one for one in parsed(source).body if not _is_for_people(one)]
    program = _Bare().visit(ast.Module(body, []))
    return ast.unparse(ast.fix_missing_locations(program))


def _is_for_people(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=ast.Name("TYPE_CHECKING" | "__name__")) | ast.If(test=ast.Compare(left=ast.Name("__name__"))):
            return True
        case ast.ImportFrom(module="typing" | "__future__") | ast.Expr(value=ast.Constant()):
            return True
        case ast.AnnAssign(target=ast.Name("Wire" | "Tell")) | ast.Assign(targets=[ast.Name("__all__")]):
            return True
    return False


class _Bare(ast.NodeTransformer):
    """Takes annotations and docstrings away."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in [*node.args.args, *node.args.kwonlyargs]:
            argument.annotation = None
        return self._without_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._without_docstring(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return ast.Assign([node.target], node.value) if node.value else None

    def _without_docstring(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)


class _ProgramNames(ast.NodeVisitor):
    """Gathers what a program names itself."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.attributes: dict[str, None] = {}
        self._of_class = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if not node.name.startswith(("__", "pytest_")) and node.name != "runtest":
            (self.attributes if self._of_class else self.names)[node.name] = None
        for argument in [*node.args.args, *node.args.kwonlyargs]:
            if not node.name.startswith("pytest_") or argument.arg == "self":
                self.names[argument.arg] = None
        self._inside(node, of_class=False)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names[node.name] = None
        self._inside(node, of_class=True)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.names[node.id] = None

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.names[node.name] = None
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self":
            self.attributes[node.attr] = None
        self.generic_visit(node)

    def _inside(self, node: ast.FunctionDef | ast.ClassDef, *, of_class: bool) -> None:
        before, self._of_class = self._of_class, of_class
        self.generic_visit(node)
        self._of_class = before


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str], attributes: dict[str, str]) -> None:
        self._names = names
        self._attributes = attributes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._names.get(node.name, self._attributes.get(node.name, node.name))
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._names[node.name]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._names.get(node.arg, node.arg)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        node.names = [self._names[name] for name in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self._names[node.name] if node.name else None
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self._attributes.get(node.attr, node.attr)
        return self.generic_visit(node)


@dataclass(frozen=True, slots=True)
class Disguise:
    """A program's source under drawn names.

    Attributes:
        entry: what its `main` is called.
    """

    text: str
    entry: str

    def called(self, *arguments: object) -> str:
        """The source, with a call of its `main` at the end."""
        return f"{self.text}\n{self.entry}({', '.join(map(repr, arguments))})\n"


def disguised(parts: tuple[str, ...], stream: Stream) -> Disguise:
    """A program with every name of its own drawn from the stream. Names that pytest finds its hooks and items by stay."""
    program = parsed(_program(parts))
    found = _ProgramNames()
    found.visit(program)
    nodes = list(ast.walk(program))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    drawn: dict[str, str] = {}
    for name in (*found.names, *found.attributes):
        new = drawn_name(stream)
        while new in used:
            new = drawn_name(stream)
        used.add(new)
        drawn[name] = new
    names = {name: drawn[name] for name in found.names}
    attributes = {name: drawn[name] for name in found.attributes}
    return Disguise(ast.unparse(_Renamed(names, attributes).visit(program)), names[_ENTRY])
