"""What people call a commit: branches, tags, ids in full or shortened, and git's suffixes."""

import re
from typing import Final

from brownout.store.git.errors import MissingObject, UnknownRevision
from brownout.store.git.object_sources import Objects
from brownout.store.git.objects import decode_tag, kind_named
from brownout.store.git.refs import HEAD, Refs, unwrapped
from brownout.store.git.trees import entry_at
from brownout.store.git.value_types import Kind

__all__ = ["peel", "resolve"]

_ID: Final = re.compile(r"[0-9a-f]{4,40}")
_STEP: Final = re.compile(r"\^\{(commit|tree|blob|tag|)\}|\^(\d*)|~(\d*)")
_PLACES: Final = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}")
"""In git's order of precedence (gitrevisions(7))."""


def resolve(objects: Objects, refs: Refs, revision: str) -> str:
    """The id that a revision stands for: `main`, `HEAD~2`, `v1.0^{commit}`, `3f2a9c1`, `main:README.md`.

    Raises:
        UnknownRevision: it stands for nothing here, or for more than one object.
        UnknownPath: the path after the colon is not there.
    """
    spelled, colon, path = revision.partition(":")
    if colon:
        return entry_at(objects, peel(objects, resolve(objects, refs, spelled), "tree"), path).sha
    end = next((at for at, mark in enumerate(revision) if mark in "^~"), len(revision))
    sha = _start(objects, refs, HEAD if revision[:end] == "@" else revision[:end])
    at = end
    while at < len(revision):
        step = _STEP.match(revision, at)
        if step is None:
            raise UnknownRevision(f"{revision!r} is no revision that is understood here")
        sha = _stepped(objects, sha, step, revision)
        at = step.end()
    return sha


def peel(objects: Objects, sha: str, kind: Kind) -> str:
    """The id of the commit or tree that an object leads to: tags to what they name, commits to their tree.

    Raises:
        UnknownRevision: it leads to nothing of that kind.
        MissingObject: it is not here.
    """
    found = objects.find(sha)
    while found is not None and found.kind != kind:
        if found.kind == "tag":
            sha = decode_tag(sha, found.data).target
        elif found.kind == "commit" and kind == "tree":
            sha = objects.commit(sha).tree
        else:
            raise UnknownRevision(f"{sha} is a {found.kind}, which leads to no {kind}")
        found = objects.find(sha)
    if found is None:
        raise MissingObject(objects.name, sha)
    return sha


def _start(objects: Objects, refs: Refs, name: str) -> str:
    if len(name) == 40 and _ID.fullmatch(name) and objects.has(name):
        return name
    for place in _PLACES if name else ():
        target = refs.get(place.format(name)) if name == HEAD or place != "{}" or name.startswith("refs/") else None
        if target is not None:
            return target
    found = objects.starting(name) if _ID.fullmatch(name) else []
    if len(found) > 1:  # git prefers commits where only one of the candidates is one
        found = [sha for sha in found if (one := objects.find(sha)) is not None and one.kind == "commit"] or found
    if len(found) != 1:
        reason = "no branch, tag or commit" if not found else f"{len(found)} objects whose ids begin with"
        raise UnknownRevision(f"{objects.name} has {reason} {name!r}")
    return found[0]


def _stepped(objects: Objects, sha: str, step: re.Match[str], revision: str) -> str:
    kind, parent, generations = step.groups()
    if kind:
        return peel(objects, sha, kind_named(kind))
    sha = peel(objects, sha, "commit") if kind is None else unwrapped(objects, sha)
    if parent is not None:
        return _parent(objects, sha, int(parent or 1), revision)
    for _ in range(int(generations or 1) if generations is not None else 0):
        sha = _parent(objects, sha, 1, revision)
    return sha


def _parent(objects: Objects, sha: str, number: int, revision: str) -> str:
    parents = objects.commit(sha).parents
    if number > len(parents):
        raise UnknownRevision(f"{revision!r}: commit {sha} has {len(parents)} parents")
    return parents[number - 1] if number else sha
