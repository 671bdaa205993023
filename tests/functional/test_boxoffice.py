"""The shipped code base: what its hidden tests say of its past, of its bug, and of its fix."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from brownout.core.app_roles import KeepsRepositories
from brownout.core.errors import SandboxError
from brownout.core.instants import SECOND
from brownout.engine.preview import Preview
from brownout.engine.world import World
from brownout.rollouts.grade_preparation import beforehand
from brownout.sandbox import HiddenRun, TestRun, run_hidden_tests, run_visible_tests
from brownout.store.git import File, apply_patch
from graders import suite_runs
from worlds.package import Package

HIDDEN = Path(__file__).parents[2] / "worlds/catalog/tiny/repos/boxoffice"


pytestmark = pytest.mark.sandbox


def tree_at(world: World, preview: Preview, ref: str) -> dict[str, bytes]:
    keeper = world.setting.apps["github"].role(KeepsRepositories)
    assert keeper is not None
    return dict(keeper.files(preview.rows, world.setting.folder, "boxoffice", ref))


def judged(tree: Mapping[str, bytes], seed: int = 1) -> HiddenRun:
    tests = {path.name: path.read_text() for path in sorted((HIDDEN / "hidden").glob("test_*.py"))}
    return run_hidden_tests(tree, tests, seed)


def test_what_is_recorded_of_releases_is_true(tiny: World) -> None:
    """The last release before the bug, the one with it, and the newest."""
    preview = tiny.preview()
    preview.go(tiny.package.manifest.calendar[1])
    found = preview.rows.execute('SELECT "commit" FROM ops_release WHERE "commit" != \'\' ORDER BY at_us')
    commits = [str(row[0]) for row in found]
    recorded = [tiny.package.verdicts[commit]["test_release.py"] for commit in commits]
    broken = recorded.index(False)
    assert recorded == [True] * broken + [False] * (len(recorded) - broken)

    for place in (broken - 1, broken, len(commits) - 1):
        run = judged(tree_at(tiny, preview, commits[place]))
        assert run.errors == ()
        assert run.passed is recorded[place], commits[place]


def test_the_reference_fix_passes_and_a_half_does_not(tiny: World, tiny_package: Package) -> None:
    preview = tiny.preview()
    preview.go(tiny_package.manifest.calendar[1])
    tree = tree_at(tiny, preview, "main")
    files = apply_patch(
        {path: File(data) for path, data in tree.items()},
        (HIDDEN / "fix.patch").read_text(),
    )
    fixed = dict(tree)
    for path, file in files.items():
        if file is None:
            fixed.pop(path)
        else:
            fixed[path] = file.data
    half = {**tree, "boxoffice/checkout.py": fixed["boxoffice/checkout.py"]}

    assert all(judged(fixed, seed).passed for seed in (1, 2))
    assert not judged(half).passed
    visible = run_visible_tests(fixed)
    assert visible.exit_code == 0
    assert set(visible.outcomes.values()) == {"passed"}


def test_the_suite_as_it_was_runs_while_the_agent_acts(tiny: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Mapping[str, bytes], float]] = []

    def run(tree: Mapping[str, bytes], *, now: float) -> TestRun:
        asked.append((tree, now))
        raise SandboxError("what fails beforehand is asked for again by the grade")

    monkeypatch.setattr(suite_runs, "kept_visible_run", run)
    preview = tiny.preview()
    preview.go(tiny.package.task("release-the-seats").start)
    with tiny.open_session("release-the-seats") as session:
        with beforehand(session, tiny.package.rubric("release-the-seats")):
            pass
        with beforehand(session, tiny.package.rubric("release-the-seats"), frozenset({"unit_tests"})):
            pass
        start = session.task.start / SECOND
    assert asked
    assert all(one == (tree_at(tiny, preview, "main"), start) for one in asked)
