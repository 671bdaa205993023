"""tasks/<id>/lazy/*.yaml and good/*.yaml: scripts that a rubric is tested by, whole or as changes to the reference solution.

like: oracle
without: [hold_issue]                                  the step that keeps hold_issue
change: {gmail_send: {subject: The seats}}             other arguments of a step
replace: {jira_link_issues: {jira_link_issues: {link_type: Duplicate, issue: $main, other: $other}}}
before: {submit: [slack_send_message: {channel: "#ops", text: "Done."}]}
after: {marcus: [jira_transition_issue]}               the oracle's own step, which comes here instead
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Discriminator, Field, Tag, field_validator

from brownout.core.errors import Unknown, under
from brownout.core.values import JsonObject
from brownout.core.vocabulary import near
from worlds.spec.field_types import Spec, Whole
from worlds.spec.tasks import OracleStep

__all__ = ["CASE_KINDS", "CaseChanges", "CaseKind", "LocatedStep", "Script", "changed_script", "written_script"]

CaseKind = Literal["lazy", "good"]
CASE_KINDS: tuple[CaseKind, ...] = ("lazy", "good")
"""Scripts that want to be paid for nothing, and honest ways to do the task that are not the oracle."""

StepName = str | Whole
Path = tuple[str | int, ...]
"""Where something stands in a file."""
Wrong = tuple[Path, str]
_NOWHERE: Final = -1


def _kind_of(value: object) -> str:
    return "name" if isinstance(value, str | int) else "step"


Placed = Annotated[Annotated[OracleStep, Tag("step")] | Annotated[StepName, Tag("name")], Discriminator(_kind_of)]
"""A step, or the name of one of the oracle's that comes here instead."""


class CaseChanges(Spec):
    """A case that is the reference solution but for some steps.

    A step is named by what it keeps, by its operation where no other step has it, or by its number from 1.
    """

    like: Literal["oracle"] = Field(description="What it is like: `oracle`.")
    without: list[StepName] = Field(default=[], description="Steps that it does not make.")
    change: dict[str, JsonObject] = Field(
        default={}, description="Arguments of a step that are others than the oracle's."
    )
    replace: dict[str, list[OracleStep]] = Field(
        default={}, description="What it does in place of a step, one or more."
    )
    before: dict[str, list[Placed]] = Field(
        default={}, description="What it does before a step; the name of another step moves that one here."
    )
    after: dict[str, list[Placed]] = Field(default={}, description="What it does after a step, likewise.")

    @field_validator("replace", "before", "after", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """One step may be written without brackets."""
        if not isinstance(value, Mapping):
            return value
        return {str(name): part if isinstance(part, list) else [part] for name, part in value.items()}


@dataclass(frozen=True, slots=True)
class LocatedStep:
    """A step, with the file and the path in it where it was written.

    Attributes:
        other_arguments: of a step that a case takes from the oracle with other arguments, the arguments that are its own; else none.
    """

    step: OracleStep
    file: str
    path: Path
    other_arguments: frozenset[str] = frozenset()

    def wrote(self, file: str, argument: str) -> bool:
        """Whether a file wrote an argument, and did not only take the step with it from elsewhere."""
        return self.file == file and (not self.other_arguments or argument in self.other_arguments)


Script = tuple[LocatedStep, ...]


def written_script(file: str, steps: Sequence[OracleStep]) -> Script:
    """The script of a file that lists its steps."""
    return tuple(LocatedStep(step, file, (number,)) for number, step in enumerate(steps))


def changed_script(oracle: Script, changes: CaseChanges, file: str) -> tuple[Script, tuple[Wrong, ...]]:
    """The script that a case comes to, and what is wrong with the names in it."""
    editing = _Editing(oracle, file)
    for number, name in enumerate(changes.without):
        editing.leave_out(name, ("without", number))
    for name, arguments in changes.change.items():
        editing.change(name, arguments)
    for name, steps in changes.replace.items():
        editing.replace(name, steps)
    for name, placed in changes.before.items():
        editing.place("before", name, placed)
    for name, placed in changes.after.items():
        editing.place("after", name, placed)
    return editing.script(), tuple(editing.wrong)


class _Editing:
    """A script that is being changed; every name in the changes is one of the original's steps."""

    def __init__(self, oracle: Script, file: str) -> None:
        self.wrong: list[Wrong] = []
        self._oracle = oracle
        self._file = file
        self._solution = oracle[0].file if oracle else ""
        self._names = _names([stood.step for stood in oracle])
        self._kept: dict[int, Script] = {index: (stood,) for index, stood in enumerate(oracle)}
        self._placed: dict[tuple[str, int], Script] = {}
        self._gone: set[int] = set()

    def leave_out(self, name: StepName, path: Path) -> Script:
        """The step as it is so far, which no longer stands where it stood."""
        index = self._index(name, path)
        left = self._kept.get(index, ())
        if index in self._gone:
            self.wrong.append((path, f"{path[0]}: the step {str(name)!r} was left out or moved already"))
        elif index != _NOWHERE:
            self._gone.add(index)
            self._kept[index] = ()
        return left

    def change(self, name: str, arguments: JsonObject) -> None:
        """Give a step other arguments."""
        index = self._index(name, ("change", name))
        if index != _NOWHERE:
            step = self._oracle[index].step
            other = step.model_copy(update={"arguments": {**step.arguments, **arguments}})
            self._kept[index] = (LocatedStep(other, self._file, ("change", name), frozenset(arguments)),)

    def replace(self, name: str, steps: Sequence[OracleStep]) -> None:
        """Do something else in place of a step."""
        written = (LocatedStep(step, self._file, ("replace", name, number)) for number, step in enumerate(steps))
        self._kept[self._index(name, ("replace", name))] = tuple(written)

    def place(self, word: str, name: str, steps: Sequence[OracleStep | StepName]) -> None:
        """Do something before or after a step."""
        here: list[LocatedStep] = []
        for number, step in enumerate(steps):
            path = (word, name, number)
            here += (
                [LocatedStep(step, self._file, path)] if isinstance(step, OracleStep) else self.leave_out(step, path)
            )
        self._placed[word, self._index(name, (word, name))] = tuple(here)

    def script(self) -> Script:
        """What it has come to."""
        around = (
            (self._placed.get(("before", index), ()), self._kept[index], self._placed.get(("after", index), ()))
            for index in range(len(self._oracle))
        )
        return tuple(stood for parts in around for part in parts for stood in part)

    def _index(self, name: StepName, path: Path) -> int:
        """Where a step is, from 0."""
        found = self._names.get(str(name), ())
        if len(found) == 1:
            return found[0]
        if found:
            numbers = ", ".join(str(index + 1) for index in found)
            problem: str = f"the oracle's steps {numbers} are all {name}; name one by its number"
        else:
            hint = near(str(name), self._names)
            problem = Unknown(
                f"the oracle has no step {str(name)!r}{hint}", name=str(name), kind="step", scope=self._solution
            )
        self.wrong.append((path, under(str(path[0]), problem)))
        return _NOWHERE


def _names(steps: Sequence[OracleStep]) -> dict[str, list[int]]:
    """The steps that go by each name."""
    found: dict[str, list[int]] = {}
    for index, step in enumerate(steps):
        for name in dict.fromkeys((str(index + 1), step.call, *step.keep)):
            found.setdefault(name, []).append(index)
    return found
