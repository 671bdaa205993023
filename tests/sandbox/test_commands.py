"""What a command sees, what its caller gets, and that both repeat."""

import socket
import subprocess
import threading
from pathlib import Path
from time import sleep

import pytest

from brownout.sandbox import Limits, Sandbox
from brownout.sandbox.command_channel import Greeting, greet

pytestmark = pytest.mark.sandbox


def test_output_keeps_the_order_of_both_streams_and_the_exit_code(box: Sandbox, now: float) -> None:
    finished = box.run("echo a; echo b >&2; echo c; exit 3", now=now)
    assert (finished.exit_code, finished.output, finished.stop) == (3, b"a\nb\nc\n", None)


def test_a_signal_is_told_as_a_shell_tells_it(box: Sandbox, now: float) -> None:
    assert box.run("kill -SEGV $$", now=now).exit_code == 139


def test_a_command_reads_its_input_also_by_name(box: Sandbox, now: float) -> None:
    assert box.run("cat; cat | wc -c", now=now, stdin=b"x" * 9).output == b"x" * 9 + b"0\n"
    assert box.run("cat /dev/stdin", now=now, stdin=b"patch\n").output == b"patch\n"
    assert box.run("cat", now=now).output == b""


def test_a_missing_directory_is_said_as_output(box: Sandbox, now: float) -> None:
    finished = box.run("true", now=now, cwd="/nowhere")
    assert (finished.exit_code, finished.output) == (126, b"sh: No such file or directory: /nowhere\n")


def test_a_command_that_no_shell_could_take_is_said_as_output(box: Sandbox, now: float) -> None:
    assert b"too long" in box.run("echo " + "x" * 140_000, now=now).output
    assert b"too long" in box.run("echo " + "\x01" * 100_000, now=now).output
    assert b"NUL" in box.run("echo \0", now=now).output
    assert box.run("printf %s '\ud800'", now=now).output == b"?"
    assert len(box.run("echo " + "é" * 60_000, now=now).output) > 60_000


def test_long_output_keeps_beginning_and_end(now: float) -> None:
    with Sandbox(user="mara", hostname="h", limits=Limits(output_bytes=1000)) as box:
        finished = box.run("seq 1 2000", now=now)
    assert finished.truncated
    assert finished.output.startswith(b"1\n2\n3\n")
    assert finished.output.endswith(b"1999\n2000\n")
    assert b"[... 7893 bytes left out ...]" in finished.output


def test_a_program_left_in_the_background_lives_on(box: Sandbox, now: float) -> None:
    box.run("(sleep 0.2; echo late > late) > /dev/null 2>&1 &", now=now)
    assert box.run("sleep 0.6; cat late", now=now).output == b"late\n"


def test_a_child_that_keeps_the_output_open_does_not_delay_the_answer(box: Sandbox, now: float) -> None:
    assert box.run("sleep 30 & echo started", now=now, wall_seconds=5).output == b"started\n"


def test_a_sandbox_outlives_the_thread_that_started_it(box: Sandbox, now: float) -> None:
    thread = threading.Thread(target=lambda: box.run("echo kept > note", now=now))
    thread.start()
    thread.join()
    assert box.run("sleep 0.1; cat note", now=now).output == b"kept\n"


def test_closing_twice_is_harmless_and_a_closed_sandbox_starts_afresh(box: Sandbox, now: float) -> None:
    box.run("echo x > note", now=now)
    box.close()
    box.close()
    assert not box.is_running
    assert box.run("ls -A", now=now).output == b""


def test_environment_and_files_are_as_asked(now: float) -> None:
    with Sandbox(
        user="jonas",
        hostname="ci-4",
        environment={"GIT_AUTHOR_NAME": "Jonas Reuter", "HOME_PAGE": "a b\nc"},
        files={"/etc/gitconfig": b"[user]\n\temail = jonas@larkspur.test\n"},
    ) as box:
        output = box.run(
            'id -un; hostname; echo "$GIT_AUTHOR_NAME|$HOME_PAGE"; git config user.email; pwd', now=now
        ).output
    assert output.decode() == "jonas\nci-4\nJonas Reuter|a b\nc\njonas@larkspur.test\n/home/jonas\n"


COMMANDS = r"""
date; date +%s.%N; env | sort; id; uname -n; ls -la /etc /home; cat /etc/hosts
git init -q shop; cd shop; git config user.name M; git config user.email m@x.test; echo a > a; git add a; git commit -qm one
cd shop; git commit -q --amend -m two; git tag -a v1 -m v1; git log --format=fuller; git rev-parse HEAD v1
cd shop; ls -la; touch z y x; ls -U; ls -li; stat -c '%y %z' a
python3 -c "import os; print(os.listdir('.'), {'a', 'b', 'c'}, hash('x'), object())"
python3 -c "import time, datetime as d; a = time.time(); time.sleep(0.05); print(a, time.time() - a, d.date.today())"
perl -e 'print time, "\n"'; du -a shop/a; find ~ -newermt 2026-04-06 | sort | head -3; echo $$
printf 'def test_a(tmp_path):\n    assert object() == tmp_path\n' > test_a.py
python3 -m pytest -q test_a.py --basetemp=/tmp/b -p no:cacheprovider | grep -v ' in '
""".strip().splitlines()


def session(now: float) -> list[bytes]:
    with Sandbox(user="mara", hostname="laptop-mara") as box:
        return [box.run(command, now=now + 30 * turn).output for turn, command in enumerate(COMMANDS)]


def test_the_same_commands_print_the_same_in_every_sandbox(now: float) -> None:
    first, second = session(now), session(now)
    for ours, theirs in zip(first, second, strict=True):
        assert ours == theirs


def test_addresses_are_the_same_though_nothing_is_masked(now: float) -> None:
    seen = set()
    for _ in range(3):
        with Sandbox(user="mara", hostname="h") as box:
            seen.add(box.run("python3 -c 'print(object())'; head -3 /proc/self/maps | cut -d' ' -f1", now=now).output)
    assert len(seen) == 1


def test_the_programs_of_an_ordinary_day_work(box: Sandbox, now: float) -> None:
    output = box.run(
        "pytest --version; python -m pytest --version; python3 -c 'import ssl, sqlite3, ctypes, multiprocessing as m;"
        " print(m.get_context(\"fork\").Pool(2).map(abs, [-1, -2]))'; python3 -c 'import asyncio, subprocess;"
        ' asyncio.run(asyncio.sleep(0.01)); print(subprocess.run(["echo", "hi"], timeout=5).returncode)\'',
        now=now,
    ).output.decode()
    assert output.count("pytest ") == 2
    assert output.endswith("[1, 2]\nhi\n0\n")


def test_the_inside_names_no_folder_of_the_host(box: Sandbox, now: float) -> None:
    output = box.run(
        "python3 -c 'import sys, sysconfig; print(sys.path, sys.prefix, sysconfig.get_paths())'", now=now
    ).output
    assert b"/opt/python" in output
    assert str(Path.home()).encode() + b"/" not in output


def test_a_sandbox_quicker_than_its_supervisor_is_known_all_the_same(
    box: Sandbox, now: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(control: socket.socket, process: subprocess.Popen[bytes], seconds: float) -> Greeting:
        sleep(0.5)
        return greet(control, process, seconds)

    monkeypatch.setattr("brownout.sandbox.machine.greet", late)

    assert box.run("echo here", now=now).output == b"here\n"
