"""What something that a run changed is called: the ticket's key and title, the channel and how the message begins."""

import re

from brownout.core.rows import Row
from studio.app_titles import app_title
from studio.company.paths import destination_of

__all__ = ["spoken_words", "thing_name"]

_SHORT = 80
"""Characters of a text that say which it is."""
_WORDS = ("title", "subject", "summary", "text", "body", "message", "description", "note", "name")
"""Columns in which a row says what it is, the best first."""
_WELL_KNOWN = ("chat", "issues")
"""Surfaces whose things say by their names which product they are of: `#incidents`, `PLAT-236`."""
_KIND = re.compile(r"\.([a-z][a-z_-]*)(?:/|$)")
_NUMBER = re.compile(r"/(\d+)$")


def thing_name(path: str, words: str) -> str:
    """A thing by its path and its words, as its product calls it: `PLAT-236: Standby of bookings`, `#incidents: Booking fails on about …`.

    A path that no product gave (`jira_history/660`) is told with its product and what kind of thing it is: `Jira history 660`.

    Args:
        words: what it is called, or how what it says begins.
    """
    app, colon, rest = path.partition(":")
    if not colon:
        table, _, key = path.rpartition("/")
        app, _, kind = table.partition("_")
        return _joined(f"{app_title(app)} {kind.replace('_', ' ')} {key}", words)
    kinds = [kind.replace("_", " ") for kind in _KIND.findall(rest)]
    found = destination_of(path)
    if found is not None:
        part = kinds[-1] if len(kinds) > 1 and kinds[-1] not in found.label else ""
        name = f"{found.label} {part}".strip()
        return _joined(name if found.surface in _WELL_KNOWN else f"{app_title(app)}, {name}", words)
    owner = _NUMBER.sub(r" \1", _KIND.split(rest, maxsplit=1)[0])
    return _joined(" ".join((f"{app_title(app)}, {owner}", *kinds[-1:])), words)


def _joined(name: str, words: str) -> str:
    return f"{name}: {words}" if words and words not in name else name


def spoken_words(row: Row | None) -> str:
    """What a row is called, or how what it says begins; empty where it has no words."""
    if row is None:
        return ""
    said = next((str(row[name]) for name in _WORDS if isinstance(row.get(name), str) and row.get(name)), "")
    line = " ".join(said.split())
    return line if len(line) <= _SHORT else f"{line[:_SHORT].rsplit(' ', 1)[0]} …"
