"""Pushes into a session: all of a push that may stand, stands; what is refused leaves nothing behind."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from brownout.store.git.errors import BadName, BadObject, GitError, MissingObject, PackTooLarge, RefMoved
from brownout.store.git.history import ancestors
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.object_validation import check_sound
from brownout.store.git.packs import LARGEST_PACK, read_pack
from brownout.store.git.pushes import Command, PushRequest, advertisement, read_request, report
from brownout.store.git.refs import BRANCHES, check_ref_name
from brownout.store.git.repository import Repository
from brownout.store.git.value_types import RawObject

__all__ = [
    "Push",
    "PushRefusal",
    "RefUpdate",
    "advertise_push",
    "import_objects",
    "import_pack",
    "protected",
    "receive_pack",
]


@dataclass(frozen=True, slots=True)
class RefUpdate:
    """One ref that a push moves.

    Attributes:
        old: where it is, None if it is to be made; `new` where it shall be, None if it is to be removed.
        is_fast_forward: nothing that was reachable is lost; never so for a removal.
    """

    name: str
    old: str | None
    new: str | None
    is_fast_forward: bool


@dataclass(frozen=True, slots=True)
class PushRefusal:
    """Why a ref may not move.

    Attributes:
        reason: as git prints it in brackets: `protected branch hook declined`.
        notes: lines that git prints behind `remote:`.
    """

    reason: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Push:
    """What became of a push.

    Attributes:
        response: the body to answer with, of type `application/x-git-receive-pack-result`.
        updates: the refs that moved, in the order asked for.
        refused: the refs that did not, each with the reason.
    """

    response: bytes
    updates: tuple[RefUpdate, ...]
    refused: tuple[tuple[str, str], ...]


_ATOMIC: Final = "atomic push failed"


def advertise_push(repository: Repository) -> bytes:
    """The answer to `GET info/refs?service=git-receive-pack`."""
    return advertisement(repository.refs.all())


def protected(*branches: str) -> Callable[[RefUpdate], PushRefusal | None]:
    """A rule under which these branches may only move forward and never vanish."""
    names = {BRANCHES + branch for branch in branches}

    def rule(update: RefUpdate) -> PushRefusal | None:
        if update.name not in names or update.is_fast_forward:
            return None
        told = f"error: GH006: Protected branch update failed for {update.name}."
        return PushRefusal("protected branch hook declined", (told,))

    return rule


def allowed(_update: RefUpdate) -> None:
    """The rule that refuses nothing."""


def receive_pack(
    repository: Repository,
    body: bytes,
    rule: Callable[[RefUpdate], PushRefusal | None] = allowed,
    largest_pack: int = LARGEST_PACK,
) -> Push:
    """Carry out a push: the answer to `POST git-receive-pack`, its body unzipped.

    A ref moves only from where the client saw it, only to a commit of which everything is here, and only if `rule`
    allows. Objects become rows with the refs that need them; a ref refused leaves neither.

    Args:
        rule: says why a ref may not move, None if it may.
        largest_pack: bytes.

    Raises:
        BadObject: the body does not follow the protocol (HTTP 400).
    """
    request = read_request(body)
    if not request.commands:
        return Push(b"", (), ())
    draft = DraftObjects(repository.objects)
    try:
        _unpack(request, draft, largest_pack)
    except GitError as error:
        refused = tuple((command.name, "unpacker error") for command in request.commands)
        return Push(report(request, str(error), refused, ()), (), refused)
    return _DraftPush(repository, draft, rule).run(request)


def import_pack(repository: Repository, pack: bytes, largest_pack: int = LARGEST_PACK) -> tuple[str, ...]:
    """The ids of a pack's objects, all of which are rows now unless the package has them.

    For what was committed in a checkout: `git pack-objects --thin --stdout` writes such a pack.

    Raises:
        BadObject, MissingObject, PackTooLarge: it is not sound, or needs what is not here; nothing was written.
    """
    _check_size(pack, largest_pack)
    draft = DraftObjects(repository.objects)
    return _imported(draft, read_pack(pack, draft))


def import_objects(repository: Repository, objects: Iterable[RawObject]) -> tuple[str, ...]:
    """The ids of the objects, all of which are rows now unless the package has them.

    Raises:
        BadObject, MissingObject: they are not sound, or need what is not here; nothing was written.
    """
    draft = DraftObjects(repository.objects)
    return _imported(draft, [draft.write(made.kind, made.data) for made in objects])


class _DraftPush:
    """One push whose objects wait in a draft."""

    def __init__(
        self, repository: Repository, draft: DraftObjects, rule: Callable[[RefUpdate], PushRefusal | None]
    ) -> None:
        self._repository, self._draft, self._rule = repository, draft, rule
        self._updates: list[RefUpdate] = []
        self._answers: list[tuple[str, str]] = []
        self._notes: list[str] = []

    def run(self, request: PushRequest) -> Push:
        try:
            with self._repository.savepoint():
                for command in request.commands:
                    self._answers.append((command.name, self._carry_out(command)))
                if "atomic" in request.capabilities and any(reason for _, reason in self._answers):
                    raise _SavepointUndone
        except _SavepointUndone:
            self._updates.clear()
            self._answers = [(name, reason or _ATOMIC) for name, reason in self._answers]
        refused = tuple((name, reason) for name, reason in self._answers if reason)
        return Push(report(request, "", self._answers, self._notes), tuple(self._updates), refused)

    def _carry_out(self, command: Command) -> str:
        """Move one ref; why not, if not."""
        try:
            update = self._checked(command)
        except GitError as error:
            return _reason(error)
        refusal = self._rule(update)
        if refusal is not None:
            self._notes += refusal.notes
            return refusal.reason
        try:
            with self._repository.savepoint():
                self._move(command)
        except GitError as error:
            return _reason(error)
        self._updates.append(update)
        return ""

    def _checked(self, command: Command) -> RefUpdate:
        refs, draft = self._repository.refs, self._draft
        check_ref_name(command.name)
        found = refs.get(command.name)
        if found != command.old:
            raise RefMoved(command.name, command.old, found)
        if command.new is None:
            if command.name == BRANCHES + refs.default_branch:
                raise GitError(f"refusing to delete the current branch: {command.name}")
            return RefUpdate(command.name, command.old, None, is_fast_forward=False)
        check_sound(draft, [command.new])
        if command.name.startswith(BRANCHES) and draft.kind(command.new) != "commit":
            raise BadObject(f"cannot point {command.name} at what is no commit")
        return RefUpdate(command.name, command.old, command.new, self._keeps(command.old, command.new))

    def _keeps(self, old: str | None, new: str) -> bool:
        """Nothing reachable from `old` is lost by going to `new`."""
        if old is None or old == new:
            return True
        kinds = (self._draft.kind(old), self._draft.kind(new))
        return kinds == ("commit", "commit") and old in ancestors(self._draft, new)

    def _move(self, command: Command) -> None:
        refs = self._repository.refs
        if command.new is not None:
            self._draft.keep([command.new])
            refs.set(command.name, command.new, command.old)
        elif command.old is not None:
            refs.delete(command.name, command.old)


class _SavepointUndone(Exception):
    """Takes a savepoint back."""


def _unpack(request: PushRequest, draft: DraftObjects, largest: int) -> None:
    _check_size(request.pack, largest)
    if request.pack:
        read_pack(request.pack, draft)


def _check_size(pack: bytes, largest: int) -> None:
    if len(pack) > largest:
        raise PackTooLarge(f"the pack has {len(pack)} bytes, the limit is {largest}")


def _imported(draft: DraftObjects, shas: list[str]) -> tuple[str, ...]:
    check_sound(draft, shas)
    draft.keep(shas)
    return tuple(shas)


def _reason(error: GitError) -> str:
    """As git words it, where it has words."""
    if isinstance(error, RefMoved):
        return "stale info"
    if isinstance(error, MissingObject):
        return "missing necessary objects"
    return "funny refname" if isinstance(error, BadName) and "while there is" not in str(error) else str(error)
