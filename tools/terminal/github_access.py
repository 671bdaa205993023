"""GitHub as the terminal knows it: what there is to clone, and what becomes of a push.

This is the one place where an app uses another: a push must have the consequences that it has everywhere else, so
it goes through GitHub's records.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from brownout.core.apps import Call, RefusalKind
from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.store.git import GitError, PushRefusal, RawObject, RefUpdate, Repository, receive_pack
from brownout.store.git.history import ancestors, in_topological_order
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.object_validation import check_sound
from brownout.store.git.objects import stored
from brownout.store.git.packs import PackedObject, write_pack
from brownout.store.git.refs import BRANCHES, TAGS
from brownout.store.git.trees import walk_files
from brownout.store.git.value_types import SUBMODULE
from tools.github import records
from tools.github.ci import run_tests
from tools.github.records import CheckOutcome
from tools.github.repositories import opened
from tools.terminal.clones import checked_out
from tools.terminal.mirrors import GitService, Served, Services, ground, serve
from tools.terminal.pushes import PushedCommand, RefMove

__all__ = [
    "RefusedRef",
    "Remote",
    "TestedCommit",
    "check",
    "checked_branches",
    "contents_at",
    "ground_of",
    "receive",
    "remotes",
    "served_now",
    "services_now",
]

_VENDOR: Final = "github"
_NOTHING: Final = "0" * 40
_REFUSALS: Final[dict[RefusalKind, str]] = {
    "unavailable": "ssh: connect to host github.com port 22: Connection timed out",
    "timeout": "Connection to github.com closed by remote host.",
    "rate_limited": "kex_exchange_identification: read: Connection reset by peer",
    "auth_expired": "git@github.com: Permission denied (publickey).",
    "read_only": "ERROR: GitHub is in read-only mode while we recover. Please try again later.",
}
"""An outage as OpenSSH or GitHub's own server words it; git adds that it could not read from the remote repository.

That GitHub resets connections of those who ask too often is on record in junegunn/vim-plug#1093.
"""
_PULLS: Final = "refs/pull/"
_PROTECTED: Final = "protected branch hook declined"


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository of the session."""

    row: Row
    git: Repository
    refs: Mapping[str, str]

    @property
    def name(self) -> str:
        """`owner/name`."""
        return self.git.name


@dataclass(frozen=True, slots=True)
class TestedCommit:
    """What the tests said about a commit that was pushed to a branch."""

    name: str
    branch: str
    sha: str
    outcome: CheckOutcome


@dataclass(frozen=True, slots=True)
class RefusedRef:
    """A ref that did not move after all."""

    name: str
    ref: str
    reason: str


# -- what there is ------------------------------------------------------------------------------------------


def remotes(call: Call) -> list[Remote]:
    """The repositories that the actor can reach; none where the world has no GitHub or they have no account there."""
    if not call.file(f"tools/{_VENDOR}.json").is_file() or records.user_of(call, call.actor.person) is None:
        return []
    found = []
    for row in records.repositories(call):
        git = opened(call, row)
        found.append(Remote(row, git, git.refs.all()))
    return found


def served_now(call: Call, remote: Remote, known: int) -> Served:
    """A repository for the sandbox, as it is now; `known` is the key of the last object that is there already."""
    branches = [ref.removeprefix(BRANCHES) for ref in remote.refs if ref.startswith(BRANCHES)]
    protected = tuple(BRANCHES + branch for branch in branches if records.is_protected(remote.row, branch))
    return serve(call.rows, remote.git, remote.row.text("name"), known, protected)


def checked_branches(call: Call, remote: Remote) -> frozenset[str]:
    """The branches that open pulls come from, where a repository's tests are run for them."""
    branches = [ref.removeprefix(BRANCHES) for ref in remote.refs if ref.startswith(BRANCHES)]
    if not remote.row["runs_checks"] or not any(ref.startswith(_PULLS) for ref in remote.refs):
        return frozenset()
    return frozenset(branch for branch in branches if records.pulls_from(call, remote.row, branch))


def ground_of(call: Call, remotes: Iterable[Remote], known: Mapping[str, int]) -> dict[str, bytes]:
    """The objects that a new sandbox has, by path inside; `known` is the key of the last one of each repository."""
    found: dict[str, bytes] = {}
    for remote in remotes:
        found |= ground(call.rows, remote.git, known.get(remote.name, 0))
    return found


def contents_at(call: Call, name: str, commit: str) -> Mapping[str, bytes]:
    """The contents of a commit's files, by SHA-256."""
    row = records.repository_named(call, name)
    if row is None:
        return {}
    git = opened(call, row)
    return checked_out(git.objects, git.base, commit).contents


def services_now(call: Call, draw: str) -> Services:
    """How GitHub serves git now, as its outages let it. `draw` makes chance repeatable."""
    fetch, push = (_service(call, kind, draw) for kind in ("fetch", "push"))
    return Services(fetch, push)


def _service(call: Call, kind: str, draw: str) -> GitService:
    fault = call.outage(_VENDOR, f"{_VENDOR}_{kind}", writes=kind == "push", key=draw)
    if fault is None:
        return GitService()
    return GitService(_REFUSALS[fault.refusal.kind] if fault.refusal else "", fault.delay)


# -- a push, outside the store ------------------------------------------------------------------------------


def check(served: Served, push: PushedCommand, branches: frozenset[str], now: Instant) -> list[TestedCommit]:
    """Run the tests of what was pushed to these branches."""
    found = []
    draft = DraftObjects(served.objects)
    for sha, made in push.objects.items():
        draft.add(sha, made)
    for move in push.moves:
        branch = move.ref.removeprefix(BRANCHES)
        if move.new is None or not move.ref.startswith(BRANCHES) or branch not in branches:
            continue
        try:
            check_sound(draft, [move.new])
        except GitError:  # it will be refused
            continue
        blobs = {
            path: entry.sha for path, entry in walk_files(draft, draft.commit(move.new).tree) if entry.mode != SUBMODULE
        }
        files = {path: draft.read(sha, "blob") for path, sha in blobs.items()}
        known = {path: files[path] for path, sha in blobs.items() if served.base.has(sha)}
        found.append(TestedCommit(served.name, branch, move.new, run_tests(files, now, known)))
    return found


# -- a push, into the session -------------------------------------------------------------------------------


def receive(call: Call, push: PushedCommand, checks: Iterable[TestedCommit]) -> list[RefusedRef]:
    """Carry out a push as far as GitHub lets it, with all that follows; what it refuses leaves nothing behind."""
    row, user = records.repository_named(call, push.name), records.user_of(call, call.actor.person)
    if row is None or user is None or push.trouble:
        return [RefusedRef(push.name, move.ref, push.trouble or "permission denied") for move in push.moves]
    git = opened(call, row)
    receiving = _SessionPush(call, row, user, git, {(one.branch, one.sha): one.outcome for one in checks})
    return [RefusedRef(push.name, ref, reason) for ref, reason in receiving.run(push)]


class _SessionPush:
    """One push on its way into the session's rows."""

    def __init__(
        self, call: Call, row: Row, user: Row, git: Repository, outcomes: Mapping[tuple[str, str], CheckOutcome]
    ) -> None:
        self._call, self._row, self._user, self._git, self._outcomes = call, row, user, git, outcomes
        self._known: set[str] = set()

    def run(self, push: PushedCommand) -> list[tuple[str, str]]:
        """The refs that did not move, each with the reason."""
        for tip in self._git.refs.branches().values():
            self._known |= ancestors(self._git.objects, tip)
        forward = [move for move in push.moves if move.new is not None]
        refused: list[tuple[str, str]] = []
        if forward:
            received = receive_pack(self._git, _body(forward, push.objects), rule_of(self._row))
            refused += received.refused
            for update in received.updates:
                if update.name.startswith(BRANCHES) and update.new is not None:
                    self._note(update.name.removeprefix(BRANCHES), update.old, update.new)
        for move in push.moves:
            if move.new is None:
                reason = self._remove(move)
                refused += [(move.ref, reason)] if reason else []
        return refused

    def _note(self, branch: str, old: str | None, new: str) -> None:
        call, row, git = self._call, self._row, self._git
        commits = in_topological_order(git.objects, new, frozenset(self._known))
        self._known |= {commit.sha for commit in commits}
        records.note_push(call, row, git, self._user, branch, old, new, commits)
        outcome = self._outcomes.get((branch, new))
        for pull in records.pulls_from(call, row, branch) if outcome and row["runs_checks"] else ():
            assert outcome is not None
            records.add_check(call, pull, new, outcome)

    def _remove(self, move: RefMove) -> str:
        """Remove a ref; why not, if not."""
        refs = self._git.refs
        if move.old is None or refs.get(move.ref) != move.old:
            return "stale info"
        if move.ref == BRANCHES + refs.default_branch:
            return f"refusing to delete the current branch: {move.ref}"
        refusal = rule_of(self._row)(RefUpdate(move.ref, move.old, None, is_fast_forward=False))
        if refusal is not None:
            return refusal.reason
        if not move.ref.startswith(BRANCHES):
            refs.delete(move.ref, move.old)
            return ""
        branch = move.ref.removeprefix(BRANCHES)
        records.delete_branch(self._call, self._row, self._git, self._user, branch)
        for pull in records.pulls_from(self._call, self._row, branch):
            records.close_pull(self._call, pull, self._user)
        return ""


def rule_of(repository: Row) -> Callable[[RefUpdate], PushRefusal | None]:
    """What GitHub lets people push: branches and tags, but for protected branches that are there already."""

    def rule(update: RefUpdate) -> PushRefusal | None:
        if not update.name.startswith((BRANCHES, TAGS)):
            return PushRefusal("deny updating a hidden ref")
        branch = update.name.removeprefix(BRANCHES)
        if update.old is None or branch == update.name or not records.is_protected(repository, branch):
            return None
        return PushRefusal(_PROTECTED)

    return rule


def _body(moves: Iterable[RefMove], objects: Mapping[str, RawObject]) -> bytes:
    """The push as its client sent it: commands and a pack (gitprotocol-pack(5))."""
    lines = [f"{move.old or _NOTHING} {move.new or _NOTHING} {move.ref}" for move in moves]
    lines[0] += "\0report-status"
    head = b"".join(b"%04x%b" % (len(data) + 4, data) for data in (line.encode() for line in lines))
    packed = (PackedObject(sha, made.kind, len(made.data), stored(made.data)) for sha, made in objects.items())
    with TemporaryDirectory() as place:
        name = write_pack(Path(place), packed)
        pack = (Path(place) / f"{name}.pack").read_bytes() if name else b""
    return head + b"0000" + pack
