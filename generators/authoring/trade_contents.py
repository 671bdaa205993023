"""What storyline kinds take from a trade: its rules, settings and long-asked-for things, as a pack's content/*.yaml has them.

A file of another name is for a kind of its own, and is taken as it stands.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints

from worlds.spec.field_types import Name, Spec

__all__ = ["CONTENTS", "CustomerSetting", "Grievance", "Policy"]


def _has_value(text: str) -> str:
    if "{value}" not in text:
        raise ValueError("expected {value} in it, where the number and its unit go")
    return text


def _different(values: list[int]) -> list[int]:
    if len(set(values)) < len(values):
        raise ValueError("expected different numbers, found one twice")
    return values


Lower = Annotated[str, StringConstraints(pattern=r'^[^A-Z"{}\[\]]+$')]
"""A noun phrase without capitals: sentences begin with it and have it in the middle."""
Title = Annotated[str, StringConstraints(pattern=r'^[^"{}\[\]]+$')]
"""What tasks quote and search for: no quotation marks, no brackets."""
Valued = Annotated[str, AfterValidator(_has_value)]
"""A text with `{value}`, the number with its unit."""
Numbers = Annotated[list[int], Field(min_length=8), AfterValidator(_different)]
"""What a seed draws from: eight and more, so that nobody guesses."""
Unit = Literal["minutes", "hours", "days"]


class Policy(Spec):
    """policies.yaml: a rule that the company has for its customers and has changed."""

    name: Lower = Field(description="With its article, singular: 'the refund window for cold food'.")
    page: Title = Field(description="Title of the help page.")
    section: Title = Field(description="Heading on it, below which the rule stands.")
    unit: Unit
    values: Numbers
    sentence: Valued = Field(description="The rule, a whole sentence.")
    shorter: Valued = Field(description="The rule in passing, small at the beginning and without a full stop.")
    about: list[str] = Field(min_length=4, description="Words of questions that are about it.")
    intro: str = Field(description="What the page says before the rule.")
    rest: str = Field(description="What it says after it.")
    question: str = Field(description="What a customer asks who has heard two answers.")
    subject: Title = Field(description="Subject of that mail.")
    reason: str = Field(description="Why somebody proposed a change, a whole sentence.")


class CustomerSetting(Spec):
    """settings.yaml: something that is set for a single customer, and several people there have an opinion on."""

    name: Lower = Field(description="With its article, singular: 'the payout delay'.")
    unit: Unit
    values: Numbers
    sentence: Valued = Field(
        description="A clause without capital and full stop: 'payouts come {value} after the week'."
    )
    wish: Valued = Field(description="What the desk asks for, after 'Hello,'; without a full stop.")
    rumour: Valued = Field(description="What a colleague heard; without a full stop.")
    decree: Valued = Field(description="What whoever decides wrote, after 'From 5 May on'; with a full stop.")
    about: list[str] = Field(min_length=4, description="Words of questions that are about it.")


class Grievance(Spec):
    """grievances.yaml: something that was asked for long ago and is on its way."""

    name: Lower = Field(description="A noun, singular: '... is planned for 5 May', 'you have ... on 5 May'.")
    word: Name = Field(description="Label of its ticket.")
    request: str = Field(description="What it is, as the ticket says it.")
    complaint: str = Field(description="What a customer writes who has waited for it.")


CONTENTS: Final[Mapping[str, type[Mapping[str, Spec]]]] = {
    "policies": dict[Name, Policy],
    "settings": dict[Name, CustomerSetting],
    "grievances": dict[Name, Grievance],
}
"""What a file of content/ is, by its name."""
