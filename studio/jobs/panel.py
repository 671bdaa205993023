"""A job on a page: its stages, what it says, and a way to end it. It follows the work by itself."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from studio.escaped_markdown import plain
from studio.jobs.job import Job, JobState, Stage
from studio.jobs.job_control import JobRefused, cancel_job, close_job, find_job, list_jobs, start_job
from studio.pages import page_path
from studio.problem_links import problem_link, problem_rows
from studio.terminal_commands import terminal_command

__all__ = ["job_line", "job_panel", "start_or_say"]

_SIGNS: dict[JobState, tuple[str, str]] = {
    "queued": (":material/hourglass_empty:", "gray"),
    "running": (":material/progress_activity:", "blue"),
    "cancelling": (":material/cancel:", "orange"),
    "cancelled": (":material/cancel:", "gray"),
    "failed": (":material/error:", "red"),
    "done": (":material/check_circle:", "green"),
    "lost": (":material/help:", "orange"),
}
_LOOK_SECONDS = 0.5
_LINE = 110
"""Characters of a reason in one line."""


def start_or_say(kind: str, title: str, arguments: Sequence[str], **about: str) -> None:
    """Start a job and show the page anew with it; where it is refused the page says why.

    Args:
        kind: of the job, with `about` what `latest_job` finds it by.
        arguments: of the command line, without `brownout`.
    """
    try:
        start_job(kind, title, arguments, **about)
    except JobRefused as error:
        st.error(plain(str(error)))
    else:
        st.rerun()


def job_panel(job: Job, *, note: str = "", can_close: bool = False) -> None:
    """Show a job; the whole page is shown anew when it ends. Where it failed, the first reason is in sight and the rest is folded.

    Args:
        note: what is to be known of how it ended.
        can_close: what is over has a button that puts it away.
    """
    if job.is_over:
        _draw(job, note=note, can_close=can_close)
        return

    @st.fragment(run_every=_LOOK_SECONDS)
    def follow() -> None:
        now = find_job(job.id)
        if now is None or now.is_over:
            st.rerun()
        else:
            _draw(now)

    follow()


def job_line(job: Job, note: str = "") -> None:
    """A job that is over in one line, with a button that puts it away.

    Args:
        note: what is to be known of it beside how it ended.
    """
    sign, colour = _SIGNS[job.state]
    first = next(iter(job.reasons), None)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"job_line_{job.id}")
    said = f"{job.title}, {job.state}{f': {_shortened(first.message)}' if first else ''}"
    row.markdown(f":{colour}[{sign}] {plain(said)}" + (f" :gray[({plain(note)})]" if note else ""), width="stretch")
    if first is not None and first.file:
        problem_link(job.world, first, row)
    else:
        row.page_link(page_path("overview"), label="All of it", query_params={"world": job.world})
    _close_button(job, row)


def _shortened(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= _LINE else f"{line[:_LINE]}…"


def _close_button(job: Job, place: DeltaGenerator) -> None:
    if place.button("", icon=":material/close:", key=f"close_{job.id}", type="tertiary", help="Put this away"):
        try:
            close_job(job)
        except JobRefused as error:
            st.error(plain(str(error)))
        else:
            st.rerun()


def _draw(job: Job, *, note: str = "", can_close: bool = False) -> None:
    sign, colour = _SIGNS[job.state]
    with st.container(border=True, gap="small", key=f"job_{job.id}"):
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        icon = "spinner" if job.state in ("running", "cancelling") else sign
        row.markdown(f"**{plain(job.title)}**", width="content")
        row.badge(job.state.capitalize(), icon=icon if icon != "spinner" else sign, color=colour)  # type: ignore[arg-type]
        row.markdown(f":gray[{plain(_took(job))}]", width="content")
        row.space("stretch")
        if not job.is_over:
            _cancel_button(job, row)
        elif can_close:
            _close_button(job, row)
        for stage in job.stages:
            st.progress(stage.done, text=_stage(stage))
        if job.state == "lost":
            st.markdown(":orange[Its process is gone, and nobody wrote down how it ended. Start it again.]")
        if note:
            st.markdown(f":orange[:material/update:] {plain(note)}")
        reasons = job.reasons
        problem_rows(job.world, reasons[:1], key=f"reason_{job.id}")
        if job.log or job.state == "failed":
            more = len(reasons) - 1
            with st.expander(f"{more} more, and the log" if more > 0 else "Log", icon=":material/terminal:"):
                problem_rows(job.world, reasons[1:], key=f"reasons_{job.id}")
                st.code(
                    job.log or "it left no message",
                    language=None,
                    wrap_lines=True,
                    height=220 if len(job.log) > 1200 else "content",
                )
                st.caption(f"The same in a terminal: `{terminal_command(job.command)}`")


def _cancel_button(job: Job, place: DeltaGenerator) -> None:
    if place.button(
        "Cancel", icon=":material/stop_circle:", key=f"cancel_{job.id}", disabled=job.state == "cancelling"
    ):
        try:
            cancel_job(job.id)
        except JobRefused as error:
            st.error(plain(str(error)))
        st.rerun(scope="fragment")


def _took(job: Job) -> str:
    if job.state == "queued":
        others = [one.title for one in list_jobs() if one.state in ("running", "cancelling")]
        return f"waits for {' or '.join(others)} to end" if others else "begins in a moment"
    seconds = job.seconds
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def _stage(stage: Stage) -> str:
    share = "" if stage.done >= 1 else f" :gray[{stage.done:.0%}]"
    return plain(stage.title) + share + (f" :gray[· {plain(stage.note)}]" if stage.note else "")
