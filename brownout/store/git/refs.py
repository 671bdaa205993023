"""The refs of one repository in one session; every move is a row change and leaves an effect."""

from collections.abc import Mapping
from typing import Final

from dulwich.refs import Ref, check_ref_format
from sqlalchemy import bindparam, select

from brownout.core.rows import Rows
from brownout.store.git.errors import BadName, MissingObject, RefMoved, UnknownRevision
from brownout.store.git.object_sources import Objects
from brownout.store.git.objects import decode_tag
from brownout.store.git.tables import git_ref
from brownout.store.queries import compile_query

__all__ = ["BRANCHES", "HEAD", "TAGS", "Refs", "check_ref_name", "packed_refs", "seed_refs", "unwrapped"]

HEAD: Final = "HEAD"
BRANCHES: Final = "refs/heads/"
TAGS: Final = "refs/tags/"
_SYMBOLIC: Final = "ref: "
_columns = git_ref.c
_OF_REPO: Final = _columns.repo == bindparam("repo")
_ONE: Final = compile_query(select(_columns.id, _columns.target).where(_OF_REPO, _columns.name == bindparam("name")))
_EVERY: Final = compile_query(select(_columns.name, _columns.target).where(_OF_REPO).order_by(_columns.name))
_BELOW: Final = compile_query(
    select(_columns.name)
    .where(_OF_REPO, _columns.name >= bindparam("first"), _columns.name < bindparam("last"))
    .order_by(_columns.name)
    .limit(1)
)


class Refs:
    """The refs of a repository, by full name (`refs/heads/main`)."""

    __slots__ = ("_name", "_objects", "_rows")

    def __init__(self, rows: Rows, name: str, objects: Objects) -> None:
        self._rows, self._name, self._objects = rows, name, objects

    def all(self, prefix: str = "refs/") -> dict[str, str]:
        """The id of every ref below `prefix`, by full name, sorted."""
        found = self._rows.tuples(_EVERY, {"repo": self._name})
        return {str(name): str(target) for name, target in found if str(name).startswith(prefix)}

    def branches(self) -> dict[str, str]:
        """The tip of every branch by its short name, sorted."""
        return {name.removeprefix(BRANCHES): target for name, target in self.all(BRANCHES).items()}

    def tags(self) -> dict[str, str]:
        """What every tag names, by short name, sorted; annotated tags name a tag object."""
        return {name.removeprefix(TAGS): target for name, target in self.all(TAGS).items()}

    def get(self, name: str) -> str | None:
        """The id of the ref; that of the default branch for HEAD."""
        if name == HEAD:
            name = BRANCHES + self.default_branch
        row = self._rows.one(_ONE, repo=self._name, name=name)
        return None if row is None else row.text("target")

    @property
    def default_branch(self) -> str:
        """The short name of the branch that HEAD stands on, whether or not there is one of that name."""
        row = self._rows.one(_ONE, repo=self._name, name=HEAD)
        target = "" if row is None else row.text("target")
        return target.removeprefix(_SYMBOLIC).removeprefix(BRANCHES) or "main"

    def set_default_branch(self, branch: str) -> None:
        """Stand HEAD on another branch.

        Raises:
            UnknownRevision: there is no such branch.
        """
        if self.get(BRANCHES + branch) is None:
            raise UnknownRevision(f"{self._name} has no branch {branch}")
        self._put(HEAD, f"{_SYMBOLIC}{BRANCHES}{branch}")

    def set(self, name: str, new: str, expected_old: str | None) -> None:
        """Move a ref from where the caller last saw it, or make it where that is None.

        Raises:
            RefMoved: it is somewhere else.
            BadName: git would not take the name, or it stands in the way of another ref.
            MissingObject: nothing here has the new id.
        """
        check_ref_name(name)
        if not self._objects.has(new):
            raise MissingObject(self._name, new)
        found = self.get(name)
        if found != expected_old:
            raise RefMoved(name, expected_old, found)
        if found is None:
            self._check_room(name)
        self._put(name, new)

    def delete(self, name: str, expected_old: str) -> None:
        """Remove a ref that is where the caller last saw it.

        Raises:
            RefMoved: it is somewhere else.
        """
        row = self._rows.one(_ONE, repo=self._name, name=name)
        found = None if row is None else row.text("target")
        if row is None or found != expected_old:
            raise RefMoved(name, expected_old, found)
        self._rows.delete(git_ref, row.number("id"))

    def _put(self, name: str, target: str) -> None:
        row = self._rows.one(_ONE, repo=self._name, name=name)
        if row is None:
            with self._rows.adding():
                self._rows.insert(git_ref, repo=self._name, name=name, target=target)
        else:
            self._rows.update(git_ref, row.number("id"), target=target)

    def _check_room(self, name: str) -> None:
        """Refs were files once: none may be a folder of another."""
        below = self._rows.scalar(_BELOW, repo=self._name, first=f"{name}/", last=f"{name}0")
        parts = name.split("/")
        above = ["/".join(parts[:count]) for count in range(3, len(parts))]
        taken = below or next((ref for ref in above if self.get(ref) is not None), None)
        if isinstance(taken, str):
            raise BadName(f"{name} cannot be made while there is {taken}")


def seed_refs(rows: Rows, repo: str, refs: Mapping[str, str]) -> None:
    """Write the refs of a package that is being built, as `create_repository` returned them."""
    for name, target in sorted(refs.items()):
        rows.insert(git_ref, repo=repo, name=name, target=target)


def check_ref_name(name: str) -> None:
    """Make sure that a ref may be called so.

    Raises:
        BadName: it is not below `refs/`, or git's rules forbid it (git-check-ref-format).
    """
    if not name.startswith("refs/") or name.count("/") < 2 or not check_ref_format(Ref(name.encode())):
        raise BadName(f"{name!r} cannot be a ref's name; expected something like refs/heads/main")
    if any(part.startswith("-") for part in name.split("/")[2:3]):
        raise BadName(f"{name!r} cannot be a ref's name: it begins with a dash")


def packed_refs(objects: Objects, refs: Mapping[str, str]) -> str:
    """The content of a `packed-refs` file, annotated tags peeled."""
    lines = ["# pack-refs with: peeled fully-peeled sorted "]
    for name, target in sorted(refs.items()):
        lines.append(f"{target} {name}")
        if name.startswith(TAGS):
            peeled = unwrapped(objects, target)
            if peeled != target:
                lines.append(f"^{peeled}")
    return "\n".join(lines) + "\n"


def unwrapped(objects: Objects, sha: str) -> str:
    """What an annotated tag, or a tag of a tag, names in the end; other ids as they are."""
    found = objects.find(sha)
    while found is not None and found.kind == "tag":
        sha = decode_tag(sha, found.data).target
        found = objects.find(sha)
    return sha
