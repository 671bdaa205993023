"""Which model is asked, how, and where its answers are kept. Secrets are named here, never held."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["JudgeSettings", "Model"]


class Model(BaseModel):
    """A language model behind an endpoint.

    Attributes:
        name: as litellm names it: `openai/<model>` for any endpoint that speaks OpenAI's protocol.
        base_url: of the endpoint; empty for the provider's own.
        api_key_env: name of the environment variable that holds the key; empty where none is needed.
        timeout_seconds: real time for one attempt, from the request to the last byte of the answer.
        patience_seconds: how long after a first refused or broken connection, a 429 or a 5xx further attempts are begun. A late or wrong
            answer is not asked again.
        pause_seconds: before the first further attempt; doubled before each that follows, up to half a minute. Where the endpoint says
            how long to wait (`Retry-After`) that is waited for.
        longest_tokens: of one answer.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    base_url: str = ""
    api_key_env: str = ""
    timeout_seconds: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    patience_seconds: float = Field(default=60.0, ge=0, allow_inf_nan=False)
    pause_seconds: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    longest_tokens: int = Field(default=1000, ge=1)


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Who judges what only a reader can judge.

    Attributes:
        model: asked where nothing is recorded; None asks nobody.
        cassette: a file of recorded answers, which come first; what is asked anew is added to it. None keeps nothing.
        given: lines of recorded answers that come with the task, for texts that were judged when it was written.
    """

    model: Model | None = None
    cassette: Path | None = None
    given: bytes = b""
