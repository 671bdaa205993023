"""What an agent may be told on the command line."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["AgentOptions", "ModelOptions"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model plays, and where it is.

    Attributes:
        base_url: of an OpenAI-compatible endpoint (`http://127.0.0.1:8000/v1`).
        api_key: sent as a bearer token; empty sends none.
        timeout_seconds: for one completion; the wall clock's.
        retries: how often a failed request is tried again.
    """

    model: str = ""
    base_url: str = ""
    api_key: str = ""
    temperature: float = 1.0
    timeout_seconds: float = 300.0
    retries: int = 3


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """Settings of one episode's agent.

    Attributes:
        answer: what `noop` submits.
        stop_after: the oracle stops after so many calls; None plays it whole.
        folder: the run's, where an agent may keep its own records; None keeps none.
    """

    answer: str = ""
    stop_after: int | None = None
    seed: int = 0
    model: ModelOptions = ModelOptions()
    folder: Path | None = None
