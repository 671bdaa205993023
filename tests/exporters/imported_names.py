"""What a Python file uses of our own rooms, and whether it is there: read, not imported, for the frameworks are not installed."""

import ast
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["is_there", "names_used", "programs_in"]

_ROOMS = ("brownout", "worlds", "graders", "tools")
_ROOT = Path(__file__).parents[2]


def programs_in(path: Path) -> Iterator[str]:
    """A Python file's own text, and the programs that stand in it as strings."""
    text = path.read_text("utf-8")
    yield text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "import " in node.value:
            with suppress(SyntaxError):
                ast.parse(node.value)
                yield node.value


def names_used(program: str) -> set[str]:
    """The dotted names of modules of ours, and of what is in them, that a program imports or asks an imported module for."""
    tree = ast.parse(program)
    bound: dict[str, str] = {}
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
            bound |= {each.asname or each.name: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f"{node.module}.{each.name}" for each in node.names}
            bound |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            home = bound.get(ast.unparse(node.value), "")
            if _file_of(home) is not None:
                found.add(f"{home}.{node.attr}")
    return {each for each in found if each.partition(".")[0] in _ROOMS}


def is_there(name: str) -> bool:
    """Whether a module of that name exists, or one that has its last part at the top level, or by itself (`__path__`)."""
    home, _, last = name.rpartition(".")
    file = _file_of(home)
    return _file_of(name) is not None or (file is not None and (last.startswith("__") or last in _top_level(file)))


def _file_of(module: str) -> Path | None:
    place = _ROOT.joinpath(*module.split("."))
    candidates = (place / "__init__.py", place.with_suffix(".py"))
    return next((path for path in candidates if module.partition(".")[0] in _ROOMS and path.is_file()), None)


@cache
def _top_level(file: Path) -> frozenset[str]:
    return frozenset(_defined(ast.parse(file.read_text("utf-8")).body))


def _defined(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (each.asname or each.name.partition(".")[0] for each in names)
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
            case ast.If():
                yield from _defined([*node.body, *node.orelse])
