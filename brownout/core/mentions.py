"""People who are called by name in a text: `@mara, please look`."""

import re
from typing import Final

__all__ = ["HANDLE", "called"]

HANDLE: Final = re.compile(r"(?<![\w@<./])@(\w+(?:-\w+)*)")
"""An @ with a name behind it that is no part of a mail address; the name is group 1."""


def called(text: str) -> list[str]:
    """The names behind an @ in the order of the text, each once; whether anybody has that name is not looked at."""
    return list(dict.fromkeys(HANDLE.findall(text)))
