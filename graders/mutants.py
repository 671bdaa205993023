"""Versions of changed code with one fault each, to find out whether a test notices; and one with none, to find out what it reads.

Everything follows from the two trees: the same ones give the same versions, in the same order.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, TypeAlias

from brownout.core.python_syntax import parsed

__all__ = ["mutants", "respelled"]

Tree: TypeAlias = Mapping[str, bytes]

_MOST_REVERTED: Final = 4
_MOST_MUTATED: Final = 12
_OPPOSITE: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
_FUNCTIONS: Final[dict[type[ast.AST], str]] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.GtE: "ge", ast.Gt: "gt", ast.LtE: "le", ast.Is: "is_", ast.IsNot: "is_not",
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
}  # fmt: skip
"""By operator the function that does the same."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A file that was changed, and the lines of it that are new or lie where something was taken away, from 1."""

    path: str
    old: list[str]
    new: list[str]
    lines: frozenset[int]


def mutants(base: Tree, tree: Tree, counts: Callable[[str], bool]) -> Iterator[Tree]:
    """The tree with one fault each: small ones in the functions that were changed, and single changes taken back.

    Args:
        base: the tree as it was.
        counts: whether a path is product code.
    """
    changes = [_change(path, base.get(path, b""), tree[path]) for path in _changed(base, tree, counts)]
    faults = [(change, fault, at) for change in changes for at, fault in _faults(change)]
    faults.sort(key=lambda found: found[2] not in found[0].lines)  # those on changed lines first, else in order
    for change, fault, _ in faults[:_MOST_MUTATED]:
        yield {**tree, change.path: fault.encode()}
    reverted = [(change, text) for change in changes for text in _reverted(change)]
    for change, text in reverted[:_MOST_REVERTED]:
        yield {**tree, change.path: text.encode()}


def respelled(base: Tree, tree: Tree, counts: Callable[[str], bool]) -> Tree:
    """The tree with its changed files written otherwise: no comments, other lines, functions in the place of operators, an unused name
    in each function. It does the same; who reads its text or its compiled code finds another one.
    """
    found = dict(tree)
    for path in _changed(base, tree, counts):
        module = _parsed(tree[path])
        if module is not None:
            for node in ast.walk(module):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    after = 1 if ast.get_docstring(node, clean=False) is not None else 0
                    node.body = [
                        *node.body[:after],
                        parsed("_unused = None").body[0],
                        *map(_WithoutOperators().visit, node.body[after:]),
                    ]
            found[path] = (ast.unparse(ast.fix_missing_locations(module)) + "\n").encode()
    return found


class _WithoutOperators(ast.NodeTransformer):
    """`a < b` as `__import__('operator').lt(a, b)`: the same for all values, in the same order, in other code."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self._called(node, node.op, node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        return self._called(node, node.ops[0] if len(node.ops) == 1 else None, node.left, node.comparators[0])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.value = self.visit(node.value) if node.value is not None else None
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        return node  # `case 1 + 2j` can be nothing else

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node  # it is taken up by itself

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def _called(self, node: ast.expr, operator: ast.AST | None, *operands: ast.expr) -> ast.expr:
        name = _FUNCTIONS.get(type(operator)) if operator is not None else None
        if name is None:
            self.generic_visit(node)
            return node
        function = parsed(f"__import__('operator').{name}").body[0]
        assert isinstance(function, ast.Expr)
        return ast.Call(function.value, [self.visit(one) for one in operands], [])


def _changed(base: Tree, tree: Tree, counts: Callable[[str], bool]) -> list[str]:
    return [path for path in sorted(tree) if path.endswith(".py") and counts(path) and base.get(path) != tree[path]]


def _change(path: str, old: bytes, new: bytes) -> _Change:
    before, after = (text.decode("utf-8", "replace").splitlines(keepends=True) for text in (old, new))
    lines = {
        line
        for tag, _, _, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if tag != "equal"
        for line in range(first + 1, max(last, first + 1) + 1)
    }
    return _Change(path, before, after, frozenset(lines))


def _reverted(change: _Change) -> Iterator[str]:
    """The file with one of several changes taken back."""
    opcodes = SequenceMatcher(None, change.old, change.new, autojunk=False).get_opcodes()
    for tag, start, end, first, last in opcodes:
        text = "".join([*change.new[:first], *change.old[start:end], *change.new[last:]])
        if tag != "equal" and text != "".join(change.old) and _parsed(text.encode()) is not None:
            yield text


def _faults(change: _Change) -> Iterator[tuple[int, str]]:
    """Line and text of the file with one small fault, in the order of its code."""
    module = _parsed("".join(change.new).encode())
    if module is None:
        return
    places = {id(place) for function in _functions(module, change.lines) for place in ast.walk(function)}
    for number, node in enumerate(ast.walk(module)):
        if id(node) in places:
            for kind in _kinds(node):
                copy = deepcopy(module)
                found = next(one for at, one in enumerate(ast.walk(copy)) if at == number)
                _break(found, kind)
                yield getattr(node, "lineno", 0), ast.unparse(ast.fix_missing_locations(copy))


def _functions(module: ast.Module, lines: frozenset[int]) -> Sequence[ast.AST]:
    """The innermost functions that hold a changed line."""
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    found: list[ast.AST] = []
    for line in sorted(lines):
        holding = [one for one in functions if one.lineno <= line <= (one.end_lineno or one.lineno)]
        if holding and holding[-1] not in found:
            found.append(holding[-1])
    return found


def _kinds(node: ast.AST) -> Sequence[str]:
    """The faults that a node can be given."""
    match node:
        case ast.If() | ast.While() | ast.IfExp():
            return ("test",)
        case ast.Compare(ops=[one]) if type(one) in _OPPOSITE:
            return ("swap",)
        case ast.BinOp(op=one) | ast.BoolOp(op=one) if type(one) in _OPPOSITE:
            return ("swap",)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            return ("nothing",)
        case ast.Expr(value=ast.Call() | ast.Await()):
            return ("drop",)
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return ("next",)
    return ()


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _break(node: ast.AST, kind: str) -> None:
    match node, kind:
        case ((ast.If() | ast.While() | ast.IfExp()), "test"):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Compare(), "swap":
            node.ops = [_OPPOSITE[type(node.ops[0])]()]  # type: ignore[list-item]
        case ((ast.BinOp() | ast.BoolOp()), "swap"):
            node.op = _OPPOSITE[type(node.op)]()  # type: ignore[assignment]
        case ast.Return(), "nothing":
            node.value = None
        case ast.Expr(), "drop":
            node.value = ast.Constant(None)
        case ast.Constant(value=int() as value), "next":
            node.value = value + 1


def _parsed(text: bytes) -> ast.Module | None:
    try:
        return parsed(text)
    except (SyntaxError, ValueError):
        return None
