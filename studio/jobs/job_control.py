"""Starting, finding and cancelling jobs."""

import fcntl
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from studio.jobs.job import CLOSED, Job, read_job, write_whole
from studio.start_options import choices

__all__ = ["JobRefused", "cancel_job", "close_job", "find_job", "latest_job", "list_jobs", "start_job"]

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_BROWNOUT = ("-P", "-c", "from brownout.cli import main; main()")
_PLACES = max(2, (os.cpu_count() or 2) // 2)
"""How many jobs work at a time; the others are queued."""
_KEPT = 60
"""Jobs that are over and are still listed."""
_NAME = re.compile(r"[A-Za-z0-9._-]{1,120}")


class JobRefused(Exception):
    """A job that cannot be started or found; the message says why."""


def start_job(kind: str, title: str, arguments: Sequence[str], **about: str) -> Job:
    """Start `brownout ARGUMENTS` as a job, or take its place in the queue.

    Args:
        kind: a short word: `build`, `check`, `run`.
        title: what people read: "Build larkspur".
        about: what it is about; jobs are found by it. One that is about the same and still going on is not started twice.

    Raises:
        JobRefused: the studio is read-only, or the job's folder cannot be written.
    """
    if choices().read_only:
        raise JobRefused("this studio is read-only; start it without --read-only to let it work")
    going = latest_job(kind, **about)
    if going is not None and not going.is_over and going.command == tuple(arguments):
        return going
    jobs = _folder()
    stamp = time.strftime("%Y%m%d-%H%M%S")
    folder = jobs / f"{stamp}-{re.sub(r'[^a-z0-9]+', '-', kind.casefold()) or 'job'}-{secrets.token_hex(3)}"
    try:
        folder.mkdir(parents=True)
        _prune(jobs)
        write_whole(
            folder / "job.json",
            {
                "kind": kind, "title": title, "command": [*arguments], "about": {**about}, "made": time.time(),
                "state": "queued",
            },
        )  # fmt: skip
        _spawn(folder, [sys.executable, *_BROWNOUT, *arguments])
    except OSError as error:
        raise JobRefused(f"{folder} cannot be written: {error.strerror}") from error
    return _known(folder)


def _spawn(folder: Path, command: Sequence[str]) -> None:
    pid = os.open(folder / "pid", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(pid, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [sys.executable, "-P", str(_SUPERVISOR), str(folder), str(_PLACES), *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, pass_fds=(pid,), cwd=choices().here,
        )  # fmt: skip
        os.write(pid, str(process.pid).encode())
    finally:
        os.close(pid)
    threading.Thread(target=process.wait, name=f"studio-job-{process.pid}", daemon=True).start()


def cancel_job(job_id: str) -> Job:
    """Tell a job to end; it is `cancelling` until it has.

    Raises:
        JobRefused: there is no such job, or it is not this user's to end.
    """
    job = find_job(job_id)
    if job is None:
        raise JobRefused(f"Job {job_id} not found")
    if job.is_over:
        return job
    try:
        (job.folder / "cancel").touch()
        with suppress(ProcessLookupError):
            os.killpg(int((job.folder / "pid").read_text()), signal.SIGTERM)
    except (OSError, ValueError) as error:
        raise JobRefused(f"Job {job_id} cannot be cancelled: {error}") from error
    return _known(job.folder)


def close_job(job: Job) -> None:
    """Put away how a job ended; its folder stays.

    Raises:
        JobRefused: its folder cannot be written.
    """
    try:
        (job.folder / CLOSED).touch()
    except OSError as error:
        raise JobRefused(f"{job.folder} cannot be written: {error.strerror}") from error


def find_job(job_id: str) -> Job | None:
    """The job of that id; nothing outside the folder of jobs is ever found."""
    if not _NAME.fullmatch(job_id) or job_id.startswith("."):
        return None
    return read_job(_folder() / job_id)


def list_jobs(kind: str = "", **about: str) -> list[Job]:
    """The jobs of a kind that are about something, the newest first; without arguments all."""
    return [*_jobs(kind, about)]


def latest_job(kind: str, **about: str) -> Job | None:
    """The newest job of a kind that is about something, None where there is none."""
    return next(_jobs(kind, about), None)


def _jobs(kind: str, about: dict[str, str]) -> Iterator[Job]:
    found = (read_job(path.parent) for path in _folder().glob("*/job.json"))
    for job in sorted((job for job in found if job is not None), key=lambda job: (-job.made, job.id)):
        if (not kind or job.kind == kind) and about.items() <= job.about.items():
            yield job


def _known(folder: Path) -> Job:
    job = read_job(folder)
    if job is None:
        raise JobRefused(f"{folder} was taken away")
    return job


def _folder() -> Path:
    return choices().here / ".studio" / "jobs"


def _prune(jobs: Path) -> None:
    """Forget jobs that were over long ago."""
    over = [job for job in _jobs("", {}) if job.is_over]
    for job in over[_KEPT:]:
        shutil.rmtree(job.folder, ignore_errors=True)
