"""The workspace as a value: what goes in comes out, whatever it is called."""

import os
import stat

import pytest

from brownout.core.errors import SandboxError
from brownout.sandbox import Sandbox, Workspace

pytestmark = pytest.mark.sandbox

REPOSITORY = (
    "git init -q shop && cd shop && git config user.name M && git config user.email m@x.test && echo one > one "
    "&& mkdir empty && ln -s one link && git add . && git commit -qm one && echo staged > staged && git add staged "
    "&& echo loose > loose && echo changed >> one && git stash list && echo note > /tmp/note && chmod 750 one"
)


def paths(workspace: Workspace) -> set[bytes]:
    return {path.removeprefix(b"home/mara/") for path in workspace.entries if path.startswith(b"home/mara/")}


def test_a_fork_has_the_same_files_dates_and_uncommitted_work(box: Sandbox, now: float) -> None:
    box.run(REPOSITORY, now=now)
    before = box.snapshot()
    look = "cd shop; git status --short; git log --format=%H; git fsck; stat -c '%n %A %Y %s' * . .. /tmp/note; cat /tmp/note"
    with Sandbox(user="mara", hostname="laptop-mara") as twin:
        twin.restore(before, now=now + 30)
        assert twin.snapshot() == before
        assert twin.run(look, now=now + 60).output == box.run(look, now=now + 60).output


def test_a_capture_holds_what_changed_and_nothing_else(box: Sandbox, now: float) -> None:
    box.run(REPOSITORY, now=now)
    before = box.snapshot()
    assert not box.capture(before)
    box.run("cd shop; rm link; echo more >> loose; mkfifo pipe; mv one uno; chmod 600 staged", now=now + 60)
    changes = box.capture(before)
    written = {path.removeprefix(b"home/mara/shop").lstrip(b"/") for path in changes.written}
    assert written == {b"", b"loose", b"uno", b"staged"}
    assert {path.rpartition(b"/")[2] for path in changes.removed} == {b"link", b"one"}
    assert changes.left_out == (b"home/mara/shop/pipe",)
    assert before.after(changes) == box.snapshot()


def test_an_equal_length_edit_right_after_a_capture_is_seen(box: Sandbox, now: float) -> None:
    box.run("echo 0000 > f", now=now)
    state = box.snapshot()
    for turn in range(1, 30):
        box.run(f"echo {turn:04} > f", now=now)  # the world's clock stands still
        state = state.after(box.capture(state))
        assert state.content("home/mara/f") == b"%04d\n" % turn


def test_an_older_state_can_be_compared_too(box: Sandbox, now: float) -> None:
    box.run("echo a > a", now=now)
    first = box.snapshot()
    box.run("echo b > b", now=now)
    second = first.after(box.capture(first))
    box.run("rm a; echo c > c", now=now)
    assert first.after(box.capture(first)) == second.after(box.capture(second)) == box.snapshot()


def test_file_names_are_bytes_whatever_they_are(box: Sandbox, now: float) -> None:
    names = [
        b"new\nline",
        b"\xff\xfe",
        b"..x",
        b"...",
        b"-rf",
        b"a b",
        b"$(id)",
        b"'\"",
        b"\x01\x7f",
        "é".encode(),
        b"x" * 255,
    ]
    box.put_tree({name: (0o644, name) for name in names}, now=now)
    state = box.snapshot()
    assert paths(state) == set(names)
    with Sandbox(user="mara", hostname="h") as twin:
        twin.restore(state, now=now)
        assert twin.snapshot() == state
        assert twin.run("ls -A | wc -l; cat ./-rf", now=now).output == b"12\n-rf"


def test_paths_that_lead_elsewhere_are_refused(box: Sandbox, now: float) -> None:
    for path in ("../x", "a/../../x", "/etc/x", "a//b", "a/./b", "", "a\0b", "x" * 5000):
        with pytest.raises(SandboxError, match="plain path"):
            box.put_tree({path: (0o644, b"")}, now=now)
    with pytest.raises(SandboxError, match="could not be written"):
        box.put_tree({"x": (0o644, b"")}, now=now, below="/etc")


def test_links_are_carried_and_never_followed(box: Sandbox, now: float) -> None:
    box.run("ln -s /etc away; ln -s away/passwd file; ln -s . loop; mkdir d; ln -s /usr d/usr", now=now)
    state = box.snapshot()
    assert paths(state) == {b"away", b"file", b"loop", b"d", b"d/usr"}
    assert state.content("home/mara/away") == b"/etc"
    with pytest.raises(SandboxError, match="could not be written"):
        box.put_tree({"away/x": (0o644, b"")}, now=now)


def test_closed_files_and_folders_are_carried(box: Sandbox, now: float) -> None:
    box.run("mkdir -p d/e; echo x > d/e/f; chmod 000 d/e/f d/e; chmod 0500 d", now=now)
    state = box.snapshot()
    assert state.content("home/mara/d/e/f") == b"x\n"
    with Sandbox(user="mara", hostname="h") as twin:
        twin.restore(state, now=now)
        assert (
            twin.run("stat -c %a d; ls d/e 2>&1 | wc -l; chmod 700 d d/e; stat -c %a d/e/f", now=now).output
            == b"500\n1\n0\n"
        )
    assert box.run("stat -c %a d d/e", now=now).output == b"500\n0\n"


def test_trees_are_written_with_modes_links_and_dates(box: Sandbox, now: float) -> None:
    box.put_tree(
        {
            "r/run.sh": (0o755, b"#!/bin/sh\necho ran\n"),
            "r/l": (stat.S_IFLNK | 0o777, b"run.sh"),
            "r/e": (stat.S_IFDIR | 0o700, b""),
        },
        now=now,
    )
    assert (
        box.run("r/l; stat -c '%a %Y' r/e r/run.sh", now=now + 60).output.decode()
        == f"ran\n700 {int(now)}\n755 {int(now)}\n"
    )
    box.put_tree({"r/l": (0o644, b"replaced")}, now=now)
    assert box.run("cat r/l r/run.sh", now=now).output == b"replaced#!/bin/sh\necho ran\n"


def test_a_tree_that_does_not_fit_is_an_error(box: Sandbox, now: float) -> None:
    with pytest.raises(SandboxError, match="No space left"):
        box.put_tree({f"{i}": (0o644, os.urandom(1) * (12 << 20)) for i in range(3)}, now=now)


def test_deep_and_special_files_do_not_stop_a_snapshot(box: Sandbox, now: float) -> None:
    program = b"""
import os, socket
s = socket.socket(socket.AF_UNIX); s.bind('sock'); os.mkfifo('fifo')
open('hole', 'w').truncate(4 << 20)
for _ in range(1500): os.mkdir('deep'); os.chdir('deep')
"""
    assert box.run("python3 -", now=now, stdin=program).exit_code == 0
    changes = box.capture(Workspace())
    assert changes.left_out == (b"home/mara/fifo", b"home/mara/sock")
    assert changes.written[b"home/mara/hole"].size == 4 << 20
    assert max(map(len, changes.written)) <= 4000


def test_equal_work_has_an_equal_digest(now: float) -> None:
    digests, indexes = set(), set()
    for others in range(2):
        with Sandbox(user="mara", hostname="h") as box:
            box.run("sleep 0.02; echo $$ > /tmp/pid", now=now)
            box.run(f"for i in $(seq {others}); do touch $i; rm $i; done", now=now)  # an inode is used up
            box.run(REPOSITORY, now=now)
            box.run("mktemp; cd shop; git status; git commit -aqm two", now=now + 60)
            state = box.snapshot()
            digests.add(state.digest())
            indexes.add(state.content("home/mara/shop/.git/index"))
            box.run("cd shop; echo other > one; git add one; git checkout -q . ", now=now + 90)
            changed = box.snapshot().digest()
    assert len(digests) == 1
    assert len(indexes) == 2  # git's cache of times and inodes does differ
    assert changed not in digests


def test_a_lost_sandbox_is_restored_from_its_last_state(box: Sandbox, now: float) -> None:
    box.run("echo kept > note", now=now)
    state = box.snapshot()
    assert box.run("echo more >> note; kill -9 2; sleep 1", now=now).workspace_lost
    with pytest.raises(SandboxError, match="restore"):
        box.snapshot()
    box.restore(state, now=now)
    assert box.run("cat note", now=now).output == b"kept\n"


def test_a_sandbox_never_started_has_no_files(box: Sandbox) -> None:
    assert box.snapshot() == Workspace()
    assert not box.is_running
