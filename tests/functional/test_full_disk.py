"""A disk that is full while runs are written: that episode has no reward, its files are whole, the others go on."""

import asyncio
import errno
from io import FileIO
from pathlib import Path

import pytest

from brownout.core.trajectory import load_event
from brownout.engine.world import World
from brownout.llm.line_append import append_line
from brownout.rollouts import recorder
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import RunResult, read_run
from brownout.rollouts.runner import Episode, run_episodes

TASK = "mend-the-help-page"


class Small(FileIO):
    """A file on a disk with room for so many bytes; what does not fit is written in part, as a system does."""

    room = 5000

    def write(self, data: object) -> int:
        view = memoryview(data)  # type: ignore[arg-type]
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = super().write(view[: self.room])
        self.room -= written
        return written


@pytest.mark.parametrize("room", [0, 1, 700, 5000, 5001])
def test_an_episode_whose_log_does_not_fit_is_null_and_the_others_go_on(
    tiny: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    def opened(log: Path) -> FileIO:
        file = Small(log, "wb") if log.parent.name == "1" else FileIO(log, "wb")
        if isinstance(file, Small):
            file.room = room
        return file

    monkeypatch.setattr(recorder, "_opened", opened)
    results = played(tiny, tmp_path)

    assert [result.status for result in results] == ["ok", "env_error", "ok"]
    assert [result.reward for result in results] == [1.0, None, 1.0]
    assert str(results[1].failure).startswith("run_error: cannot write")
    log = (tmp_path / "1" / "trajectory.jsonl").read_bytes()
    assert not log or log.endswith(b"\n")
    assert [load_event(line).seq for line in log.splitlines()] == list(range(log.count(b"\n")))
    assert read_run(tmp_path / "1").events[-1:] != [] or room < 1000


def test_an_episode_whose_result_cannot_be_written_is_null_and_unfinished(
    tiny: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.parent.name == "1":
            write(self, data[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    results = played(tiny, tmp_path)

    assert [result.reward for result in results] == [1.0, None, 1.0]
    assert str(results[1].failure).startswith("run_error: cannot write")
    assert [path.name for path in (tmp_path / "1").iterdir()] == ["trajectory.jsonl"]


def test_an_episode_whose_folder_cannot_be_made_does_not_take_the_others_along(tiny: World, tmp_path: Path) -> None:
    (tmp_path / "1").write_text("in the way")

    assert [result.status for result in played(tiny, tmp_path)] == ["ok", "env_error", "ok"]


def test_a_recorded_line_that_does_not_fit_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cassette.jsonl"
    append_line(path, b'{"first": 1}')

    def opened(self: Path, mode: str = "r", **_: int) -> Small:
        file = Small(self, mode)
        file.room = 4
        return file

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(OSError, match="No space left"):
        append_line(path, b'{"second": 2}')

    assert path.read_bytes() == b'{"first": 1}\n'


def played(world: World, folder: Path) -> list[RunResult]:
    plan = [Episode(TASK, "oracle", seed, AgentOptions(), folder / str(seed)) for seed in range(3)]
    return asyncio.run(run_episodes(world, plan))
