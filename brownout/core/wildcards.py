"""Patterns of authors: `*` is any run of characters, and every other character is itself."""

import re
from functools import lru_cache

__all__ = ["fits", "glob_of"]


def fits(name: str, pattern: str) -> bool:
    """Whether a name is what the pattern says: `Why is a seat grey?` fits itself alone, `Postmortem*` what begins so."""
    return name == pattern or ("*" in pattern and _compiled(pattern).fullmatch(name) is not None)


def glob_of(pattern: str) -> str:
    """The pattern for SQLite's GLOB, to which `?` and `[` mean something else."""
    return re.sub(r"[?\[]", lambda found: f"[{found[0]}]", pattern)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, re.split(r"\*+", pattern))), re.DOTALL)
