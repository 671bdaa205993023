"""A repository's own tests, run as its CI would."""

import pytest

from brownout.sandbox import Limits, Stop, run_visible_tests

pytestmark = pytest.mark.sandbox

TREE = {
    "shop.py": b"def total(p): return sum(p)\n",
    "tests/test_shop.py": b"""
import pytest, shop
def test_sum(): assert shop.total([1, 2]) == 3
def test_wrong(tmp_path): assert shop.total([1]) == tmp_path
@pytest.mark.skip
def test_later(): pass
@pytest.fixture
def broken(): raise RuntimeError("no database")
def test_broken(broken): pass
@pytest.mark.parametrize("n", [1, 2])
def test_each(n): assert n
""",
    "conftest.py": b"import sys, os\nsys.path.insert(0, os.path.dirname(__file__))\n",
}


def test_every_test_has_an_outcome() -> None:
    run = run_visible_tests(TREE)
    assert run.outcomes == {
        "tests/test_shop.py::test_sum": "passed",
        "tests/test_shop.py::test_wrong": "failed",
        "tests/test_shop.py::test_later": "skipped",
        "tests/test_shop.py::test_broken": "error",
        "tests/test_shop.py::test_each[1]": "passed",
        "tests/test_shop.py::test_each[2]": "passed",
    }
    assert run.exit_code == 1
    assert run.stop is None
    assert "in <t>s" in run.log


def test_the_log_repeats() -> None:
    assert run_visible_tests(TREE).log == run_visible_tests(TREE).log


def test_paths_choose_and_files_that_cannot_be_imported_are_errors() -> None:
    tree = TREE | {"tests/test_other.py": b"import nowhere\n"}
    run = run_visible_tests(tree, paths=["tests/test_other.py"])
    assert (run.outcomes, run.exit_code) == ({"tests/test_other.py": "error"}, 2)
    assert run_visible_tests(tree, paths=["tests/test_shop.py::test_sum"]).exit_code == 0


def test_a_suite_that_never_ends_is_stopped_with_a_reason() -> None:
    tree = {"test_spin.py": b"def test_a(): pass\ndef test_b():\n  while True: pass\n"}
    run = run_visible_tests(tree, limits=Limits(cpu_seconds=1))
    assert run.stop is Stop.CPU
    assert run.outcomes == {"test_spin.py::test_a": "passed"}
