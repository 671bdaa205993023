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

    zone: str = Field(default="UTC", description="Its time zone, from the tz database; all local times are in it.")
    start: str = Field(alias="from", description="First day, local: 2026-01-05.")
    until: str = Field(description="Last day, local, excluded.")
    turn_cost: Time = Field(default=30_000_000, description="World time that one turn of an agent takes.")


class Company(_Spec):
    """The simulated company."""

    name: str = Field(description="As people write it.")
    domain: str = Field(
        pattern=r"^[a-z0-9.-]+\.test$", description="Its mail domain; reserved, so that nothing leaves."
    )
    does: str = Field(default="", description="What it does, one line.")
    since: str = Field(
        default="", description="The day its accounts were set up; some months before the calendar where not said."
    )


class Generation(_Spec):
    """How much life there is beside the storylines."""

    seed: int = Field(default=0, description="Of the world; another seed is another world.")
    chatter: int = Field(default=100, ge=0, le=1000, description="Percent of the usual amount of everyday messages.")


class World(_Spec):
    """world.yaml."""

    format: Literal[1] = Field(description="Of this text.")
    world: Name = Field(description="Its short name.")
    title: str = Field(description="One line for people.")
    company: Company = Field(description="Whose world it is.")
    clock: ClockSpec = Field(description="The calendar.")
    apps: dict[Name, JsonObject] = Field(
        description="The products in use, each with its own section; a list of names will do."
    )
    generation: Generation = Field(default=Generation(), description="How it is built.")

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
    to: Literal["everyone", "company", "engineers", "managers", "nobody"] = Field(
        default="company", description="Whom they tell."
    )


class Away(_Spec):
    """A stretch of time in which somebody is not there; `until` is when they are back."""

    start: str = Field(alias="from", description="First moment, local.")
    until: str = Field(description="When they are back, local.")


class Person(_Spec):
    """Somebody who works at the company."""

    name: str = Field(description="Full name.")
    role: str = Field(description="What they are there.")
    team: str = Field(default="", description="`team support` means all of it.")
    manager: Name | None = Field(default=None, description="Somebody else here.")
    zone: str | None = Field(default=None, description="Where they work; the world's zone without it.")
    hours: Hours = Field(default="09:00-17:30", description="When they read and answer, local.")
    reads: list[Name] = Field(default=[], description="The apps they watch, first choice first.")
    voice: Literal["plain", "dry", "warm", "terse", "formal", "chatty"] = Field(
        default="plain", description="How they put what they say."
    )
    story: str = Field(default="", description="Who they are, for authors and the studio.")
    handle: str = Field(default="", description="For authors; nothing reads it.")
    asked: dict[Name, AskedRule] = Field(default={}, description="What they do when asked about a fact, by fact.")
    joins: str | None = Field(default=None, description="First day, if it is in the calendar.")
    leaves: str | None = Field(default=None, description="Last day, if it is in the calendar.")
    away: list[str | Away] = Field(
        default=[], description="Days off: `2026-03-16`, or from and until; they neither read nor answer then."
    )
    phrases: dict[str, list[str]] = Field(
        default={}, description="Their own ways to put things, over their voice's: {ack: [ok, noted]}"
    )


Email = Annotated[str, StringConstraints(pattern=r"^[^@\s]+@[a-z0-9.-]+\.test$")]


class CustomerContact(_Spec):
    """Somebody who works for a customer."""

    name: str = Field(description="Full name.")
    email: Email = Field(description="Their address, below `.test`.")
    role: str = Field(default="", description="What they are there.")
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
    terms: str = Field(default="", description="What else was agreed.")


class Customer(_Spec):
    """Somebody outside the company who deals with it; `contact` writes their mail."""

    name: str = Field(description="The customer's, a company often.")
    contact: str = Field(description="Who writes for it.")
    email: Email = Field(description="Their address, below `.test`.")
    voice: Literal["plain", "dry", "warm", "terse", "formal", "chatty"] = Field(
        default="plain", description="How they put what they say."
    )
    plan: str = Field(default="", description="What they pay for.")
    sites: int = Field(default=1, ge=0, description="How many places they have.")
    region: str = Field(default="", description="Where.")
    owner: Name | None = Field(default=None, description="Who looks after them.")
    health: Literal["good", "watch", "at-risk"] = Field(default="good", description="How they are thought to be doing.")
    contract: CustomerContract | None = Field(default=None, description="What was agreed before the calendar begins.")
    contacts: list[CustomerContact] = Field(default=[], description="Further people there.")
    notes: list[str] = Field(default=[], description="What is noted about them.")
    tags: list[str] = Field(default=[], description="Words they are filed under.")


class Need(_Spec):
    """What a service depends on, and what it could depend on instead."""

    on: str = Field(alias="is", description="What serves it: a vendor's part (`aws-rds/eu-west-1`) or a service.")
    can_be: list[str] = Field(default=[], description="What it could be failed over to.")


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

    repo: str = Field(default="", description="The code base it is built from, of `repos/`.")
    on_call: Name | None = Field(default=None, description="Who is paged.")
    team: str = Field(default="", description="Whose it is.")
    says: str = Field(default="", description="What it is for, one line.")
    needs: dict[Name, Need] = Field(default={}, description="What it depends on, by a name for it.")
    behaves: dict[Name, Behaviour] = Field(default={}, description="How it makes trouble worse, by a name for it.")
    shows: Shows = Field(default=Shows(), description="How its trouble becomes visible.")
    version: str = Field(default="1.0.0", description="What runs on the calendar's first day.")
    flags: dict[Name, bool] = Field(default={}, description="Its feature flags on the first day.")


class FactSpec(_Spec):
    """One value of a slot, valid in a window. Another value of the same slot is its rival."""

    slot: str = Field(description="What it is a value of; another value of the same slot is its rival.")
    value: Text = Field(alias="is", description="The value.")
    since: str = Field(default="", description="When it began to be so; it always was without it.")
    until: str = Field(default="", description="When it ceased to be so.")
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

    at: str = Field(default="", description="When it happens; this or `when`.")
    when: str = Field(default="", description="What it waits for: `bookings.down for 20m`, `ops_failover.called`.")
    who: Name = Field(description="Who does it: a person or a customer.")
    does: list[Action] = Field(
        default=[], description="What the verbs come to; written out only for what no verb says."
    )
    makes: list[Name] = Field(default=[], description="Facts that this makes so; whoever does it knows them before.")
    states: list[Name] = Field(default=[], description="Facts that what is said states.")
    learns: list[Name] = Field(default=[], description="Facts that they find out then and do not say.")

    @model_validator(mode="before")
    @classmethod
    def _verbs(cls, value: object) -> object:
        return actions_of(value)


class Line(_Spec):
    """One message of a talk: `ida: text`, `> ida: text` in its thread, or `{ida: text, after: 6m}`."""

    who: Name = Field(description="Who says it; written as the word before the text.")
    text: str = Field(description="What they say.")
    in_thread: bool = Field(default=False, description="It answers in the thread; written as `>` before the person.")
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

    at: str = Field(description="When it begins.")
    until: str = Field(default="", description="A moment by which all of it was said.")
    where: str = Field(alias="in", description="A channel, or a person for a direct conversation.")
    via: Name = Field(default="slack", description="The app.")
    lines: list[Line] = Field(min_length=1, description="`person: text`; `> person: text` answers in the thread.")
    states: list[Name] = Field(default=[], description="Facts that it states.")


class Mail(_Spec):
    """A mail in its writer's own words; `re` names the mail that it answers, or `complaint/<customer>`."""

    at: str = Field(description="When it is sent.")
    who: Name = Field(description="Who writes it.")
    to: list[str] = Field(min_length=1, description="People, customers, groups, addresses.")
    cc: list[str] = Field(default=[], description="Likewise.")
    subject: str = Field(default="", description="That of what it answers, or how it begins, without one.")
    re: str | None = Field(
        default=None, description="The mail of this storyline that it answers, or `complaint/<customer>`."
    )
    text: str = Field(description="The mail.")
    states: list[Name] = Field(default=[], description="Facts that it states.")
    automatic: bool = Field(default=False, description="The mailbox sends it by itself, while its owner is away, say.")


class Storyline(_Spec):
    """storylines/*.yaml."""

    says: str = Field(default="", description="What it is about, for authors.")
    talks: dict[Name, Talk] = Field(default={}, description="Conversations, by name.")
    mails: dict[Name, Mail] = Field(default={}, description="Mails, by name.")
    facts: dict[Name, FactSpec] = Field(default={}, description="Facts, by name.")
    beats: dict[Name, Beat] = Field(default={}, description="What happens, by name.")

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

    on: str = Field(description="A product (`slack`), a vendor's part (`aws-rds/eu-west-1`) or a service.")
    start: str = Field(alias="from", default="", description="When it begins; this or `when`.")
    when: str = Field(default="", description="What it waits for: `bookings.down for 20m`, `ops_failover.called`.")
    lasts: Time = Field(alias="for", description="How long it lasts.")
    mode: str = Field(description="How it fails; every further word is a setting of the mode.")
    announced: str = Field(
        default="at once", description='"at once", "25m late" or "never": the vendor\'s status page.'
    )
    operations: list[str] = Field(default=[], description="Only these requests, `*` allowed; all without it.")
    people: list[str] = Field(default=[], description="Only these people's requests; everybody's without it.")
    settings: JsonObject = Field(default={}, description="What the other words come to.")

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

    person: Name = Field(description="Its short name; somebody new, whom nobody in people.yaml is.")
    name: str = Field(default="", description="As people see it; made of the short name without it.")
    kind: Literal["agent"] = Field(default="agent", description="What it is.")
    role: str = Field(default="assistant", description="What it is there.")
    apps: list[Name] | Literal["all"] = Field(default="all", description="The products whose tools it gets.")


class Requester(_Spec):
    """Who asked; text without a tool call goes to them."""

    person: Name = Field(description="Somebody of people.yaml.")
    replies: bool = Field(
        default=True,
        description="Text without a call goes to them and they answer; with `false` such a text ends the episode.",
    )


class Limits(_Spec):
    """When an episode ends by itself."""

    sim: Time = Field(default=6 * 3_600_000_000, description="World time after which it ends.")
    calls: int = Field(default=200, ge=1, description="Calls after which it ends.")
    settle: Time = Field(
        default=20 * 60_000_000, description="World time that the company goes on living before it is graded."
    )


class Criterion(_Spec):
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


class Rubric(_Spec):
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


class Task(_Spec):
    """tasks/<id>/task.yaml."""

    title: str = Field(description="One line for people.")
    hard_because: str = Field(description="Why it is worth running; for authors.")
    start: str = Field(description="When the agent comes in.")
    actor: Actor = Field(description="Whom the agent plays.")
    requester: Requester = Field(description="Who asks.")
    prompt: str = Field(description="What they ask, in their words; all that the agent is told.")
    limits: Limits = Field(default=Limits(), description="When it ends by itself.")
    rubric: Rubric = Field(description="What it is judged by.")


class OracleStep(_Spec):
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
