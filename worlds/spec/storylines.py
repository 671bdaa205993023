"""storylines/*.yaml: facts, and what people do and say."""

from typing import Literal

from pydantic import Field, model_validator

from brownout.core.values import JsonObject
from worlds.spec.drawn_slots import DrawnSlot
from worlds.spec.field_types import Name, Spec, Text, Time
from worlds.spec.findings import FIELD_KINDS, FieldKind
from worlds.spec.misplaced_words import Misplaced
from worlds.spec.short_forms import actions_of, line_of
from worlds.spec.tickets import beats_of

__all__ = ["Action", "Beat", "FactSpec", "Line", "Mail", "Storyline", "Talk"]


class FactSpec(Spec):
    """One value of a slot, valid in a window. Another value of the same slot is its rival."""

    slot: str = Field(description="What it is a value of; another value of the same slot is its rival.")
    value: Text = Field(
        alias="is",
        description="The value: a text, or typed: `{duration: 10 minutes}`, `{person: mara}`; `{time: since}` is when it began.",
    )
    kind: FieldKind | Literal[""] = Field(
        default="", description="What it is, where it is typed; stands before the value."
    )
    called: list[str] = Field(
        default=[], description="Other names of the value; of a quantity, other words of its unit."
    )
    within: Time = Field(default=0, description="Of a time: how far what is said may be from it.")
    since: str = Field(default="", description="When it began to be so; it always was without it.")
    until: str = Field(default="", description="When it ceased to be so.")
    again: str = Field(default="", description="When it was so once more, after `until`: 15, then 25, then 15 again.")
    says: list[str] = Field(default=[], description="How people put it; checks and coworkers use it.")
    about: list[str] = Field(default=[], description="Words somebody would ask about it with.")
    asks: str = Field(
        default="", description="The question that it answers, for whoever adds a task: `How long is a seat kept?`"
    )
    audience: list[str] | None = Field(
        default=None,
        min_length=1,
        description="Who may be told: people, #channels, `team support`, `customers`, `company`; everybody without it.",
    )
    mentions: list[str] = Field(
        default=[], description="Phrases that give it away to those who may not be told: a name, a code, `8 % site`."
    )
    rivals: Literal["", "commits", "none"] = Field(
        default="",
        description="`commits`: the title of every commit and pull of the slot's repository is a rival, too. `none`: it needs none.",
    )

    @model_validator(mode="before")
    @classmethod
    def _typed(cls, value: object) -> object:
        """`is: {person: mara}` as the kind and the value."""
        written = value.get("is") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(written, dict):
            return value
        if len(written) != 1 or next(iter(written)) not in FIELD_KINDS:
            raise ValueError(f"a typed value is one of {', '.join(FIELD_KINDS)} and a value; found {written!r}")
        [(kind, text)] = written.items()
        return {**value, "kind": kind, "is": str(text)}


class Action(Spec):
    """One thing a beat does, carried by whichever app can."""

    kind: Literal[
        "tell", "ask", "answer", "open", "begin", "close", "assign", "comment", "write", "merge", "deploy", "page"
    ] = Field(description="What is done.")
    to: list[str] = Field(default=[], description="Whom it is meant for: people, #channels, groups, addresses.")
    via: Name | None = Field(default=None, description="The app; None for whichever works then.")
    verb: str = Field(default="", description="The author's word, where an app has it.")
    subject: str = Field(default="", description="The title of what is made, or of the pull that is merged.")
    text: str = Field(default="", description="In the file itself; else it is looked for in prose/.")
    thing: str = Field(default="", description="What it acts on: the name of the beat that made it, or of a service.")
    details: JsonObject = Field(default={}, description="The fields of its kind in that app; see Intents.")


class Beat(Spec):
    """Something that happens: who does what, when, and which facts that makes or states.

    Authors write verbs (`writes`, `merges`, `told` …); `does` is what they come to.
    """

    at: str = Field(default="", description="When it happens; this or `when`.")
    when: str = Field(
        default="", description="What it waits for: `bookings.down for 20m`, `bookings.ok`, `ops_failover.called`."
    )
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


class Line(Spec):
    """What somebody says in a talk, in one message or several: `ida: text`, `> ida: text` in its thread, or `{ida: text, after: 6m}`."""

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


class Talk(Spec):
    """A conversation in its people's own words, line by line."""

    at: str = Field(description="When it begins.")
    until: str = Field(default="", description="A moment by which all of it was said.")
    where: str = Field(alias="in", description="A channel, or a person for a direct conversation.")
    via: Name = Field(default="", description="The app; without it the one that has `talks`.")
    lines: list[Line] = Field(min_length=1, description="`person: text`; `> person: text` answers in the thread.")
    states: list[Name] = Field(default=[], description="Facts that it states.")


class Mail(Spec):
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


class Storyline(Spec):
    """storylines/*.yaml."""

    drawn: dict[Name, DrawnSlot] = Field(
        default={}, description="Slots whose values the seed draws; `{{lead}}` in the text, by name."
    )
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
            raise Misplaced(f"{twice[0]!r} is a ticket and a beat", "beats", twice[0])
        return {**{name: part for name, part in value.items() if name != "tickets"}, "beats": {**beats, **made}}
