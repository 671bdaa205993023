"""What a task needs of the machine it is played on, known before its first call."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from threading import Thread

from brownout.core.app_roles import NeedsSandbox
from brownout.core.errors import SandboxUnavailable
from brownout.engine.simulation_setting import load_app
from brownout.sandbox import probe
from graders.grader_lookup import load_grader
from worlds.package import Package

__all__ = ["begin_sandbox", "check_sandbox", "code_runners"]


def code_runners(package: Package, task: str, skip: frozenset[str] = frozenset()) -> list[str]:
    """The apps and graders of a task that run code in the sandbox, empty where it is played without one.

    Args:
        skip: graders that are left out; gates never are.

    Raises:
        UnknownTask: the package has no such task.
        PluginError: an app or a grader of it is not installed.
    """
    return [*_apps(package, task), *_graders(package, task, skip)]


def begin_sandbox(package: Package, task: str, skip: frozenset[str] = frozenset()) -> None:
    """Let what the sandbox is made of be built beside what the caller does next; `check_sandbox` waits for it.

    Raises:
        UnknownTask: the package has no such task.
        PluginError: an app or a grader of it is not installed.
    """
    graders, apps = _graders(package, task, skip), _apps(package, task)
    if any(chain(graders, apps)):  # graders first: loading the apps takes longer, and goes on beside the sandbox later
        Thread(target=_built, name="sandbox-begin").start()


def check_sandbox(package: Package, task: str, skip: frozenset[str] = frozenset()) -> None:
    """Return if this machine has what the task needs.

    Raises:
        SandboxUnavailable: it runs code and there is no sandbox; the message says what to install.
    """
    runners = code_runners(package, task, skip)
    if not runners:
        return
    try:
        probe()
    except SandboxUnavailable as error:
        raise SandboxUnavailable(f"{task} runs code ({', '.join(runners)}): {error}") from error


def _built() -> None:
    with suppress(SandboxUnavailable):  # said by whoever asks for it
        probe()


def _apps(package: Package, task: str) -> Iterator[str]:
    record = package.task(task)
    for name in record.apps:
        app = load_app(name)
        if app.role(NeedsSandbox) and any(record.offers(each, name) for each in app.operations):
            yield name


def _graders(package: Package, task: str, skip: frozenset[str]) -> Iterator[str]:
    rubric = package.rubric(package.task(task).id)
    graders = [criterion.grader for criterion in rubric.gates.values()]
    for part in (rubric.points, rubric.penalties):
        graders += [criterion.grader for criterion in part.values() if criterion.grader not in skip]
    for name in dict.fromkeys(graders):
        if getattr(load_grader(name), "runs_code", False):
            yield name
