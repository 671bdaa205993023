"""Paths as agents write them, as rows spell them, and as the sandbox has them.

In the sandbox a path is bytes, for a program may name a file as it likes; in rows it is text that can be turned
back into those bytes.
"""

import re
import stat
from typing import Final

from brownout.sandbox import Workspace
from tools.terminal.errors import TerminalError, no_such_file

__all__ = ["MIRRORS", "absolute", "home_path", "is_below", "login_of", "place_of", "resolved", "spelled", "unspelled"]

MIRRORS: Final = b"tmp/.github.com"
"""Where the repositories of GitHub are mirrored inside; made anew from the session, so no part of anybody's files."""

_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-f]{2})|\\)")
_UNFIT: Final = re.compile(r"[^a-z0-9_-]")
_LONGEST_LOGIN: Final = 31
_MOST_LINKS: Final = 40  # as Linux has it


def login_of(person: str) -> str:
    """The login name of a person: their short name, as far as a login may be called so."""
    name = _UNFIT.sub("-", person.lower())[:_LONGEST_LOGIN]
    return name if name[:1].isalpha() and name != "root" else f"u{name}"[:_LONGEST_LOGIN]


def home_path(login: str) -> str:
    """The home directory."""
    return f"/home/{login}"


def spelled(path: bytes) -> str:
    r"""A path as rows have it: text, where a byte that is no UTF-8 is `\xff` and a backslash is two."""
    text = path.decode("utf-8", "surrogateescape").replace("\\", "\\\\")
    return "".join(f"\\x{ord(sign) - 0xDC00:02x}" if "\udc80" <= sign <= "\udcff" else sign for sign in text)


def unspelled(text: str) -> bytes:
    """The path that is spelled so.

    Raises:
        UnicodeEncodeError: no path is.
    """

    def meant(found: re.Match[str]) -> str:
        return chr(0xDC00 + int(found[1], 16)) if found[1] else "\\"

    return _ESCAPE.sub(meant, text).encode("utf-8", "surrogateescape")


def place_of(path: str, owner: str) -> str:
    """How a path in rows is called in the names of things: from the home directory, `/tmp/…` elsewhere."""
    home = f"{home_path(login_of(owner))[1:]}/"
    return path.removeprefix(home) if path.startswith(home) else f"/{path}"


def absolute(path: str, home: str) -> str:
    """A path that an agent gave, from the root: relative ones start at the home directory.

    Raises:
        TerminalError: it holds a NUL byte.
    """
    if "\0" in path:
        raise TerminalError("EINVAL", "a path cannot hold a NUL byte")
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    return path if path.startswith("/") else f"{home}/{path}"


def resolved(workspace: Workspace, path: str, home: str) -> bytes:
    """The path in the workspace that an absolute path leads to, links followed; nothing need be there.

    Raises:
        TerminalError: it leads out of the workspace, through a file, or in a circle.
    """
    waiting = [*reversed(_encoded(path).split(b"/"))]
    done: list[bytes] = []
    followed = 0
    while waiting:
        part = waiting.pop()
        if part == b"..":
            done = done[:-1]
        if part in (b"", b".", b".."):
            continue
        found = workspace.entries.get(b"/".join([*done, part]))
        if found is not None and stat.S_ISLNK(found.mode):
            followed += 1
            if followed > _MOST_LINKS:
                raise TerminalError("ELOOP", f"{path}: Too many levels of symbolic links")
            target = workspace.blobs[found.sha]
            done = [] if target.startswith(b"/") else done
            waiting += reversed(target.split(b"/"))
            continue
        if found is not None and any(waiting) and not stat.S_ISDIR(found.mode):
            raise TerminalError("ENOTDIR", f"{path}: Not a directory")
        done.append(part)
    reached = b"/".join(done)
    if not any(is_below(reached, top) for top in (home[1:].encode(), b"tmp")) or is_below(reached, MIRRORS):
        message = f"{path}: Permission denied (only the home directory and /tmp; terminal_run reads elsewhere)"
        raise TerminalError("EACCES", message, status=403)
    return reached


def is_below(path: bytes, top: bytes) -> bool:
    """The path is the directory or lies in it."""
    return path == top or path.startswith(top + b"/")


def _encoded(path: str) -> bytes:
    try:
        return unspelled(path)
    except UnicodeEncodeError:
        raise no_such_file(path.encode("utf-8", "replace").decode()) from None
