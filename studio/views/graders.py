"""Graders: what each task is judged by, in sentences, with its worth and what the author's own scripts earn."""

from streamlit.delta_generator import DeltaGenerator

from studio.authoring.earned_cases import CASES, cases_jobs
from studio.entry_pages import entries_page
from studio.jobs import job_panel, start_or_say
from studio.known_worlds import KnownWorld, package_of
from studio.start_options import choices


def _play_cases(world: KnownWorld, actions: DeltaGenerator) -> str:
    """A button that plays them; returns what changes when they were played anew."""
    jobs = cases_jobs(world)
    is_going = bool(jobs) and not jobs[0].is_over
    is_built = package_of(world) is not None
    if actions.button(
        "Play the cases",
        icon=":material/play_circle:",
        key="play_cases",
        disabled=is_going or not is_built or choices().read_only,
        help="Plays the oracle and each good and lazy case, and shows what every criterion pays them"
        if is_built
        else "Build the world first",
    ):
        rules = [word for rule in CASES for word in ("--rule", rule)]
        words = ["qa", str(world.folder), *rules, "--json"]
        start_or_say("cases", f"Play the cases of {world.name}", words, folder=str(world.folder))
    # A case that earns what it must not is a result, not a failure: it exits with 1 and has told what it found.
    if jobs and (is_going or (jobs[0].state in ("failed", "lost") and jobs[0].result is None)):
        job_panel(jobs[0])
    return next((job.id for job in jobs if job.result is not None), "")


entries_page("Graders", "graders", actions=_play_cases)
