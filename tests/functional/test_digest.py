"""The same text and seed give the same package, wherever and however it is built."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import brownout
from brownout.core.trajectory import WorldEvent
from brownout.store import Base, Pool

BUILD = (
    "import sys, json, brownout; p = brownout.build(sys.argv[1], out=sys.argv[2]); "
    "print(json.dumps(p.manifest.digests | {'digest': p.manifest.digest}))"
)


@contextmanager
def building(out: Path, cwd: Path, world: str = "tiny", **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A build in a process of its own, that is under way; what it prints are the digests."""
    command = [sys.executable, "-c", BUILD, world, str(out)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=cwd, env={**os.environ, **environment}
    ) as process:
        yield process


def digests_of(process: subprocess.Popen[str]) -> dict[str, str]:
    printed, _ = process.communicate()
    assert process.returncode == 0
    digests: dict[str, str] = json.loads(printed)
    return digests


def test_three_processes_agree(tmp_path: Path) -> None:
    """They run at once and hold each other up, so that nothing may rest on time."""
    with (
        building(tmp_path / "a", tmp_path, PYTHONHASHSEED="1", TZ="UTC", LANG="C") as first,
        building(tmp_path / "b", Path("/"), PYTHONHASHSEED="2", TZ="Asia/Tokyo", LANG="de_DE.UTF-8") as second,
        building(tmp_path / "c", Path.home(), PYTHONHASHSEED="3", TZ="America/Caracas", LANG="tr_TR.UTF-8") as third,
    ):
        one, other, another = map(digests_of, (first, second, third))

    assert one == other == another


def test_the_larger_company_is_the_same_elsewhere_too(larkspur_package: brownout.Package, tmp_path: Path) -> None:
    here = larkspur_package.manifest
    with building(
        tmp_path / "there", tmp_path, "larkspur", PYTHONHASHSEED="4", TZ="Pacific/Apia", LANG="pt_PT.UTF-8"
    ) as elsewhere:
        there = digests_of(elsewhere)

    assert there == {**here.digests, "digest": here.digest}


def messages(package: brownout.Package) -> dict[int, str]:
    base = Base(package.base)
    pool = Pool(base, hot=1)
    rows = pool.open().rows.execute(
        "SELECT id, text FROM slack_message UNION ALL SELECT 100000 + id, summary || description FROM jira_issue"
    )
    found = {int(str(key)): str(text) for key, text in rows}
    pool.close()
    base.close()
    return found


def test_one_word_in_a_beat_changes_only_what_it_says(spec_folder: Path, tmp_path: Path) -> None:
    before = messages(brownout.build(spec_folder, out=tmp_path / "before"))
    path = spec_folder / "prose/holds.yaml"
    path.write_text(path.read_text().replace("Saltworks just rang", "Saltworks just called", 1))

    after = messages(brownout.build(spec_folder, out=tmp_path / "after"))

    changed = [key for key in before | after if before.get(key) != after.get(key)]
    assert len(changed) == 1
    assert "just called" in after[changed[0]]


@pytest.mark.parametrize("task", list(brownout.open_package("tiny").tasks))
def test_everything_before_a_start_came_from_somewhere(task: str) -> None:
    """Every artefact of the past has an event, and nothing failed on the way."""
    with brownout.open_world("tiny") as world:
        preview = world.preview()
        preview.go(world.package.task(task).start)
        failed = [e for e in preview.events if isinstance(e, WorldEvent) and e.outcome.startswith("failed")]

    assert failed == []
