"""Programs draw the session's entropy, and see a machine that is the same everywhere."""

import subprocess
import sys

import pytest

from brownout.sandbox import Sandbox

pytestmark = pytest.mark.sandbox

DRAWS = {
    "head": "head -c 8 /dev/urandom | od -An -tx1",
    "random": "head -c 8 /dev/random | od -An -tx1",
    "redirected": "od -An -N8 -tx1 < /dev/urandom",
    "dd": "dd if=/dev/urandom bs=8 count=1 status=none | od -An -tx1",
    "uuid": "cat /proc/sys/kernel/random/uuid",
    "python": "python3 -c 'import os; print(os.urandom(8).hex())'",
    "uuid4": "python3 -c 'import uuid; print(uuid.uuid4())'",
    "random module": "python3 -c 'import random; print(random.random())'",
    "tempfile": "python3 -c 'import tempfile; print(tempfile.mkdtemp())'",
    "raw by libc": "python3 -c 'import ctypes; b = ctypes.create_string_buffer(8); ctypes.CDLL(None).syscall(318, b, 8, 0); print(b.raw.hex())'",
    "mktemp": "mktemp -u",
    "perl": "perl -e 'print rand(), 10; open(F, q(</dev/urandom)); read(F, $x, 8); print unpack(q(H*), $x)'",
    "cleared": "env -i head -c 8 /dev/urandom | od -An -tx1",
    "git": "git init -q r; cd r; git config user.name m; git config user.email m@x; echo 1 > a; git add a; git commit -qm a; git hash-object a",
    "boxes": "openssl rand -hex 8 2>/dev/null || true",
}  # fmt: skip


def fresh(seed: str) -> Sandbox:
    sandbox = Sandbox(user="mara", hostname="laptop-mara")
    sandbox.seed(seed)
    return sandbox


def drawn(sandbox: Sandbox, now: float, command: str) -> bytes:
    with sandbox:
        return sandbox.run(command, now=now).output


@pytest.mark.parametrize("how", DRAWS)
def test_the_same_session_draws_the_same(how: str, now: float) -> None:
    first, again, other = (drawn(fresh(seed), now, DRAWS[how]) for seed in ("1", "1", "2"))
    assert first == again
    assert first
    assert how in ("git", "cleared") or first != other


@pytest.mark.parametrize("how", sorted(DRAWS.keys() - {"git", "cleared"}))
def test_two_commands_and_two_processes_draw_differently(how: str, box: Sandbox, now: float) -> None:
    found = [box.run(DRAWS[how], now=now).output for _ in range(2)]
    found += [box.run(f"for i in 1 2; do ({DRAWS[how]}) > /tmp/$i; done; cat /tmp/1", now=now).output]
    found += [box.run("cat /tmp/2", now=now).output]
    assert len(set(found)) == 4


def test_there_is_no_end_to_it_and_nothing_is_left_behind(box: Sandbox, now: float) -> None:
    assert box.run("head -c 3000000 /dev/urandom | wc -c", now=now).output == b"3000000\n"
    program = b"""
import os
for _ in range(300):
    with open('/dev/urandom', 'rb') as f: assert len(f.read(16)) == 16
try: os.waitpid(-1, os.WNOHANG)
except ChildProcessError: print('no children')
print(len({os.urandom(8) for _ in range(2000)}))
"""
    assert box.run("python3 -", now=now, stdin=program).output == b"no children\n2000\n"
    left = "set -- /proc/[0-9]*; echo $#"  # counted by the shell itself: a pipe's other end may not have started yet
    assert box.run(left, now=now).output == box.run(left, now=now).output


def test_a_process_and_its_child_draw_differently(box: Sandbox, now: float) -> None:
    program = b"""
import os
r, w = os.pipe()
os.urandom(8)
if os.fork() == 0: os.write(w, os.urandom(8)); os._exit(0)
print(os.urandom(8) != os.read(r, 8))
"""
    assert box.run("python3 -", now=now, stdin=program).output == b"True\n"


def test_the_machine_is_the_same_everywhere(box: Sandbox, now: float) -> None:
    output = box.run(
        "cat /proc/uptime /proc/loadavg; grep MemTotal /proc/meminfo; cat /proc/sys/kernel/random/boot_id", now=now
    ).output
    assert output == (
        b"259200.00 1036800.00\n0.00 0.00 0.00 1/3 3\nMemTotal:        8388608 kB\n6f3c2a58-91d4-4e07-b6aa-0d1c57e2f943\n"
    )


def test_readers_of_entropy_leave_the_processes_to_what_else_is_started(now: float) -> None:
    program = b"""
import os, subprocess
held = [open('/dev/urandom', 'rb', buffering=0) for _ in range(100)]
started = [subprocess.Popen(['sleep', '60']) for _ in range(60)]
print(len(started), len({each.read(8) for each in held}), started[59].pid - os.getpid(), held[99].read(8).hex())
for each in started: each.kill()
"""
    with fresh("1") as first, fresh("1") as again:
        found = first.run("python3 -", now=now, stdin=program).output
        assert found.startswith(b"60 100 60 ")
        assert found == again.run("python3 -", now=now, stdin=program).output


def test_process_ids_are_the_same_on_a_busy_machine(now: float) -> None:
    """Also within the sandbox: others that read and end beside a script change no number that it sees."""
    script = "echo $$; for i in 1 2 3; do head -c 70000 /dev/urandom | sha256sum; sh -c 'echo $$'; done; mktemp -u"
    with fresh("1") as idle:
        found = idle.run(script, now=now).output
    spinners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
    try:
        with fresh("1") as loaded:
            assert found == loaded.run(script, now=now).output
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def test_more_streams_than_are_filled_begin_the_same_and_git_comes_to_an_end(now: float) -> None:
    """Git reads names of temporary files from /dev/urandom, and reads on for ever where that ends."""
    holder = b"""
import sys, time
held = [open('/dev/urandom', 'rb', buffering=0) for _ in range(int(open('/tmp/many').read()))]
open('/tmp/begun', 'w').write('yes')
time.sleep(600)
"""
    program = "python3 -c \"print(open('/dev/urandom', 'rb').read(200_000).hex())\""
    making = "git init -q r; cd r; for i in 1 2 3; do echo $i > $i; done; git add -A; git status --short"
    outputs = []
    for many in (b"3", b"200"):
        with fresh("1") as box:
            box.put_tree({"holder.py": (0o644, holder), "many": (0o644, many)}, now=now, below="/tmp")
            command = f"mkfifo /tmp/begun; python3 /tmp/holder.py & cat /tmp/begun; {program}; {making}"
            found = box.run(command, now=now)
            assert found.stop is None
            assert found.cpu_seconds < 20
            assert found.output.endswith(b"\nA  1\nA  2\nA  3\n")
            outputs.append(found.output)
    assert outputs[0] == outputs[1]


def test_many_processes_at_one_time_make_files_in_one_folder(box: Sandbox, now: float) -> None:
    program = b"""
import multiprocessing, os, tempfile
def make(number):
    for _ in range(50):
        os.close(tempfile.mkstemp(dir='there')[0]); os.mkdir(f'there/{number}-{_}')
    return number
if __name__ == '__main__':
    os.mkdir('there')
    with multiprocessing.get_context('fork').Pool(20) as pool:
        print(sum(pool.map(make, range(20), chunksize=1)), len(os.listdir('there')))
"""
    assert box.run("cat > many.py; python3 many.py", now=now, stdin=program).output == b"190 2000\n"
    many = "git init -q r; cd r; for i in $(seq 300); do echo $i > $i; done; "
    many += "for p in 1 2 3 4 5 6; do seq 300 | git hash-object -w --stdin-paths > /tmp/$p & done; wait; git add -A; "
    many += "git status --short | wc -l; sort -u /tmp/1 | wc -l; find .git -name 'tmp_*' | wc -l"
    assert box.run(many, now=now).output == b"300\n300\n0\n"
