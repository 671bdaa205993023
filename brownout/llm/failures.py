"""Why a language model gave no answer that can be used."""

from typing import Literal, TypeAlias

from brownout.core.errors import ModelError

__all__ = ["FailureReason", "ModelFailure"]

FailureReason: TypeAlias = Literal[
    "unavailable",
    "uninstalled",
    "timeout",
    "cut",
    "refused",
    "context",
    "rate_limited",
    "server",
    "malformed",
    "schema",
    "cassette",
]
"""`unavailable`: neither configured nor recorded. `uninstalled`: configured, but litellm is not here. `timeout`: no whole answer by the deadline. `cut`: the connection was
refused or broke. `refused`: the endpoint does not want this request (key, name). `context`: the prompt is longer than the model reads. `rate_limited`, `server`: it
said so (429, 5xx). `malformed`: an answer that is not one JSON object, or ends early. `schema`: one of another shape.
`cassette`: the recording cannot be read or written."""


class ModelFailure(ModelError):
    """There is no usable answer.

    Attributes:
        reason: the kind of failure.
        told: more of it, for people.
        retry_after: seconds after which the endpoint may be asked again, as it said; None where it did not.
    """

    def __init__(self, reason: FailureReason, message: str, retry_after: float | None = None) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason: FailureReason = reason
        self.told = message
        self.retry_after = retry_after
        if reason == "unavailable":
            self.failure_kind = "model_unavailable"
