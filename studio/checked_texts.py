"""A world's text, read and checked once for all who ask: as it is on disk, or with what is typed and not saved yet.

What is kept goes by what the files say and not by when they were written, so that what was checked before it was saved is not
read again after it. Whoever asks for what somebody else's question is being answered with waits for that answer.
"""

import os
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from brownout.core.errors import Mistake
from generators.world_check import draft_mistakes
from worlds.spec import WorldDraft, read_draft

__all__ = ["CheckedText", "Fingerprint", "checked_text", "fingerprint_of", "forget_texts"]

Fingerprint: TypeAlias = tuple[tuple[str, int, int], ...]
"""Path, time of the last change in nanoseconds, and size of each file."""
_KEPT = 64
"""Texts."""
_FILES = 20_000
"""Files whose content is known by its hash."""
_Key: TypeAlias = tuple[Path, tuple[tuple[str, bytes], ...]]


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A world as far as it can be read, and everything that is wrong with it."""

    draft: WorldDraft
    mistakes: tuple[Mistake, ...]


_kept: OrderedDict[_Key, CheckedText] = OrderedDict()
_going: dict[_Key, Future[CheckedText]] = {}
_lock = Lock()


def checked_text(folder: Path, texts: Mapping[str, str] | None = None) -> CheckedText:
    """What a world's text comes to.

    Args:
        texts: by path below the folder, what files that are there are to say instead.
    """
    typed = {os.path.join(folder, file): _hash(text.encode()) for file, text in (texts or {}).items()}  # noqa: PTH118
    stamp = fingerprint_of(folder)
    key = folder, tuple((path, typed.get(path) or _hash_of(path, time, size)) for path, time, size in stamp)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
        going = _going.get(key)
        if going is None:
            mine = _going[key] = Future()
    if going is not None:
        return going.result()
    try:
        found = _read(folder, texts or {})
    except BaseException as error:
        mine.set_exception(error)
        raise
    else:
        mine.set_result(found)
        if fingerprint_of(folder) == stamp:  # else it may be of files that were changed while they were read
            _keep(key, found)
        return found
    finally:
        with _lock:
            del _going[key]


def forget_texts(folder: Path) -> None:
    """Keep nothing of a folder that is gone."""
    with _lock:
        for key in [key for key in _kept if key[0] == folder]:
            del _kept[key]


def fingerprint_of(folder: Path) -> Fingerprint:
    """Names, times and sizes of a folder's files: when it is another, something was changed."""
    stats = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        for name in names:
            path = os.path.join(place, name)  # noqa: PTH118 (a thousand files are asked for at every click)
            with suppress(FileNotFoundError):
                stat = os.stat(path)  # noqa: PTH116
                stats.append((path, stat.st_mtime_ns, stat.st_size))
    return tuple(sorted(stats))


def _read(folder: Path, texts: Mapping[str, str]) -> CheckedText:
    draft = read_draft(folder, texts={file: text.encode() for file, text in texts.items()})
    return CheckedText(draft, tuple(draft_mistakes(draft)))


def _keep(key: _Key, found: CheckedText) -> None:
    with _lock:
        _kept[key] = found
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)


@lru_cache(_FILES)
def _hash_of(path: str, time: int, size: int) -> bytes:
    """The hash of a file's content, empty where it is gone."""
    try:
        return _hash(Path(path).read_bytes())
    except OSError:
        return b""


def _hash(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
