"""What was chosen when the studio was started. Chosen once for the process and passed on by its environment."""

import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["READ_ONLY", "RUNS", "Choices", "choices"]

RUNS = "BROWNOUT_STUDIO_RUNS"
"""Environment variable: the folder of runs."""
READ_ONLY = "BROWNOUT_STUDIO_READ_ONLY"
"""Environment variable: `1` where nothing may be built or changed."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices.

    Attributes:
        runs: the folder that holds runs; it need not exist.
        here: the folder the studio was started in; the author's own worlds are looked for below it.
    """

    runs: Path
    here: Path
    read_only: bool


def choices() -> Choices:
    """The choices of this process."""
    return Choices(
        runs=Path(os.environ.get(RUNS, "runs")).absolute(),
        here=Path.cwd(),
        read_only=os.environ.get(READ_ONLY) == "1",
    )
