"""What somebody may do at a terminal: run commands on a machine of their own, and look at and write its files."""

import stat
from collections.abc import Callable, Mapping
from dataclasses import replace
from posixpath import normpath
from typing import Annotated, Final

from pydantic import Field

from brownout.core.apps import Call, OutsideWork
from brownout.core.instants import SECOND
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject, digest_of
from brownout.sandbox import Finished, Sandbox, Stop, Workspace, WorkspaceEntry, normalise
from tools.terminal import github_access, homes, records
from tools.terminal.clones import NewHome
from tools.terminal.cut_output import screen_of
from tools.terminal.errors import TerminalError, no_such_file
from tools.terminal.paths import absolute, home_path, login_of, resolved, spelled
from tools.terminal.sandbox_cache import Key, idle_sandboxes
from tools.terminal.sandbox_work import LIMITS, Act, Done, MachineJob, MachineOwner, do
from tools.terminal.workspace_changes import digest_of_files

__all__ = ["operations"]

operations = Operations("terminal")

Path = Annotated[str, Field(description="Absolute, or from your home directory.", max_length=4000)]

_COST: Final = 5 * SECOND
"""World time of a command, whatever it does: how long it really takes depends on the machine it runs on."""
_LONGEST_TEXT: Final = 100_000
_MOST_ENTRIES: Final = 1000
_WALL_SHARE: Final = 4
_WALL_SECONDS: Final = 60.0
_STOPS: Final = {
    Stop.IDLE: "it was stopped: it only slept or waited; that does not let the world's time pass: use the wait tool",
    Stop.CPU: "it was stopped: it used up its processor time",
    Stop.DEADLINE: "it was stopped: it took too long; to let the world's time pass, use the wait tool",
    Stop.MEMORY: "it was stopped: it used more memory than there is",
    Stop.OUTPUT: "it was stopped: it printed too much",
    Stop.INODES: "it was stopped: it made too many files",
    Stop.CRASHED: "the machine crashed and was set up again",
}
_KINDS: Final = {stat.S_IFDIR: "directory", stat.S_IFLNK: "link", stat.S_IFREG: "file"}


@operations.write(cost=_COST)
def run(
    call: Call,
    command: Annotated[str, Field(description="For sh -c.", min_length=1, max_length=100_000)],
    cwd: Annotated[str, Field(description="Empty for your home directory.", max_length=4000)] = "",
    stdin: Annotated[str, Field(max_length=1_000_000)] = "",
    timeout_seconds: Annotated[
        int, Field(description="Of processor time; 60 if left out.", ge=1, le=LIMITS.cpu_seconds)
    ] = LIMITS.cpu_seconds,
) -> OutsideWork:
    """Run a shell command on your machine and return what it printed.

    The repositories are cloned in your home directory, with GitHub as origin; git, python3 and pytest are there, no
    other network. Each command starts in cwd with a fresh environment; files below your home directory and /tmp stay,
    programs left in the background end. Durations, addresses and random names in the output are masked, and the
    middle of a long one is left out.

    Sleeping in a command does not let the world's time pass: use the wait tool.
    """
    place = normpath(absolute(cwd or "~", home_path(login_of(call.actor.person))))
    wall = _WALL_SECONDS + _WALL_SHARE * timeout_seconds

    def act(sandbox: Sandbox, now: float) -> Finished:
        sandbox.limits = replace(LIMITS, cpu_seconds=timeout_seconds)
        source = stdin.encode("utf-8", "replace")
        finished = sandbox.run(command, now=now, stdin=source, cwd=place, wall_seconds=wall)
        sandbox.limits = LIMITS
        return finished

    said = ("run", command, place, stdin, str(timeout_seconds))
    return _outside(call, said, lambda workspace: act, lambda done, refused: _ran(done, place, refused))


@operations.write(harmless=True, cost=SECOND)
def write_file(
    call: Call,
    path: Path,
    content: Annotated[str, Field(max_length=2_000_000)],
    mode: Annotated[str, Field(description="Octal, e.g. 755; empty keeps it.", pattern="^[0-7]{0,4}$")] = "",
) -> OutsideWork:
    """Write a text file on your machine, with the folders that lead to it. What was there is replaced."""
    data = content.encode("utf-8", "replace")
    home = home_path(login_of(call.actor.person))
    full = absolute(path, home)

    def prepare(workspace: Workspace) -> Act:
        target = resolved(workspace, full, home)
        found = workspace.entries.get(target)
        if path.endswith("/") or (found is not None and stat.S_ISDIR(found.mode)):
            raise TerminalError("EISDIR", f"{path}: Is a directory")
        bits = int(mode, 8) if mode else stat.S_IMODE(found.mode) if found else 0o644
        top, _, rest = target.partition(b"/")

        def act(sandbox: Sandbox, now: float) -> None:
            sandbox.put_tree({rest: (bits, data)}, now=now, below=f"/{top.decode()}")

        return act

    def answer(done: Done, refused: list[github_access.RefusedRef]) -> Json:
        if done.dropped:
            raise TerminalError("ENOSPC", f"{path}: No space left on device", status=507)
        return {"path": path, "size": len(data)}

    return _outside(call, ("write", full, content, mode), prepare, answer)


@operations.read
def read_file(
    call: Call,
    path: Path,
    offset: Annotated[int, Field(description="First line, from 1.", ge=1)] = 1,
    limit: Annotated[int, Field(description="Of lines; 2000 if left out.", ge=1, le=10_000)] = 2000,
) -> Json:
    """Read a text file on your machine, or some lines of it."""
    workspace, target, entry = _found(call, path)
    if stat.S_ISDIR(entry.mode):
        raise TerminalError("EISDIR", f"{path}: Is a directory")
    try:
        lines = workspace.content(target).decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        raise TerminalError("EILSEQ", f"{path}: not a text file ({entry.size} bytes)") from None
    content = "".join(lines[offset - 1 : offset - 1 + limit])
    return {
        "path": path,
        "content": content[:_LONGEST_TEXT],
        "lines": len(lines),
        "truncated": len(content) > _LONGEST_TEXT or offset - 1 + limit < len(lines),
    }


@operations.read
def list_files(call: Call, path: Path = "~") -> Json:
    """List a directory on your machine: names, kinds, permissions, sizes in bytes."""
    workspace, target, entry = _found(call, path)
    if not stat.S_ISDIR(entry.mode):
        return {"path": path, "entries": [_entry_json(target, entry)], "truncated": False}
    start = target + b"/"
    inside = [
        _entry_json(each, found)
        for each, found in workspace.entries.items()
        if each.startswith(start) and b"/" not in each[len(start) :]
    ]
    return {"path": path, "entries": [*inside[:_MOST_ENTRIES]], "truncated": len(inside) > _MOST_ENTRIES}


def _found(call: Call, path: str) -> tuple[Workspace, bytes, WorkspaceEntry]:
    """What is at a path, with the workspace it is in."""
    home = home_path(login_of(call.actor.person))
    workspace = homes.looked_at(call)
    target = resolved(workspace, absolute(path, home), home)
    entry = workspace.entries.get(target)
    if entry is None:
        raise no_such_file(path)
    return workspace, target, entry


def _entry_json(path: bytes, entry: WorkspaceEntry) -> JsonObject:
    kind = _KINDS.get(stat.S_IFMT(entry.mode), "file")
    name = spelled(path.rpartition(b"/")[2])
    return {"name": name, "kind": kind, "mode": f"{stat.S_IMODE(entry.mode):o}", "size": entry.size}


# -- what is done in the sandbox ------------------------------------------------------------------------------


def _outside(
    call: Call,
    said: tuple[str, ...],
    prepare: Callable[[Workspace], Act],
    answer: Callable[[Done, list[github_access.RefusedRef]], Json],
) -> OutsideWork:
    """Something done on the actor's machine, which is brought to the session's state first.

    Args:
        said: what was asked for, so that machines with another past can be told apart.
        prepare: makes what is to be done, given the files.
        answer: makes the answer of what came of it.
    """
    home = homes.home_of(call)
    if not home.text("digest"):
        home = _moved_in(call, home)
    account, owner = call.actor, home.text("owner")
    package = call.file("")
    cached = idle_sandboxes.take(Key(package, owner, home.text("history"), home.text("digest")))
    try:
        workspace = homes.with_contents(call, owner, cached.kept) if cached else homes.read_whole(call, home)
        served = cached.served if cached else {}
        remotes = github_access.remotes(call)
        behind = [one for one in remotes if one.name not in served or served[one.name].refs != one.refs]
        known = homes.known_objects(call, owner) if behind else {}
        history = digest_of(home.text("history"), *said)
        job = MachineJob(
            package=package,
            person=MachineOwner(owner, login_of(owner), account.name, account.email, home.number("since_us")),
            now=call.now,
            cached=cached,
            workspace=workspace,
            ground={} if cached else github_access.ground_of(call, remotes, known),
            serve=[github_access.served_now(call, one, known.get(one.name, 0)) for one in behind],
            checked={one.name: github_access.checked_branches(call, one) for one in remotes},
            services=github_access.services_now(call, history),
            history=history,
            entropy=call.stream("entropy", owner, history).hex(64),
            act=prepare(workspace),
        )
    except BaseException:
        if cached is not None:
            idle_sandboxes.give(cached)
        raise

    def finish(later: Call, done: object) -> Json:
        assert isinstance(done, Done)
        later.take(done.delay)
        return answer(done, _keep(later, home, done))

    return OutsideWork(lambda: do(job), finish)


def _moved_in(call: Call, home: Row) -> Row:
    new: NewHome = homes.new(call, home)
    records.move_in(call, home, new, digest_of_files(new.workspace.entries))
    return homes.home_of(call)


def _keep(call: Call, home: Row, done: Done) -> list[github_access.RefusedRef]:
    """Write what became of a job; the refs that were not taken."""
    cloned: Mapping[str, bytes] = homes.cloned(call, home.text("owner")) if done.kept.blobs else {}
    records.keep(call, home, done.kept, cloned.keys())
    records.remember(call, home, done.history, done.digest)
    return [refused for push in done.pushes for refused in github_access.receive(call, push, done.checks)]


def _ran(done: Done, cwd: str, refused: list[github_access.RefusedRef]) -> Json:
    """A command's answer."""
    finished = done.finished
    assert finished is not None
    notes = [_STOPS[finished.stop]] if finished.stop else []
    if done.dropped:
        notes.append("nothing that it changed was kept" + ("" if finished.stop else f": there was {done.dropped}"))
    notes += [f"GitHub did not take {one.ref} of {one.name}: {one.reason}" for one in refused]
    screen = screen_of(normalise(_output(finished).decode("utf-8", "replace")))
    shown: JsonObject = {
        "exit_code": finished.exit_code,
        "output": screen.text,
        "truncated": finished.truncated or screen.is_cut,
        "cwd": cwd,
        "sim_seconds": (_COST + done.delay) // SECOND,
    }
    if finished.stop:
        shown["stopped"] = finished.stop.value
    return {**shown, "note": "; ".join(notes)} if notes else shown


def _output(finished: Finished) -> bytes:
    """What was printed; of a flood only its beginning, for where it was stopped differs from run to run."""
    if finished.stop is not Stop.OUTPUT:
        return finished.output
    return finished.output[: LIMITS.output_bytes // 2] + b"\n[... the rest left out ...]\n"
