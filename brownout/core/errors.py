"""Errors of the simulation, one class for each boundary.

Errors *inside* the simulation (a vendor's 404, an outage) are observations, never exceptions.

    BrownoutError
      UsageError            what was asked for does not exist, or cannot be asked for in this way
      AuthoringError        a mistake in an author's files; carries every mistake found
      BuildError            a sound spec that cannot be built
      PackageError          a package that is missing, damaged or of another format
      PluginError
        UnknownPlugin       no plug-in of that name
        BrokenPlugin        a plug-in that cannot be imported, or two of the same name
      SessionError
        StoreError          the session's private copy of the world
        SessionClosed       a call after the end
        UnknownTask         the package has no such task
      SandboxError
        SandboxUnavailable  bubblewrap is missing or refused by the system
      ModelError            a language model's endpoint
      GradingError          a grader could not judge; the reward is null, never 0
      RunError              a run's folder is damaged or cannot be written
        MissingRun          there is no run
        OtherPackage        a run is of another package than the one at hand
      ExportError
        FolderTaken         the export's folder holds something else
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "AuthoringError",
    "BrokenPlugin",
    "BrownoutError",
    "BuildError",
    "ExportError",
    "FolderTaken",
    "GradingError",
    "MissingRun",
    "Mistake",
    "ModelError",
    "OtherPackage",
    "PackageError",
    "PluginError",
    "RunError",
    "SandboxError",
    "SandboxUnavailable",
    "SessionClosed",
    "SessionError",
    "StoreError",
    "UnknownPlugin",
    "UnknownTask",
    "UsageError",
    "kind_of",
]


class BrownoutError(Exception):
    """Base of every error that is the simulation's own."""


def kind_of(error: BaseException) -> str:
    """The name of an error's class as records and programs are told it: `sandbox_unavailable`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()


class UsageError(BrownoutError):
    """Something was asked for that does not exist, or that needs to be asked for in another way; nothing was done."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in an author's file.

    Attributes:
        file: path as the author would name it, relative to the world's folder.
        line: 1-based line, 0 where the file as a whole is meant.
        message: what was expected, what was found and, where one is near, the name that was meant.
    """

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


class AuthoringError(BrownoutError):
    """A world's text cannot be used as it stands. All mistakes are reported at once."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        count = len(self.mistakes)
        head = f"{count} mistake{'s' if count != 1 else ''} in the world's files:"
        super().__init__("\n  ".join([head, *map(str, self.mistakes)]))


class BuildError(BrownoutError):
    """The spec is sound but a package could not be made of it."""


class PackageError(BrownoutError):
    """A world package is missing, damaged, or of a format this version cannot read."""


class PluginError(BrownoutError):
    """A plug-in could not be found or loaded."""


class UnknownPlugin(PluginError):
    """No plug-in of that kind has the name asked for."""


class BrokenPlugin(PluginError):
    """A plug-in is installed but cannot be used."""


class SessionError(BrownoutError):
    """A session could not be opened, run or stored."""


class StoreError(SessionError):
    """The session's private copy of the world is unusable; the session is lost, the package is not."""


class SessionClosed(SessionError):
    """The session has ended."""


class UnknownTask(SessionError):
    """The package has no task of that name."""


class SandboxError(BrownoutError):
    """Work in the sandbox could not be done."""


class SandboxUnavailable(SandboxError):
    """This system cannot run the sandbox; the message says what to install or switch on."""


class ModelError(BrownoutError):
    """A language model's endpoint failed, timed out or answered nonsense."""


class GradingError(BrownoutError):
    """A grader could not reach a verdict. The reward is null with this reason."""


class RunError(BrownoutError):
    """A run's folder is damaged, or cannot be written."""


class MissingRun(RunError):
    """There is no run in the folder."""


class OtherPackage(RunError):
    """The run was recorded on another package."""


class ExportError(BrownoutError):
    """An environment package could not be written."""


class FolderTaken(ExportError):
    """The place of the export holds something that is not its own."""
