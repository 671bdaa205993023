"""Judges code: hidden tests must pass on it, and what the repository's own tests proved must still be so.

    unit_tests: {repo: larkspur/bookings, at: merged to main, run: hidden/, visible: still pass}

`at` is `merged to <branch>` or a branch. `run` is `hidden/` for all, or `hidden/test_retry.py`; hidden tests call the code
from outside the process it runs in and are the verdict. What they enter through (`harness`, beside the files that the
author names for the repository in `hidden/harness.yaml`) is as it was when the task began. `visible: still pass`: every test that passed when the task began
still exists and passes, in the agent's version of the suite and in the original one; `visible: own suite passes` asks only
for the former, where a task changes what a test expects. The suite shares a process with the code, so these can only lose
points. `adds: a test that fails without it`: tests of the agent's suite pass, and do not with the code as it was; they pass
on the same code spelled otherwise, so that they do not read its text; and they notice several of the small faults in the
changed code that the hidden tests reject (`mutants`): a fault that those let pass is none of the task's.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from brownout.core.calls import Effect
from brownout.core.cancel_token import CancelToken
from brownout.core.errors import BrokenRubric, GradingError
from brownout.core.grading import AnticipatedWork, EndState, Grader, GradingContext, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json, JsonObject, digest_of
from brownout.core.wildcards import fits
from brownout.sandbox import HiddenRun, TestRun, ahead
from brownout.store.git import git_ref
from graders.criterion_asks import names_in, unknown_words
from graders.mutants import mutants, respelled
from graders.suite_runs import first_visible_run, hidden_run, visible_run
from worlds.hidden_test_harness import laid_over, with_harness

__all__ = ["unit_tests"]

_VISIBLE: Final = ("still pass", "own suite passes")
_ADDS: Final = "a test that fails without it"
_ENOUGH: Final = 3
"""Faults that added tests have to notice; all, where there are fewer."""
_RUN: Final = re.compile(r"hidden/([\w.*?-]*)")
_OF_TESTS: Final = re.compile(
    r"(?:.*/)?(?:tests?/.*|test_[^/]*\.py|[^/]*_test\.py|conftest\.py|pytest\.ini|\.pytest\.ini|tox\.ini|setup\.cfg|"
    r"pyproject\.toml|sitecustomize\.py|usercustomize\.py)"
)
"""The files that decide what a suite runs and how; the original suite is run with the original ones."""

Tree = Mapping[str, bytes]


class _UnitTests:
    name = "unit_tests"
    version = 4
    runs_code = True

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict) or not isinstance(asks.get("repo"), str) or not isinstance(asks.get("run"), str):
            return ["unit_tests takes {repo: name, at: merged to main, run: hidden/, visible: still pass}"]
        wrong = unknown_words("unit_tests", asks, {"repo", "at", "run", "visible", "adds", "harness"})
        if not _RUN.fullmatch(str(asks["run"])):
            wrong.append(f"unit_tests.run: expected hidden/ or hidden/test_x.py, found {asks['run']!r}")
        if not isinstance(asks.get("at", ""), str):
            wrong.append(f"unit_tests.at: expected 'merged to main' or a branch, found {asks['at']!r}")
        if asks.get("visible", _VISIBLE[0]) not in _VISIBLE:
            wrong.append(f"unit_tests.visible: expected {' or '.join(_VISIBLE)}, found {asks['visible']!r}")
        if asks.get("adds", _ADDS) != _ADDS:
            wrong.append(f"unit_tests.adds: expected {_ADDS!r}, found {asks['adds']!r}")
        harness = asks.get("harness", [])
        if not isinstance(harness, list) or not all(isinstance(path, str) for path in harness):
            wrong.append(f"unit_tests.harness: expected a list of files, found {harness!r}")
        return wrong

    def beforehand(self, start: EndState, asks: Json) -> Callable[[], object] | None:
        """The run of the repository's own tests on the code as it was."""
        assert isinstance(asks, dict)
        if "visible" not in asks:
            return None
        base, at = _at_start(start, asks), start.start
        return lambda: first_visible_run(base, at)

    def anticipate(
        self, so_far: Callable[[], EndState], asks: Json, seed: int, effects: Sequence[Effect] | None
    ) -> AnticipatedWork | None:
        """The hidden tests on the branch that the agent has moved: what is pushed is mostly what is merged."""
        assert isinstance(asks, dict)
        repository = str(asks["repo"])
        branch = _branch(asks) if effects is None else _moved(effects, repository)
        if not branch:
            return None
        end = so_far()
        tree = end.repository(repository, branch)
        if not tree or tree == end.repository(repository, "start:main"):
            return None
        run = _hidden(end, asks, seed)
        key = digest_of(*(part for path in sorted(tree) for part in (path, tree[path])))
        return AnticipatedWork(key, lambda token: run(tree, token=token))

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        """The verdict."""
        assert isinstance(asks, dict)
        if by is not None:
            raise BrokenRubric(
                "unit_tests reads the repository as it is at the end; it cannot say when that came to be"
            )
        repository, branch = str(asks["repo"]), _branch(asks)
        tree = end.repository(repository, branch)
        if not tree:
            return Verdict(False, 0.0, f"{repository} has no branch {branch}")
        run = _hidden(end, asks, means.seed)
        hidden = _verdict(run(tree))
        lost = _still_passes(end, asks, tree) if hidden.passed and "visible" in asks else None
        if lost is None and hidden.passed and "adds" in asks:
            lost = _adds_nothing(end, asks, tree, lambda mutant: run(mutant, quick=True).passed)
        return lost or hidden


def _branch(asks: JsonObject) -> str:
    return str(asks.get("at", "merged to main")).removeprefix("merged to ").strip()


def _moved(effects: Sequence[Effect], repository: str) -> str:
    """The branch of a repository that was moved last, empty where none was."""
    for effect in reversed(effects):
        row = effect.after if effect.table == git_ref.name else None
        if row is not None and f"/{row.text('repo')}".endswith(f"/{repository}"):
            kind, _, name = row.text("name").partition("refs/heads/")
            if name and not kind:
                return name
    return ""


class _HiddenTests(Protocol):
    def __call__(self, tree: Tree, *, quick: bool = False, token: CancelToken | None = None) -> HiddenRun: ...


def _hidden(end: EndState, asks: JsonObject, seed: int) -> _HiddenTests:
    """Runs the hidden tests that the criterion names on a tree."""
    found = _RUN.fullmatch(str(asks["run"]))
    pattern = (found[1] if found else "") or "*"
    repository = str(asks["repo"])
    sources = end.hidden(repository) or end.hidden(repository.rpartition("/")[2])
    tests = {name: source for name, source in sources.items() if fits(name, pattern)}
    if not tests:
        has = ", ".join(sorted(sources)) or "none"
        raise BrokenRubric(f"the task has no hidden tests {asks['run']!r} for {repository}; it has {has}")
    harness = [*names_in(asks.get("harness")), *(end.harness(repository) or end.harness(repository.rpartition("/")[2]))]
    base, at = end.repository(repository, "start:main"), end.start

    def run(tree: Tree, *, quick: bool = False, token: CancelToken | None = None) -> HiddenRun:
        judged = with_harness(tree, base, harness)
        return hidden_run(judged, tests, seed, at, harness, known=base, quick=quick, token=token)

    return run


def _verdict(run: HiddenRun) -> Verdict:
    passed = sum(outcome.outcome == "passed" for outcome in run.outcomes)
    failed = [f"{outcome.name}: {outcome.reason}" for outcome in run.outcomes if outcome.outcome != "passed"]
    share = passed / len(run.outcomes) if run.outcomes else 0.0
    reason = (
        f"{failed[0]} ({passed} of {len(run.outcomes)} hidden tests pass)" if failed else "every hidden test passes"
    )
    return Verdict(
        run.passed, share, reason, tuple(failed[:10]) or tuple(outcome.name for outcome in run.outcomes[:10])
    )


def _still_passes(end: EndState, asks: JsonObject, tree: Tree) -> Verdict | None:
    """The verdict on the repository's own tests where they lost something, None where they did not."""
    base = _at_start(end, asks)
    versions = {"": tree}
    original = _with_tests_of(base, tree)
    if asks["visible"] == _VISIBLE[0] and original != tree:
        versions["the original "] = original
    jobs: list[tuple[Tree, Tree | None]] = [(base, None), *((version, base) for version in versions.values())]
    runs = ahead(lambda job: visible_run(job[0], end.start, job[1]), jobs)
    before = next(runs)
    proved = _passing(before)
    if before.stop is not None:
        raise GradingError(
            f"sandbox_failed: the repository's own tests were stopped at the start: {before.stop}", "sandbox_failed"
        )
    if not proved:
        raise BrokenRubric(f"no test of {asks['repo']} passed at the start, so none can still pass")
    for which, run in zip(versions, runs, strict=True):
        lost = sorted(proved - _passing(run))
        if run.stop is not None:
            return Verdict(False, 0.0, f"the repository's own tests were stopped: {run.stop}")
        if lost:
            outcome = run.outcomes.get(lost[0], "gone")
            reason = f"{which}{lost[0]} passed at the start and is now {outcome}"
            return Verdict(False, (len(proved) - len(lost)) / len(proved), reason, tuple(lost[:10]))
    return None


def _adds_nothing(end: EndState, asks: JsonObject, tree: Tree, passes: Callable[[Tree], bool]) -> Verdict | None:
    """The verdict where no tests were added that notice when the code goes wrong, None where some were.

    Args:
        passes: whether the hidden tests pass on a tree.
    """
    base = _at_start(end, asks)

    def passing(version: Tree, only: frozenset[str] = frozenset()) -> frozenset[str]:
        return _passing(visible_run(version, end.start, base, sorted(only)))

    added = passing(tree) - passing(_with_tests_of(tree, base))
    if not added:
        return Verdict(False, 0.0, "every test that passes now passed with the code as it was, too")
    added &= passing(respelled(base, tree, _is_product), added)
    if not added:
        return Verdict(False, 0.0, "the tests that were added fail on the same code spelled otherwise")

    def weighed(mutant: Tree) -> tuple[Tree, bool]:
        return mutant, added <= passing(mutant, added)

    unnoticed, noticed = [], 0
    for mutant, is_unnoticed in ahead(weighed, mutants(base, tree, _is_product)):
        if is_unnoticed:
            unnoticed.append(mutant)
        else:
            noticed += not passes(mutant)
        if noticed == _ENOUGH:
            return None
    missed = 0
    for mutant in unnoticed:
        missed += not passes(mutant)
        if noticed + missed == _ENOUGH:  # no more of them change what is expected
            break
    if not missed:
        return None
    reason = f"the tests that were added notice {noticed} faults in the changed code, and miss {missed} or more"
    return Verdict(False, noticed / (noticed + missed), f"{reason}; expected {noticed + missed}")


def _is_product(path: str) -> bool:
    return not _OF_TESTS.fullmatch(path)


def _at_start(end: EndState, asks: JsonObject) -> Tree:
    """The branch as it was when the task began; main, where there was none."""
    repository = str(asks["repo"])
    return end.repository(repository, f"start:{_branch(asks)}") or end.repository(repository, "start:main")


def _with_tests_of(other: Tree, tree: Tree) -> Tree:
    """The tree with the tests of another one in the place of its own."""
    kept = {path: content for path, content in tree.items() if not _OF_TESTS.fullmatch(path)}
    return laid_over(kept, {path: content for path, content in other.items() if _OF_TESTS.fullmatch(path)})


def _passing(run: TestRun) -> frozenset[str]:
    return frozenset(name for name, outcome in run.outcomes.items() if outcome == "passed")


unit_tests: Grader = _UnitTests()
