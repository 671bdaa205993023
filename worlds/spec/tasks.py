"""tasks/<id>/: what is asked of an agent, what it is judged by, and the reference solution."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from brownout.core.values import Json, JsonObject
from brownout.core.wildcards import fits
from worlds.spec.field_types import Count, Name, Spec, Time
from worlds.spec.findings import Finding
from worlds.spec.misplaced_words import Misplaced
from worlds.spec.script_names import OPTIONAL, names_used
from worlds.spec.short_forms import criterion_of, step_of

__all__ = [
    "Actor", "Criterion", "Flooding", "OracleStep", "Requester", "Rubric", "Task", "TaskLimits", "counted_calls",
    "offered",
]  # fmt: skip


class Actor(Spec):
    """Whom the agent plays."""

    person: Name = Field(description="Its short name; somebody new, whom nobody in people.yaml is.")
    name: str = Field(default="", description="As people see it; made of the short name without it.")
    kind: Literal["agent"] = Field(default="agent", description="What it is.")
    role: str = Field(default="assistant", description="What it is there.")
    apps: list[Name] | Literal["all"] = Field(default="all", description="The products whose tools it gets.")


class Requester(Spec):
    """Who asked; text without a tool call goes to them."""

    person: Name = Field(description="Somebody of people.yaml.")
    replies: bool = Field(
        default=True,
        description="Text without a call goes to them and they answer; with `false` such a text ends the episode.",
    )


class TaskLimits(Spec):
    """When an episode ends by itself."""

    sim: Time = Field(default=6 * 3_600_000_000, description="World time after which it ends.")
    calls: Count = Field(default=200, ge=1, description="Calls after which it ends.")
    settle: Time = Field(
        default=20 * 60_000_000, description="World time that the company goes on living before it is graded."
    )


class Criterion(Spec):
    """One thing that is checked, by one grader."""

    worth: Count = Field(
        default=0, ge=0, description="Points, in whole numbers; a gate has none. With `lines`, what they are worth."
    )
    grader: str = Field(description="Who judges it; written as the word before what it asks.")
    asks: Json = Field(description="What it asks; written behind the grader.")
    by: str = Field(default="", description="Until when it must have been so: `start + 60m`, `slack-out.until`.")
    needs: list[Name] = Field(default=[], description="Criteria that must be met before this one counts.")

    @property
    def reader(self) -> str:
        """The reader of statements that it names; empty where it leaves that to the facts."""
        return str(self.asks.get("reader", "")) if isinstance(self.asks, dict) else ""

    @property
    def lines(self) -> int:
        """How many lines it earns its points by; 0 where it earns all of them or none."""
        lines = self.asks.get("lines") if isinstance(self.asks, dict) else None
        return len(lines) if isinstance(lines, dict) else 0

    @model_validator(mode="before")
    @classmethod
    def _grader(cls, value: object) -> object:
        return criterion_of(value)


class Flooding(Spec):
    """From when on texts and additions are too many; what it costs is deducted like a penalty."""

    worth: Count = Field(default=0, ge=0, description="Points it costs; a quarter of all that can be earned where 0.")
    texts: Count = Field(default=40, ge=1, description="Texts that one reader may get, by all ways together.")
    repeats: Count = Field(default=5, ge=1, description="How often one reader may get the same text.")
    wordless: Count = Field(
        default=40, ge=1, description="Calls that may add something without a word: branches, links, reactions."
    )


class Rubric(Spec):
    """What earns points, what costs some, and what forfeits them all."""

    gates: dict[Name, Criterion] = Field(default={}, description="All must hold, or nothing is earned.")
    points: dict[Name, Criterion] = Field(
        min_length=1, description="What earns points, each all of its worth or none, or by lines."
    )
    penalties: dict[Name, Criterion] = Field(default={}, description="Their worth is deducted where they are met.")
    findings: dict[str, Finding] = Field(default={}, description="The task's, for the criteria that name them.")

    flooding: Flooding = Field(default=Flooding(), description="A penalty that every rubric has.")

    @model_validator(mode="after")
    def _names(self) -> "Rubric":
        """A name stands for one criterion: `needs` and `reads` go by it."""
        parts = {"gates": self.gates, "points": self.points, "penalties": self.penalties}
        seen: set[str] = set()
        for part, criteria in parts.items():
            for name, criterion in criteria.items():
                if name in seen:
                    raise Misplaced(f"two criteria are called {name!r}", part, name)
                if name == "flooding":
                    message = (
                        "every rubric has a penalty called 'flooding'; set its limits with `rubric: {flooding: …}`"
                    )
                    raise Misplaced(message, part, name)
                if part == "penalties" and criterion.worth == 0:
                    raise Misplaced(f"the penalty {name!r} costs nothing; give it a worth", part, name)
                if part != "points" and criterion.lines:
                    raise Misplaced(
                        f"{name!r} has lines; they earn points, which a gate or a penalty does not", part, name
                    )
                seen.add(name)
        return self


class Task(Spec):
    """tasks/<id>/task.yaml."""

    title: str = Field(description="One line for people.")
    hard_because: str = Field(description="Why it is worth running; for authors.")
    start: str = Field(description="When the agent comes in.")
    actor: Actor = Field(description="Whom the agent plays.")
    requester: Requester = Field(description="Who asks.")
    prompt: str = Field(description="What they ask, in their words; all that the agent is told.")
    limits: TaskLimits = Field(default=TaskLimits(), description="When it ends by itself.")
    tools: list[str] = Field(
        default=[],
        description="The tools of its products that the agent is offered, `jira_get_issue` or `jira_*`; all of them where none is named.",
    )
    findings: dict[Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")], Finding] = Field(
        default={}, description="Typed fields that are asked for: with `record_findings`, or as labelled lines."
    )
    rubric: Rubric = Field(description="What it is judged by.")


def offered(operation: str, patterns: list[str]) -> bool:
    """Whether a task that names these tools offers an operation of one of its products; one that names none offers all."""
    return not patterns or any(fits(operation, pattern) for pattern in patterns)


class OracleStep(Spec):
    """One call of the reference solution; `keep` names parts of its answer for later steps."""

    call: str = Field(description="The operation; written as the word before its arguments.")
    arguments: JsonObject = Field(
        default={}, description="As the tool takes them; `$name` is what an earlier step kept."
    )
    keep: dict[str, str] = Field(
        default={},
        description="Parts of the answer for later steps, by name: `issues[0].key`; `issues[9].key?` may be missing.",
    )
    meets: str = Field(default="", description="The outage that this call runs into, and fails by.")
    fails: bool = Field(default=False, description="It is refused: a slip that a good case makes and puts right.")

    @model_validator(mode="before")
    @classmethod
    def _call(cls, value: object) -> object:
        return step_of(value)


def counted_calls(steps: Sequence[OracleStep]) -> str:
    """How many calls a script makes: `21 calls`; `59 to 72 calls` where some use what may be missing (`results[9].id?`)."""
    fewest = 0
    missing: set[str] = set()
    for step in steps:
        if missing.isdisjoint(names_used(step.arguments)):
            fewest += 1
            missing |= {name for name, part in step.keep.items() if part.endswith(OPTIONAL)}
    most = f"{len(steps)} call{'' if len(steps) == 1 else 's'}"
    return most if fewest == len(steps) else f"{fewest} to {most}"
