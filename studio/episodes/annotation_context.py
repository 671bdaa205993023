"""What annotators need of the studio: where their records are, who they are, what a run's open step says."""

import getpass
import subprocess
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from brownout.annotations import AnnotationStore, Draft, QueueStore
from studio.episodes.replay_steps import ReplayStep
from studio.episodes.shown_steps import StepShown, shown
from studio.start_options import choices

__all__ = ["annotations", "checked_span", "likely_author", "queues"]

_PARTS = ("result", "arguments", "prose", "thought")
"""Parts of a step in which words can be marked."""


def annotations() -> AnnotationStore:
    """The annotations of this studio's runs."""
    return AnnotationStore(_folder(), now=lambda: datetime.now(UTC))


def queues() -> QueueStore:
    """The queues of this studio's runs."""
    return QueueStore(_folder())


def _folder() -> Path:
    return choices().runs / "annotations"


@lru_cache(maxsize=1)
def likely_author() -> str:
    """Who sits here, as git knows them, else as the system does; anybody may call themselves otherwise."""
    try:
        told = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return _login()
    return told.stdout.strip()[:80] or _login()


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def checked_span(draft: Draft, step: ReplayStep) -> Draft:
    """The draft, where its quote stands in the step where it says.

    Raises:
        ValueError: it does not.
    """
    part = draft.about.partition("/")[0]
    told: StepShown = shown(step, [], lambda effect: effect.table)
    text = getattr(told, part) if part in _PARTS else ""
    if text[draft.start or 0 : draft.end or 0] != draft.quote:
        raise ValueError(
            f"step {step.number} does not say {draft.quote[:80]!r} at {draft.start} of its {part or 'text'}"
        )
    return draft
