"""How authors let the register change in storylines: `accounts:`, each with a time, who does it and what they note."""

from datetime import date
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator

from brownout.core.apps import Intent
from brownout.core.storyline_sections import Cause, Section, SectionEntry
from brownout.core.values import JsonObject
from tools.customers.settings import notice_days
from worlds.spec.field_types import Attribute, Whole

__all__ = ["AccountEntry", "sections"]


class NewTerms(BaseModel):
    """What a new version of a contract says; what is not given stays."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    start: str | None = None
    until: str | None = None
    notice: str | None = None
    monthly: Whole | None = None
    terms: str | None = None

    @field_validator("start", "until")
    @classmethod
    def _day(cls, value: str | None) -> str | None:
        if value:
            date.fromisoformat(value)
        return value

    @field_validator("notice")
    @classmethod
    def _duration(cls, value: str | None) -> str | None:
        notice_days(value)
        return value


class AccountEntry(SectionEntry):
    """Somebody changes a customer's record, makes a new version of the contract or writes a note."""

    account: str
    plan: str | None = None
    sites: Whole | None = None
    region: str | None = None
    owner: str | None = None
    health: Literal["good", "watch", "at-risk"] | None = None
    contract: NewTerms | None = None
    attributes: dict[str, Attribute] = Field(default={})
    note: str = ""
    tags: list[str] = Field(default=[])

    @property
    def people(self) -> tuple[str, ...]:
        """Who does it, the customer, and who looks after them then."""
        return (self.who, self.account, *([self.owner] if self.owner else []))


def _intent(entry: SectionEntry, cause: Cause) -> Intent:
    given = cast(AccountEntry, entry)
    details: JsonObject = {"account": given.account, "tags": [*given.tags]}
    for name in ("plan", "sites", "region", "owner", "health"):
        value = getattr(given, name)
        if value is not None:
            details[name] = value
    if given.attributes:
        details["attributes"] = {**given.attributes}
    if given.contract is not None:
        details["contract"] = given.contract.model_dump(exclude_none=True)
    return Intent(kind="write", key=cause.key, who=given.who, text=given.note, thing=cause.name, details=details)


sections = {"accounts": Section(AccountEntry, _intent)}
