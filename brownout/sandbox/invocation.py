"""The ways into the code under test: every hidden test goes by each of them, under names drawn from the grade's seed.

Code that behaves well only where it is judged has to know that it is. So the ways differ in what such code could look at:
how the process was started, what its main module is, where the checkout lies, on whose machine, and by which module's
name it is entered.
"""

import marshal
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import MAGIC_NUMBER
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

from brownout.core.seeds import Stream
from brownout.sandbox.disguised_worker import SUBJECT, Disguise, disguised, drawn_name
from brownout.sandbox.interpreter_copy import PYTHON

__all__ = ["PLAIN", "InvocationStyle", "entrances"]

Style: TypeAlias = Literal["script", "command", "program"]
"""A file of ours; a text given to `-c`; a run of one of the repository's own programs, as far as a process can tell."""

_STYLES: Final[tuple[Style, ...]] = ("script", "command", "program")
_SHELVES: Final = ("/srv", "/opt", "/app", "/data")
_IS_PROGRAM: Final = re.compile(rb"^if __name__ == ['\"]__main__['\"]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class InvocationStyle:
    """One way in.

    Attributes:
        place: where the checkout is mounted.
        program: the file the process seems to run, below `place`; empty unless the style is `program`.
        modules: a harness's module -> the name it is entered by.
        key: what the names of the worker are drawn from.
        later: seconds by which its clock is ahead.
    """

    style: Style = "script"
    user: str = "dev"
    hostname: str = "build"
    place: str = "/repo"
    program: str = ""
    modules: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    later: float = 0.0

    @property
    def entropy(self) -> str:
        """What the entropy of the code is drawn from, 64 hexadecimal digits."""
        return Stream("entropy", self.key).hex(64)

    def worker(self, channel: int, longest_reply: int) -> tuple[list[str], Mapping[str, bytes]]:
        """The command that serves requests on the descriptor, and the files it needs: path -> content."""
        stream = Stream("worker place", self.key)
        path = f"/{drawn_name(stream)}/{drawn_name(stream)}.py"
        program = f"{self.place}/{self.program}"
        if self.style == "program":
            path = "/" + "".join(drawn_name(stream) for _ in program)[: len(program) - 1]
        argv = {"script": [path], "command": ["-c"], "program": [program]}[self.style]
        is_program = self.style == "program"
        pipes = [20 + stream.below(40), 60 + stream.below(40)] if self.style == "command" else []
        arguments = (channel, pipes, self.place, argv, is_program, dict(self.modules), longest_reply)
        text = _disguise(self.key).called(*arguments)
        if self.style == "command":
            return [PYTHON, "-c", text], {}
        return [PYTHON, path], {path: _compiled(text, program) if is_program else text.encode()}


PLAIN: Final = InvocationStyle()


def entrances(
    tree: Mapping[str, bytes], harness: Sequence[str], seed: int, secret: str = ""
) -> tuple[tuple[InvocationStyle, ...], Mapping[str, bytes]]:
    """One entrance of each style, and the checkout with the files that they need.

    A harness is what tests enter through. By all but the first way it is a copy under another name, so that code cannot
    wait for the harness's name.

    Args:
        tree: relative path -> content.
        harness: paths in it.
        seed: of the grade.
        secret: what the code's author cannot know, such as a digest of the hidden tests: a seed can be guessed.
    """
    files = dict(tree)
    found = []
    for style in _STYLES:
        stream = Stream("entrance", seed, secret, style)
        modules: dict[str, str] = {}
        for path in harness if style != "script" else ():
            if path in tree and path.endswith(".py") and not path.endswith("__init__.py"):
                copy = str(PurePosixPath(path).with_stem(drawn_name(stream)))
                files[copy] = tree[path]
                modules[_module(path)] = _module(copy)
        user, host = drawn_name(stream), drawn_name(stream)
        place = f"{stream.choice(_SHELVES)}/{drawn_name(stream)}"
        program = _program(tree, stream) if style == "program" else ""
        later = stream.below(10_000_000) / 1_000_000 if style != "script" else 0.0
        found.append(InvocationStyle(style, user, host, place, program, modules, stream.hex(16), later))
    return tuple(found), files


@lru_cache(maxsize=len(_STYLES))
def _disguise(key: str) -> Disguise:
    """The worker that all tests of a grade meet by one way in."""
    return disguised(SUBJECT, Stream("worker", key))


def _compiled(text: str, name: str) -> bytes:
    """A file that Python runs as if it were `name`: its frames say so. The sandbox's Python is a copy of this one."""
    return MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(text, name, "exec"))


def _module(path: str) -> str:
    """`src/shop/cli.py` is the module `shop.cli`."""
    return path.removeprefix("src/").removesuffix(".py").replace("/", ".")


def _program(tree: Mapping[str, bytes], stream: Stream) -> str:
    """A program of the repository's; where it has none, a file that is not there."""
    own = [path for path in sorted(tree) if path.endswith("/__main__.py") or _is_program(path, tree[path])]
    return stream.choice(own) if own else f"{drawn_name(stream)}.py"


def _is_program(path: str, content: bytes) -> bool:
    return path.endswith(".py") and "test" not in path and _IS_PROGRAM.search(content) is not None
