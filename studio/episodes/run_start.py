"""Starting runs from a page: what can be played, and the command that plays it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from brownout.core.plugins import plugin_names
from brownout.rollouts.recorder import RunResult
from studio.jobs import Job, latest_job, list_jobs, start_job
from studio.known_worlds import KnownWorld
from studio.start_options import choices
from worlds.package import Package

__all__ = ["RunRequest", "agents_for", "cases_for", "last_task", "last_world", "request_of", "start_run"]

_SAID = {
    "oracle": "oracle, the reference solution",
    "noop": "noop, does nothing",
    "random": "random, draws its calls",
    "lazy": "lazy, wants to be paid for nothing",
    "good": "good, honest in another way",
    "llm": "llm, a model's endpoint",
}
_AT_A_TERMINAL = ("hand",)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Who plays what.

    Attributes:
        case: which script `lazy` or `good` plays, what `noop` submits.
        model: as litellm names it; `base_url` of an endpoint of one's own.
        seed: of the first session; the others follow it.
    """

    task: str
    agent: str
    episodes: int = 1
    seed: int = 0
    case: str = ""
    model: str = ""
    base_url: str = ""
    key_env: str = ""

    def arguments(self, world: KnownWorld) -> list[str]:
        """The words after `brownout`."""
        words = ["run", str(world.folder), "--task", self.task, "--agent", self.agent]
        words += ["--episodes", str(self.episodes), "--seed", str(self.seed), "--out", str(choices().runs), "--json"]
        for option, value in (
            ("--answer", self.case),
            ("--model", self.model),
            ("--base-url", self.base_url),
            ("--api-key-env", self.key_env),
        ):
            words += [option, value] if value else []
        return words


def request_of(result: RunResult) -> RunRequest:
    """What a run was played with. A model's endpoint is that of the last job that asked the same model, for a run does not keep it."""
    request = RunRequest(result.task, result.agent, seed=result.seed, case=result.answer, model=result.model)
    jobs = (job.command for job in list_jobs("run") if result.model and result.model in job.command)
    words = next(jobs, ())
    after = dict(pairwise(words))
    return replace(request, base_url=after.get("--base-url", ""), key_env=after.get("--api-key-env", ""))


def agents_for(package: Package, task: str) -> dict[str, str]:
    """Who can play a task, by name, with a label that begins with it; not who is played at a terminal, for a job has none."""
    found = {name: _SAID.get(name, name) for name in (*_SAID, *plugin_names("agents")) if name not in _AT_A_TERMINAL}
    return {
        name: said
        for name, said in found.items()
        if name in plugin_names("agents") and (name not in ("lazy", "good") or cases_for(package, task, name))
    }


def cases_for(package: Package, task: str, agent: str) -> list[str]:
    """The scripts of a task that an agent can play."""
    match agent:
        case "lazy":
            return [*package.cases(task, "lazy")]
        case "good":
            return [*package.cases(task, "good")]
        case _:
            return []


def last_task(world: KnownWorld, package: Package) -> str:
    """The task that was played last in a world, or its first one."""
    job = latest_job("run", world=world.name)
    task = job.about.get("task", "") if job is not None else ""
    return task if task in package.tasks else next(iter(package.tasks))


def last_world(names: Sequence[str], here: str | None) -> str:
    """The world that is chosen, else the one that was played last, else the first."""
    job = latest_job("run")
    known = [one for one in (here, job.about.get("world") if job is not None else None, *names) if one in names]
    return known[0] or ""


def start_run(world: KnownWorld, wanted: RunRequest) -> Job:
    """Start it.

    Raises:
        JobRefused: the studio is read-only.
    """
    title = f"{wanted.task} · {wanted.agent}" + (f" {wanted.case}" if wanted.case else "")
    title += f" · {wanted.episodes} episodes" if wanted.episodes > 1 else ""
    return start_job("run", title, wanted.arguments(world), world=world.name, task=wanted.task)
