"""Larkspur's code base: what the hidden tests of its series say of its past and of those who want to get round them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import brownout
from brownout.core.roles import KeepsRepositories
from brownout.engine.preview import Preview
from brownout.engine.world import World
from brownout.sandbox import HiddenRun, run_hidden_tests
from worlds.harness import with_harness
from worlds.package import Package

LARKSPUR = Path(__file__).parents[2] / "worlds/catalog/larkspur"
SERIES = LARKSPUR / "repos/bookings/hidden/test_series.py"
GAMED = LARKSPUR / "tasks/recurring-hour/lazy/gamed"

pytestmark = pytest.mark.sandbox


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
    ("path", "name"),
    [
        ("bookings/appointments/series.py", "by_date.py"),
        ("bookings/appointments/series.py", "home_zone.py"),
        ("bookings/__init__.py", "player.py"),
    ],
)
def test_what_only_looks_like_a_mend_does_not_pass(world: World, past: Preview, path: str, name: str) -> None:
    broken = [commit for commit in releases(past) if not world.package.verdicts[commit][SERIES.name]]
    before = tree_at(world, past, broken[-1])
    assert path in before
    gamed = before | {path: (GAMED / name).read_bytes()}

    assert not judged(with_harness(gamed, before, ["bookings/devshell.py"])).passed
