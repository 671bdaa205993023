"""Long work in processes of its own: a folder a job, which outlives the page, the tab and the studio itself.

A job is `.studio/jobs/<id>/` with `job.json` (what it is and how it ended), `progress.jsonl` (its stages), `log.txt` (what it
said), `result.json` (what it printed) and `pid` (who runs it, locked as long as it runs).
"""

from studio.jobs.job import Job, JobState, Stage
from studio.jobs.job_control import JobRefused, cancel_job, close_job, find_job, latest_job, list_jobs, start_job
from studio.jobs.panel import job_line, job_panel, start_or_say

__all__ = [
    "Job",
    "JobRefused",
    "JobState",
    "Stage",
    "cancel_job",
    "close_job",
    "find_job",
    "job_line",
    "job_panel",
    "latest_job",
    "list_jobs",
    "start_job",
    "start_or_say",
]
