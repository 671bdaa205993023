"""Compiled files for code that was there before an agent came: each of a grade's many processes imports it.

Only what an author wrote is compiled here, each text by itself. What an agent changed is compiled by nobody but the process that runs it.
What Python warns of is not compiled either: whoever imports it is to be warned.
"""

import ast
import marshal
import sys
import warnings
from collections.abc import Callable, Mapping
from fnmatch import fnmatch
from functools import lru_cache
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import PurePosixPath
from threading import Lock
from typing import Final

from brownout.core.python_syntax import parsed

__all__ = ["compiled_files", "compiled_suite"]

_FOLDER: Final = "__pycache__"
_CHECKED: Final = (3).to_bytes(4, "little")
"""The flags of a compiled file that Python, and pytest, take only for the source whose hash it has (PEP 552)."""
_REWRITTEN: Final = ("conftest.py", "test_*.py", "*_test.py")
"""The files that pytest rewrites unless it is told of others."""
_ONE_AT_A_TIME: Final = Lock()
"""What is done with warnings is set for all threads."""


def compiled_files(tree: Mapping[str, bytes], known: Mapping[str, bytes]) -> dict[str, bytes]:
    """The compiled files of those files of a tree that are known byte for byte, under whatever name: path -> content.

    None where the tree has something called `__pycache__` itself, so that nothing in it is replaced or in the way.

    Args:
        known: a checkout that its author wrote, such as the one from before the agent: relative path -> content.
    """
    return _laid_out(tree, known, lambda path, content: (f".{sys.implementation.cache_tag}.pyc", _compiled(content)))


def compiled_suite(tree: Mapping[str, bytes], known: Mapping[str, bytes], place: str) -> dict[str, bytes]:
    """As `compiled_files`, and files of tests as pytest compiles them: with the assertions that tell their values.

    Args:
        place: where the checkout will lie, an absolute path: pytest takes the paths that it shows from compiled files.
    """
    from _pytest.assertion.rewrite import PYC_TAIL  # a tenth of a second, for whoever runs a suite

    def form(path: str, content: bytes) -> tuple[str, bytes]:
        if any(fnmatch(PurePosixPath(path).name, pattern) for pattern in _REWRITTEN):
            return PYC_TAIL, _rewritten(content, f"{place}/{path}")
        return f".{sys.implementation.cache_tag}.pyc", _compiled(content)

    return _laid_out(tree, known, form)


def _laid_out(
    tree: Mapping[str, bytes], known: Mapping[str, bytes], form: Callable[[str, bytes], tuple[str, bytes]]
) -> dict[str, bytes]:
    """The compiled files where Python looks for them.

    Args:
        form: of a path and its content, the end of the compiled file's name and the compiled file.
    """
    if any(_FOLDER in path for path in tree):
        return {}
    contents = set(known.values())
    found = {}
    for path, content in tree.items():
        if path.endswith(".py") and content in contents:
            end, data = form(path, content)
            if data:
                place = PurePosixPath(path)
                found[str(place.parent / _FOLDER / f"{place.stem}{end}")] = data
    return found


@lru_cache(maxsize=4096)
def _compiled(source: bytes) -> bytes:
    """The compiled form, in which Python fills in the path it is imported from; empty for what is no clean Python."""
    return _quietly_compiled(source, "<compiled>", lambda tree: None)


@lru_cache(maxsize=1024)
def _rewritten(source: bytes, path: str) -> bytes:
    """The compiled form of a file of tests, as pytest makes it of the file at that path."""
    from _pytest.assertion.rewrite import rewrite_asserts

    return _quietly_compiled(source, path, lambda tree: rewrite_asserts(tree, source, path))


def _quietly_compiled(source: bytes, path: str, prepare: Callable[[ast.Module], None]) -> bytes:
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            tree = parsed(source, path)
            prepare(tree)
            code = compile(tree, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, Warning):
            return b""
    return MAGIC_NUMBER + _CHECKED + source_hash(source) + marshal.dumps(code)
