"""The process beside a job: waits for a free place, runs the command, and writes down how it ended. Standard library only.

    python -P supervisor.py JOB_FOLDER PLACES PYTHON ARGUMENTS...

It is started in a session of its own, with the job's `pid` file locked by its starter and the lock passed on. TERM means:
interrupt the command as Ctrl-C would, so that it leaves nothing half-written, and kill what has not gone five seconds later.
"""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

_PATIENCE_SECONDS = 5.0
_LOOK_SECONDS = 0.2


class _JobCancelled(Exception):
    """Somebody wants the job to end."""


def _cancel(number: int, frame: FrameType | None) -> None:
    raise _JobCancelled


def main() -> None:
    """Do the job."""
    folder, places, command = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _cancel)
    code: int | None = None
    try:
        place = _wait_for_place(folder.parent, places)
        _write(folder, state="running", began=time.time())
        code = _run(folder, command)
        os.close(place)
        state = "done" if code == 0 else "failed"
    except _JobCancelled:
        state = "cancelled"
    except OSError as error:
        with contextlib.suppress(OSError), (folder / "log.txt").open("a") as log:
            log.write(f"\nthe job could not be started: {error}\n")
        state = "failed"
    _write(folder, state=state, ended=time.time(), code=code)


def _wait_for_place(jobs: Path, places: int) -> int:
    """A lock on one of the places that there are; it goes with the process."""
    while True:
        for number in range(places):
            file = os.open(jobs / f".place-{number}", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(file)
            else:
                return file
        time.sleep(_LOOK_SECONDS)


def _run(folder: Path, command: list[str]) -> int:
    """The exit code of the command.

    Raises:
        _JobCancelled: it was told to end, and has ended.
    """
    environment = {**os.environ, "BROWNOUT_PROGRESS": str(folder / "progress.jsonl"), "PYTHONUNBUFFERED": "1"}
    with (folder / "log.txt").open("ab") as log, (folder / "result.json").open("wb") as result:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=result, stderr=log, start_new_session=True, env=environment
        )
        try:
            return process.wait()
        except _JobCancelled:
            _end(process)
            raise


def _end(process: "subprocess.Popen[bytes]") -> None:
    for number, seconds in ((signal.SIGINT, _PATIENCE_SECONDS), (signal.SIGKILL, None)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        until = None if seconds is None else time.monotonic() + seconds
        while process.poll() is None and (until is None or time.monotonic() < until):
            with contextlib.suppress(_JobCancelled):
                time.sleep(0.05)


def _write(folder: Path, **changes: object) -> None:
    path, part = folder / "job.json", folder / ".job.json"
    known = json.loads(path.read_text())
    part.write_text(json.dumps({**known, **changes}, indent=2))
    part.replace(path)


if __name__ == "__main__":
    main()
