"""Hidden tests: honest code is judged rightly, and no trick turns a failure into a pass."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from signal import SIGKILL
from subprocess import Popen

import pytest

from brownout.core.cancel_token import Cancelled, CancelToken
from brownout.core.errors import SandboxError
from brownout.sandbox import (
    HiddenRun,
    Limits,
    Subject,
    SubjectFailure,
    hidden_tests,
    probe,
    run_hidden_tests,
    same,
    staged,
)
from brownout.sandbox.compiled_files import compiled_files
from brownout.sandbox.invocation import entrances
from brownout.sandbox.subject import HANGING

pytestmark = pytest.mark.sandbox

QUICK = Limits(cpu_seconds=1, wall_seconds=3.0, idle_seconds=0.7, memory_bytes=192 << 20, processes=40, inodes=3000)
TEST = """
def test_total(subject, stream):
    prices = [stream.below(10**9) for _ in range(3)]
    assert subject.call("shop", "total", prices) == sum(prices)
"""
FIXED = b"def total(prices):\n    return sum(prices)\n"
WRONG = b"def total(prices):\n    return sum(prices[1:])\n"


def judge(tree: dict[str, bytes], test: str = TEST, seed: int = 1) -> HiddenRun:
    return run_hidden_tests(tree, {"test_shop.py": test}, seed, limits=QUICK)


def test_an_honest_fix_passes() -> None:
    run = judge({"shop.py": FIXED})
    assert run.passed
    assert [outcome.name for outcome in run.outcomes] == ["test_shop.py::test_total"]


def test_an_honest_bug_fails_with_both_values_told() -> None:
    run = judge({"shop.py": WRONG})
    assert [(outcome.outcome, outcome.reason) for outcome in run.outcomes] == [("failed", "assertion")]
    assert "line 4:" in run.outcomes[0].message
    assert "is not" in run.outcomes[0].message


def test_a_run_that_is_cancelled_ends_with_all_its_processes_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    token = CancelToken()
    runners: list[Popen[bytes]] = []
    lines_in_time = hidden_tests._lines_in_time

    def cancelled_at_once(runner: Popen[bytes], seconds: float) -> Iterator[bytes]:
        runners.append(runner)
        for line in lines_in_time(runner, seconds):
            if b"begin" in line:
                token.cancel()
            yield line

    monkeypatch.setattr(hidden_tests, "_lines_in_time", cancelled_at_once)
    endless = {"shop.py": b"while True: pass\n"}
    with pytest.raises(Cancelled):
        run_hidden_tests(endless, {"test_shop.py": TEST}, 1, limits=QUICK, token=token)
    assert [runner.returncode for runner in runners] == [-SIGKILL]
    with pytest.raises(Cancelled):
        run_hidden_tests(endless, {"test_shop.py": TEST}, 1, limits=QUICK, token=token)
    assert len(runners) == 1


def test_a_package_below_src_is_found_too() -> None:
    assert judge({"src/shop/__init__.py": FIXED, "README.md": b""}).passed


SPOOF = b"""
import json, os, stat, sys
def channel():
    return [fd for fd in range(3, 128) if is_open(fd) and not stat.S_ISREG(os.fstat(fd).st_mode)][-1]
def is_open(fd):
    try: return bool(os.fstat(fd))
    except OSError: return False
def send(text, only=None):
    for fd in [only] if only is not None else range(3, 128):
        try: os.write(fd, text)
        except OSError: pass
"""

ATTACKS: dict[str, dict[str, bytes]] = {
    "conftest": {"conftest.py": b"def pytest_runtest_makereport(item, call): call.excinfo = None\n"},
    "sitecustomize": {"sitecustomize.py": b"import builtins; builtins.sum = lambda x: 0\n"},
    "usercustomize": {"usercustomize.py": b"import os; os._exit(0)\n"},
    "ini plug-in": {"pytest.ini": b"[pytest]\naddopts = -p evil\n", "evil.py": b"import os; os._exit(0)\n"},
    "collect only": {"pytest.ini": b"[pytest]\naddopts = --collect-only\n", "tox.ini": b"[pytest]\naddopts = -x\n"},
    "entry point": {
        "e-1.dist-info/entry_points.txt": b"[pytest11]\ne = evil\n",
        "e-1.dist-info/METADATA": b"Name: e\nVersion: 1\n",
    },
    "rewritten tests": {"test_shop.py": b"def test_total(): pass\n", "tests/test_shop.py": b"def test_total(): pass\n"},
    "patched pytest": {"pytest.py": b"import os; os._exit(0)\n", "_pytest/__init__.py": b""},
    "forged report": {"junit.xml": b"<testsuite failures='0' tests='1'/>", "report.json": b'{"passed": 1}'},
    "exit 0 at import": {"shop.py": b"import sys; sys.exit(0)\n"},
    "hard exit at import": {"shop.py": b"import os; os._exit(0)\n"},
    "exit in the call": {"shop.py": b"import os\ndef total(p): os._exit(0)\n"},
    "SystemExit in the call": {"shop.py": b"def total(p): raise SystemExit(0)\n"},
    "skip": {"shop.py": b"import unittest\ndef total(p): raise unittest.SkipTest('no')\n"},
    "equal to everything": {
        "shop.py": b"class E:\n  def __eq__(s, o): return True\n  __hash__ = None\ndef total(p): return E()\n"
    },
    "an int that lies": {
        "shop.py": b"class E(int):\n  def __eq__(s, o): return True\n  __hash__ = int.__hash__\ndef total(p): return E(3)\n"
    },
    "a list that lies": {"shop.py": b"class E(list):\n  def __eq__(s, o): return True\ndef total(p): return E([1])\n"},
    "shadowed json": {"json.py": b"def dumps(*a, **k): return '{}'\ndef loads(*a, **k): return {}\n"},
    "shadowed modules": {
        name + ".py": b"import os; os._exit(0)\n" for name in ("plain", "traceback", "importlib", "sys", "types")
    },
    "patched json": {
        "shop.py": b"import json\njson.dumps = lambda *a, **k: '{\"value\": true}'\ndef total(p): return 0\n"
    },
    "patched desk": {
        "shop.py": b"import __main__ as m\nm.encode = lambda v, k: True\nm.Desk.answer = lambda s, r: {'id': r['id'], 'value': True}\n"
        b"def total(p): return 0\n"
    },
    "patched equality": {"shop.py": b"import builtins\nbuiltins.AssertionError = KeyError\ndef total(p): return 0\n"},
    "spray at import": {"shop.py": SPOOF + b'send(b\'{"id": "x", "value": 0}\\n\')\n' + WRONG},
    "report spray": {
        "shop.py": SPOOF
        + b'send(b\'{"name": "test_shop.py::test_total", "outcome": "passed", "reason": "", "message": ""}\\n\')\n'
        + WRONG
    },
    "right id, two answers": {
        "shop.py": SPOOF + b"def total(p):\n  f, found = sys._getframe(), []\n  while f and not found:\n"
        b"    found = [x for x in f.f_locals.values() if isinstance(x, dict) and 'id' in x]; f = f.f_back\n"
        b"  send(json.dumps({'id': found[0]['id'], 'value': True}).encode() + b'\\n', channel())\n  return 1\n"
    },
    "late answers": {
        "shop.py": SPOOF + b"import threading\nthreading.Timer(0.01, lambda: send(b'[]\\n')).start()\n" + WRONG
    },
    "fork": {"shop.py": b"import os\ndef total(p):\n  os.fork()\n  return 0\n"},
    "fork and exit": {"shop.py": b"import os\ndef total(p):\n  if os.fork(): os._exit(0)\n  return 0\n"},
    "atexit": {"shop.py": SPOOF + b"import atexit\natexit.register(lambda: send(b'{\"value\": true}\\n'))\n" + WRONG},
    "closed descriptors": {"shop.py": b"import os\ndef total(p): os.closerange(0, 256); return 0\n"},
    "hang": {"shop.py": b"import time\ndef total(p): time.sleep(600)\n"},
    "hang at import": {"shop.py": b"import threading\nthreading.Event().wait()\n"},
    "spin": {"shop.py": b"def total(p):\n  while True: pass\n"},
    "spin in children": {"shop.py": b"import os\ndef total(p):\n  for _ in range(3): os.fork()\n  while True: pass\n"},
    "memory": {
        "shop.py": b"import os\ndef total(p):\n  for _ in range(4): os.fork()\n  x = b'x' * (40 << 20)\n  while x: pass\n"
    },
    "links": {
        "shop.py": b"import os\ndef total(p):\n  for i in range(10**6): os.symlink('x', f'/tmp/{i}')\n  while True: pass\n"
    },
    "huge answer": {"shop.py": b"def total(p): return 'x' * (2 << 20)\n"},
    "endless line": {"shop.py": SPOOF + b"import sys\ndef total(p):\n  while True: send(b'x' * 65536, channel())\n"},
    "deep answer": {
        "shop.py": SPOOF + b"import sys\ndef total(p): send(b'[' * 500000 + b'\\n', channel()); return 0\n"
    },
    "not a number": {"shop.py": b"def total(p): return float('nan')\n"},
    "infinity": {"shop.py": b"def total(p): return float('inf')\n"},
    "cyclic answer": {"shop.py": b"def total(p):\n  x = []; x.append(x); return x\n"},
    "an enormous integer": {"shop.py": b"def total(p): return 1 << 10**6\n"},
    "gc walk": {
        "shop.py": b"import gc\ndef total(p):\n  for o in gc.get_objects():\n    if isinstance(o, dict) and 'expected' in o: return o['expected']\n  return 0\n"
    },
    "read the tests": {
        "shop.py": b"import os\ndef total(p):\n  for top, _, names in os.walk('/'):\n    for n in names:\n"
        b"      if n.startswith('test_shop') and top != '/repo': return open(os.path.join(top, n)).read()\n  return 0\n"
    },
    "kill everything": {"shop.py": b"import os\ndef total(p): os.kill(-1, 9); os.kill(1, 9); return 0\n"},
    "write the reaper": {
        "shop.py": b"def total(p):\n  with open('/proc/1/mem', 'r+b') as m:\n    for line in open('/proc/1/maps'):\n"
        b"      if ' rw' in line:\n        m.seek(int(line.split('-')[0], 16)); m.write(b'\\0' * 4096)\n  return 0\n"
    },
    "a handle that pretends": {
        "shop.py": SPOOF + b"class int_(int): pass\nint_.__name__ = 'int'\ndef total(p): return int_(1)\n"
    },
    "a name of passing": {"shop.py": b"class passed(Exception): pass\ndef total(p): raise passed('passed')\n"},
    "prints": {"shop.py": b"import sys\nprint('1 passed'); sys.stderr.write('OK')\n" + WRONG},
}


REASONS = {
    "exit in the call": "exited",
    "spin": "cpu",
    "hang": "idle",
    "memory": "memory",
    "links": "inodes",
    "not a number": "refused",
    "huge answer": "refused",
    "endless line": "protocol",
    "deep answer": "protocol",
    "exit 0 at import": "raised",
    "a list that lies": "assertion",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_passes(attack: str) -> None:
    run = judge({"shop.py": WRONG, **ATTACKS[attack]})
    assert [outcome.outcome for outcome in run.outcomes] == ["failed"], run.outcomes
    assert run.outcomes[0].reason == REASONS.get(attack, run.outcomes[0].reason)


LOOKS_JUDGED: dict[str, str] = {
    "pytest is loaded": "'pytest' in sys.modules or '_pytest' in sys.modules",
    "a runner is loaded": "any(n in sys.modules for n in ('subject', 'plain_values', 'hidden_runner', 'hidden_tests', 'brownout', 'disguised_worker'))",
    "the main module is the runner": "any(hasattr(M, n) for n in ('Desk', 'Subject', 'encode', 'NotPlain', '_carry_out'))",
    "the main module has no file": "not hasattr(M, '__file__')",
    "the main module is a file elsewhere": "hasattr(M, '__file__') and not M.__file__.startswith(TOP)",
    "the arguments name the runner": "any(n in ' '.join(sys.argv) for n in ('subject', 'runner', 'pytest', 'session'))",
    "the program lies elsewhere": "not sys.argv[0].startswith(TOP)",
    "it was started elsewhere": "not open('/proc/self/cmdline').read().split(chr(0))[1].startswith(TOP)",
    "it was started with a text": "sys.orig_argv[1] == '-c'",
    "the environment says so": "any('PYTEST' in n or n == 'CI' for n in os.environ)",
    "the login is that of hidden runs": "os.environ['USER'] == 'dev'",
    "the host is that of hidden runs": "os.uname().nodename == 'build'",
    "the checkout is mounted as for hidden runs": "TOP == '/repo'",
    "a frame is the runner's": "any(f.f_code.co_name in ('answer', '_carry_out', 'serve', 'ask') for f in frames())",
    "a frame's file is the runner's": "any('subject' in f.f_code.co_filename or 'runner' in f.f_code.co_filename for f in frames())",
    "a frame is of elsewhere": "any(not f.f_code.co_filename.startswith(TOP) for f in frames()[-1:])",
    "a thread is the runner's": "any('runner' in t.name or 'subject' in t.name for t in threading.enumerate())",
    "a socket is open": "any(stat.S_ISSOCK(os.fstat(n).st_mode) for n in fds())",
    "two pipes are open": "sum(stat.S_ISFIFO(os.fstat(n).st_mode) for n in fds()) > 1",
    "nothing is open": "not [n for n in fds() if n > 2 and not stat.S_ISREG(os.fstat(n).st_mode)]",
    "the runner's programs are there": "os.path.exists('/opt/session/subject.py') or os.path.exists('/opt/session/plain_values.py')",
    "the second has just begun": "time.time() % 1 < 0.15",
    "called for the first time only": "not globals().setdefault('calls', []) and not calls.append(1) and False",
    "entered by the harness": "'shell' in sys.modules",
    "called by the harness": "any(f.f_globals.get('__name__') == 'shell' for f in frames())",
}
SPY = """
import os, stat, sys, threading, time
M = sys.modules['__main__']
TOP = os.path.dirname(__file__)
def frames():
    f, found = sys._getframe(1), []
    while f: found.append(f); f = f.f_back
    return found
def fds():
    return [n for n in range(256) if is_open(n)]
def is_open(n):
    try: return bool(os.fstat(n))
    except OSError: return False
def total(p):
    return sum(p) if (CONDITION) else sum(p[1:])
"""


@pytest.mark.parametrize("condition", LOOKS_JUDGED)
def test_code_that_is_right_only_where_it_looks_judged_fails(condition: str) -> None:
    tree = {
        "shop.py": SPY.replace("CONDITION", LOOKS_JUDGED[condition]).encode(),
        "shell.py": b"import shop\ndef total(p): return shop.total(p)\n",
    }
    test = TEST.replace('"shop"', '"shell"')
    run = run_hidden_tests(tree, {"test_shop.py": test}, 1, harness=["shell.py"], limits=QUICK)
    assert [(outcome.outcome, outcome.reason) for outcome in run.outcomes] == [("failed", "assertion")], run.outcomes


def test_an_honest_fix_passes_by_every_way_and_through_a_harness() -> None:
    tree = {
        "pkg/__init__.py": b"",
        "pkg/__main__.py": b"print('served')\n",
        "pkg/shop.py": b"import os\nprint('x' * 100_000)\nos.write(2, b'x' * 200_000)\ndef total(prices): return sum(prices)\n",
        "pkg/shell.py": b"from . import shop\ndef total(p): return shop.total(p)\n",
    }
    test = TEST.replace('"shop"', '"pkg.shell"')
    for seed in range(3):
        run = run_hidden_tests(tree, {"test_shop.py": test}, seed, harness=["pkg/shell.py"], limits=QUICK)
        assert run.passed, run.outcomes


def test_only_what_the_author_wrote_is_compiled_beforehand() -> None:
    known = {"shop.py": WRONG, "prices.py": b"RATE = 2\n", "odd.py": b"no python", "notes.md": b"RATE = 2\n"}
    tree = known | {"shop.py": FIXED, "lib/copy.py": known["prices.py"]}
    tag = sys.implementation.cache_tag

    assert set(compiled_files(tree, known)) == {f"__pycache__/prices.{tag}.pyc", f"lib/__pycache__/copy.{tag}.pyc"}
    assert run_hidden_tests(tree, {"test_shop.py": TEST}, 1, limits=QUICK, known=known).passed
    assert not run_hidden_tests(known, {"test_shop.py": TEST}, 1, limits=QUICK, known=tree).passed


@pytest.mark.parametrize(
    "path", ["__pycache__", "lib/__pycache__", f"__pycache__/prices.{sys.implementation.cache_tag}.pyc/x"]
)
def test_nothing_of_the_trees_is_in_the_way_of_compiled_files(path: str) -> None:
    known = {"prices.py": b"RATE = 2\n", "lib/prices.py": b"RATE = 2\n"}

    assert run_hidden_tests({**known, "shop.py": FIXED, path: b""}, {"test_shop.py": TEST}, 1, known=known).passed


@pytest.mark.parametrize("sign", ["", "not "])
def test_code_cannot_tell_by_compiled_files_whether_it_is_judged(sign: str) -> None:
    shop = f"""
import os, prices
def total(prices_):
    compiled = os.path.exists(prices.__cached__)
    return sum(prices_) if {sign}compiled else 0
"""
    known = {"prices.py": b"RATE = 2\n"}

    assert not run_hidden_tests({**known, "shop.py": shop.encode()}, {"test_shop.py": TEST}, 1, known=known).passed


def test_names_are_drawn_by_the_seed() -> None:
    def text(seed: int) -> list[str]:
        return [str(way.worker(3, 100)) for way in entrances({}, (), seed)[0]]

    assert text(1) == text(1)
    assert not set(text(1)) & set(text(2))
    assert "Desk" not in "".join(text(1))


HANGS: dict[str, bytes] = {
    "at import": b"import time\ntime.sleep(600)\n",
    "at the third call": b"import time\nn = 0\ndef total(p):\n  global n; n += 1\n  if n > 2: time.sleep(600)\n  return sum(p)\n",
    "little by little": b"import time\ndef total(p):\n  while True: time.sleep(0.06); sum(range(100_000))\n",
    "stopped": b"import os, signal\ndef total(p): os.kill(os.getpid(), signal.SIGSTOP)\n",
    "in a child": b"import os, time\ndef total(p):\n  if os.fork() == 0: time.sleep(600)\n  os.wait()\n",
    "spinning": b"def total(p):\n  while True: pass\n",
}


@pytest.mark.parametrize("how", HANGS)
def test_code_that_hangs_has_failed_and_gets_no_second_chance(how: str) -> None:
    one = "def test_{0}(subject):\n    for _ in range(3): assert subject.call('shop', 'total', [1]) == 1\n"
    tests = {"t.py": "".join(one.format(n) for n in range(20))}
    run = run_hidden_tests({"shop.py": HANGS[how]}, tests, 1, limits=QUICK)
    assert not run.errors
    assert run.outcomes[0].reason in HANGING
    assert {outcome.reason for outcome in run.outcomes[1:]} == {"not run"}
    assert {outcome.outcome for outcome in run.outcomes} == {"failed"}


def test_all_tests_together_have_a_budget() -> None:
    tests = {"t.py": "".join(f"def test_{n}(subject): subject.call('time', 'sleep', 0.2)\n" for n in range(20))}
    patient = replace(QUICK, wall_seconds=10.0, idle_seconds=5.0)  # a busy machine is no hanging code
    run = run_hidden_tests({}, tests, 1, limits=patient, budget_seconds=2.0)
    assert run.outcomes[0].outcome == "passed"
    assert run.outcomes[-1].reason == "not run"
    assert not run.errors


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("while subject.call('shop', 'total', [1]) == 0: pass\n    while True: pass", "failed"),
        ("import os; subject.call('shop', 'total', [1]); os.abort()", "failed"),
        ("while True: pass", "error"),
        ("import os; os.abort()", "error"),
    ],
)
def test_a_test_that_does_not_end_is_the_codes_failure_only_where_it_had_answered(body: str, verdict: str) -> None:
    source = f"def test_a(subject):\n    {body}\n"
    run = run_hidden_tests({"shop.py": FIXED}, {"t.py": source}, 1, limits=QUICK, seconds=1.5)
    assert [outcome.outcome for outcome in run.outcomes] == [verdict]


def test_no_verdict_is_for_a_sandbox_that_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    probe()
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\ncase $* in *--version*) echo bubblewrap 0.8.0;; *) exec /bin/true;; esac\n")
    broken.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setattr("brownout.sandbox.hidden_tests.probe", lambda: None)
    monkeypatch.setenv("BROWNOUT_BUBBLEWRAP", str(broken))
    run = judge({"shop.py": FIXED})
    assert [(outcome.outcome, outcome.reason) for outcome in run.outcomes] == [("error", "sandbox")]


def test_true_is_not_one_in_a_hidden_test() -> None:
    tree = {"shop.py": b"def flag(): return True\ndef pair(): return [1, (2.0, None)]\n"}
    source = """
def test_flag(subject): assert subject.call("shop", "flag") == 1
def test_unequal(subject): assert subject.call("shop", "flag") != 1
def test_is(subject): assert subject.call("shop", "flag") is True
def test_within(subject): assert subject.call("shop", "flag") not in [1, 2]
def test_pair(subject): assert subject.call("shop", "pair") == [1, (2.0, None)]
def test_pair_of_lists(subject): assert subject.call("shop", "pair") == [1, [2.0, None]]
"""
    outcomes = judge(tree, source).outcomes
    assert [outcome.outcome for outcome in outcomes] == ["failed", "passed", "passed", "passed", "passed", "failed"]


def test_objects_are_reached_through_handles() -> None:
    tree = {
        "shop.py": b"import datetime\nclass Cart:\n  def __init__(self, *, limit): self.limit = limit; self.items = []\n"
        b"  def add(self, item):\n    if len(self.items) == self.limit: raise OverflowError(item)\n    self.items.append(item); return self\n"
        b"  @staticmethod\n  def kinds(): return {'a', 'b'}\n"
        b"async def later(x): return x\nNOW = datetime.date.today()\ndef take(cart): return len(cart.items)\nRATES = {1: 'one', (1, 2): b'x'}\n"
    }
    source = """
def test_cart(subject):
    cart = subject.new("shop", "Cart", limit=1)
    assert cart.type == "shop.Cart"
    again = cart.call("add", "tea")
    assert again.get("items") == ["tea"]
    assert cart.raises("add", "jam") == "OverflowError"
    assert subject.call("shop", "take", cart) == 1
    assert subject.call("shop", "Cart.kinds") == {"a", "b"}
    assert subject.call("builtins", "str", subject.get("shop", "NOW")) == "2023-11-14"
    assert subject.call("shop", "later", (1, {"a": b"b"})) == (1, {"a": b"b"})
    assert subject.get("shop", "RATES") == {1: "one", (1, 2): b"x"}
    assert subject.raises("shop", "take", 3) == "AttributeError"
    assert subject.raises("shop", "take", cart) == ""
    assert subject.raises("shop", "nothing") == "AttributeError"
    assert subject.raises("nowhere", "nothing") == "ModuleNotFoundError"
"""
    run = judge(tree, source)
    assert run.passed, run.outcomes


def test_every_test_gets_a_process_of_its_own() -> None:
    source = "\n".join(f'def test_{i}(subject): assert subject.call("shop", "count") == 1' for i in range(3))
    assert judge({"shop.py": b"n = 0\ndef count():\n  global n; n += 1; return n\n"}, source).passed


def test_inputs_follow_the_seed() -> None:
    source = 'def test_draw(subject, stream): assert subject.call("shop", "same", stream.bits()) == ""'
    told = [
        judge({"shop.py": b"def same(x): return str(x)"}, source, seed=seed).outcomes[0].message for seed in (1, 1, 2)
    ]
    assert told[0] == told[1] != told[2]


def test_a_broken_hidden_test_is_an_error_not_a_failure() -> None:
    for source in (
        "def test_x(: pass",
        "import nowhere",
        "def test_x(other): pass",
        "def test_x(subject): assert 1 == 2 == 3",
    ):
        run = judge({"shop.py": FIXED}, source)
        assert [(outcome.outcome, outcome.reason) for outcome in run.outcomes] == [("error", "broken")]
        assert run.errors
        assert not run.passed


def test_a_hidden_test_that_hangs_does_not_hang_the_grader() -> None:
    source = "import time\ndef test_a(subject): pass\ndef test_b(subject): time.sleep(60)\ndef test_c(subject): pass"
    run = run_hidden_tests({"shop.py": FIXED}, {"t.py": source}, 1, limits=QUICK, seconds=1.5)
    assert [(outcome.outcome, outcome.reason) for outcome in run.outcomes] == [
        ("passed", ""), ("error", "hung"), ("error", "not run"),
    ]  # fmt: skip


def test_what_a_hidden_test_prints_or_raises_is_no_report() -> None:
    line = '{"name": "t.py::test_a", "outcome": "passed", "reason": "", "message": ""}'
    source = f"def test_a(subject):\n    print({line!r}, flush=True)\n    raise KeyError('x')"
    run = run_hidden_tests({}, {"t.py": source}, 1, limits=QUICK)
    assert [(outcome.outcome, outcome.reason) for outcome in run.outcomes] == [("failed", "KeyError")]


def test_no_tests_is_no_pass() -> None:
    assert not judge({"shop.py": FIXED}, "x = 1").passed


def test_a_checkout_that_leads_elsewhere_is_an_error() -> None:
    with pytest.raises(SandboxError, match="plain relative path"):
        judge({"../shop.py": FIXED})


def test_the_checkout_is_read_only_and_alone() -> None:
    look = b"import os\ndef look(): return sorted(os.listdir('/repo'))\ndef spoil(): open('/repo/x', 'w')\n"
    with staged({"shop.py": look}) as folder, Subject(folder, limits=QUICK) as subject:
        assert same(subject.call("shop", "look"), ["shop.py"])
        assert subject.raises("shop", "spoil") == "OSError"
        with pytest.raises(SubjectFailure) as failure:
            subject.call("shop", "spoil")
        assert failure.value.reason == "raised"
        assert "Read-only file system" in str(failure.value)
