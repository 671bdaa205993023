import marshal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path
from threading import Barrier
from types import CodeType

import pytest

from brownout.sandbox import TestRun, kept_runs, kept_visible_run
from brownout.sandbox.interpreter_copy import PYTHON_HOME, runtime

pytestmark = pytest.mark.sandbox


def test_the_same_run_asked_for_by_two_at_once_is_run_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs: list[float] = []
    both = Barrier(2)

    def run(tree: dict[str, bytes], *, paths: tuple[str, ...], known: object, now: float) -> TestRun:
        runs.append(now)
        return TestRun({"test_a.py::test_a": "passed"}, 0, f"at {now}", None)

    def ask(now: float) -> TestRun:
        both.wait()
        return kept_visible_run({"test_a.py": b""}, now=now)

    monkeypatch.setattr(kept_runs, "run_visible_tests", run)
    monkeypatch.setattr(kept_runs, "runs_folder", lambda: tmp_path / "runs")
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ask, (1.0, 1.0))
        pool.map(ask, (2.0, 3.0))
    assert first == second
    assert sorted(runs) == [1.0, 2.0, 3.0]


def test_every_compiled_file_of_the_copy_tells_no_other_place_than_its_own() -> None:
    folder = runtime().folder
    told = 0
    for path in folder.joinpath("lib").rglob("*.py"):
        compiled = Path(cache_from_source(str(path)))
        if compiled.is_file():
            code = marshal.loads(compiled.read_bytes()[16:])
            names = {each.co_filename for each in _all_code(code)}
            assert names == {f"{PYTHON_HOME}/{path.relative_to(folder)}"}
            told += 1
    assert told > 500


def _all_code(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_code(constant)
