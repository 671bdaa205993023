"""Labels as a request names them, and what putting them on or taking them off comes to."""

from dataclasses import dataclass

from brownout.core.rows import Row
from tools.gmail import mailbox
from tools.gmail.errors import GmailError, invalid_label

__all__ = ["Relabelling", "relabelling"]

_SETTABLE = frozenset({"INBOX", "SPAM", "IMPORTANT", "STARRED", "UNREAD", "TRASH"})
_MARKS = {"UNREAD": ("is_read", False), "STARRED": ("is_starred", True), "TRASH": ("is_trashed", True)}
"""Labels that stand in columns of their own, and what the column holds while they are on."""


@dataclass(frozen=True, slots=True)
class Relabelling:
    """What becomes of a copy: the marks to set, and the labels that its column is to hold."""

    marks: dict[str, bool]
    kept: list[str]


def relabelling(copy: Row, own: list[Row], add: list[str], remove: list[str]) -> Relabelling:
    """The outcome of adding and removing labels, each by id or name.

    Args:
        copy: what is to be relabelled.
        own: the labels that its owner made.
        add: to put on.
        remove: to take off.

    Raises:
        GmailError: nothing is asked, a label is unknown or not to be set by hand, or both asked of one label.
    """
    if not add and not remove:
        raise GmailError(400, "No label add or removes specified")
    names = {row.text("name").lower(): row.text("label_id") for row in own}
    on, off = [_label_id(name, names) for name in add], [_label_id(name, names) for name in remove]
    if set(on) & set(off):
        raise GmailError(400, "Cannot both add and remove the same label")
    marks = {_MARKS[one][0]: _MARKS[one][1] for one in on if one in _MARKS}
    marks |= {_MARKS[one][0]: not _MARKS[one][1] for one in off if one in _MARKS}
    kept = [one for one in mailbox.kept_labels(copy) if one not in off]
    kept += [one for one in dict.fromkeys(on) if one not in kept and one not in _MARKS]
    return Relabelling(marks, kept)


def _label_id(name: str, own: dict[str, str]) -> str:
    wanted = name.strip()
    if wanted.upper() in _SETTABLE:
        return wanted.upper()
    if wanted in own.values():
        return wanted
    found = own.get(wanted.lower())
    if found is None:
        raise invalid_label(name)
    return found
