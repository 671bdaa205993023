"""The process in which hidden tests run; started by `hidden_tests.py`, never imported by it."""

import ast
import inspect
import json
import os
import sys
from collections.abc import Callable, Container
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any, Final, cast

from brownout.core.errors import SandboxError
from brownout.core.python_syntax import parsed
from brownout.core.seeds import Stream
from brownout.sandbox.hidden_outcomes import HiddenOutcome
from brownout.sandbox.inside.plain_values import same
from brownout.sandbox.invocation import InvocationStyle
from brownout.sandbox.limits import Limits
from brownout.sandbox.parallel_runs import ahead
from brownout.sandbox.subject import HANGING, Subject, SubjectFailure

__all__ = ["load_tests", "main"]

_LONGEST_MESSAGE: Final = 2000


class Comparisons:
    """The comparisons of one test file, with a memory of the last that was false, for the failure's message."""

    def __init__(self) -> None:
        self.last_false = ""

    def equal(self, left: object, right: object) -> bool:
        if same(left, right):
            return True
        self.last_false = f"{left!r:.300} ({type(left).__name__}) is not {right!r:.300} ({type(right).__name__})"
        return False

    def within(self, item: object, container: Container[object]) -> bool:
        if isinstance(container, (list, tuple, set, frozenset, dict)):
            found = any(same(item, each) for each in container)
        else:
            found = item in container
        if not found:
            self.last_false = f"{item!r:.300} is not in {container!r:.300}"
        return found


class _Typed(ast.NodeTransformer):
    """Replaces `==`, `!=`, `in` and `not in` by calls that look at types."""

    _NAMES: Final = {ast.Eq: "equal", ast.NotEq: "equal", ast.In: "within", ast.NotIn: "within"}

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        kinds = [type(operator) for operator in node.ops]
        if not any(kind in self._NAMES for kind in kinds):
            return node
        if len(kinds) > 1:
            raise SyntaxError(f"line {node.lineno}: in a hidden test write `a == b and b == c`, not `a == b == c`")
        name = ast.Attribute(ast.Name("__typed__", ast.Load()), self._NAMES[kinds[0]], ast.Load())
        call: ast.expr = ast.Call(name, [node.left, node.comparators[0]], [])
        if kinds[0] in (ast.NotEq, ast.NotIn):
            call = ast.UnaryOp(ast.Not(), call)
        return ast.fix_missing_locations(ast.copy_location(call, node))


def load_tests(file: str, source: str) -> tuple[dict[str, FunctionType], Comparisons]:
    """The test functions of a file, in order, and what their comparisons remember.

    Raises:
        Exception: whatever the file raises when it is run.
        SyntaxError: it is no Python, or a test has other parameters than `subject` and `stream`.
    """
    comparisons = Comparisons()
    tree = _Typed().visit(parsed(source, file))
    space: dict[str, object] = {"__name__": Path(file).stem, "__file__": file, "__typed__": comparisons}
    exec(compile(tree, file, "exec"), space)
    tests = {
        name: value for name, value in space.items() if name.startswith("test_") and isinstance(value, FunctionType)
    }
    for name, test in tests.items():
        parameters = list(inspect.signature(test).parameters)
        if parameters not in (["subject"], ["subject", "stream"]):
            raise SyntaxError(f"expected {name}(subject) or {name}(subject, stream), found the parameters {parameters}")
    return tests, comparisons


class _Overheard(Subject):
    """A subject of which is reported that it answered."""

    heard: Callable[[], None] | None = None

    def ask(self, *args: Any, **kwargs: Any) -> object:
        try:
            return super().ask(*args, **kwargs)
        finally:
            if self.heard is not None:
                self.heard()
                self.heard = None


class Runner:
    """Carries out one job and reports it line by line. Tests run at once, as many as there are cores; each has its own ways in."""

    def __init__(self, job: dict[str, object], report: Callable[[dict[str, object]], None]) -> None:
        self._tests = cast("dict[str, str]", job["tests"])
        self._seed = cast("int", job["seed"])
        self._limits = Limits(**cast("dict[str, int]", job["limits"]))
        self._now = cast("float", job["now"])
        entrances = [InvocationStyle(**each) for each in cast("list[dict[str, Any]]", job["entrances"])]
        folders = [Path(each) for each in cast("list[str]", job["folders"])]
        self._ways = list(zip(entrances, folders, strict=True))
        self._left = cast("float", job["budget"])
        self._quick = cast("bool", job["quick"])
        self._at_once = cast("int", job["at_once"])
        self._lock = Lock()

        def one_at_a_time(message: dict[str, object]) -> None:
            with self._lock:
                report(message)

        self._report = one_at_a_time

    def run(self) -> None:
        loaded: dict[str, str] = {}
        broken = []
        for file in sorted(self._tests):
            try:
                loaded |= {f"{file}::{name}": file for name in load_tests(file, self._tests[file])[0]}
            except Exception as error:
                broken.append(HiddenOutcome(file, "error", "broken", f"{type(error).__name__}: {error}"))
        self._report({"plan": [each.name for each in broken] + list(loaded)})
        for outcome in broken:
            self._report(asdict(outcome))
        over = False
        for outcome in ahead(lambda name: self._judged(name, loaded[name]), loaded, self._at_once):
            found = _not_run(outcome.name) if over else outcome
            self._report(asdict(found))
            if outcome.reason in HANGING or (self._quick and outcome.outcome == "failed"):
                over, self._left = True, 0.0

    def _judged(self, name: str, file: str) -> HiddenOutcome:
        """A test by every way in, with a copy of its file that no other test is run from at the same time."""
        if self._left <= 0:
            return _not_run(name)
        self._report({"begin": name})
        tests, comparisons = load_tests(file, self._tests[file])
        test = tests[name.rpartition("::")[2]]
        outcome = _not_run(name)
        for entrance, folder in self._ways:
            outcome = self._judge(name, test, comparisons, entrance, folder)
            if outcome.outcome != "passed":
                break
        self._report({"done": name})
        return outcome

    def _judge(
        self, name: str, test: FunctionType, comparisons: Comparisons, entrance: InvocationStyle, folder: Path
    ) -> HiddenOutcome:
        comparisons.last_false = ""
        limits = replace(self._limits, wall_seconds=min(self._limits.wall_seconds, self._left))
        try:
            subject = _Overheard(folder, limits=limits, now=self._now, entrance=entrance)
        except (SandboxError, OSError) as error:
            return HiddenOutcome(name, "error", "sandbox", str(error)[-_LONGEST_MESSAGE:])
        subject.heard = lambda: self._report({"answered": name})
        try:
            with subject:
                arguments = (subject, Stream(self._seed, name))
                test(*arguments[: test.__code__.co_argcount])
        except SubjectFailure as error:
            return HiddenOutcome(name, "failed", error.reason, _told(error, ""))
        except AssertionError as error:
            return HiddenOutcome(name, "failed", "assertion", _told(error, comparisons.last_false))
        except Exception as error:
            return HiddenOutcome(name, "failed", type(error).__name__, _told(error, ""))
        finally:
            with self._lock:
                self._left -= subject.seconds
        return HiddenOutcome(name, "passed", "", "")


def _not_run(name: str) -> HiddenOutcome:
    return HiddenOutcome(name, "failed", "not run", "the code has used up the time of all tests, or hung")


def _told(error: Exception, otherwise: str) -> str:
    """The error's text and the last line of the test it came through."""
    trace, line = error.__traceback__, 0
    while trace:
        line = trace.tb_lineno if "__typed__" in trace.tb_frame.f_globals else line
        trace = trace.tb_next
    return f"line {line}: {str(error) or otherwise}"[:_LONGEST_MESSAGE]


def main() -> None:
    """Read a job from standard input, write lines of JSON to what was standard output."""
    out = os.dup(1)
    os.dup2(2, 1)  # what a test prints is no report
    with open(out, "w", encoding="utf-8") as stream:  # noqa: PTH123

        def report(message: dict[str, object]) -> None:
            stream.write(json.dumps(message) + "\n")
            stream.flush()

        Runner(json.load(sys.stdin), report).run()
