"""Code: hidden tests decide, and what the repository's own tests proved must still be so."""

import dis
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from brownout.core.errors import GradingError, SandboxUnavailable
from brownout.core.grading import GradingContext, Verdict
from brownout.core.values import Json
from brownout.sandbox import HiddenOutcome, HiddenRun, Stop, TestRun, kept_runs, probe
from graders import suite_runs
from graders.unit_tests import unit_tests
from tests.graders.world import Ended

REPO = "pennywhistle/shop"
HIDDEN = {
    "test_total.py": "def test_total(subject, stream):\n"
    "    prices = [stream.below(10**9) for _ in range(3)]\n"
    "    assert subject.call('shop', 'total', prices) == sum(prices)\n",
    "test_empty.py": "def test_empty(subject):\n    assert subject.call('shop', 'total', []) == 0\n",
}
BASE = {
    "shop.py": b"def total(prices):\n    return sum(prices[1:])\ndef name():\n    return 'shop'\n",
    "tests/test_shop.py": b"import shop\ndef test_name(): assert shop.name() == 'shop'\ndef test_empty(): assert shop.total([]) == 0\n",
    "conftest.py": b"",
}
FIXED = BASE | {"shop.py": b"def total(prices):\n    return sum(prices)\ndef name():\n    return 'shop'\n"}
ASKS: dict[str, Json] = {"repo": REPO, "at": "merged to main", "run": "hidden/", "visible": "still pass"}


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What earlier tests, or the same ones yesterday, came to is not looked at."""
    monkeypatch.setattr(kept_runs, "runs_folder", lambda: tmp_path / "runs")


@pytest.fixture
def _sandbox() -> None:
    try:
        probe()
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))


def judged(tree: Mapping[str, bytes], *, base: Mapping[str, bytes] = BASE, seed: int = 1, **asks: Json) -> Verdict:
    end = Ended(trees={(REPO, "main"): tree, (REPO, "start:main"): base}, tests={REPO: HIDDEN})
    return unit_tests.judge(end, {**ASKS, **asks}, None, GradingContext(seed=seed))


@pytest.mark.sandbox
@pytest.mark.usefixtures("_sandbox")
def test_a_fix_passes_and_the_bug_fails() -> None:
    fixed, bug = judged(FIXED), judged(BASE)

    assert (fixed.passed, fixed.share, fixed.reason) == (True, 1.0, "every hidden test passes")
    assert (bug.passed, bug.share) == (False, 0.5)
    assert bug.reason == "test_total.py::test_total: assertion (1 of 2 hidden tests pass)"
    assert judged(BASE, run="hidden/test_empty.py", seed=2).passed


@pytest.mark.sandbox
@pytest.mark.usefixtures("_sandbox")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tests/test_shop.py": b""}, "tests/test_shop.py::test_empty passed at the start and is now gone"),
        (
            {"tests/test_shop.py": b"import pytest, shop\n@pytest.mark.skip\ndef test_name(): pass\ndef test_empty(): pass\n"},
            "tests/test_shop.py::test_name passed at the start and is now skipped",
        ),
        (
            {"pytest.ini": b"[pytest]\naddopts = -k name\n"},
            "tests/test_shop.py::test_empty passed at the start and is now gone",
        ),
        (
            {
                "shop.py": FIXED["shop.py"].replace(b"'shop'", b"'store'"),
                "tests/test_shop.py": b"def test_name(): pass\ndef test_empty(): pass\n",
            },
            "the original tests/test_shop.py::test_name passed at the start and is now failed",
        ),
        (
            {
                "shop.py": FIXED["shop.py"].replace(b"'shop'", b"'store'"),
                "conftest.py": b"def pytest_runtest_call(item):\n    item.obj = lambda: None\n",
            },
            "the original tests/test_shop.py::test_name passed at the start and is now failed",
        ),
        ({"shop.py": FIXED["shop.py"] + b"import nowhere\n"}, "test_empty.py::test_empty: raised"),
    ],
    ids=["deleted", "skipped", "deselected", "rewritten", "conftest", "broken"],
)  # fmt: skip
def test_a_suite_that_proves_less_than_before_fails(change: dict[str, bytes], reason: str) -> None:
    found = judged(FIXED | change)

    assert not found.passed
    assert reason in found.reason


@pytest.mark.sandbox
@pytest.mark.usefixtures("_sandbox")
def test_a_task_may_let_tests_change() -> None:
    renamed = FIXED | {
        "shop.py": FIXED["shop.py"].replace(b"'shop'", b"'store'"),
        "tests/test_shop.py": BASE["tests/test_shop.py"].replace(b"'shop'\n", b"'store'\n"),
    }

    assert judged(renamed, visible="own suite passes").passed
    assert not judged(renamed).passed


_LONG = b"""def total(prices):
    found = 0
    for price in prices:
        if price < 0:
            raise ValueError(price)
        found = found + price
    return found
def name():
    return 'shop'
"""
"""A fix in which there is something to break."""
_MARKED = {"shop.py": _LONG + b"MARKER = True\ndef marker(n):\n    if n > 0:\n        return n + 1\n    return n\n"}
_READS = b"""import hashlib
def hash_of(text): return hashlib.sha256(text).hexdigest()
def test_more():
    text = open('shop.py', 'rb').read()
    assert SAID
"""
_HASH = sha256(_LONG).hexdigest().encode()


_OPERATIONS = b"""import dis, shop
KNOWN = %s
def test_more():
    found = [one.opname for one in dis.get_instructions(shop.total) if one.opname.startswith(('COMPARE', 'BINARY', 'IS', 'CONTAINS'))]
    assert found == KNOWN
""" % repr(
    [
        one.opname
        for one in dis.get_instructions(compile(_LONG, "shop.py", "exec").co_consts[0])
        if one.opname.startswith(("COMPARE", "BINARY", "IS", "CONTAINS"))
    ]
).encode()


@pytest.mark.sandbox
@pytest.mark.usefixtures("_sandbox")
@pytest.mark.parametrize(
    ("added", "is_enough"),
    [
        ({}, False),
        ({"tests/test_more.py": b"import shop\ndef test_more(): assert shop.total([0, 3]) == 3\n"}, False),
        ({"tests/test_more.py": b"import shop\ndef test_more(): assert shop.total([3, 0]) == 3\n"}, True),
        (
            {"tests/test_shop.py": BASE["tests/test_shop.py"] + b"def test_sum(): assert shop.total([1, 2]) == 3\n"},
            True,
        ),
        ({"tests/test_more.py": b"import shop\ndef test_more(): assert shop.total([3, 0]) == 4\n"}, False),
        (_MARKED | {"tests/test_more.py": b"import shop\ndef test_more(): assert shop.MARKER\n"}, False),
        (_MARKED | {"tests/test_more.py": b"import shop\ndef test_more(): assert shop.marker(1) == 2\n"}, False),
        ({"tests/test_more.py": _READS.replace(b"SAID", b"b'prices)' in text")}, False),
        ({"tests/test_more.py": _READS.replace(b"SAID", b"hash_of(text) == '%s'" % _HASH)}, False),
        (
            {
                "tests/test_more.py": b"import shop, types\ndef test_more(): assert shop.total.__code__.co_consts == (None,)\n"
            },
            False,
        ),
        ({"tests/test_more.py": _OPERATIONS}, False),
    ],
    ids=[
        "none",
        "passed before",
        "new file",
        "old file",
        "fails now",
        "a marker",
        "a function that marks",
        "reads the code",
        "knows the code's hash",
        "knows the code's constants",
        "knows the code's operations",
    ],
)
def test_a_new_test_has_to_fail_without_the_fix(added: dict[str, bytes], is_enough: bool) -> None:
    assert judged(FIXED | {"shop.py": _LONG} | added, adds="a test that fails without it").passed is is_enough


@pytest.mark.sandbox
@pytest.mark.usefixtures("_sandbox")
def test_a_suite_in_which_nothing_passed_proves_nothing() -> None:
    with pytest.raises(GradingError, match="passed at the start"):
        judged(FIXED, base={"shop.py": b""})


def test_a_branch_that_is_not_there_fails_and_a_repository_that_is_not_there_is_no_verdict() -> None:
    found = judged(FIXED, at="fix-total")

    assert (found.passed, found.reason) == (False, f"{REPO} has no branch fix-total")
    with pytest.raises(GradingError, match="no repository"):
        judged(FIXED, repo="moon/base")


def test_no_hidden_tests_are_no_verdict() -> None:
    with pytest.raises(
        GradingError, match=r"no hidden tests 'hidden/test_x.py' .* it has test_empty.py, test_total.py"
    ):
        judged(FIXED, run="hidden/test_x.py")


def test_a_time_is_refused() -> None:
    end = Ended(trees={(REPO, "main"): FIXED})
    with pytest.raises(GradingError, match="as it is at the end"):
        unit_tests.judge(end, ASKS, end.start, GradingContext())


def test_a_missing_sandbox_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> HiddenRun:
        raise SandboxUnavailable("needs bubblewrap: apt-get install bubblewrap")

    monkeypatch.setattr(suite_runs, "kept_hidden_run", missing)
    with pytest.raises(GradingError, match=r"^sandbox_unavailable: needs bubblewrap"):
        judged(FIXED)


@pytest.mark.parametrize(
    ("outcome", "failure"),
    [
        (("error", "broken"), "hidden_tests_broken: t.py: broken"),
        (("error", "hung"), "sandbox_failed: t.py: hung"),
        (("error", "sandbox"), "sandbox_failed: t.py: sandbox"),
    ],
)
def test_a_hidden_test_without_a_verdict_leaves_none(
    monkeypatch: pytest.MonkeyPatch, outcome: tuple[str, str], failure: str
) -> None:
    passed = HiddenOutcome("a.py", "passed", "", "")
    broken = HiddenOutcome("t.py", *outcome, "")  # type: ignore[arg-type]
    monkeypatch.setattr(suite_runs, "kept_hidden_run", lambda *_, **__: HiddenRun((passed, broken)))
    with pytest.raises(GradingError, match=failure):
        judged(FIXED)

    monkeypatch.setattr(suite_runs, "kept_hidden_run", lambda *_, **__: HiddenRun(()))
    with pytest.raises(GradingError, match="hidden_tests_broken: there is no test"):
        judged(FIXED)


@pytest.mark.parametrize(
    ("stop", "used", "again", "is_verdict"),
    [
        (Stop.CPU, 30.0, None, True),
        (Stop.MEMORY, 1.0, None, True),
        (Stop.DEADLINE, 0.4, None, True),
        (Stop.CRASHED, 0.0, None, True),
        (Stop.IDLE, 0.4, None, True),
        (Stop.DEADLINE, 25.0, None, True),
        (Stop.DEADLINE, 0.4, Stop.DEADLINE, False),
        (Stop.CRASHED, 0.0, Stop.CRASHED, False),
    ],
)
def test_a_suite_that_is_stopped_fails_only_by_the_codes_own_doing(
    monkeypatch: pytest.MonkeyPatch, stop: Stop, used: float, again: Stop | None, is_verdict: bool
) -> None:
    passed = TestRun({"t": "passed"}, 0, "", None)
    stopped = TestRun({}, 1, "", stop, used)
    monkeypatch.setattr(
        suite_runs, "kept_hidden_run", lambda *_, **__: HiddenRun((HiddenOutcome("a", "passed", "", ""),))
    )
    monkeypatch.setattr(suite_runs, "kept_visible_run", lambda tree, **_: passed if tree == BASE else stopped)
    monkeypatch.setattr(suite_runs, "run_visible_tests", lambda *_, **__: replace(passed, stop=again))
    if is_verdict:
        assert judged(FIXED).reason == f"the repository's own tests were stopped: {stop}"
    else:
        with pytest.raises(GradingError, match="sandbox_failed"):
            judged(FIXED)


@pytest.mark.sandbox
@pytest.mark.usefixtures("_sandbox")
def test_grading_twice_is_equal_and_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = judged(BASE)

    monkeypatch.setattr(kept_runs, "run_hidden_tests", None)
    assert judged(BASE) == first
    with pytest.raises(TypeError):
        judged(BASE, seed=2)


def test_what_decided_nothing_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = iter([HiddenOutcome("t", "error", "hung", ""), HiddenOutcome("t", "passed", "", "")])
    monkeypatch.setattr(suite_runs, "kept_hidden_run", lambda *_, **__: HiddenRun((next(outcomes),)))

    with pytest.raises(GradingError, match="hung"):
        unit_tests.judge(
            Ended(trees={(REPO, "main"): FIXED}, tests={REPO: HIDDEN}),
            {"repo": REPO, "run": "hidden/"},
            None,
            GradingContext(),
        )
    assert unit_tests.judge(
        Ended(trees={(REPO, "main"): FIXED}, tests={REPO: HIDDEN}),
        {"repo": REPO, "run": "hidden/"},
        None,
        GradingContext(),
    ).passed


@pytest.mark.sandbox
@pytest.mark.usefixtures("_sandbox")
def test_the_way_in_is_the_original_one() -> None:
    """A `fix` of the file through which the tests enter leaves the product as it was."""
    base = BASE | {"shell.py": b"import shop\ndef total(prices): return shop.total(prices)\n"}
    cheat = base | {"shell.py": b"import shop\ndef total(prices): return sum(prices)\n"}
    fixed = FIXED | {"shell.py": base["shell.py"]}
    tests = {name: source.replace("'shop', 'total'", "'shell', 'total'") for name, source in HIDDEN.items()}

    def passes(tree: Mapping[str, bytes], *, named: Sequence[str] = (), **asks: Json) -> bool:
        trees = {(REPO, "main"): tree, (REPO, "start:main"): base}
        end = Ended(trees=trees, tests={REPO: tests}, harnesses={REPO: named})
        return unit_tests.judge(end, {**ASKS, **asks}, None, GradingContext(seed=1)).passed

    assert passes(cheat)
    assert not passes(cheat, harness=["shell.py"])
    assert not passes(cheat, named=["shell.py"])
    assert passes(fixed, harness=["shell.py"])
    gone = {path: content for path, content in fixed.items() if path != "shell.py"}
    assert passes(gone, named=["shell.py"])


@pytest.mark.sandbox
@pytest.mark.usefixtures("_sandbox")
@pytest.mark.parametrize("pushed", ["shell/main.py/x", "shell", "tests"])
def test_a_tree_that_the_way_in_does_not_fit_into_has_failed(pushed: str) -> None:
    """Whoever pushes a file where a folder was, or a folder where a file was, earns nothing, and no null."""
    base = BASE | {"shell/main.py": b"import shop\ndef total(prices): return shop.total(prices)\n"}
    tree = {path: content for path, content in base.items() if not f"{path}/".startswith(f"{pushed}/")}
    tree = {path: content for path, content in tree.items() if not pushed.startswith(f"{path}/")} | {pushed: b"x"}
    end = Ended(
        trees={(REPO, "main"): tree, (REPO, "start:main"): base},
        tests={REPO: HIDDEN},
        harnesses={REPO: ["shell/main.py"]},
    )

    assert not unit_tests.judge(end, ASKS | {"visible": "still pass"}, None, GradingContext(seed=1)).passed
