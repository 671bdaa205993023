"""Finished runs of tests, kept on this machine: the same files under the same conditions are not run twice.

A run is found by all that it depends on: the files, the tests, the seed, the world's time, this package's code, the interpreter and the
packages beside it. Where the sandbox does not work nothing is answered from here either.
One that was stopped, hung or disagrees with itself may come to something else next time, and is not kept.
"""

import os
import platform
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from pydantic import TypeAdapter, ValidationError

from brownout.core.cancel_token import CancelToken
from brownout.core.values import digest_of
from brownout.sandbox.cache import cache_folder
from brownout.sandbox.hidden_outcomes import HiddenRun
from brownout.sandbox.hidden_tests import run_hidden_tests
from brownout.sandbox.interpreter_copy import runtime
from brownout.sandbox.probe import probe
from brownout.sandbox.visible_tests import TestRun, run_visible_tests

__all__ = ["kept_hidden_run", "kept_visible_run"]

T = TypeVar("T")
_MOST: Final = 2_000
"""Runs that are kept; those used longest ago go first."""
_UNDECIDED: Final = frozenset({"hung", "not run", "broken", "sandbox"})
_VISIBLE: Final = TypeAdapter(TestRun)
_HIDDEN: Final = TypeAdapter(HiddenRun)


_turns: Final[WeakValueDictionary[str, Lock]] = WeakValueDictionary()
_guard: Final = Lock()


def kept_visible_run(
    tree: Mapping[str, bytes], *, now: float, paths: Sequence[str] = (), known: Mapping[str, bytes] | None = None
) -> TestRun:
    """As `run_visible_tests`, run once.

    Raises:
        SandboxUnavailable: the system cannot run sandboxes, or pytest is not installed.
        SandboxError: the checkout cannot be laid out.
    """
    probe()
    key = _key("visible", tree, str(now), *paths)
    return _kept(key, _VISIBLE, lambda: run_visible_tests(tree, paths=paths, known=known, now=now), _is_decided)


def kept_hidden_run(
    tree: Mapping[str, bytes],
    tests: Mapping[str, str],
    seed: int,
    *,
    harness: Sequence[str] = (),
    known: Mapping[str, bytes] | None = None,
    now: float = 1_700_000_000,
    quick: bool = False,
    token: CancelToken | None = None,
) -> HiddenRun:
    """As `run_hidden_tests`, run once.

    Raises:
        Cancelled: by the token; who waits for the same run goes on with it.
        SandboxUnavailable: the system cannot run sandboxes.
        SandboxError: the checkout cannot be laid out.
    """
    probe()
    sources = (part for name in sorted(tests) for part in (name, tests[name]))
    key = _key("hidden", tree, str(seed), str(now), str(quick), *harness, "tests", *sources)

    def run() -> HiddenRun:
        return run_hidden_tests(tree, tests, seed, harness=harness, known=known, now=now, quick=quick, token=token)

    return _kept(key, _HIDDEN, run, _is_verdict)


def runs_folder() -> Path:
    """Where they are kept."""
    return cache_folder() / "runs"


def _is_decided(run: TestRun) -> bool:
    return run.stop is None and not run.disagreement and run.exit_code in (0, 1)


def _is_verdict(run: HiddenRun) -> bool:
    return bool(run.outcomes) and not run.errors and not any(one.reason in _UNDECIDED for one in run.outcomes)


def _key(kind: str, tree: Mapping[str, bytes], *conditions: str) -> str:
    files = (part for path in sorted(tree) for part in (path, tree[path]))
    return digest_of(_room(), kind, *conditions, "files", *files)


@cache
def _room() -> str:
    """What of this machine a run depends on."""
    sources = sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix in (".py", ".c"))
    return digest_of(runtime().folder.name, platform.machine(), *(path.read_bytes() for path in sources))


def _kept(key: str, adapter: TypeAdapter[T], run: Callable[[], T], is_kept: Callable[[T], bool]) -> T:
    place = runs_folder() / f"{key}.json"
    with _turn(key):
        with suppress(OSError, ValidationError):
            found = adapter.validate_json(place.read_bytes())
            os.utime(place)
            return found
        made = run()
        if is_kept(made):
            with suppress(OSError):  # a full disk costs the next one its time, and nobody a grade
                _keep(place, adapter.dump_json(made))
        return made


@contextmanager
def _turn(key: str) -> Iterator[None]:
    """Wait for whoever has begun the same run in another thread."""
    with _guard:
        turn = _turns.get(key)
        if turn is None:
            turn = _turns[key] = Lock()
    with turn:
        yield


def _keep(place: Path, content: bytes) -> None:
    place.parent.mkdir(mode=0o700, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as draft:
        draft.write(content)
    Path(draft.name).replace(place)
    known = sorted(place.parent.iterdir(), key=lambda path: path.stat().st_mtime)
    for path in known[: max(0, len(known) - _MOST)]:
        path.unlink(missing_ok=True)
