"""What hidden tests came to. Its own file, because the process in which they run is started for every grade and imports little."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["HiddenOutcome", "HiddenRun"]


@dataclass(frozen=True, slots=True)
class HiddenOutcome:
    """One hidden test.

    Attributes:
        name: `file.py::test_name`.
        outcome: `failed` is a verdict on the code under test; `error` is none (the test could not be run).
        reason: empty for passed; `assertion`; a `FailureReason` of the subject; the type of an exception in the
            test; `broken` for a test that cannot be loaded; `sandbox` for one whose subject did not start; `hung` and
            `crashed` for one that did not come to an end, which is failed where the code had answered it; `not run`
            after a test that took the time of all.
        message: for people; may quote the code under test.
    """

    name: str
    outcome: Literal["passed", "failed", "error"]
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class HiddenRun:
    """All hidden tests of one grade, in the order of files and of functions in them."""

    outcomes: tuple[HiddenOutcome, ...]

    @property
    def passed(self) -> bool:
        """True if there was a test and every one passed."""
        return bool(self.outcomes) and all(outcome.outcome == "passed" for outcome in self.outcomes)

    @property
    def errors(self) -> tuple[HiddenOutcome, ...]:
        """Tests without a verdict; while there is one, the run decides nothing."""
        return tuple(outcome for outcome in self.outcomes if outcome.outcome == "error")
