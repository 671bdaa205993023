"""What a run begins with: the sandbox is built by other processes while this one loads the engine."""

from brownout.catalog import package_at
from brownout.rollouts.sandbox_needs import begin_sandbox

__all__ = ["begin"]


def begin(*, package: str, task: str, skip: list[str] | None, servers: object, **others: object) -> None:
    """Begin the sandbox where the task needs one and is played on this machine.

    Raises:
        UsageError: there is no such package.
        UnknownTask: it has no such task.
    """
    if servers is None:
        begin_sandbox(package_at(package), task, frozenset(skip or ()))
