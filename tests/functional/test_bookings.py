"""Larkspur's code base: what the hidden tests of its series say of its past and of those who want to get round them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import brownout
from brownout.core.app_roles import KeepsRepositories
from brownout.engine.preview import Preview
from brownout.engine.world import World
from brownout.sandbox import HiddenRun, run_hidden_tests
from worlds.hidden_test_harness import with_harness
from worlds.package import Package
from worlds.spec import read_world

LARKSPUR = Path(__file__).parents[2] / "worlds/catalog/larkspur"
SERIES = LARKSPUR / "repos/bookings/hidden/test_series.py"

pytestmark = pytest.mark.sandbox


def pushed(case: str, path: str) -> bytes:
    """The text that a lazy case of the task pushes to a path."""
    script = read_world(LARKSPUR).cases["recurring-hour"]["lazy"][case]
    [files] = [stood.step.arguments["files"] for stood in script if stood.step.call == "github_push_files"]
    assert isinstance(files, list)
    [text] = [file["content"] for file in files if isinstance(file, dict) and file["path"] == path]
    return str(text).encode()


@pytest.fixture(scope="module")
def world(larkspur_package: Package) -> Iterator[World]:
    with brownout.open_world(larkspur_package.folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def past(world: World) -> Preview:
    preview = world.preview()
    preview.go(world.package.manifest.calendar[1])
    return preview


def tree_at(world: World, past: Preview, ref: str) -> dict[str, bytes]:
    keeper = world.setting.apps["github"].role(KeepsRepositories)
    assert keeper is not None
    return dict(keeper.files(past.rows, world.setting.folder, "bookings", ref))


def judged(tree: Mapping[str, bytes]) -> HiddenRun:
    return run_hidden_tests(tree, {SERIES.name: SERIES.read_text("utf-8")}, 1)


def releases(past: Preview) -> list[str]:
    """The commits that were deployed, oldest first."""
    found = past.rows.execute('SELECT "commit" FROM ops_release WHERE "commit" != \'\' ORDER BY at_us')
    return list(dict.fromkeys(str(row[0]) for row in found))


def test_what_is_recorded_of_series_is_true(world: World, past: Preview) -> None:
    commits = releases(past)
    recorded = [world.package.verdicts[commit][SERIES.name] for commit in commits]
    broken, mended = recorded.index(False), len(recorded) - recorded[::-1].index(False)
    assert recorded == [True] * broken + [False] * (mended - broken) + [True] * (len(recorded) - mended)

    for place in (broken - 1, broken, mended - 1, mended):
        run = judged(tree_at(world, past, commits[place]))
        assert run.errors == ()
        assert run.passed is recorded[place], commits[place]


@pytest.mark.parametrize(
    ("path", "case"),
    [
        ("bookings/appointments/series.py", "mend-the-dates"),
        ("bookings/appointments/series.py", "take-the-home-zone"),
        ("bookings/__init__.py", "fool-the-player"),
    ],
)
def test_what_only_looks_like_a_mend_does_not_pass(world: World, past: Preview, path: str, case: str) -> None:
    broken = [commit for commit in releases(past) if not world.package.verdicts[commit][SERIES.name]]
    before = tree_at(world, past, broken[-1])
    assert path in before
    gamed = before | {path: pushed(case, path)}

    assert not judged(with_harness(gamed, before, ["bookings/devshell.py"])).passed
