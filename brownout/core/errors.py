"""Errors of the simulation, one class for each boundary.

Errors *inside* the simulation (a vendor's 404, an outage) are observations, never exceptions.

    BrownoutError
      UsageError            what was asked for does not exist, or cannot be asked for in this way
        MissingExtra        it needs packages that are installed with an extra
      AuthoringError        a mistake in an author's files; carries every mistake found
      EditRefused           a change of an author's text that cannot be made so that all else stays
      BuildError            a sound spec that cannot be built
      PackageError          a package that is missing, damaged or of another format
      PluginError
        UnknownPlugin       no plug-in of that name
        BrokenPlugin        a plug-in that cannot be imported, or two of the same name
        BrokenApp           an app that fails at what it does, or asks for what there is not
      SessionError
        StoreError          the session's private copy of the world; what was asked of it cannot be done
          StoreLost         the storage itself fails: the base file, a connection, room for what changed
        BeyondLimits        a value or a search that is more than can be held or looked for; the session goes on
        SessionClosed       a call after the end
        SessionBusy         a call while another one is being made; the session goes on
        UnknownTask         the package has no such task
      SandboxError
        SandboxUnavailable  bubblewrap is missing or refused by the system
      ModelError            a language model's endpoint
      GradingError          a grader could not judge; the reward is null, never 0
        BrokenRubric        what it was asked means nothing in this world
        NobodyReads         only a model could judge, and there is none; the criterion is left out
      RunError              a run's folder is damaged or cannot be written
        MissingRun          there is no run
        OtherPackage        a run is of another package than the one at hand
        RunTaken            somebody else is writing the run
      WorkerLost            the process that did the work has ended
      ExportError
        FolderTaken         the export's folder holds something else

Each class says what an episode that it ended failed by (`failure_kind`): a word that programs may decide by, whatever the message
says.
"""

import errno
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

__all__ = [
    "AfterTheEnd",
    "AuthoringError",
    "BeyondLimits",
    "BrokenApp",
    "BrokenPlugin",
    "BrokenRubric",
    "BrownoutError",
    "BuildError",
    "EditRefused",
    "ExportError",
    "Failure",
    "FailureKind",
    "FolderTaken",
    "GradingError",
    "MissingExtra",
    "MissingRun",
    "Mistake",
    "ModelError",
    "NobodyReads",
    "OtherPackage",
    "PackageError",
    "PluginError",
    "RunError",
    "RunTaken",
    "SandboxError",
    "SandboxUnavailable",
    "SessionBusy",
    "SessionClosed",
    "SessionError",
    "StoreError",
    "StoreLost",
    "Unknown",
    "UnknownPlugin",
    "UnknownTask",
    "UsageError",
    "WorkerLost",
    "failure_kind_of",
    "is_environments",
    "kind_of",
    "under",
]


FailureKind: TypeAlias = Literal[
    "sandbox_unavailable",
    "sandbox_failed",
    "storage_failed",
    "machine_failed",
    "session_lost",
    "session_gone",
    "unreachable",
    "not_begun",
    "model_unavailable",
    "model_failed",
    "rubric_broken",
    "hidden_tests_broken",
    "grader_failed",
    "plugin_failed",
    "left_out",
    "defect",
]
"""Why an episode has no reward; docs/serve.md says what each means and who can mend it."""


class BrownoutError(Exception):
    """Base of every error that is the simulation's own.

    Attributes:
        failure_kind: why an episode that it ended has no reward.
    """

    failure_kind: FailureKind = "defect"


def kind_of(error: BaseException) -> str:
    """The name of an error's class as records and programs are told it: `sandbox_unavailable`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()


class UsageError(BrownoutError):
    """Something was asked for that does not exist, or that needs to be asked for in another way; nothing was done."""


class MissingExtra(UsageError):
    """What was asked for needs packages that are not installed; the message has the command that installs them."""


class Unknown(str):
    """The message for a name that nothing has, which still knows the name: what is wrong in many places may have one cause.

    Attributes:
        name: as it was written.
        kind: what it should have been the name of: `person`, `fact`.
        scope: the file in which alone such names mean something; empty where that is the whole world.
    """

    __slots__ = ("kind", "name", "scope")
    name: str
    kind: str
    scope: str

    def __new__(cls, text: str, *, name: str = "", kind: str = "", scope: str = "") -> "Unknown":
        """The message."""
        made = super().__new__(cls, text)
        made.name, made.kind, made.scope = name, kind, scope
        return made


def under(place: str, problem: str) -> str:
    """`place: problem`, which knows the name that the problem is about."""
    text = f"{place}: {problem}" if place else str(problem)
    if isinstance(problem, Unknown):
        return Unknown(text, name=problem.name, kind=problem.kind, scope=problem.scope)
    return text


class AfterTheEnd(str):
    """The message about a time after the calendar's end: of many the calendar is the cause."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in an author's file.

    Attributes:
        file: path as the author would name it, relative to the world's folder.
        line: 1-based line, 0 where the file as a whole is meant.
        message: what was expected, what was found and, where one is near, the name that was meant; `Unknown` where it is about
            a name that nothing has.
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


class EditRefused(BrownoutError):
    """A change of an author's text that cannot be made so that everything else stays; nothing was changed."""


class BuildError(BrownoutError):
    """The spec is sound but a package could not be made of it."""


class PackageError(BrownoutError):
    """A world package is missing, damaged, or of a format this version cannot read."""

    failure_kind: FailureKind = "storage_failed"


class PluginError(BrownoutError):
    """A plug-in could not be found or loaded."""

    failure_kind: FailureKind = "plugin_failed"


class UnknownPlugin(PluginError):
    """No plug-in of that kind has the name asked for."""


class BrokenPlugin(PluginError):
    """A plug-in is installed but cannot be used."""


class BrokenApp(PluginError):
    """An app fails at what it does, or asks its call for what there is not; the message says where, and what there is."""


class SessionError(BrownoutError):
    """A session could not be opened, run or stored."""


class StoreError(SessionError):
    """The session's private copy of the world cannot do what was asked of it."""


class StoreLost(StoreError):
    """The storage of sessions fails: the base file, a connection to it, or room for what a session changed."""

    failure_kind: FailureKind = "storage_failed"


class BeyondLimits(SessionError):
    """A value or a search is more than can be held or looked for. Nothing was done, and the session goes on: dispatch has
    the vendor refuse the request, with this message.
    """


class SessionBusy(SessionError):
    """Something was asked of a session while a call to it is being made; nothing was done, and the session goes on."""


class SessionClosed(SessionError):
    """The session has ended."""


class UnknownTask(SessionError):
    """The package has no task of that name."""


class SandboxError(BrownoutError):
    """Work in the sandbox could not be done."""

    failure_kind: FailureKind = "sandbox_failed"


class SandboxUnavailable(SandboxError):
    """This system cannot run the sandbox; the message says what to install or switch on."""

    failure_kind = "sandbox_unavailable"


class ModelError(BrownoutError):
    """A language model's endpoint failed, timed out or answered nonsense."""

    failure_kind: FailureKind = "model_failed"


class GradingError(BrownoutError):
    """A grader could not reach a verdict. The reward is null with this reason."""

    failure_kind: FailureKind = "grader_failed"

    def __init__(self, message: str, failure_kind: FailureKind | None = None) -> None:
        """The error.

        Args:
            failure_kind: why there is no verdict; None where it is what the class says.
        """
        super().__init__(message)
        if failure_kind is not None:
            self.failure_kind = failure_kind


class BrokenRubric(GradingError):
    """What a criterion asks means nothing in this world, or cannot be judged so. Its author has to mend it."""

    failure_kind = "rubric_broken"


class NobodyReads(GradingError):
    """Only a language model could judge it, and none is configured or recorded for it. The criterion is left out."""

    failure_kind = "model_unavailable"


class RunError(BrownoutError):
    """A run's folder is damaged, or cannot be written."""

    failure_kind: FailureKind = "storage_failed"


class MissingRun(RunError):
    """There is no run in the folder."""


class OtherPackage(RunError):
    """The run was recorded on another package."""

    failure_kind = "not_begun"


class RunTaken(RunError):
    """Another runner is writing the run's folder; nothing of it was touched."""

    failure_kind = "not_begun"


class WorkerLost(BrownoutError):
    """The process that did the work has ended before it was done."""

    failure_kind = "session_lost"


class ExportError(BrownoutError):
    """An environment package could not be written."""


class FolderTaken(ExportError):
    """The place of the export holds something that is not its own."""


_ENVIRONMENTS: Final = (SandboxError, StoreLost, SessionClosed, SessionBusy, ModelError, RunError, MemoryError)
_STORAGES: Final = frozenset({errno.EIO, errno.ENOSPC, errno.EDQUOT})
_MACHINES: Final = _STORAGES | {errno.EMFILE, errno.ENFILE, errno.ENOMEM}


def is_environments(error: BaseException) -> bool:
    """Whether an error, raised while a call is made, is what no arguments can bring about: the sandbox, the session's
    storage, the run's folder, a model's endpoint or the machine failed. It ends the episode and the reward is null.

    Everything else that an operation raises is a defect of the operation. An agent may have found it and may look for it
    again, so it is an observation and the episode goes on.
    """
    if isinstance(error, OSError):
        return error.errno in _MACHINES
    return isinstance(error, _ENVIRONMENTS) or not isinstance(error, Exception)


def failure_kind_of(error: BaseException) -> FailureKind:
    """Why an episode that the error ended has no reward; `defect` where nobody foresaw it."""
    if isinstance(error, BrownoutError):
        return error.failure_kind
    if isinstance(error, OSError) and error.errno in _STORAGES:
        return "storage_failed"
    return "machine_failed" if isinstance(error, OSError | MemoryError) and is_environments(error) else "defect"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an episode has no reward.

    Attributes:
        kind: for programs.
        reason: for people, with the name of the error's class first.
    """

    kind: FailureKind
    reason: str

    @classmethod
    def of(cls, error: BaseException) -> "Failure":
        """What an error that ended the episode means for its reward."""
        return cls(failure_kind_of(error), f"{kind_of(error)}: {error}")

    def and_then(self, more: str) -> "Failure":
        """The failure, and what went wrong after it."""
        return Failure(self.kind, f"{self.reason}; {more}")

    def __str__(self) -> str:
        return self.reason
