"""Programs see the session's time, and waiting still works."""

import pytest

from brownout.sandbox import Sandbox

pytestmark = pytest.mark.sandbox


def test_every_program_shows_the_day_of_the_session(box: Sandbox, now: float) -> None:
    output = box.run(
        "date -u +%FT%T; python3 -c 'import datetime; print(datetime.datetime.now().isoformat()[:19])';"
        " perl -MPOSIX -e 'print strftime(\"%FT%T\\n\", gmtime)'; awk 'BEGIN{srand(); print srand()}'",
        now=now + 3661,
    ).output.decode()
    assert output == f"2026-04-06T10:01:01\n2026-04-06T10:01:01\n2026-04-06T10:01:01\n{int(now) + 3661}\n"


def test_a_cleared_environment_still_shows_the_day_the_sandbox_started(box: Sandbox, now: float) -> None:
    box.start(now=now)
    assert box.run("env -i date -u +%F", now=now + 86400).output == b"2026-04-06\n"


def test_sleeping_moves_the_clock_by_what_was_asked(box: Sandbox, now: float) -> None:
    program = b"""
import select, threading, time
def moved(f):
    before = time.time(); f(); return round(time.time() - before, 4)
print(moved(lambda: time.sleep(0.05)))
print(moved(lambda: select.select([], [], [], 0.05)))
print(moved(lambda: threading.Event().wait(0.05)))
def together():
    threads = [threading.Thread(target=time.sleep, args=(0.05,)) for _ in range(5)]
    [t.start() for t in threads]; [t.join() for t in threads]
print(moved(together))
"""
    assert box.run("python3 -", now=now, stdin=program).output.split() == [b"0.05"] * 4


def test_loops_that_wait_for_a_wall_time_end(box: Sandbox, now: float) -> None:
    program = b"""
import select, subprocess, time, queue
end = time.time() + 0.2
while time.time() < end: select.select([], [], [], 0.02)
end = time.time() + 0.02
while time.time() < end: pass
try: subprocess.run(['sleep', '5'], timeout=0.1)
except subprocess.TimeoutExpired: print('timeout')
try: queue.Queue().get(timeout=0.05)
except queue.Empty: print('empty')
"""
    finished = box.run("timeout 5 python3 -", now=now, stdin=program)
    assert (finished.exit_code, finished.output) == (0, b"timeout\nempty\n")


def test_files_are_dated_in_the_session_during_and_after_the_command(box: Sandbox, now: float) -> None:
    during = box.run(
        "echo a > a; ln -s a l; mkdir d; touch -d 2020-02-02 old; stat -c '%n %y' a l d | cut -c1-21", now=now
    ).output
    assert during == b"a 2026-04-06 09:00:00\nl 2026-04-06 09:00:00\nd 2026-04-06 09:00:00\n"
    after = box.run(
        "stat -c '%n %y' a l d old; stat -c %z a; find . -mmin -2 | sort; find . -newer old | wc -l", now=now + 60
    ).output
    assert after.decode().splitlines() == [
        "a 2026-04-06 09:00:00.000000000 +0000",
        "l 2026-04-06 09:00:00.000000000 +0000",
        "d 2026-04-06 09:00:00.000000000 +0000",
        "old 2020-02-02 00:00:00.000000000 +0000",
        "2026-04-06 09:00:00.000000000 +0000",
        ".",
        "./a",
        "./d",
        "./l",
        "4",
    ]


def test_make_like_order_of_files_holds_within_a_command(box: Sandbox, now: float) -> None:
    script = "echo 1 > source; sleep 0.05; echo 1 > target; test target -nt source && echo built; sleep 0.05; echo 2 > source; test source -nt target && echo stale"
    assert box.run(script, now=now).output == b"built\nstale\n"


def test_commits_have_the_sessions_date_also_without_the_variables(box: Sandbox, now: float) -> None:
    box.run("git init -q r; cd r; git config user.name M; git config user.email m@x.test", now=now)
    commit = (
        "cd r; echo {0} > {0}; git add .; {1} git commit -qm {0}; git log -1 --format='%ai %ci'; git status --short"
    )
    for turn, prefix in enumerate(("", "env -u GIT_AUTHOR_DATE -u GIT_COMMITTER_DATE")):
        output = box.run(commit.format(turn, prefix), now=now + 60 * turn).output
        assert output.decode() == f"2026-04-06 09:0{turn}:00 +0000 2026-04-06 09:0{turn}:00 +0000\n"


def test_git_sees_an_edit_of_equal_length_in_the_next_command(box: Sandbox, now: float) -> None:
    box.run("git init -q r; cd r; echo one > f; git add f", now=now)
    box.run("cd r; git status --short", now=now)
    assert box.run("cd r; echo two > f; git status --short", now=now).output == b"AM f\n"
    assert box.run("cd r; git status --short", now=now).output == b"AM f\n"
