"""Gives a source its new names: imports, addresses of plug-ins, programs in strings, folders counted from the top."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from brownout.core.errors import ExportError
from brownout.exporters.runtime.sources import ModuleSource, import_in_text

__all__ = ["Renaming", "rewritten"]

_Edit: TypeAlias = tuple[int, int, bytes]
_FROM = re.compile(rb"from\s+([\w.]+)")


@dataclass(frozen=True)
class Renaming:
    """What is called what.

    Attributes:
        below: where the copied packages stand, e.g. `brownout_tiny._runtime`.
        tops: the top-level packages that move there.
        modules: everything that is there, by old name.
        moved: single packages that move elsewhere, old name -> new.
    """

    below: str
    tops: frozenset[str]
    modules: frozenset[str]
    moved: Mapping[str, str] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """How many folders the copied packages stand below those they stood in."""
        return self.below.count(".") + 1

    def name(self, old: str) -> str:
        """The new name of a module, or of something in one; strangers keep theirs."""
        for package, new in self.moved.items():
            if old == package or old.startswith(f"{package}."):
                return new + old.removeprefix(package)
        return f"{self.below}.{old}" if old.partition(".")[0] in self.tops else old

    def knows(self, module: str) -> bool:
        """Whether the module is there."""
        return module in self.modules or any(module == p or module.startswith(f"{p}.") for p in self.moved)

    @cached_property
    def in_quotes(self) -> re.Pattern[str]:
        """What begins a string and may be a module, the address of a plug-in, or `brownout.{kind}`, a group of them."""
        tops = "|".join(sorted(map(re.escape, self.tops)))
        return re.compile(rf"(?<=[\"'])((?:{tops})(?:\.[A-Za-z_]\w*)+(?=[\"']|:[A-Za-z_{{])|brownout(?=\.\{{))")


def rewritten(source: ModuleSource, renaming: Renaming) -> bytes:
    """The source under its new names; comments and layout stay.

    Raises:
        ExportError: it imports in a way that cannot be renamed, or something that is not there.
    """
    data, said = source.data, source.mentions
    starts = _line_starts(data)
    edits: list[_Edit] = []
    for node in said.imports:
        edits += _import_edits(source, node, renaming, starts, checked=node in said.running)
    edits += _string_edits(source, renaming, starts)
    edits += _folder_edits(source, renaming, starts)
    for begin, end, text in sorted(edits, reverse=True):
        data = data[:begin] + text + data[end:]
    return data


def _line_starts(data: bytes) -> list[int]:
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _span(node: ast.expr | ast.stmt, starts: list[int]) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _import_edits(
    source: ModuleSource, node: ast.Import | ast.ImportFrom, renaming: Renaming, starts: list[int], *, checked: bool
) -> Iterator[_Edit]:
    begin, end = _span(node, starts)
    if isinstance(node, ast.ImportFrom):
        if node.level == 0 and node.module and renaming.name(node.module) != node.module:
            if checked:
                _need(source, node, renaming)
            found = _FROM.match(source.data, begin)
            assert found
            yield found.start(1), found.end(1), renaming.name(node.module).encode()
        return
    for alias in node.names:
        if renaming.name(alias.name) == alias.name:
            continue
        if len(node.names) > 1 or alias.asname is None:
            raise ExportError(f"{source.path}:{node.lineno}: write `from … import …` for {alias.name}: it moves")
        if checked and not renaming.knows(alias.name):
            raise ExportError(f"{source.path}:{node.lineno} imports {alias.name}, which is not exported")
        yield begin, end, f"import {renaming.name(alias.name)} as {alias.asname}".encode()


def _need(source: ModuleSource, node: ast.ImportFrom, renaming: Renaming) -> None:
    assert node.module is not None
    if not renaming.knows(node.module):
        raise ExportError(f"{source.path}:{node.lineno} imports {node.module}, which is not exported")
    if "." not in node.module and any(not renaming.knows(f"{node.module}.{a.name}") for a in node.names):
        raise ExportError(f"{source.path}:{node.lineno} imports from {node.module} itself; name the module")


def _string_edits(source: ModuleSource, renaming: Renaming, starts: list[int]) -> Iterator[_Edit]:
    pattern = renaming.in_quotes

    def address(found: re.Match[str]) -> str:
        is_plain = found.string[found.end()] in "\"'"
        return found[0] if is_plain and not renaming.knows(found[1]) else renaming.name(found[1])

    def program(found: re.Match[str]) -> str:
        return f"{found[1]}{found[2]}{renaming.name(found[3])}" if renaming.knows(found[3]) else found[0]

    whole = source.data.decode()
    if not pattern.search(whole) and not import_in_text.search(whole):
        return
    for node in source.mentions.strings:
        begin, end = _span(node, starts)
        text = source.data[begin:end].decode()
        changed = import_in_text.sub(program, pattern.sub(address, text))
        if changed != text:
            yield begin, end, changed.encode()


def _folder_edits(source: ModuleSource, renaming: Renaming, starts: list[int]) -> Iterator[_Edit]:
    """`Path(__file__).parent.parent` that climbs out of the top-level package has to climb further."""
    if b"__file__" not in source.data:
        return
    out = source.path.count("/") + 1
    chains: dict[ast.expr, tuple[int, ast.expr]] = {}
    for node in source.mentions.climbs:
        count = 0
        root: ast.expr = node
        while isinstance(root, ast.Attribute) and root.attr == "parent":
            count, root = count + 1, root.value
        if count >= out and _is_own_file(root) and count > chains.get(root, (0, node))[0]:
            chains[root] = (count, node)
    for _, last in chains.values():
        end = _span(last, starts)[1]
        yield end, end, b".parent" * renaming.depth


def _is_own_file(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and any(isinstance(a, ast.Name) and a.id == "__file__" for a in node.args)
