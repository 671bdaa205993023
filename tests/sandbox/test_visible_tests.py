"""A repository's own tests, run as its CI would."""

from collections.abc import Mapping

import pytest

from brownout.sandbox import Limits, Stop, run_visible_tests, visible_tests
from brownout.sandbox.compiled_files import compiled_suite

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


def test_what_was_known_before_is_compiled_beforehand_and_tells_the_same() -> None:
    now, changed = 1_700_000_000, TREE | {"shop.py": b"def total(p): return sum(p) + 1\n"}
    plain, compiled = run_visible_tests(changed, now=now), run_visible_tests(changed, known=TREE, now=now)

    assert (compiled.outcomes, compiled.log) == (plain.outcomes, plain.log)
    assert compiled.outcomes["tests/test_shop.py::test_sum"] == "failed"
    assert "assert 4 == 3" in compiled.log, "what pytest tells of a comparison"
    assert not any("shop.cpython" in path for path in compiled_suite(changed, TREE, "/repo") if "test" not in path)


def test_pytest_takes_the_compiled_form_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = b"def test_a(): assert 1\n", b"def test_a(): assert 0\n"
    assert len(right) == len(wrong)

    def another(tree: Mapping[str, bytes], known: Mapping[str, bytes], place: str) -> dict[str, bytes]:
        (path, theirs), (_, ours) = (
            *compiled_suite({"test_a.py": wrong}, known, place).items(),
            *compiled_suite({"test_a.py": right}, known, place).items(),
        )
        return {path: theirs[:16] + ours[16:]}

    monkeypatch.setattr(visible_tests, "compiled_suite", another)
    assert run_visible_tests({"test_a.py": wrong}).exit_code == 1
    assert run_visible_tests({"test_a.py": wrong}, known={"0": wrong, "1": right}).exit_code == 0


@pytest.mark.parametrize(
    "text", ["x = '\\d'\n", "def test_a(): assert (1, 'always true')\n", "def test_a(:\n", "1 is 1\n"]
)
def test_what_python_or_pytest_warn_of_is_compiled_by_whoever_runs_it(text: str) -> None:
    tree = {"test_a.py": text.encode(), "test_b.py": b"def test_b(): pass\n"}
    assert [path.count("test_b") for path in compiled_suite(tree, tree, "/repo")] == [1]


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


HONEST = {
    "shop.py": b"def total(p): return sum(p)\n",
    "test_shop.py": b"import shop\ndef test_sum(): assert shop.total([1, 2]) == 3\n",
}
WRONG = b"def total(p): return 0\n"
WRITES = b"""
import json, os, sys
def tell(text):
    for fd in range(1, 64):
        try: os.write(fd, text)
        except OSError: pass
line = json.dumps({'name': 'test_shop.py::test_sum', 'outcome': 'passed'}).encode()
"""
CHEATS: dict[str, dict[str, bytes]] = {
    "leaves at import": {"shop.py": b"import os\nos._exit(0)\n"},
    "says that it passed and leaves": {
        "shop.py": WRITES + b"tell(line + b'\\n'); tell(b'== 1 passed in 0.01s ==\\n'); os._exit(0)\n"
    },
    "signs with nothing": {
        "shop.py": WRITES
        + b"for n, row in enumerate([json.loads(line), {'end': 0}]): tell(b'\\x1e' + b'0' * 64 + json.dumps([n, row]).encode() + b'\\x1f')\n"
        b"os._exit(0)\n"
    },
    "leaves when called": {"shop.py": b"import os\ndef total(p): os._exit(0)\n"},
    "leaves at the end": {
        "shop.py": b"import os, threading, time\ndef late():\n  time.sleep(0.3); os._exit(0)\n"
        b"threading.Thread(target=late).start()\ndef total(p): time.sleep(9)\n"
    },
    "changes the exit": {"shop.py": WRONG + b"import os\nos._exit = lambda code, leave=os._exit: leave(0)\n"},
    "forks and leaves": {"shop.py": b"import os\ndef total(p):\n  if os.fork(): os._exit(0)\n  return 0\n"},
    "an atexit": {"shop.py": WRONG + b"import atexit, os\natexit.register(os._exit, 0)\n"},
    "patched reports": {
        "shop.py": WRONG + b"import _pytest.reports as r\nold = r.TestReport.from_item_and_call\n"
        b"def new(item, call):\n  call.excinfo = None\n  return old(item, call)\nr.TestReport.from_item_and_call = staticmethod(new)\n"
    },
    "a hook that forgives": {
        "conftest.py": b"import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_runtest_makereport(item, call): call.excinfo = None\n",
        "shop.py": WRONG,
    },
    "a hook that skips the run": {
        "conftest.py": b"def pytest_runtestloop(session): return True\n",
        "shop.py": WRONG,
    },
    "another exit status": {
        "conftest.py": b"import pytest\n@pytest.hookimpl(trylast=True)\ndef pytest_sessionfinish(session): session.exitstatus = 0\n",
        "shop.py": WRONG,
    },
    "a line of its own": {"shop.py": WRONG + b"import atexit\natexit.register(print, '1 passed in 0.01s')\n"},
    "its own pytest": {"shop.py": WRONG, "pytest.py": b"def main(*a, **k): return 0\n"},
    "json that lies": {"shop.py": WRONG + b"import json\njson.dumps = lambda x: '[0, {\"end\": 0}]'\n"},
    "hmac that tells": {"shop.py": WRONG + WRITES + b"import hmac\nhmac.digest = lambda k, d, h: tell(k) or b'0' * 32\n"},
    "reads what it was started with": {
        "shop.py": WRONG + b"import os\nfound = os.pread(0, 10**6, 0)\nassert b'main' not in found and not found\n"
    },
    "equal to everything": {"shop.py": b"def total(p):\n  import sys, os\n  sys.stdout.write('1 passed in 0.1s'); os.kill(os.getpid(), 9)\n"},
}  # fmt: skip


def test_an_honest_suite_agrees_with_itself() -> None:
    run = run_visible_tests(HONEST)
    assert (run.outcomes, run.exit_code, run.disagreement) == ({"test_shop.py::test_sum": "passed"}, 0, "")
    assert "1 passed in <t>s" in run.log
    assert "\x1e" not in run.log


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_suite_cannot_say_that_it_passed(cheat: str) -> None:
    run = run_visible_tests(HONEST | CHEATS[cheat])
    assert run.exit_code != 0
    assert "passed" not in run.outcomes.values()


def test_every_way_for_an_honest_suite_to_end_agrees() -> None:
    cases = {
        b"import pytest\n@pytest.fixture\ndef f():\n  yield\n  raise OSError\ndef test_a(f): pass\n": 1,
        b"import pytest\n@pytest.mark.xfail\ndef test_a(): assert 0\n@pytest.mark.xfail\ndef test_b(): pass\ndef test_c(): pass\n": 0,
        b"import pytest\npytest.skip('later', allow_module_level=True)\n": 5,
        b"import pytest\ndef test_a(): pytest.skip('later')\n": 0,
        b"x = 1\n": 5,
        b"import nowhere\n": 2,
        b"import pytest\ndef test_a(): pytest.exit('enough')\n": 2,
        b"import warnings\ndef test_a(): warnings.warn('x')\n": 0,
        b"import unittest\nclass T(unittest.TestCase):\n  def test_a(self):\n    with self.subTest(): self.assertEqual(1, 1)\n": 0,
    }
    for source, code in cases.items():
        run = run_visible_tests({"test_x.py": source})
        assert (run.exit_code, run.disagreement) == (code, ""), (source, run.log)
