"""The work in the sandbox: bring it to the session's state, act, and see what changed. No rows are touched here."""

import re
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from shlex import join
from typing import Final, TypeAlias

from brownout.core.errors import SandboxError, SandboxUnavailable
from brownout.core.instants import Duration, Instant
from brownout.sandbox import Changes, Finished, Limits, Sandbox, Workspace, WorkspaceEntry
from tools.terminal.github_access import TestedCommit, check
from tools.terminal.mirrors import ASKED, REFUSALS, Served, Services, Tree, git_settings, mirror_place
from tools.terminal.paths import MIRRORS, home_path, is_below
from tools.terminal.pushes import PushedCommand, read_push
from tools.terminal.sandbox_cache import CachedSandbox, Key, idle_sandboxes
from tools.terminal.workspace_changes import MIB, KeptChanges, after, digest_of_files, fullness, put, to_keep, undo

__all__ = ["LIMITS", "Act", "Done", "MachineJob", "MachineOwner", "do"]

LIMITS: Final = Limits(
    wall_seconds=300.0, idle_seconds=22.5, file_bytes=32 * MIB, tmp_bytes=64 * MIB, home_bytes=80 * MIB, inodes=20_000
)
"""Of the sandbox. A little less than that is kept (`keeping`), so that what is kept always fits into a new one.

A program may wait for a while, a retry's pauses for instance; the bound on that is half a second off any whole number, so
that no sleep of whole seconds ends just when it does.
"""
_TIDY: Final = """\
found=1
while [ $found = 1 ]; do
  found=0
  for place in /proc/[0-9]*; do
    number=${place#/proc/}
    if [ $number -gt 2 ] && [ $number != $$ ]; then kill -9 $number 2>/dev/null && found=1; fi
  done
done
for place in /dev/shm/* /dev/shm/.[!.]* /dev/shm/..?*; do
  if [ -e "$place" ] || [ -L "$place" ]; then rm -rf -- "$place"; fi
done
"""
"""Ends what a command left running, and removes what lies where nothing is kept: both would be lost in a fork. What
makes new processes faster than this ends them is ended by the deadline, which spares nobody.
"""
_TIDY_SECONDS: Final = 20.0
_NO_ROOM: Final = "more than the machine can hold"
_RANDOM: Final = re.compile(rb"tmp/(?:tmp\.[A-Za-z0-9]{6,}|tmp[a-z0-9_]{8}|pytest-of-[^/]*)(?=/|\Z)")
"""Temporary files whose names differ in every run; they are removed after the command."""
_MOST_ASKED: Final = 100
"""How often GitHub may be asked by one command and be slow."""

Act: TypeAlias = Callable[[Sandbox, float], Finished | None]
"""What is done in the sandbox, given world time in seconds."""


@dataclass(frozen=True, slots=True)
class MachineOwner:
    """Whose machine it is; `since` is when they first used it."""

    short: str
    login: str
    name: str
    email: str
    since: Instant

    @property
    def home(self) -> str:
        """The home directory."""
        return home_path(self.login)


@dataclass(frozen=True, slots=True)
class MachineJob:
    """Something to be done on a machine, with all that the session has to say about it.

    Attributes:
        cached: the sandbox that is in the session's state; None where there is none.
        workspace: the session's state, where there is none.
        ground: the objects that a new sandbox has, by path inside.
        serve: the repositories whose mirrors are not as the session is.
        checked: by repository, the branches whose tests are run when something is pushed there.
        history: of the commands, this one included.
        entropy: what programs draw follows from it.
    """

    package: Path
    person: MachineOwner
    now: Instant
    cached: CachedSandbox | None
    workspace: Workspace
    ground: Mapping[str, bytes]
    serve: Sequence[Served]
    checked: Mapping[str, frozenset[str]]
    services: Services
    history: str
    entropy: str
    act: Act

    @property
    def seconds(self) -> float:
        """World time in seconds since 1970."""
        return self.now / 1_000_000

    @property
    def date(self) -> int:
        """Of the mirrors: they were always there."""
        return self.person.since * 1000


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job.

    Attributes:
        kept: what differs in the files.
        digest: of the files now.
        dropped: why nothing that was changed is kept; empty where it is.
        delay: world time that GitHub took.
    """

    finished: Finished | None
    history: str
    digest: str = ""
    kept: KeptChanges = field(default_factory=KeptChanges)
    pushes: Sequence[PushedCommand] = ()
    checks: Sequence[TestedCommit] = ()
    dropped: str = ""
    delay: Duration = 0


class _Full(SandboxError):
    """There is more than can be kept."""


@dataclass(frozen=True, slots=True)
class _Settled:
    """What a command changed, in a sandbox that holds just what is kept of it.

    Attributes:
        asked: what GitHub was asked, a line each time.
        entries: the paths as they are kept.
        found: the paths as the sandbox has them.
    """

    changes: Changes
    asked: bytes
    kept: KeptChanges
    entries: Mapping[bytes, WorkspaceEntry]
    found: Mapping[bytes, WorkspaceEntry]


def do(job: MachineJob) -> Done:
    """Do it. The sandbox is left in the cache, in the state that the session will have.

    Raises:
        SandboxUnavailable: this system cannot run sandboxes.
        SandboxError: the sandbox could not be brought to the session's state.
    """
    cached = _started(job) if job.cached is None else job.cached
    finished = None
    try:
        if job.cached is not None:
            _serve(cached, job)
        try:
            cached.sandbox.seed(job.entropy)
            finished = job.act(cached.sandbox, job.seconds)
            settled = _settled(cached, job)
        except SandboxUnavailable:
            raise
        except SandboxError as error:  # it ended, or holds more than can be kept
            cached.sandbox.close()
            return Done(finished, job.history, dropped=str(error) if isinstance(error, _Full) else _NO_ROOM)
        return _done(cached, job, finished, settled)
    except BaseException:
        cached.sandbox.close()
        raise


# -- before -------------------------------------------------------------------------------------------------


def _started(job: MachineJob) -> CachedSandbox:
    """A sandbox with the session's files and mirrors."""
    person = job.person
    files = {**git_settings(person.name, person.email), **job.ground}
    host = f"laptop-{person.login}".replace("_", "-").rstrip("-")
    entries, blobs = dict(job.workspace.entries), dict(job.workspace.blobs)
    for path, (mode, data) in _mirrors(job).items():
        sha = "" if stat.S_ISDIR(mode) else sha256(data).hexdigest()
        entries[path] = WorkspaceEntry(mode, sha, len(data), job.date)
        blobs[sha] = data
    sandbox = Sandbox(user=person.login, hostname=host, limits=LIMITS, files=files)
    try:
        sandbox.restore(Workspace(dict(sorted(entries.items())), blobs), now=job.seconds)
    except BaseException:
        sandbox.close()
        raise
    served = {one.name: one for one in job.serve}
    key = Key(job.package, person.short, "", "")
    return CachedSandbox(sandbox, key, dict(sorted(entries.items())), job.workspace.entries, served, job.services)


def _serve(cached: CachedSandbox, job: MachineJob) -> None:
    """Make the mirrors as the session has them."""
    if not job.serve and job.services.tree == cached.services.tree:
        return
    old = [mirror_place(served.name) for served in job.serve]
    names = [f"/{path.decode()}" for path in (*old, *REFUSALS)]
    cached.sandbox.run(join(["rm", "-rf", "--", *names]), now=job.seconds)
    put(cached.sandbox, ((path, *file) for path, file in _mirrors(job).items()), job.date)
    cached.served |= {one.name: one for one in job.serve}
    cached.services = job.services
    changes = cached.sandbox.capture(Workspace(cached.found))
    cached.found = after(cached.found, changes.written, changes.removed)


def _mirrors(job: MachineJob) -> Tree:
    """The files of the mirrors that are to be made, and of what is beside them."""
    tree: Tree = {MIRRORS: (stat.S_IFDIR | 0o755, b"")}
    for served in job.serve:
        tree |= served.tree
    return tree | job.services.tree


# -- after --------------------------------------------------------------------------------------------------


def _settled(cached: CachedSandbox, job: MachineJob) -> _Settled:
    """What the command changed, when all that it left running has ended and nothing lies about.

    Raises:
        SandboxError: the sandbox ended, or holds more than can be kept.
    """
    changes, asked = _changes(cached, job)
    kept = to_keep(cached.kept, changes)
    entries = after(cached.kept, kept.written, kept.removed) if kept.written or kept.removed else cached.kept
    full = fullness(entries)
    if full:
        raise _Full(full)
    found = after(cached.found, changes.written, changes.removed)
    if kept.undone:
        undo(cached.sandbox, kept, entries)
        more = cached.sandbox.capture(Workspace(found))
        found = after(found, more.written, more.removed)
    return _Settled(changes, asked, kept, entries, found)


def _changes(cached: CachedSandbox, job: MachineJob) -> tuple[Changes, bytes]:
    """What the command changed, and what GitHub was asked, of which no trace is left."""
    sandbox, now = cached.sandbox, job.seconds
    sandbox.run(_TIDY, now=now, wall_seconds=_TIDY_SECONDS)
    changes = sandbox.capture(Workspace(cached.found))
    note = changes.written.get(ASKED)
    asked = changes.blobs[note.sha] if note is not None and note.sha else b""
    stray = {top[0] for path in changes.written if (top := _RANDOM.match(path))} | set(changes.left_out)
    stray |= {ASKED} if note is not None else set()
    if stray:
        names = b"".join(b"/" + path + b"\0" for path in sorted(stray))
        sandbox.run("xargs -0 rm -rf --", now=now, stdin=names)
        if ASKED in stray:
            put(sandbox, [(MIRRORS, stat.S_IFDIR | 0o755, b"")], job.date)
        changes = sandbox.capture(Workspace(cached.found))
    return changes, asked


def _done(cached: CachedSandbox, job: MachineJob, finished: Finished | None, settled: _Settled) -> Done:
    """What became of the job; the sandbox goes back to the cache where it can be used again."""
    pushes = [push for one in cached.served.values() if (push := read_push(one, settled.changes))]
    pushes = [] if job.services.push.refusal else pushes
    checks = [one for push in pushes for one in check(cached.served[push.name], push, job.checked[push.name], job.now)]
    is_sound = _is_sound(cached, settled.changes)
    is_same = settled.entries is cached.kept and cached.key.digest
    digest = cached.key.digest if is_same else digest_of_files(settled.entries)
    cached.found, cached.kept = settled.found, settled.entries
    cached.key = Key(job.package, job.person.short, job.history, digest)
    if is_sound:
        idle_sandboxes.give(cached)
    else:
        cached.sandbox.close()
    return Done(finished, job.history, digest, settled.kept, pushes, checks, delay=_delay(job.services, settled.asked))


def _delay(services: Services, asked: bytes) -> Duration:
    """World time that GitHub took to answer what it was asked."""
    lines = asked.split(b"\n")[:_MOST_ASKED]
    return lines.count(b"fetch") * services.fetch.delay + lines.count(b"push") * services.push.delay


def _is_sound(cached: CachedSandbox, changes: Changes) -> bool:
    """The sandbox can be used again: what was done to the mirrors, if anything, is what a push does.

    Those that were pushed to are made anew at the next use.
    """
    places = {mirror_place(name): name for name in cached.served}
    for path in (*changes.written, *changes.removed):
        if not is_below(path, MIRRORS):
            continue
        old, new = cached.found.get(path), changes.written.get(path)
        if old and new and (old.mode, old.sha) == (new.mode, new.sha):
            continue
        place = next((place for place in places if is_below(path, place)), b"")
        is_closed = new is not None and stat.S_ISDIR(new.mode) and new.mode & 0o700 != 0o700
        if path in (place, MIRRORS) or not place or is_closed or (new is not None and stat.S_ISLNK(new.mode)):
            return False
        cached.served.pop(places[place], None)
    return True
