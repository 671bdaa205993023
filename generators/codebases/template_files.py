"""`history.yaml` and `bugs.yaml` of a code base's template: what its author writes."""

from typing import Annotated, Literal

from pydantic import Field

from brownout.core.strict_model import StrictModel

__all__ = ["BugText", "CommitEntry", "Role", "TemplateComment", "TemplateFixup", "TemplateHistory"]

Role = Literal["lead", "engineer", "junior", "product"]
"""Who a line of the history belongs to; the first three write code and review each other, so they are three people."""

Minutes = Annotated[int, Field(ge=1, le=2880)]


class TemplateComment(StrictModel):
    """A comment on a pull, `after` so many minutes; about the file at `path`, or the pull as a whole."""

    who: Role
    after: Minutes
    text: str
    path: str = ""
    wants_changes: bool = False


class TemplateFixup(StrictModel):
    """A commit that is pushed to a pull's branch when all said before `after_comment` was said.

    Attributes:
        step: its name, which the files' templates ask for as `at.<step>`.
        after_comment: how many of the pull's comments come before it.
        after: minutes after the one before it, or after the pull was opened.
        fails: tests that fail on the branch until it is pushed.
        tests: how many tests it adds.
    """

    step: str
    message: str
    after: Minutes
    after_comment: int = 0
    fails: int = 0
    tests: int = 0


class CommitEntry(StrictModel):
    """One commit on main, by a pull where it has `branch`.

    Attributes:
        step: its name, which the files' templates ask for as `at.<step>`.
        at: when it is pushed, or opened as a pull, in percent of the history's span.
        clock: the author's local time, moved into their hours and by some minutes.
        tests: how many tests it adds to the suite, fewer than none where it takes some away.
        bug: of the bugs, the one that this change brings where it is the active one, and avoids where it is not.
        merge_after: minutes from the last word to the merge.
    """

    step: str
    at: float = Field(ge=0, le=100)
    clock: str = Field(default="", pattern=r"^(?:\d\d:\d\d)?$")
    who: Role
    message: str
    body: str = ""
    tests: int = 0
    bug: str = ""
    branch: str = ""
    review: Role | None = None
    description: str = ""
    comments: list[TemplateComment] = Field(default=[])
    fixups: list[TemplateFixup] = Field(default=[])
    merge_after: Minutes = 25

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of all its steps."""
        return (self.step, *(fixup.step for fixup in self.fixups))


class BugText(StrictModel):
    """A bug in words and numbers, templates themselves.

    Attributes:
        symptom: what a customer says, in two or three ways.
        engineer: what an engineer's ticket says.
        module: the file that holds it.
        hidden: the hidden test that shows it, below the template's `hidden/`.
        wrong, right: what tells the two apart.
    """

    symptom: list[str] = Field(min_length=2)
    engineer: str
    module: str
    hidden: str
    wrong: str = ""
    right: str = ""


class TemplateHistory(StrictModel):
    """All of a template's history.

    Attributes:
        harness: the files through which hidden tests enter.
    """

    harness: list[str] = Field(min_length=1)
    entries: list[CommitEntry] = Field(min_length=1)
