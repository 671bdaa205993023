"""world.yaml, people.yaml, customers.yaml, outsiders.yaml: the company, who works there, whom it works for, who else writes."""

from typing import Annotated, Final, Literal

from pydantic import Field, field_validator

from brownout.core.short_names import spelt
from brownout.core.values import JsonObject
from worlds.spec.field_types import Attribute, Count, Day, Email, Hours, Name, Spec, Time, Whole
from worlds.spec.mistake_messages import shown

__all__ = [
    "AskedRule",
    "Away",
    "BackgroundSpec",
    "ClockSpec",
    "CompanySpec",
    "Customer",
    "CustomerContact",
    "CustomerContract",
    "Generation",
    "Outsider",
    "Person",
    "WorldFile",
]


class ClockSpec(Spec):
    """The calendar the world is simulated over."""

    zone: str = Field(default="UTC", description="Its time zone, from the tz database; all local times are in it.")
    start: str = Field(alias="from", description="First day, local: 2026-01-05.")
    until: str = Field(description="Last day, local, excluded.")
    turn_cost: Time = Field(default=30_000_000, description="World time that one turn of an agent takes.")


class CompanySpec(Spec):
    """The simulated company."""

    name: str = Field(description="As people write it.")
    domain: str = Field(
        pattern=r"^[a-z0-9.-]+\.test$", description="Its mail domain; reserved, so that nothing leaves."
    )
    does: str = Field(default="", description="What it does, one line.")
    since: str = Field(
        default="", description="The day its accounts were set up; some months before the calendar where not said."
    )

    @property
    def account(self) -> str:
        """What its account at a vendor is called: `acme-corp` of `Acme Corp.`, its domain's first word of what cannot be spelt so (`東京`)."""
        return spelt(self.name) or self.domain.partition(".")[0]


class Generation(Spec):
    """How much life there is beside the storylines."""

    seed: Whole = Field(
        default=0, description="The world seed, which the company is drawn by: another one is another company."
    )
    trade: str = Field(default="", description="The trade pack in whose words new storylines are written.")


_LOUDEST: Final = 3
Volume = Annotated[float, Field(ge=0, le=_LOUDEST)]


class BackgroundSpec(Spec):
    """How much everyday life there is beside the storylines, by layer; 1 is what companies of that size have."""

    machines: Volume = Field(default=0, description="What products send by themselves: notifications, checks, alerts.")
    work: Volume = Field(default=0, description="Tickets, pull requests and questions that no storyline tells of.")
    people: Volume = Field(default=0, description="Talk among colleagues: in rooms, in threads, in private.")

    def permille(self, layer: Literal["machines", "work", "people"]) -> int:
        """A layer's volume in thousandths."""
        volume: float = getattr(self, layer)
        return round(volume * 1000)

    @property
    def is_silent(self) -> bool:
        """Whether there is none of it."""
        return not (self.permille("machines") or self.permille("work") or self.permille("people"))


class WorldFile(Spec):
    """world.yaml."""

    format: Literal[1] = Field(description="Of this text.")
    world: Name = Field(description="Its short name.")
    title: str = Field(description="One line for people.")
    company: CompanySpec = Field(description="Whose world it is.")
    clock: ClockSpec = Field(description="The calendar.")
    apps: dict[Name, JsonObject] = Field(
        description="The products in use, each with its own section; a list of names will do."
    )
    generation: Generation = Field(default=Generation(), description="How it is built.")
    background: BackgroundSpec = Field(
        default=BackgroundSpec(),
        description="Everyday life beside the storylines; a number is the volume of all of it.",
    )
    synonyms: dict[str, list[str]] = Field(
        default={},
        description="What people also say for a word of the facts, in any language: {hold: [reservation, basket, reserva]}.",
    )
    flagship: str = Field(default="", description="The task to begin with, `brownout demo` plays it; else the first.")

    @field_validator("background", mode="before")
    @classmethod
    def _background(cls, value: object) -> object:
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LOUDEST:
            return dict.fromkeys(BackgroundSpec.model_fields, value)
        if not isinstance(value, dict | BackgroundSpec):
            layers = ", ".join(BackgroundSpec.model_fields)
            raise ValueError(
                f"expected a number from 0 to {_LOUDEST}, or one by layer ({layers}), found {shown(value)}"
            )
        return value

    @field_validator("apps", mode="before")
    @classmethod
    def _apps(cls, value: object) -> object:
        if isinstance(value, list):
            return {name: {} for name in value}
        if isinstance(value, dict):
            return {name: settings or {} for name, settings in value.items()}
        return value


class AskedRule(Spec):
    """What somebody does when asked about a fact, where it is not simply telling whoever is entitled."""

    tells: str = Field(default="at once", description='"at once", "never", or "after 8m".')
    to: Literal["everyone", "company", "engineers", "managers", "nobody"] = Field(
        default="company", description="Whom they tell."
    )
    says: str = Field(default="", description="Their own words for it; the fact's without them.")


class Away(Spec):
    """A stretch of time in which somebody is not there; `until` is when they are back."""

    start: str = Field(alias="from", description="First moment, local.")
    until: str = Field(description="When they are back, local.")


class Person(Spec):
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
    asked: dict[Name, AskedRule] = Field(default={}, description="What they do when asked about a fact, by fact.")
    joins: str | None = Field(default=None, description="First day, if it is in the calendar.")
    leaves: str | None = Field(default=None, description="Last day, if it is in the calendar.")
    away: list[str | Away] = Field(
        default=[], description="Days off: `2026-03-16`, or from and until; they neither read nor answer then."
    )
    phrases: dict[str, list[str]] = Field(
        default={}, description="Their own ways to put things, over their voice's: {ack: [ok, noted]}"
    )


class CustomerContact(Spec):
    """Somebody who works for a customer."""

    name: str = Field(description="Full name.")
    email: Email = Field(description="Their address, below `.test`.")
    role: str = Field(default="", description="What they are there.")
    may: list[Literal["contract", "data", "settings", "none"]] = Field(
        default=[], description="What they may decide: contract terms, what becomes of data."
    )
    short: Name | None = Field(default=None, alias="as", description="The name under which they act in storylines.")
    voice: Literal["plain", "dry", "warm", "terse", "formal", "chatty"] | None = Field(
        default=None, description="How they put what they say; the customer's without it."
    )

    @field_validator("may", mode="before")
    @classmethod
    def _one(cls, value: object) -> object:
        return [value] if isinstance(value, str) else value


class CustomerContract(Spec):
    """What was agreed with a customer before the calendar begins."""

    start: Day = Field(min_length=1, description="First day.")
    until: Day = Field(default="", description="Last day, empty for one that goes on until somebody ends it.")
    notice: Time | None = Field(default=None, description="How long before its end it must be given up.")
    monthly: Count = Field(default=0, ge=0, description="Cents a month.")
    terms: str = Field(default="", description="What else was agreed.")


class Customer(Spec):
    """Somebody outside the company who deals with it; `contact` writes their mail."""

    name: str = Field(description="The customer's, a company often.")
    contact: str = Field(description="Who writes for it.")
    email: Email = Field(description="Their address, below `.test`.")
    voice: Literal["plain", "dry", "warm", "terse", "formal", "chatty"] = Field(
        default="plain", description="How they put what they say."
    )
    plan: str = Field(default="", description="What they pay for.")
    sites: Count = Field(default=1, ge=0, description="How many places they have.")
    region: str = Field(default="", description="Where.")
    owner: Name | None = Field(default=None, description="Who looks after them.")
    health: Literal["good", "watch", "at-risk"] = Field(default="good", description="How they are thought to be doing.")
    contract: CustomerContract | None = Field(default=None, description="What was agreed before the calendar begins.")
    contacts: list[CustomerContact] = Field(default=[], description="Further people there.")
    notes: list[str] = Field(default=[], description="What is noted about them.")
    tags: list[str] = Field(default=[], description="Words they are filed under.")
    attributes: dict[str, Attribute] = Field(
        default={}, description="What else the register keeps of them, by the names of `apps: customers: attributes`."
    )


class Outsider(Spec):
    """Somebody who writes from outside and is nobody's customer: a supplier, an applicant, an impostor."""

    name: str = Field(description="As their mails show it, whoever's it is.")
    email: Email = Field(description="Their address, below `.test`.")
    role: str = Field(default="", description="Who they are, for authors and the studio.")
    voice: Literal["plain", "dry", "warm", "terse", "formal", "chatty"] = Field(
        default="plain", description="How they put what they say."
    )
