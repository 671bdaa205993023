"""Commands on a machine of one's own: what they see, what they leave, what stops them."""

from dataclasses import replace
from pathlib import Path

import pytest

from brownout.core.errors import SandboxUnavailable
from brownout.core.instants import SECOND
from brownout.engine.world import World
from brownout.rollouts.recorder import read_run
from brownout.rollouts.replay import replay
from tests.functional.playing import play
from tests.tools.terminal.company import TASK, Desk, build_bare, emptied
from tools.terminal import operations
from tools.terminal.sandbox_cache import idle_sandboxes
from tools.terminal.sandbox_work import LIMITS

pytestmark = pytest.mark.sandbox


def test_the_first_command_finds_the_repositories_cloned(desk: Desk) -> None:
    told = desk.says("git status; git remote -v; git log -1 --format=%H; git rev-parse origin/HEAD", cwd="boxoffice")
    tip = desk.git.resolve("main")
    assert "nothing to commit, working tree clean" in told
    assert "origin\tgit@github.com:pennywhistle/boxoffice.git (push)" in told
    assert told.splitlines()[-2:] == [tip, tip]
    assert "error" not in desk.says("git fsck --strict 2>&1", cwd="boxoffice")
    files = set(desk.says("git ls-files", cwd="boxoffice").split())
    assert files == set(desk.git.files("main"))


def test_its_clock_and_its_person_are_the_worlds(desk: Desk) -> None:
    told = desk.says("date +%s; whoami; echo $HOME; git config user.name; git config user.email; touch f; stat -c %Y f")
    now = desk.session.now // SECOND - 5  # a command takes five seconds
    assert told.split() == [str(now), "wren", "/home/wren", "Wren", "wren@pennywhistle.test", str(now)]


def test_a_command_takes_its_time_however_long_it_really_takes(desk: Desk) -> None:
    before = desk.session.now
    assert desk.run("sleep 0.2; python3 -c 'sum(range(3000000))'")["sim_seconds"] == 5
    assert desk.session.now - before == 35 * SECOND  # with the turn's own


def test_exit_code_input_and_place_are_as_asked(desk: Desk) -> None:
    answer = desk.run("cat; pwd; exit 7", stdin="é\n", cwd="boxoffice/../boxoffice")
    assert (answer["exit_code"], answer["output"], answer["cwd"]) == (
        7,
        "é\n/home/wren/boxoffice\n",
        "/home/wren/boxoffice",
    )
    assert desk.run("pwd", cwd="nowhere")["exit_code"] == 126
    assert desk.says("pwd", cwd="/tmp") == "/tmp\n"


def test_what_differs_from_run_to_run_is_masked(desk: Desk) -> None:
    told = desk.says(
        "mktemp; python3 -c 'print(object())'; python3 -m pytest -q boxoffice/tests/test_clock.py | tail -1"
    )
    assert told == "/tmp/tmp.<1>\n<object object at 0x<1>>\n2 passed in <t>s\n"


def test_files_stay_and_whatever_else_there_was_is_gone(desk: Desk) -> None:
    desk.run(
        "echo kept > /tmp/notes; mktemp; mkfifo /tmp/pipe; echo x > /dev/shm/x; sleep 60 & cd boxoffice; export A=1"
    )
    told = desk.says("cat /tmp/notes; ls -A /tmp /dev/shm; pwd; echo A=$A; ps -e -o comm= | grep -c sleep || true")
    assert told == "kept\n/dev/shm:\n\n/tmp:\n.github.com\nnotes\n/home/wren\nA=\n0\n"


def test_the_tests_of_a_repository_run(desk: Desk) -> None:
    assert " passed in <t>s" in desk.says("python3 -m pytest -q", cwd="boxoffice")
    assert desk.says("git status --short", cwd="boxoffice") == ""


def test_only_the_worlds_own_is_reached(desk: Desk) -> None:
    for command in (
        "git clone git@gitlab.com:a/b",
        "git clone https://github.com/acme/secret",
        "git clone https://example.com/x",
        "python3 -c \"import urllib.request as u; u.urlopen('http://1.1.1.1', timeout=2)\"",
        "ls /work /root",
        "touch /srv/git/x",
    ):
        assert desk.run(command)["exit_code"] != 0, command


def test_limits_are_observations(desk: Desk) -> None:
    spin = desk.run("while :; do :; done", timeout_seconds=1)
    assert spin["stopped"] == "cpu"
    flood = desk.run("echo begin; yes flood")
    assert flood["stopped"] == "output"
    assert flood["output"].startswith("begin\nflood\n")
    assert flood["output"].endswith("\n[... the rest left out ...]\n")
    eaten = desk.run("python3 -c 'a = [bytes(10**8) for _ in range(99)]; b = bytearray(10**9)'")
    assert "MemoryError" in eaten["output"] or eaten["stopped"] == "memory"
    assert desk.says("echo still here") == "still here\n"


def test_sleeping_is_no_way_to_wait(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "LIMITS", replace(LIMITS, idle_seconds=0.5))
    before = desk.session.now
    slept = desk.run("echo begin; sleep 600; echo end")

    assert (slept["stopped"], slept["output"]) == ("idle", "begin\n")
    assert "use the wait tool" in slept["note"]
    assert desk.session.now - before == 35 * SECOND
    assert desk.says("echo still here") == "still here\n"


def test_the_tool_says_that_sleeping_does_not_let_time_pass(desk: Desk) -> None:
    (tool,) = [tool for tool in desk.session.tools if tool["name"] == "terminal_run"]

    assert "does not let the world's time pass: use the wait tool" in str(tool["description"])


def test_a_machine_that_crashed_is_as_it_was_before(desk: Desk) -> None:
    desk.run("echo one > f")
    crashed = desk.run("echo two > f; kill -9 -1; sleep 5")
    assert crashed["stopped"] == "crashed"
    assert "nothing that it changed was kept" in crashed["note"]
    assert desk.says("cat f") == "one\n"


@pytest.mark.parametrize(
    "command",
    [
        "head -c 30000000 /dev/urandom > a; cp a b; cp a c",
        "python3 -c 'import os; [os.symlink(\"x\", str(n)) for n in range(19990)]'; mkdir a b c d e",
        "for i in $(seq 20); do truncate -s 30M hole$i; done",
        "head -c 30000000 /dev/urandom > /tmp/a",
    ],
)
def test_more_than_fits_is_not_kept(desk: Desk, command: str) -> None:
    desk.run("echo one > f")
    full = desk.run(f"echo two > f; {command}")
    assert "nothing that it changed was kept" in full["note"]
    assert desk.says("cat f; ls") == "one\nboxoffice\nf\n"


def test_a_company_without_github_has_terminals_too_and_its_runs_replay(tmp_path: Path) -> None:
    package = build_bare(tmp_path)
    with emptied(), World(package, hot=1) as world:
        session = world.open_session(TASK)
        answer = session.call("terminal_run", {"command": "ls -A; git init -q x; git clone git@github.com:a/b"})
        assert "ERROR: Repository not found." in str(answer.structured)
        listed = session.call("terminal_list_files", {"path": "x"})
        assert '"name":".git"' in listed.content
        result = play(world, tmp_path / "run", TASK, "oracle")
        assert (result.status, result.reward) == ("ok", 1.0)
        idle_sandboxes.close()
        assert replay(world, read_run(tmp_path / "run")).first_divergence is None


def test_a_missing_sandbox_is_an_error_of_the_simulation(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise SandboxUnavailable("needs bubblewrap: apt-get install bubblewrap")

    monkeypatch.setattr("brownout.sandbox.sandbox.probe", missing)
    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        desk.run("true")
