"""What the sandbox has of GitHub: a bare mirror of every repository, and what makes git reach it.

A mirror is a function of the session's refs and objects, made anew whenever one of them has moved or somebody has
written into it. What is pushed to it is read back (`pushes`) and judged outside.
"""

import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from sqlalchemy import bindparam, select

from brownout.core.instants import Duration
from brownout.core.rows import Rows
from brownout.sandbox.interpreter_copy import PYTHON
from brownout.store import compile_query
from brownout.store.git import BaseRepository, Repository, git_object
from brownout.store.git.object_sources import Objects
from brownout.store.git.objects import kind_named
from brownout.store.git.packs import LARGEST_PACK, PackedObject, write_pack
from brownout.store.git.refs import BRANCHES, packed_refs
from tools.terminal.detached_objects import HeldObjects
from tools.terminal.paths import MIRRORS

__all__ = [
    "ASKED",
    "REFUSALS",
    "GitService",
    "Served",
    "Services",
    "Tree",
    "clone_alternates",
    "git_settings",
    "ground",
    "mirror_place",
    "serve",
]

Tree: TypeAlias = dict[bytes, tuple[int, bytes]]
"""Path from the root -> mode with type, and content."""

ASKED: Final = MIRRORS + b"/asked"
"""What stands for ssh notes here: a line for each time that GitHub was asked, `fetch` or `push`."""
_FOLDER: Final = stat.S_IFDIR | 0o755
_SSH: Final = "/opt/remote/ssh.py"
_CONFIG: Final = f"""\
[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[gc]
	auto = 0
[receive]
	procReceiveRefs = refs
	unpackLimit = 1
	maxInputSize = {LARGEST_PACK}
	advertisePushOptions = false
"""
_SYSTEM: Final = f"""\
[user]
	name = {{name}}
	email = {{email}}
[core]
	sshCommand = {PYTHON} -IS {_SSH}
	compression = 0
[ssh]
	variant = simple
[url "git@github.com:"]
	insteadOf = https://github.com/
	insteadOf = ssh://git@github.com/
[init]
	defaultBranch = main
[pack]
	threads = 1
	compression = 0
[gc]
	auto = 0
[maintenance]
	auto = false
"""
_OBJECTS: Final = compile_query(
    select(git_object.c.id, git_object.c.sha, git_object.c.type, git_object.c.size, git_object.c.data)
    .where(git_object.c.repo == bindparam("repo"))
    .order_by(git_object.c.sha)
)


@dataclass(frozen=True, slots=True)
class GitService:
    """How GitHub serves a kind of request.

    Attributes:
        refusal: why it does not, in the words that are printed; empty where it does.
        delay: world time that it takes longer.
    """

    refusal: str = ""
    delay: Duration = 0


@dataclass(frozen=True, slots=True)
class Services:
    """How GitHub serves those who fetch and those who push."""

    fetch: GitService = GitService()
    push: GitService = GitService()

    @property
    def tree(self) -> "Tree":
        """What stands for ssh reads of it: a file for each kind of request that is refused."""
        said = {"fetch": self.fetch.refusal, "push": self.push.refusal}
        return {_refusal(kind): (stat.S_IFREG | 0o644, text.encode()) for kind, text in said.items() if text}


@dataclass(frozen=True, slots=True)
class Served:
    """A repository as the sandbox has it.

    Attributes:
        name: `owner/name`.
        folder: what its clone is called.
        refs: by full name.
        protected: refs that nobody may push to.
        objects: everything that has an id.
        last: key of the session's last object.
        tree: the mirror, with the folders that lead to it; paths from the root.
    """

    name: str
    folder: str
    default_branch: str
    refs: Mapping[str, str]
    protected: tuple[str, ...]
    base: BaseRepository
    objects: Objects
    last: int
    tree: Tree


def serve(rows: Rows, git: Repository, folder: str, known: int, protected: tuple[str, ...]) -> Served:
    """The mirror of a repository as the session has it now.

    Args:
        known: key of the last object that is in the ground.
    """
    name, refs = git.name, git.refs.all()
    own = _objects(rows, name)
    held = HeldObjects(name, git.base, {made.sha: made for _, made in own})
    texts = {
        "HEAD": f"ref: {BRANCHES}{git.refs.default_branch}\n",
        "config": _CONFIG,
        "packed-refs": packed_refs(held, refs),
        "protected": "".join(f"{ref}\n" for ref in protected),
        "objects/info/alternates": f"{_ground_folder(name)}\n",
    }
    files = {part: (0o644, text.encode()) for part, text in texts.items()}
    packs = _packed(made for key, made in own if key > known)
    files |= {f"objects/pack/{part}": (0o444, data) for part, data in packs.items()}
    files["hooks/proc-receive"] = (0o755, f"#!{PYTHON} -IS\n".encode() + _program("proc_receive.py"))
    files["hooks/post-receive"] = (0o755, b"#!/bin/sh\ncat >> journal\n")
    last = max((key for key, _ in own), default=0)
    tree = _tree(mirror_place(name), files)
    return Served(name, folder, git.refs.default_branch, refs, protected, git.base, held, last, tree)


def _refusal(kind: str) -> bytes:
    """Where it is written why a kind of request is refused."""
    return MIRRORS + f"/refused-{kind}".encode()


REFUSALS: Final = (_refusal("fetch"), _refusal("push"))


def _tree(place: bytes, files: Mapping[str, tuple[int, bytes]]) -> Tree:
    """Files below a place, with all folders from the mirrors' own on."""
    tree: Tree = {place + b"/refs": (_FOLDER, b"")}
    for part, (mode, data) in files.items():
        path = place + b"/" + part.encode()
        tree[path] = (stat.S_IFREG | mode, data)
        while (path := path.rpartition(b"/")[0]) != b"tmp":
            tree[path] = (_FOLDER, b"")
    return dict(sorted(tree.items()))


def ground(rows: Rows, git: Repository, known: int) -> dict[str, bytes]:
    """The objects of a repository that never change for a machine, by path inside: the package's, and the session's
    up to the one with that key. Mirror and clone name them as an alternate.
    """
    place = _ground_folder(git.name)
    files = {f"{place}/info/.keep": b""}
    top = git.base.objects_path
    if top is not None:
        found = sorted(path for path in top.rglob("*") if path.is_file())
        files |= {f"{place}/{path.relative_to(top)}": path.read_bytes() for path in found}
    packs = _packed(made for key, made in _objects(rows, git.name) if key <= known)
    return files | {f"{place}/pack/{name}": data for name, data in packs.items()}


def _objects(rows: Rows, name: str) -> list[tuple[int, PackedObject]]:
    """The session's objects of a repository with their keys, by id."""
    found = []
    for key, sha, kind, size, data in rows.tuples(_OBJECTS, {"repo": name}):
        assert isinstance(key, int)
        assert isinstance(size, int)
        assert isinstance(data, bytes)
        found.append((key, PackedObject(str(sha), kind_named(str(kind)), size, data)))
    return found


def _packed(objects: Iterable[PackedObject]) -> dict[str, bytes]:
    """The pack of some objects and its index by file name, none where there are no objects."""
    with TemporaryDirectory() as place:
        write_pack(Path(place), objects)
        return {path.name: path.read_bytes() for path in sorted(Path(place).iterdir())}


def clone_alternates(name: str) -> bytes:
    """The line by which a clone finds the ground's objects."""
    return f"{_ground_folder(name)}\n".encode()


def _ground_folder(name: str) -> str:
    return f"/srv/git/{name}.git/objects"


def mirror_place(name: str) -> bytes:
    """Where a repository's mirror lies inside, from the root."""
    return MIRRORS + f"/{name}.git".encode()


def git_settings(name: str, email: str) -> dict[str, bytes]:
    """What git knows about the person and their company, and the program that stands for ssh."""
    text = _SYSTEM.format(name=_quoted(name), email=_quoted(email))
    return {"/etc/gitconfig": text.encode(), _SSH: _program("ssh.py")}


def _quoted(text: str) -> str:
    """A value as git-config(1) has it."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


@cache
def _program(name: str) -> bytes:
    return files("tools.terminal").joinpath("inside", name).read_bytes()
