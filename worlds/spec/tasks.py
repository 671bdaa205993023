"""tasks/<id>/: what is asked of an agent, what it is judged by, and the reference solution."""

from typing import Literal

from pydantic import Field, model_validator

from brownout.core.values import Json, JsonObject
from worlds.spec.verbs import criterion_of, step_of
from worlds.spec.words import Name, Spec, Time

__all__ = ["Actor", "Criterion", "Limits", "OracleStep", "Requester", "Rubric", "Task"]


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


class Limits(Spec):
    """When an episode ends by itself."""

    sim: Time = Field(default=6 * 3_600_000_000, description="World time after which it ends.")
    calls: int = Field(default=200, ge=1, description="Calls after which it ends.")
    settle: Time = Field(
        default=20 * 60_000_000, description="World time that the company goes on living before it is graded."
    )


class Criterion(Spec):
    """One thing that is checked, by one grader."""

    worth: int = Field(default=0, ge=0, description="Points, in whole numbers; a gate has none.")
    grader: str = Field(description="Who judges it; written as the word before what it asks.")
    asks: Json = Field(description="What it asks; written behind the grader.")
    by: str = Field(default="", description="Until when it must have been so: `start + 60m`, `slack-out.until`.")
    needs: list[Name] = Field(default=[], description="Criteria that must be met before this one counts.")

    @model_validator(mode="before")
    @classmethod
    def _grader(cls, value: object) -> object:
        return criterion_of(value)


class Rubric(Spec):
    """What earns points, what costs some, and what forfeits them all."""

    gates: dict[Name, Criterion] = Field(default={}, description="All must hold, or nothing is earned.")
    points: dict[Name, Criterion] = Field(min_length=1, description="What earns points, each all of its worth or none.")
    penalties: dict[Name, Criterion] = Field(default={}, description="Their worth is deducted where they are met.")

    @model_validator(mode="after")
    def _names(self) -> "Rubric":
        """A name stands for one criterion: `needs` and `reads` go by it."""
        twice = (
            self.gates.keys() & self.points.keys() | (self.gates.keys() | self.points.keys()) & self.penalties.keys()
        )
        if twice:
            raise ValueError(f"two criteria are called {min(twice)!r}")
        free = [name for name, criterion in self.penalties.items() if criterion.worth == 0]
        if free:
            raise ValueError(f"the penalty {free[0]!r} costs nothing; give it a worth")
        return self


class Task(Spec):
    """tasks/<id>/task.yaml."""

    title: str = Field(description="One line for people.")
    hard_because: str = Field(description="Why it is worth running; for authors.")
    start: str = Field(description="When the agent comes in.")
    actor: Actor = Field(description="Whom the agent plays.")
    requester: Requester = Field(description="Who asks.")
    prompt: str = Field(description="What they ask, in their words; all that the agent is told.")
    limits: Limits = Field(default=Limits(), description="When it ends by itself.")
    rubric: Rubric = Field(description="What it is judged by.")


class OracleStep(Spec):
    """One call of the reference solution; `keep` names parts of its answer for later steps."""

    call: str = Field(description="The operation; written as the word before its arguments.")
    arguments: JsonObject = Field(
        default={}, description="As the tool takes them; `$name` is what an earlier step kept."
    )
    keep: dict[str, str] = Field(
        default={}, description="Parts of the answer for later steps, by name: `issues[0].key`."
    )
    meets: str = Field(default="", description="The outage that this call runs into, and fails by.")

    @model_validator(mode="before")
    @classmethod
    def _call(cls, value: object) -> object:
        return step_of(value)
