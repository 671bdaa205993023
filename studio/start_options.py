"""What was chosen when the studio was started. Chosen once for the process and passed on by its environment."""

import os
from dataclasses import dataclass
from pathlib import Path

from brownout.llm.model_settings import Model

__all__ = [
    "AHEAD",
    "DRAFT_BASE_URL",
    "DRAFT_KEY_ENV",
    "DRAFT_MODEL",
    "FOLLOW",
    "READ_ONLY",
    "RUNS",
    "WORLDS",
    "Choices",
    "choices",
]

RUNS = "BROWNOUT_STUDIO_RUNS"
"""Environment variable: the folder of runs."""
FOLLOW = "BROWNOUT_STUDIO_FOLLOW"
"""Environment variable: `1` where somebody builds what is saved, and pages show it as soon as it is built."""
READ_ONLY = "BROWNOUT_STUDIO_READ_ONLY"
"""Environment variable: `1` where nothing may be built or changed."""
AHEAD = "BROWNOUT_STUDIO_AHEAD"
"""Environment variable: `1` where companies are lived through before anybody looks at them."""

WORLDS = "BROWNOUT_STUDIO_WORLDS"
"""Environment variable: the folder of the author's own worlds."""
DRAFT_MODEL = "BROWNOUT_DRAFT_MODEL"
"""Environment variable: the model that drafts entries, as litellm names it; without it none is asked."""
DRAFT_BASE_URL = "BROWNOUT_DRAFT_BASE_URL"
"""Environment variable: its endpoint; empty for the provider's own."""
DRAFT_KEY_ENV = "BROWNOUT_DRAFT_KEY_ENV"
"""Environment variable: the name of the one that holds its key; empty where it needs none."""
_LONGEST_DRAFT = 6_000
"""Tokens of a draft at most."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices.

    Attributes:
        runs: the folder that holds runs; it need not exist.
        here: the folder of worlds; the author's own are looked for in it and below it, and nothing outside of it is changed.
        follows: somebody builds whatever is saved, so pages look for newer packages by themselves.
        drafter: the model that drafts entries when somebody asks for it; None where none was chosen.
        lives_ahead: companies are lived through in another process before anybody looks at them.
    """

    runs: Path
    here: Path
    read_only: bool
    follows: bool = False
    drafter: Model | None = None
    lives_ahead: bool = False

    @property
    def new_worlds(self) -> Path:
        """Where a new world's folder goes: into `worlds/` where there is one."""
        inner = self.here / "worlds"
        return inner if inner.is_dir() and not (self.here / "world.yaml").is_file() else self.here


def choices() -> Choices:
    """The choices of this process."""
    return Choices(
        runs=Path(os.environ.get(RUNS, "runs")).absolute(),
        here=Path(os.environ.get(WORLDS) or Path.cwd()).absolute(),
        read_only=os.environ.get(READ_ONLY) == "1",
        follows=os.environ.get(FOLLOW) == "1",
        drafter=_drafter(),
        lives_ahead=os.environ.get(AHEAD) == "1",
    )


def _drafter() -> Model | None:
    name = os.environ.get(DRAFT_MODEL, "").strip()
    if not name:
        return None
    base_url, key_env = os.environ.get(DRAFT_BASE_URL, ""), os.environ.get(DRAFT_KEY_ENV, "")
    return Model(
        name=name,
        base_url=base_url,
        api_key_env=key_env,
        longest_tokens=_LONGEST_DRAFT,
        timeout_seconds=120,
        patience_seconds=5,  # somebody looks on
    )
