"""A build says how far it is: at a terminal in bars, to a program that asks for it in numbers."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from brownout.catalog import find_spec
from brownout.cli import progress
from generators.build import build_world
from generators.world_check import read_whole


def test_a_build_tells_its_stages_and_how_far_each_is(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    build_world(
        read_whole(find_spec("tiny")), out=tmp_path / "p", progress=lambda stage, done: told.append((stage, done))
    )

    assert [*dict.fromkeys(stage for stage, _ in told)] == ["text", "past", "future", "package"]
    for stage in ("past", "future", "package"):
        shares = [done for name, done in told if name == stage]
        assert shares == sorted(shares)
        assert 0 <= shares[0] <= shares[-1] <= 1
        assert shares[-1] > 0.8
    assert told[-1] == ("package", 1.0)


@pytest.mark.parametrize(("is_terminal", "shows"), [(True, True), (False, False)])
def test_bars_are_for_terminals(monkeypatch: pytest.MonkeyPatch, is_terminal: bool, shows: bool) -> None:
    written = io.StringIO()
    monkeypatch.setattr(progress, "errors", Console(file=written, force_terminal=is_terminal, width=90))
    with progress.stages({"past": "Living"}) as told:
        told("past", 0.4)

    assert ("Living" in written.getvalue()) is shows
