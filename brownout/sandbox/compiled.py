"""Compiled files for code that was there before an agent came: each of a grade's many processes imports it.

Only what an author wrote is compiled here, each text by itself. What an agent changed is compiled by nobody but the process that runs it.
"""

import marshal
import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import PurePosixPath
from typing import Final

from brownout.core.syntax import parsed

__all__ = ["compiled_files"]

_FOLDER: Final = "__pycache__"
_CHECKED: Final = (3).to_bytes(4, "little")
"""The flags of a compiled file that Python takes only for the source whose hash it has (PEP 552)."""


def compiled_files(tree: Mapping[str, bytes], known: Mapping[str, bytes]) -> dict[str, bytes]:
    """The compiled files of those files of a tree that are known byte for byte, under whatever name: path -> content.

    None where the tree has something called `__pycache__` itself, so that nothing in it is replaced or in the way.

    Args:
        known: a checkout that its author wrote, such as the one from before the agent: relative path -> content.
    """
    if any(_FOLDER in path for path in tree):
        return {}
    contents = set(known.values())
    found = {}
    for path, content in tree.items():
        if path.endswith(".py") and content in contents and (data := _compiled(content)):
            place = PurePosixPath(path)
            found[str(place.parent / _FOLDER / f"{place.stem}.{sys.implementation.cache_tag}.pyc")] = data
    return found


@lru_cache(maxsize=4096)
def _compiled(source: bytes) -> bytes:
    """The compiled form, in which Python fills in the path it is imported from; empty for what is no Python."""
    try:
        code = compile(parsed(source), "<compiled>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return b""
    return MAGIC_NUMBER + _CHECKED + source_hash(source) + marshal.dumps(code)
