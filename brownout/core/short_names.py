"""Names as accounts, addresses and folders have them: lower-case letters, digits and hyphens."""

from typing import Final
from unicodedata import normalize

__all__ = ["slug", "spelt"]

_SPELT: Final = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae"}
)


def slug(text: str) -> str:
    """A text as a short name: lower-case letters, digits and hyphens (`Zażółć Sp.` is `zazolc-sp`); `x` where none of it can be one."""
    return spelt(text) or "x"


def spelt(text: str) -> str:
    """What of a text can be spelt in a short name; empty where nothing can (`日本`)."""
    plain = normalize("NFKD", text.translate(_SPELT)).encode("ascii", "ignore").decode().lower()
    words = "".join(letter if letter.isalnum() else " " if letter not in "'’." else "" for letter in plain).split()
    return "-".join(words).lstrip("0123456789-")
