"""Attacks from inside: each holds, and the sandbox still answers or says why it stopped."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brownout.core.errors import SandboxError
from brownout.sandbox import Limits, Sandbox, Stop

pytestmark = pytest.mark.sandbox


@pytest.fixture
def idle_box() -> Iterator[Sandbox]:
    """A sandbox in which nobody may idle for long."""
    with Sandbox(user="mara", hostname="laptop", limits=Limits(idle_seconds=0.5)) as box:
        yield box


def say(box: Sandbox, command: str, stdin: str = "") -> str:
    finished = box.run(command, now=1_775_466_000, stdin=stdin.encode())
    return finished.output.decode(errors="replace")


def python(box: Sandbox, program: str) -> str:
    return say(box, "python3 -", program)


CALLS = """
import ctypes, errno, os, platform
libc = ctypes.CDLL(None, use_errno=True)
x86 = platform.machine() == "x86_64"
def call(name, *numbers_and_arguments):
    numbers, *arguments = numbers_and_arguments
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(numbers[0] if x86 else numbers[1]), *map(ctypes.c_long, arguments))
    print(name, errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "allowed")
"""


def test_a_shell_fork_bomb_meets_the_process_limit(box: Sandbox) -> None:
    box.run("f() { f | f & }; f; sleep 0.3", now=0, wall_seconds=5)
    # A command that finds no process left to run in ends the others, and says so.
    assert "still here\n" in [say(box, "echo still here") for _ in range(3)]


def test_a_python_fork_bomb_meets_the_process_limit(box: Sandbox) -> None:
    output = python(
        box,
        "import os, time\nmade = 0\ntry:\n"
        "  while True:\n    if os.fork() == 0: time.sleep(60); os._exit(0)\n    made += 1\n"
        "except BlockingIOError: print('EAGAIN', 10 < made < 40, flush=True)\nos.kill(0, 9)",
    )
    assert output == "EAGAIN True\n"
    assert say(box, "echo still here") == "still here\n"


def test_one_process_cannot_take_all_memory(box: Sandbox) -> None:
    assert "MemoryError" in python(box, "x = bytearray(10**9)")


def test_many_processes_together_cannot_take_all_memory(box: Sandbox) -> None:
    program = "import os, time\nfor _ in range(8):\n  if os.fork() == 0:\n    x = b'x' * (60 << 20); time.sleep(20)\ntime.sleep(20)"
    finished = box.run("python3 -", now=0, stdin=program.encode())
    assert finished.stop is Stop.MEMORY
    assert finished.exit_code == 137
    assert say(box, "echo still here") == "still here\n"


def test_shared_anonymous_memory_counts(box: Sandbox) -> None:
    program = (
        "import mmap, time\nm = mmap.mmap(-1, 400 << 20)\nfor i in range(0, 400 << 20, 4096): m[i] = 1\ntime.sleep(20)"
    )
    assert box.run("python3 -", now=0, stdin=program.encode()).stop is Stop.MEMORY


def test_memory_that_no_limit_counts_is_refused(box: Sandbox) -> None:
    output = python(
        box,
        CALLS + "call('memfd', (319, 279), 0, 0)\ncall('shm', (29, 194), 0, 1 << 20, 0o1600)\n"
        "call('queue', (68, 186), 0, 0o1600)",
    )
    assert output == "memfd ENOSYS\nshm ENOSYS\nqueue ENOSYS\n"


def test_disks_are_small_and_the_rest_is_read_only(box: Sandbox) -> None:
    output = say(
        box,
        "for d in /tmp ~ /dev/shm; do for i in 1 2 3; do head -c 15000000 /dev/zero > $d/big$i; done; done;"
        " for d in / /etc /usr /opt /run /dev /home /opt/session; do echo x > $d/x; done",
    )
    assert output.count("No space left on device") == 4  # of 15 MB: /tmp holds one, the others two
    assert output.count("Read-only file system") == 8


def test_a_file_has_a_longest_length(box: Sandbox) -> None:
    assert box.run("head -c 20000000 /dev/zero > ~/long", now=0).exit_code == 153  # 128 + SIGXFSZ
    assert say(box, "stat -c %s ~/long") == f"{16 << 20}\n"


def test_many_links_stop_the_sandbox_with_a_reason(box: Sandbox) -> None:
    finished = box.run("python3 -", now=0, stdin=b"import os\nfor i in range(10**6): os.symlink('x', f'/tmp/{i}')")
    assert finished.stop is Stop.INODES
    assert finished.workspace_lost
    with pytest.raises(SandboxError, match="inodes"):
        box.run("true", now=0)


def test_a_flood_of_output_is_stopped(box: Sandbox) -> None:
    finished = box.run("yes", now=0)
    assert finished.stop is Stop.OUTPUT
    assert finished.truncated
    assert len(finished.output) < box.limits.output_bytes + 100


def test_a_command_that_ignores_signals_meets_its_deadline_and_the_files_stay(box: Sandbox) -> None:
    finished = box.run("echo kept > note; trap '' TERM INT HUP; sleep 60; sleep 60", now=0, wall_seconds=0.3)
    assert finished.stop is Stop.DEADLINE
    assert not finished.workspace_lost
    assert say(box, "cat note; ps -e | grep -c sleep") == "kept\n0\n"


def test_a_spinning_command_is_stopped_by_its_processor_time(box: Sandbox) -> None:
    assert box.run("while :; do :; done", now=0).stop is Stop.CPU


def test_spinning_together_counts_together(box: Sandbox) -> None:
    program = b"import os\nfor _ in range(4):\n  if os.fork() == 0:\n    while True: pass\nos.wait()"
    finished = box.run("python3 -", now=0, stdin=program)
    assert finished.stop is Stop.CPU


def test_daemons_end_with_the_sandbox(box: Sandbox) -> None:
    say(box, "setsid sleep 31337 & (setsid sh -c 'sleep 31337 &') ; true")
    assert comes_true(lambda: bool(host_processes("sleep\0" + "31337")))
    box.close()
    assert comes_true(lambda: not host_processes("sleep\0" + "31337"))


def comes_true(holds: Callable[[], bool]) -> bool:
    """Whether something becomes so, within ten seconds."""
    for _ in range(500):
        if holds():
            return True
        time.sleep(0.02)
    return False


def test_sandboxes_end_when_their_supervisor_is_killed() -> None:
    program = (
        "from brownout.sandbox import Sandbox\nimport os\nbox = Sandbox(user='mara', hostname='h')\n"
        "box.run('setsid sleep 41337 & kill -STOP 2', now=0, wall_seconds=0.1)\nos.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", program], env=environment, check=False)
    for _ in range(100):
        if not host_processes("sleep\0" + "41337"):
            return
        time.sleep(0.02)
    pytest.fail("a sandbox outlived its supervisor")


def test_nothing_is_left_open_after_closing() -> None:
    def once() -> int:
        with Sandbox(user="mara", hostname="h") as box:
            box.run("cat", now=0, stdin=b"x")
            box.snapshot()
        return len(list(Path("/proc/self/fd").iterdir()))

    assert once() == once() == once()


def host_processes(words: str) -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and words.encode() in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            continue
    return found


def test_killing_everything_kills_only_this_sandbox(box: Sandbox) -> None:
    finished = box.run("kill -9 -1; sleep 5", now=0)
    assert finished.stop is Stop.CRASHED
    assert finished.workspace_lost


@pytest.mark.parametrize(
    "command",
    [
        "sleep 60",
        "while :; do sleep 0.1; done",
        "python3 -c 'import threading; threading.Event().wait(60)'",
        "read x < p",
    ],
)
def test_a_command_that_only_waits_is_stopped_soon_and_the_files_stay(idle_box: Sandbox, command: str) -> None:
    began = time.monotonic()
    finished = idle_box.run(f"mkfifo p; echo kept > note; {command}", now=0)

    assert finished.stop is Stop.IDLE
    assert time.monotonic() - began < 5
    assert say(idle_box, "cat note; ps -e | grep -c sleep") == "kept\n0\n"


SPIN = "import time\nwhile time.process_time() < 1: pass"


@pytest.mark.parametrize(
    "program",
    [
        SPIN,
        f"import threading\nworks = threading.Thread(target=exec, args=({SPIN!r}, {{}}))\nworks.start()\nworks.join()",
    ],
)
def test_a_command_that_works_is_not_idle_however_busy_the_system_is(idle_box: Sandbox, program: str) -> None:
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(6)]
    try:
        finished = idle_box.run("python3 - && echo done", now=0, stdin=program.encode())
    finally:
        for process in busy:
            process.kill()
            process.wait()

    assert (finished.stop, finished.output) == (None, b"done\n")


def test_a_stopped_command_server_is_a_deadline_not_a_hang(box: Sandbox) -> None:
    finished = box.run("kill -STOP 2; sleep 5", now=0, wall_seconds=0.2)
    assert finished.stop is Stop.DEADLINE
    assert finished.workspace_lost


def test_host_files_do_not_exist(box: Sandbox) -> None:
    here = Path(__file__).resolve()
    output = say(box, f"ln -s {here} a; cat a /etc/shadow {here} /proc/1/root{here} /root/.bashrc /proc/1/cwd{here}")
    assert output.count("No such file") + output.count("Permission denied") == 6


def test_nothing_of_the_project_can_be_found(box: Sandbox) -> None:
    assert (
        say(
            box, "find / -xdev \\( -name '*hidden*runner*' -o -name 'brownout*' -o -name 'truth.sqlite' \\) 2>/dev/null"
        )
        == ""
    )
    assert say(box, "grep -la 'truth.sqlite' /opt/session/* /opt/python/lib/python3*/*.py") == ""


def test_no_process_shows_the_launcher(box: Sandbox) -> None:
    os.environ["SANDBOX_TEST_SECRET"] = "launcher-secret"
    try:
        output = say(box, "cat /proc/*/environ /proc/*/cmdline /proc/self/mountinfo 2>/dev/null | tr '\\0' '\\n'")
    finally:
        del os.environ["SANDBOX_TEST_SECRET"]
    assert "launcher-secret" not in output
    for path in (str(Path(__file__).parents[2]), os.path.expanduser("~") + "/", "site-packages"):  # noqa: PTH111
        assert path not in output


def test_mount_sources_have_neutral_names(box: Sandbox) -> None:
    sources = {line.split()[3] for line in say(box, "cat /proc/self/mountinfo").splitlines()}
    known = {"/", "/newroot", "/usr", "/etc/ssl/certs", "/etc/alternatives", "/etc/ld.so.cache"}
    devices = {f"/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty")}
    ours = re.compile(r".*/(python-3\.[\w.-]+|machine-\w+/[\w-]+)")
    assert all(ours.fullmatch(source) for source in sources - known - devices)


def test_only_the_standard_descriptors_are_open(box: Sandbox) -> None:
    assert say(box, "ls /proc/self/fd") == "0\n1\n2\n3\n"  # the last is ls's own


def test_the_server_and_its_socket_cannot_be_read(box: Sandbox) -> None:
    output = say(box, "cat /proc/2/environ; ls /proc/2/fd; head -c1 /proc/2/mem; cat /proc/2/maps")
    assert output.count("Permission denied") == 4


def test_the_host_cannot_be_reached_by_network(box: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0sandbox-test")
        abstract.listen()
        output = python(
            box,
            "import socket\n"
            "def tell(f):\n  try: f(); print('reached')\n  except OSError as e: print(type(e).__name__)\n"
            f"tell(lambda: socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2))\n"
            "tell(lambda: socket.create_connection(('1.1.1.1', 443), 2))\n"
            "tell(lambda: socket.create_connection(('example.com', 443), 2))\n"
            "s = socket.socket(socket.AF_UNIX)\n"
            "tell(lambda: s.connect('\\0sandbox-test'))\n",
        )
    assert "reached" not in output
    assert len(output.splitlines()) == 4


def test_other_socket_families_are_refused(box: Sandbox) -> None:
    output = python(
        box,
        "import socket\nfor family, kind in ((16, 3), (17, 3), (40, 1), (38, 5), (31, 3), (2, 3)):\n"
        "  try: socket.socket(family, kind, 1); print('open')\n  except OSError as e: print(e.errno)\n",
    )
    assert output.split() == ["97"] * 5 + ["1"]  # EAFNOSUPPORT; a raw socket needs a capability


REFUSED = {
    "ptrace": "(101, 117), 16, 1, 0, 0",
    "vm_read": "(310, 270), 1, 0, 0, 0, 0, 0",
    "vm_write": "(311, 271), 1, 0, 0, 0, 0, 0",
    "unshare_user": "(272, 97), 0x10000000",
    "setns": "(308, 268), 0, 0",
    "mount": "(165, 40), 0, 0, 0, 0, 0",
    "new_mount": "(430, 430), 0, 0",
    "chroot": "(161, 51), 0",
    "keyctl": "(250, 219), 0, 0",
    "bpf": "(321, 280), 0, 0, 0",
    "perf": "(298, 241), 0, 0, 0, 0, 0",
    "userfaultfd": "(323, 282), 0",
    "io_uring": "(425, 425), 1, 0",
    "personality": "(135, 92), 0x0040000",
    "clock_settime": "(227, 112), 0, 0",
    "module": "(175, 105), 0, 0, 0",
    "kexec": "(246, 104), 0, 0, 0, 0",
    "clone_user": "(56, 220), 0x10000011, 0, 0, 0, 0",
    "inject": "(16, 29), 0, 0x5412, 0",
    "dmesg": "(103, 116), 3, 0, 0",
}


def test_dangerous_system_calls_are_refused(box: Sandbox) -> None:
    program = CALLS + "".join(f"call({name!r}, {arguments})\n" for name, arguments in REFUSED.items())
    expected = [f"{name} EPERM" for name in REFUSED] + ["clone3 ENOSYS"]
    assert python(box, program + "call('clone3', (435, 435), 0, 0)").splitlines() == expected


def test_calls_of_the_other_abi_do_not_exist(box: Sandbox) -> None:
    assert python(box, CALLS + "call('x32', (0x40000027, 4000))") == "x32 ENOSYS\n"


def test_privileges_cannot_be_had(box: Sandbox) -> None:
    output = python(
        box,
        "import os, resource\n"
        "def tell(f):\n  try: f(); print('done')\n  except (OSError, ValueError) as e: print('refused')\n"
        "tell(lambda: os.setuid(0))\ntell(lambda: os.mknod('/tmp/d', 0o60666, os.makedev(8, 0)))\n"
        "tell(lambda: os.chown('/tmp', 0, 0))\n"
        "tell(lambda: resource.setrlimit(resource.RLIMIT_DATA, (-1, -1)))\n"
        "tell(lambda: resource.setrlimit(resource.RLIMIT_NPROC, (-1, -1)))\n"
        "tell(lambda: open('/proc/sysrq-trigger', 'w').write('h'))\n"
        "tell(lambda: open('/proc/sys/kernel/hostname', 'w').write('h'))\n"
        "tell(lambda: os.sethostname('x') if hasattr(os, 'sethostname') else open('/x', 'w'))\n"
        f"tell(lambda: os.kill({os.getpid()}, 0))\n",
    )
    assert output == "refused\n" * 9


def test_no_capability_and_no_way_to_gain_one(box: Sandbox) -> None:
    status = say(box, "cat /proc/self/status")
    assert status.count("0000000000000000\n") >= 5
    for line in ("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        assert line in status


def test_a_strange_login_or_path_is_refused_before_anything_starts() -> None:
    for user in ("root", "../x", "a b", "", "--bind"):
        with pytest.raises(SandboxError, match="login name"):
            Sandbox(user=user, hostname="h").start(now=0)
    with pytest.raises(SandboxError, match="host name"):
        Sandbox(user="mara", hostname="a b").start(now=0)
    with pytest.raises(SandboxError, match="plain path"):
        Sandbox(user="mara", hostname="h", files={"/etc/../x": b""}).start(now=0)
    with pytest.raises(SandboxError, match="put_tree"):
        Sandbox(user="mara", hostname="h", files={"/home/mara/x": b""})
