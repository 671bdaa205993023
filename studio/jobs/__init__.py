"""Long work in processes of its own: a folder a job, which outlives the page, the tab and the studio itself.

A job is `.studio/jobs/<id>/` with `job.json` (what it is and how it ended), `progress.jsonl` (its stages), `log.txt` (what it
said), `result.json` (what it printed) and `pid` (who runs it, locked as long as it runs).
"""

from studio.jobs.job import Job, JobState, Stage
from studio.jobs.panel import job_panel, start_or_say
from studio.jobs.starting import JobRefused, cancel_job, find_job, latest_job, list_jobs, start_job

__all__ = [
    "Job",
    "JobRefused",
    "JobState",
    "Stage",
    "cancel_job",
    "find_job",
    "job_panel",
    "latest_job",
    "list_jobs",
    "start_job",
    "start_or_say",
]
