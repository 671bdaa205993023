"""Paths as git writes them into patches: prefixed, and quoted where they hold unusual characters."""

import re
from typing import Final

from brownout.store.git.errors import PatchError

__all__ = ["names_in_header", "quoted", "unquoted"]

_ESCAPE: Final = re.compile(rb"\\([abfnrtv\"\\]|[0-3][0-7]{2})")
_LETTERS: Final = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_QUOTED: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')


def unquoted(name: bytes) -> str:
    """The path that git wrote, in quotes or plain."""
    if name.startswith(b'"') and name.endswith(b'"'):
        name = _ESCAPE.sub(_meant, name[1:-1])
    return name.decode("utf-8", "surrogateescape")


def quoted(path: str) -> str:
    """The path as git writes it: in quotes where it holds anything but printable ASCII, or a quote or backslash."""
    if path.isascii() and path.isprintable() and '"' not in path and "\\" not in path:
        return path
    return '"' + "".join(map(_escaped, path.encode("utf-8", "surrogateescape"))) + '"'


def names_in_header(rest: bytes, line: int) -> tuple[str, str]:
    """The two paths of a `diff --git` line without their prefixes; both empty where only later lines can tell.

    Raises:
        PatchError: it names nothing.
    """
    quoted = _QUOTED.match(rest)
    if quoted:
        return _stripped(quoted[0]), _stripped(rest[quoted.end() + 1 :])
    if rest.endswith(b'"') and b' "' in rest:
        cut = rest.index(b' "')
        return _stripped(rest[:cut]), _stripped(rest[cut + 1 :])
    middle = len(rest) // 2  # unquoted names may hold spaces, but where they matter they are the same
    if rest[middle : middle + 1] == b" " and _stripped(rest[:middle]) == _stripped(rest[middle + 1 :]):
        return _stripped(rest[:middle]), _stripped(rest[middle + 1 :])
    if b" " not in rest:
        raise PatchError("", 0, f"line {line} of the patch names no files")
    return "", ""


def _stripped(name: bytes) -> str:
    return unquoted(name).partition("/")[2]


def _escaped(byte: int) -> str:
    mark = bytes([byte])
    if mark in b'"\\':
        return "\\" + mark.decode()
    letter = next((letter for letter, meant in _LETTERS.items() if meant == mark), None)
    if letter is not None:
        return "\\" + letter.decode()
    return mark.decode() if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _meant(escape: re.Match[bytes]) -> bytes:
    text = escape[1]
    if text.isdigit():
        return bytes([int(text, 8)])
    return _LETTERS.get(text, text)
