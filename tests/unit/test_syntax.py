"""Python is parsed in many threads at once without one disturbing another."""

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import brownout.core.python_syntax
from brownout.core.python_syntax import parsed


class Circle:
    """Is only collected with others, and lets other threads run then."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        sum(range(50))


@pytest.fixture
def _hectic() -> Iterator[None]:
    """Threads take turns, and garbage is collected, in the middle of everything."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(5)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)


@pytest.mark.usefixtures("_hectic")
def test_many_threads_may_parse_at_once() -> None:
    text = Path(brownout.core.python_syntax.__file__).read_text("utf-8")

    def parts(_: int) -> int:
        circles = [Circle() for _ in range(20)]
        return len(parsed(text).body) if circles else 0

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(parts, range(300)))

    assert len(found) == 1
