"""The author's files as frozen values. Field names are the words an author writes."""

from datetime import date
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    field_validator,
    model_validator,
)

from brownout.core.instants import Duration, duration_text
from brownout.core.values import Json, JsonObject
from worlds.expressions import parse_duration, parse_hours, parse_percent
from worlds.spec.tickets import beats_of
from worlds.spec.verbs import actions_of, criterion_of, line_of, step_of

__all__ = [
    "Action",
    "Actor",
    "AskedRule",
    "Away",
    "Beat",
    "Behaviour",
    "ClockSpec",
    "Company",
    "Criterion",
    "Customer",
    "CustomerContact",
    "CustomerContract",
    "FactSpec",
    "Generation",
    "Limits",
    "Line",
    "Mail",
    "Name",
    "Need",
    "OracleStep",
    "OutageSpec",
    "Person",
    "Requester",
    "Rubric",
    "Service",
    "Shows",
    "Storyline",
    "Talk",
    "Task",
    "World",
]

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
"""A short name: lower-case letters, digits and hyphens."""


def _duration(value: object) -> object:
    return parse_duration(value) if isinstance(value, str) else value


def _hours(value: object) -> object:
    if isinstance(value, str):
        parse_hours(value)
    return value


def _percent(value: object) -> object:
    return parse_percent(value) if isinstance(value, str | int) else value


Time = Annotated[Duration, BeforeValidator(_duration), PlainSerializer(duration_text, return_type=str)]
"""A duration, written `4h30m`."""
Share = Annotated[int, BeforeValidator(_percent)]
"""Whole percent, written `60%`."""
Text = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int | float) else value)]
"""A text; a bare number is one."""
Hours = Annotated[str, BeforeValidator(_hours)]


class _Spec(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class ClockSpec(_Spec):
    """The calendar the world is simulated over."""

    zone: str = "UTC"
    start: str = Field(alias="from", description="First day, local: 2026-01-05.")
    until: str = Field(description="Last day, local, excluded.")
    turn_cost: Time = Field(default=30_000_000, description="World time that one turn of an agent takes.")


class Company(_Spec):
    """The simulated company."""

    name: str
    domain: str = Field(
        pattern=r"^[a-z0-9.-]+\.test$", description="Its mail domain; reserved, so that nothing leaves."
    )
    does: str = ""
    since: str = Field(
        default="", description="The day its accounts were set up; some months before the calendar where not said."
    )


class Generation(_Spec):
    """How much life there is beside the storylines."""

    seed: int = 0
    chatter: int = Field(default=100, ge=0, le=1000, description="Percent of the usual amount of everyday messages.")


class World(_Spec):
    """world.yaml."""

    format: Literal[1]
    world: Name
    title: str
    company: Company
    clock: ClockSpec
    apps: dict[Name, JsonObject]
    """The products in use, each with its own settings (channels, projects)."""
    generation: Generation = Generation()

    @field_validator("apps", mode="before")
    @classmethod
    def _apps(cls, value: object) -> object:
        if isinstance(value, list):
            return {name: {} for name in value}
        if isinstance(value, dict):
            return {name: settings or {} for name, settings in value.items()}
        return value


class AskedRule(_Spec):
    """What somebody does when asked about a fact, where it is not simply telling whoever is entitled."""

    tells: str = Field(default="at once", description='"at once", "never", or "after 8m".')
    to: Literal["everyone", "company", "engineers", "managers", "nobody"] = "company"


class Away(_Spec):
    """A stretch of time in which somebody is not there; `until` is when they are back."""

    start: str = Field(alias="from")
    until: str


class Person(_Spec):
    """Somebody who works at the company."""

    name: str
    role: str
    team: str = ""
    manager: Name | None = None
    zone: str | None = None
    hours: Hours = "09:00-17:30"
    reads: list[Name] = []
    voice: Literal["plain", "dry", "warm", "terse", "formal", "chatty"] = "plain"
    story: str = ""
    handle: str = ""
    asked: dict[Name, AskedRule] = {}
    joins: str | None = None
    leaves: str | None = None
    away: list[str | Away] = []
    phrases: dict[str, list[str]] = Field(
        default={}, description="Their own ways to put things, over their voice's: {ack: [ok, noted]}"
    )


Email = Annotated[str, StringConstraints(pattern=r"^[^@\s]+@[a-z0-9.-]+\.test$")]


class CustomerContact(_Spec):
    """Somebody who works for a customer."""

    name: str
    email: Email
    role: str = ""
    may: list[Literal["contract", "data", "none"]] = Field(
        default=[], description="What they may decide: contract terms, what becomes of data."
    )
    short: Name | None = Field(default=None, alias="as", description="The name under which they act in storylines.")

    @field_validator("may", mode="before")
    @classmethod
    def _one(cls, value: object) -> object:
        return [value] if isinstance(value, str) else value


def _day(value: object) -> object:
    """A day of the calendar, written 2026-05-31; empty where there is none."""
    if value != "" and value is not None:
        try:
            date.fromisoformat(str(value))
        except ValueError:
            raise ValueError("expected a day such as 2026-05-31") from None
    return value if value is None else str(value)


Day = Annotated[str, BeforeValidator(_day)]


class CustomerContract(_Spec):
    """What was agreed with a customer before the calendar begins."""

    start: Day = Field(min_length=1, description="First day.")
    until: Day = Field(default="", description="Last day, empty for one that goes on until somebody ends it.")
    notice: Time | None = Field(default=None, description="How long before its end it must be given up.")
    monthly: int = Field(default=0, ge=0, description="Cents a month.")
    terms: str = ""


class Customer(_Spec):
    """Somebody outside the company who deals with it; `contact` writes their mail."""

    name: str
    contact: str
    email: Email
    voice: Literal["plain", "dry", "warm", "terse", "formal", "chatty"] = "plain"
    plan: str = ""
    sites: int = Field(default=1, ge=0)
    region: str = ""
    owner: Name | None = Field(default=None, description="Who looks after them.")
    health: Literal["good", "watch", "at-risk"] = "good"
    contract: CustomerContract | None = None
    contacts: list[CustomerContact] = []
    notes: list[str] = []
    tags: list[str] = []


class Need(_Spec):
    """What a service depends on, and what it could depend on instead."""

    on: str = Field(alias="is")
    can_be: list[str] = []


class Behaviour(_Spec):
    """How a service makes things worse, and what ends that."""

    during: str = Field(default="", alias="while", description="Acts while a need is in a state: database.slow.")
    once: str = Field(default="", description="Begins when a need is in a state, and goes on when that is over.")
    multiplies: str = Field(default="load 1x", description="load 6x | errors 30%")
    until: str = Field(
        default="", description="`deployed passes hidden/test_x.py`, `flag name off`, empty: while it lasts"
    )


class Shows(_Spec):
    """How trouble becomes visible."""

    alert: str = Field(default="", description="error_rate > 5% for 3m -> page on_call")
    customers: str = Field(default="", description="down 6m -> 3..8 customers mail support")
    posts: dict[str, Name] = Field(
        default={}, description='Where alerts, deploys and what vendors say are posted: {"#ops": slack}'
    )


class Service(_Spec):
    """Something that runs."""

    repo: str = ""
    on_call: Name | None = None
    team: str = ""
    says: str = Field(default="", description="What it is for, one line.")
    needs: dict[Name, Need] = {}
    behaves: dict[Name, Behaviour] = {}
    shows: Shows = Shows()
    version: str = Field(default="1.0.0", description="What runs on the calendar's first day.")
    flags: dict[Name, bool] = {}


class FactSpec(_Spec):
    """One value of a slot, valid in a window. Another value of the same slot is its rival."""

    slot: str
    value: Text = Field(alias="is")
    since: str = ""
    until: str = ""
    says: list[str] = Field(default=[], description="How people put it; checks and coworkers use it.")
    said: list[str] = Field(default=[], description="Word patterns that state it: * any word part, (a|b) either.")
    about: list[str] = Field(default=[], description="Words somebody would ask about it with.")
    audience: list[str] | None = Field(
        default=None,
        min_length=1,
        description="Who may be told: people, #channels, `team support`, `customers`, `company`; everybody without it.",
    )
    rivals: Literal["", "commits"] = Field(
        default="",
        description="`commits`: the title of every commit and pull of the slot's repository is a rival, too.",
    )


class Action(_Spec):
    """One thing a beat does, carried by whichever app can."""

    kind: Literal[
        "tell", "ask", "answer", "open", "begin", "close", "assign", "comment", "write", "merge", "deploy", "page"
    ]
    to: list[str] = []
    via: Name | None = None
    subject: str = ""
    text: str = Field(default="", description="In the file itself; else it is looked for in prose/.")
    thing: str = ""
    details: JsonObject = {}


class Beat(_Spec):
    """Something that happens: who does what, when, and which facts that makes or states.

    Authors write verbs (`writes`, `merges`, `told` …); `does` is what they come to.
    """

    at: str = ""
    when: str = ""
    who: Name
    does: list[Action] = []
    makes: list[Name] = []
    states: list[Name] = []
    learns: list[Name] = Field(default=[], description="Facts that they find out then and do not say.")

    @model_validator(mode="before")
    @classmethod
    def _verbs(cls, value: object) -> object:
        return actions_of(value)


class Line(_Spec):
    """One message of a talk: `ida: text`, `> ida: text` in its thread, or `{ida: text, after: 6m}`."""

    who: Name
    text: str
    in_thread: bool = False
    after: Time | None = Field(default=None, description="About how long after the line before; drawn where not said.")
    reacts: dict[str, list[Name]] = Field(default={}, description="Who reacts with what: {tada: [owen, priya]}")
    edited: Time | None = Field(default=None, description="How long after it was posted it was edited.")
    was: str = Field(default="", description="What it said before it was edited.")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        return line_of(value)


class Talk(_Spec):
    """A conversation in its people's own words, one line a message."""

    at: str
    until: str = Field(default="", description="A moment by which all of it was said.")
    where: str = Field(alias="in", description="A channel, or a person for a direct conversation.")
    via: Name = "slack"
    lines: list[Line] = Field(min_length=1)
    states: list[Name] = []


class Mail(_Spec):
    """A mail in its writer's own words; `re` names the mail that it answers, or `complaint/<customer>`."""

    at: str
    who: Name
    to: list[str] = Field(min_length=1)
    cc: list[str] = []
    subject: str = ""
    re: str | None = None
    text: str
    states: list[Name] = []
    automatic: bool = Field(default=False, description="The mailbox sends it by itself, while its owner is away, say.")


class Storyline(_Spec):
    """storylines/*.yaml."""

    says: str = ""
    talks: dict[Name, Talk] = {}
    mails: dict[Name, Mail] = {}
    facts: dict[Name, FactSpec] = {}
    beats: dict[Name, Beat] = {}

    @model_validator(mode="before")
    @classmethod
    def _tickets(cls, value: object) -> object:
        """Tickets are beats, written in short."""
        if not isinstance(value, dict) or "tickets" not in value:
            return value
        made, beats = beats_of(value["tickets"]), dict(value.get("beats") or {})
        twice = sorted(made.keys() & beats.keys())
        if twice:
            raise ValueError(f"{twice[0]!r} is a ticket and a beat")
        return {**{name: part for name, part in value.items() if name != "tickets"}, "beats": {**beats, **made}}


class OutageSpec(_Spec):
    """When a vendor or service breaks, and how."""

    on: str
    start: str = Field(alias="from", default="")
    when: str = ""
    lasts: Time = Field(alias="for")
    mode: str
    announced: str = Field(
        default="at once", description='"at once", "25m late" or "never": the vendor\'s status page.'
    )
    operations: list[str] = []
    people: list[str] = []
    settings: JsonObject = {}

    @model_validator(mode="before")
    @classmethod
    def _settings(cls, value: object) -> object:
        """What is not one of the outage's own words is a setting of its mode."""
        if not isinstance(value, dict):
            return value
        own = set(cls.model_fields) | {"from", "for"}
        return {k: v for k, v in value.items() if k in own} | {
            "settings": {k: v for k, v in value.items() if k not in own}
        }


class Actor(_Spec):
    """Whom the agent plays."""

    person: Name
    name: str = ""
    kind: Literal["agent"] = "agent"
    role: str = "assistant"
    apps: list[Name] | Literal["all"] = "all"


class Requester(_Spec):
    """Who asked; text without a tool call goes to them."""

    person: Name
    replies: bool = True


class Limits(_Spec):
    """When an episode ends by itself."""

    sim: Time = 6 * 3_600_000_000
    calls: int = Field(default=200, ge=1)
    settle: Time = 20 * 60_000_000


class Criterion(_Spec):
    """One thing that is checked, by one grader."""

    worth: int = Field(default=0, ge=0)
    grader: str
    asks: Json
    by: str = ""
    needs: list[Name] = []

    @model_validator(mode="before")
    @classmethod
    def _grader(cls, value: object) -> object:
        return criterion_of(value)


class Rubric(_Spec):
    """What earns points, what costs some, and what forfeits them all."""

    gates: dict[Name, Criterion] = {}
    points: dict[Name, Criterion] = Field(min_length=1)
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


class Task(_Spec):
    """tasks/<id>/task.yaml."""

    title: str
    hard_because: str
    start: str
    actor: Actor
    requester: Requester
    prompt: str
    limits: Limits = Limits()
    rubric: Rubric


class OracleStep(_Spec):
    """One call of the reference solution; `keep` names parts of its answer for later steps."""

    call: str
    arguments: JsonObject = {}
    keep: dict[str, str] = {}
    meets: str = ""

    @model_validator(mode="before")
    @classmethod
    def _call(cls, value: object) -> object:
        return step_of(value)
