"""One thing that somebody said of a run."""

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["Annotation", "Draft", "Kind"]

Kind: TypeAlias = Literal[
    "label", "span", "rating", "first_error", "decisive", "correction", "note", "preference", "verdict",
    "adjudication", "done", "skip", "undo",
]  # fmt: skip
"""`done` and `skip` end somebody's work on a run; `undo` takes back the record that it supersedes."""

_STEPS: frozenset[str] = frozenset({"label", "span", "rating", "first_error", "decisive", "correction"})
_VALUED: frozenset[str] = frozenset({"label", "rating", "preference", "verdict", "adjudication"})
_LONGEST = 20_000


class Draft(BaseModel):
    """What is to be kept of somebody's saying; who said it and when is added by the store.

    Attributes:
        run: the run's id, its folder below the folder of runs.
        step: number (`seq`) of the event in the run's log that it is about; None where it is about the whole run.
        call: how many calls the agent had made by then; None where `step` is.
        value: a label's code; `good` or `bad`; `first`, `second` or `tie` of a preference; `met` or `not met`.
        about: the criterion of a verdict, the measure and unit of an adjudication, which part a span stands in (`result/0`).
        other: the second run of a preference.
        start, end: of a span, in characters (code points) of its part.
        quote: a span's words.
        text: a note, a correction, a reason.
        supersedes: id of the record that it replaces or takes back.
        taxonomy: name and version of the labels it was chosen from.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str = Field(min_length=1, max_length=500)
    kind: Kind
    step: int | None = Field(default=None, ge=0)
    call: int | None = Field(default=None, ge=0)
    value: str = Field(default="", max_length=200)
    about: str = Field(default="", max_length=500)
    other: str = Field(default="", max_length=500)
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)
    quote: str = Field(default="", max_length=_LONGEST)
    text: str = Field(default="", max_length=_LONGEST)
    supersedes: str = Field(default="", max_length=200)
    taxonomy: str = Field(default="", max_length=200)

    @model_validator(mode="after")
    def _says_something(self) -> "Draft":
        if self.kind in _STEPS and self.step is None:
            raise ValueError(f"a {self.kind} needs the step that it is about")
        if self.kind in _VALUED and not self.value:
            raise ValueError(f"a {self.kind} needs a value")
        if self.kind in ("note", "correction") and not self.text.strip():
            raise ValueError(f"a {self.kind} needs a text")
        if self.kind == "span" and (self.start is None or self.end is None or not self.start < self.end):
            raise ValueError("a span needs a start and an end behind it")
        if self.kind == "span" and len(self.quote) != (self.end or 0) - (self.start or 0):
            raise ValueError("a span's quote is not as long as the span")
        if self.kind == "preference" and (not self.other or self.other == self.run):
            raise ValueError("a preference needs another run")
        if self.kind in ("verdict", "adjudication") and not self.about:
            raise ValueError(f"a {self.kind} needs what it is about")
        if self.kind == "undo" and not self.supersedes:
            raise ValueError("an undo needs the record that it takes back")
        return self


class Annotation(Draft):
    """A record as it is kept.

    Attributes:
        id: unique among all annotators: `ida/12`.
        author: who said it.
        at: when, ISO 8601 with zone.
    """

    format: Literal[1] = 1
    id: str
    author: str
    at: str
