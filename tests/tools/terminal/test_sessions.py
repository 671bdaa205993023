"""The files belong to the session: they are replayed, forked and reset with it, and sandboxes are only a cache."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brownout.core.calls import ToolCall
from brownout.engine.world import World
from tests.tools.terminal.company import Desk
from tests.tools.terminal.scripted import STEPS, play, work
from tools.terminal.sandbox_cache import idle_sandboxes
from worlds.package import Package

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[3]
COMMIT = "echo fix > fix.txt; git checkout -qb fix; git add .; git commit -qm Fix; echo loose > loose"


def elsewhere(package: Package, **environment: str) -> object:
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools.terminal.scripted", str(package.folder)],
        capture_output=True, text=True, check=True, cwd=ROOT, env={**os.environ, **environment},
    )  # fmt: skip
    return json.loads(done.stdout)


def test_work_comes_out_the_same_in_another_process(world: World, package: Package) -> None:
    first = json.loads(json.dumps(work(world)))
    second = elsewhere(package, PYTHONHASHSEED="1", TZ="Asia/Tokyo", LANG="tr_TR.UTF-8")
    assert isinstance(second, list)
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        assert one == other, number


def test_a_fork_goes_on_with_uncommitted_work(desk: Desk) -> None:
    desk.run(COMMIT, cwd="boxoffice")
    twin = desk.fork()
    look = "git status --short; git log -2 --format='%H %s'; cat loose; ls -la . docs; git diff HEAD~1 --stat; git stash list"
    assert desk.says(look, cwd="boxoffice") == twin.says(look, cwd="boxoffice")
    assert desk.session.digest() == twin.session.digest()
    twin.run("echo twin > loose; git push -q origin fix", cwd="boxoffice")
    assert desk.says("cat loose", cwd="boxoffice") == "loose\n"
    assert desk.git.refs.get("refs/heads/fix") is None
    assert twin.git.refs.get("refs/heads/fix") is not None
    assert len(idle_sandboxes) == 2


def test_a_fork_that_does_the_same_becomes_the_same(desk: Desk) -> None:
    play(desk, STEPS[:2])
    twin = desk.fork()
    idle_sandboxes.close()  # the twin gets a sandbox of its own anyway; now both do
    steps = [
        ("run", {"command": "git push -q -u origin fix; git status; git gc -q; ls -la", "cwd": "boxoffice"}),
        *STEPS[5:],
    ]
    assert play(desk, steps) == play(twin, steps)


def test_a_reset_forgets_everything(desk: Desk) -> None:
    fresh = desk.session.digest()
    desk.run(COMMIT + "; git push -q origin fix; echo x > /tmp/x", cwd="boxoffice")
    desk.session.reset()
    assert desk.session.digest() == fresh
    assert desk.rows("SELECT count(*) FROM terminal_file") == [(0,)]
    assert desk.says("git status --short; git branch -a; ls /tmp", cwd="boxoffice").split() == [
        "*", "main", "remotes/origin/HEAD", "->", "origin/main", "remotes/origin/main",
    ]  # fmt: skip


def test_without_its_sandbox_a_session_goes_on_the_same(world: World) -> None:
    steps = [
        (name, {**given, "command": given["command"].replace("$$", "")} if name == "run" else given)
        for name, given in STEPS
    ]
    kept, lost = Desk.at(world), Desk.at(world)
    expected = play(kept, steps)
    for number, step in enumerate(steps):
        idle_sandboxes.close()
        assert play(lost, [step]) == [expected[number]], step


def test_two_sessions_at_once_do_not_meet(world: World) -> None:
    desks = [Desk.at(world) for _ in range(4)]

    def edit(number: int) -> list[str]:
        desk = desks[number]
        told = []
        for turn in range(4):
            steps = desk.session.steps([_call(f"echo {number} >> mine; cat mine; sleep 0.0{turn}")])
            work = next(steps)
            done = pool.submit(work).result()
            try:
                steps.send(done)
            except StopIteration as stop:
                told.append(stop.value[0].structured["output"])
        return told

    with ThreadPoolExecutor(4) as pool:
        found = [edit(number) for number in range(4)]
    for number, told in enumerate(found):
        assert told == [f"{number}\n" * count for count in range(1, 5)]


def test_commands_of_several_sessions_run_at_the_same_time(world: World) -> None:
    desks = [Desk.at(world) for _ in range(3)]
    begun = [desk.session.steps([_call(f"echo {n} > mine; sleep 0.1; cat mine")]) for n, desk in enumerate(desks)]
    with ThreadPoolExecutor(3) as pool:
        works = [pool.submit(next(steps)) for steps in begun]
        for number, (steps, work) in enumerate(zip(begun, works, strict=True)):
            with pytest.raises(StopIteration) as stop:
                steps.send(work.result())
            assert stop.value.value[0].structured["output"] == f"{number}\n"
    assert len(idle_sandboxes) == 3


def test_looking_at_a_repository_changes_nothing(desk: Desk) -> None:
    desk.run("true")
    files = desk.rows("SELECT * FROM terminal_file ORDER BY id")
    made = desk.call("run", command="git status; git log -3; git diff; git fetch -q --dry-run; ls", cwd="boxoffice")
    assert made.effects == ()
    assert desk.rows("SELECT * FROM terminal_file ORDER BY id") == files


def test_a_file_with_a_measured_duration_is_the_same_file_in_a_replay(world: World) -> None:
    made = []
    for duration in ("0.03", "12.75"):
        desk = Desk.at(world)
        made.append(
            desk.call("run", command=f"sh -c 'echo $1' - '5 passed in {duration}s at 0x7f{duration[-1] * 8}' > log.txt")
        )
        assert duration in desk.call("run", command="rev log.txt | rev | tr s ' '").content
    assert made[0].effects == made[1].effects
    assert desk.call("run", command="echo 6 passed > log.txt").effects != ()


def test_contents_are_kept_once_and_forgotten_with_their_last_file(desk: Desk) -> None:
    desk.run("true")
    before = desk.rows("SELECT sha, data FROM terminal_blob ORDER BY sha")
    assert sum(len(data) for _, data in before) < 20_000  # what the package has is not kept again
    desk.run("echo same > a; echo same > b; cp boxoffice/README.md c")
    assert len(desk.rows("SELECT sha FROM terminal_blob")) == len(before) + 1
    desk.run("rm a c; echo other > b")
    assert [data for (data,) in desk.rows("SELECT data FROM terminal_blob WHERE length(data) = 6")] == [b"other\n"]
    desk.run("rm b")
    assert desk.rows("SELECT sha, data FROM terminal_blob ORDER BY sha") == before


def test_only_so_many_sandboxes_are_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_sandboxes, "_most", 2)
    desks = [Desk.at(world) for _ in range(3)]
    for turn in range(2):
        for number, desk in enumerate(desks):
            told = desk.says(f"echo {number}{turn} >> f; cat f").split()
            assert told == [f"{number}{each}" for each in range(turn + 1)]
    assert len(idle_sandboxes) == 2


def _call(command: str) -> ToolCall:
    return ToolCall("terminal_run", {"command": command}, "")
