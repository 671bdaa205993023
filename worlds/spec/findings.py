"""`findings:` of a task: typed fields that the agent hands in, and what each must be."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from pydantic import Field, model_validator

from brownout.core.values import Json
from worlds.spec.field_types import Count, Spec, Time

__all__ = ["FIELD_KINDS", "FieldKind", "Finding", "FindingSchema"]

FieldKind = Literal["time", "date", "duration", "quantity", "person", "artefact", "part", "choice"]
"""What a field holds. `part` is a service or a vendor's part; `artefact` a ticket, pull request, commit, page, conversation."""
FIELD_KINDS: Final[tuple[FieldKind, ...]] = get_args(FieldKind)


class FindingSchema(Spec):
    """A field as the agent is told of it: what is asked, and nothing of what is right."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$", description="The argument of `record_findings`.")
    kind: FieldKind = Field(description="What it holds.")
    asks: str = Field(description="What is asked.")
    unit: str = Field(default="", description="Of a quantity: the unit that a bare number is in.")
    units: list[str] = Field(default=[], description="Other words for that unit.")
    options: dict[str, list[str]] = Field(default={}, description="Values that there are, with their other names.")
    many: bool = Field(default=False, description="A list is asked for; else one value.")
    labels: list[str] = Field(default=[], description="What the line in a text may be called, beside its name.")


class Finding(Spec):
    """A field and what is right: `{asks: "Since when", time: rds-brownout.from, within: 5m}`.

    The word for the kind holds what is right: a value, several of which each will do, or `unknown` where nobody can know.
    `fact: NAME` takes kind and value from a fact whose `is` is typed.
    """

    asks: str = Field(description="What is asked, as the agent reads it.")
    kind: FieldKind | Literal["fact"] = Field(description="What it holds; written as the word before what is right.")
    right: list[str] = Field(min_length=1, description="What is right, any one of them; with `many` all of them.")
    within: Time = Field(default=0, description="How far a time may be from the right one.")
    unit: str = Field(default="", description="Of a quantity: the unit that a bare number is in.")
    units: list[str] = Field(default=[], description="Other words for that unit, in other languages say.")
    of: dict[str, list[str]] = Field(
        default={},
        description="The options of a choice or part, the rivals too, with their other names; of artefacts, by path, what else they are called.",
    )
    many: bool = Field(default=False, description="A list is asked for: every value must be right, and none missing.")
    least: Count = Field(default=0, ge=0, description="Of a list: so many right ones are enough; all without it.")
    labels: list[str] = Field(default=[], description="What its line in a text may be called, beside its name.")

    @model_validator(mode="before")
    @classmethod
    def _kind(cls, value: object) -> object:
        if not isinstance(value, Mapping) or "kind" in value:
            return value
        kinds = [word for word in (*FIELD_KINDS, "fact") if word in value]
        if len(kinds) != 1:
            raise ValueError(
                f"a finding has one of {', '.join(FIELD_KINDS)} or fact; found {', '.join(kinds) or 'none'}"
            )
        rest = {str(word): part for word, part in value.items() if word != kinds[0]}
        options = rest.get("of")
        if isinstance(options, list):
            rest["of"] = {str(option): [] for option in options}
        return {**rest, "kind": kinds[0], "right": _texts(value[kinds[0]])}


def _texts(value: Json) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]
