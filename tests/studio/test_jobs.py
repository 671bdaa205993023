"""Jobs: what they tell, how they end, and that nothing but their folder is needed to know it."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from streamlit.testing.v1 import AppTest

import studio.jobs.job_control
from studio.jobs import Job, JobRefused, cancel_job, find_job, latest_job, list_jobs, start_job
from studio.jobs.panel import _took
from studio.start_options import READ_ONLY

_PATIENCE_SECONDS = 60.0


@pytest.fixture
def python(at_home: pytest.MonkeyPatch) -> Callable[..., Job]:
    """Starts a job that runs a piece of Python instead of a command of ours."""
    at_home.setattr(studio.jobs.job_control, "_BROWNOUT", ("-c",))

    def started(code: str, *more: str, **about: str) -> Job:
        return start_job("work", "Do some work", [code, *more], **about)

    return started


def until(job: Job, *states: str) -> Job:
    """The job when it has come to one of some states."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while job.state not in states:
        assert time.monotonic() < end, (job.state, job.log)
        time.sleep(0.02)
        found = find_job(job.id)
        assert found is not None
        job = found
    return job


def test_a_job_ends_with_what_it_printed_and_said(python: Callable[..., Job]) -> None:
    job = until(python("import sys; print('{\"n\": 1}'); print('fine', file=sys.stderr)"), "done", "failed")

    assert (job.state, job.code, job.result, job.log) == ("done", 0, {"n": 1}, "fine")
    assert job.began > 0
    assert job.ended >= job.began


def test_a_job_that_fails_says_what_it_said(python: Callable[..., Job]) -> None:
    job = until(python("raise SystemExit('no room left')"), "done", "failed")

    assert (job.state, job.code, job.log) == ("failed", 1, "no room left")


def test_a_job_tells_its_stages_each_as_it_stands(python: Callable[..., Job]) -> None:
    code = (
        "from brownout.cli.progress import ProgressFile as t; tell = t({'a': 'First', 'b': 'Second'});"
        "tell('a', 0.2); tell('a', 1.0); tell('b', 0.25, '1 of 4')"
    )
    job = until(python(code), "done", "failed")

    assert [(stage.title, stage.done, stage.note) for stage in job.stages] == [
        ("First", 1.0, ""),
        ("Second", 0.25, "1 of 4"),
    ]


def test_a_cancelled_job_is_interrupted_and_may_clean_up(python: Callable[..., Job], tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\n"
        "try:\n    Path(sys.argv[1]).write_text('half'); time.sleep(600)\n"
        "except KeyboardInterrupt:\n    Path(sys.argv[1]).unlink()"
    )
    half = tmp_path / "half"
    job = until(python(code, str(half)), "running")
    while not half.exists():
        time.sleep(0.02)

    assert cancel_job(job.id).state in ("cancelling", "cancelled")
    assert until(job, "cancelled", "done", "failed").state == "cancelled"
    assert not half.exists()


def test_what_nobody_runs_any_more_is_lost(python: Callable[..., Job], tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    code = (
        "import os, sys, time\nfrom pathlib import Path\nwritten = Path(sys.argv[1] + '.part')\n"
        "written.write_text(str(os.getpid())); written.rename(sys.argv[1]); time.sleep(600)"
    )
    job = until(python(code, str(begun)), "running")
    while not begun.exists():
        time.sleep(0.02)
    os.kill(int((job.folder / "pid").read_text()), signal.SIGKILL)
    os.kill(int(begun.read_text()), signal.SIGKILL)

    assert until(job, "lost").is_over


def test_more_jobs_than_places_wait_their_turn(python: Callable[..., Job], at_home: pytest.MonkeyPatch) -> None:
    at_home.setattr(studio.jobs.job_control, "_PLACES", 1)
    first = until(python("import time; time.sleep(600)", number="1"), "running")
    second = python("print(2)", number="2")
    time.sleep(0.3)

    assert until(second, "queued").seconds == 0
    assert _took(second) == f"waits for {first.title} to end"
    assert cancel_job(second.id).state in ("cancelling", "cancelled")
    third = python("print(3)", number="3")
    cancel_job(first.id)
    assert until(third, "done").result == 3
    assert until(second, "cancelled").result is None


def test_the_same_work_is_not_started_twice(python: Callable[..., Job]) -> None:
    first = python("import time; time.sleep(600)", world="tiny")

    assert python("import time; time.sleep(600)", world="tiny").id == first.id
    assert [job.id for job in list_jobs("work", world="tiny")] == [first.id]
    assert latest_job("work", world="larkspur") is None
    cancel_job(first.id)
    until(first, "cancelled")


def test_a_job_that_is_not_there_or_elsewhere_is_never_found(at_home: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("", "..", "../jobs", "/etc", "nothing", "a/b", "\0"):
        assert find_job(name) is None
    with pytest.raises(JobRefused, match="not found"):
        cancel_job("nothing")


def test_a_damaged_job_hides_no_other(python: Callable[..., Job]) -> None:
    job = until(python("print(1)"), "done")
    for name, text in (("empty", b""), ("broken", b"{"), ("list", b"[]"), ("poor", orjson.dumps({"command": "x"}))):
        folder = job.folder.parent / name
        folder.mkdir()
        (folder / "job.json").write_bytes(text)

    assert [one.id for one in list_jobs()] == [job.id]


def test_a_read_only_studio_starts_nothing(python: Callable[..., Job], at_home: pytest.MonkeyPatch) -> None:
    at_home.setenv(READ_ONLY, "1")

    with pytest.raises(JobRefused, match="read-only"):
        python("print(1)")


def test_the_panel_shows_stages_log_and_cancel(python: Callable[..., Job]) -> None:
    code = (
        "from brownout.cli.progress import ProgressFile as t; import sys, time;"
        "t({'a': 'Counting'})('a', 0.5, '1 of 2'); print('counted', file=sys.stderr); time.sleep(600)"
    )
    job = until(python(code), "running")
    while not job.stages or not job.log:
        time.sleep(0.02)

    def page(job_id: str) -> None:
        from studio.jobs import find_job, job_panel

        found = find_job(job_id)
        assert found is not None
        job_panel(found)

    app = AppTest.from_function(page, args=(job.id,)).run()
    assert not app.exception
    assert any("Do some work" in text.value for text in app.markdown)
    assert "Counting" in app.get("progress")[0].proto.text
    assert app.code[0].value == "counted"
    app.button(key=f"cancel_{job.id}").click().run()
    until(job, "cancelled")
    app.run()
    assert not [button for button in app.button if button.key == f"cancel_{job.id}"]
