"""Streams that take every text: what a terminal cannot show is spelt with what it can, and no command ends for that."""

import codecs
import os
import sys
from io import TextIOWrapper
from typing import Final
from unicodedata import combining, normalize

__all__ = ["give_up_stdout", "make_printable"]

_NAME: Final = "brownout.spelt"
_SPELT: Final = str.maketrans("✓✗–—…·“”‘’→ß", "+x--~-\"\"''>s")
"""One character for one, so that columns stay where they are."""


def make_printable() -> None:
    """Have the standard streams spell what their encoding lacks, and read what theirs cannot."""
    codecs.register_error(_NAME, _spell)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_NAME)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def give_up_stdout() -> None:
    """Write what is left to nowhere where stdout takes no more (a full disk), so that it is not complained of again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _spell(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding lacks, in ASCII, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_ascii, error.object[error.start : error.end])), error.end


def _ascii(character: str) -> str:
    spelt = "".join(one for one in normalize("NFKD", character.translate(_SPELT)) if not combining(one))
    return spelt if spelt and spelt.isascii() else "?"
