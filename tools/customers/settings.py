"""What an author declares: seats, the inbox, and the customers with their contacts and contracts."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.errors import AuthoringError, Mistake
from brownout.core.instants import DAY
from brownout.core.rows import Row
from brownout.core.values import JsonObject
from brownout.core.vocabulary import near
from tools.customers import lookups, records
from tools.customers.records import Terms
from tools.customers.search import ACCOUNT_FIELDS
from tools.customers.selectors import ACCOUNT_NAMES
from worlds.expressions import parse_duration
from worlds.spec.field_types import Attribute, Whole

__all__ = [
    "ContactSettings",
    "ContractSettings",
    "CustomerSettings",
    "CustomersSettings",
    "DeclaredSettings",
    "open_account",
    "prepare",
]


class _CustomersText(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


AttributeName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]*$", max_length=60)]
AttributeType = Literal["text", "number", "date"] | list[str]
"""A type, or the choices that there are."""


class ContactSettings(_CustomersText):
    """Somebody who works for a customer."""

    name: str
    email: str
    role: str = ""
    may: list[str] = []
    short: str | None = Field(default=None, alias="as")
    voice: str | None = None


class ContractSettings(_CustomersText):
    """What was agreed before the calendar begins; `notice` is a duration."""

    start: str
    until: str = ""
    notice: str | None = None
    monthly: Whole = 0
    terms: str = ""

    @property
    def terms_of(self) -> Terms:
        """The first version of a contract."""
        return Terms(self.start, self.until, notice_days(self.notice), self.monthly, self.terms)


class CustomerSettings(_CustomersText):
    """A customer of customers.yaml."""

    name: str
    contact: str
    email: str
    voice: str = "plain"
    plan: str = ""
    sites: Whole = 1
    region: str = ""
    owner: str | None = None
    health: str = "good"
    contract: ContractSettings | None = None
    contacts: list[ContactSettings] = []
    notes: list[str] = []
    tags: list[str] = []
    attributes: dict[str, Attribute] = {}

    @field_validator("region", "plan", mode="before")
    @classmethod
    def _text(cls, value: object) -> object:
        return "" if value is None else value


class DeclaredSettings(_CustomersText):
    """The world's `apps: customers:` section."""

    inboxes: list[str] = Field(default=["support"], description="The groups whose mail becomes conversations.")
    attributes: dict[AttributeName, AttributeType] = Field(
        default={}, description="What accounts have beside the usual fields: text, number, date, or [the choices]."
    )

    @field_validator("attributes")
    @classmethod
    def _are_new(cls, value: dict[str, AttributeType]) -> dict[str, AttributeType]:
        if taken := sorted({*value} & {*ACCOUNT_FIELDS, *ACCOUNT_NAMES}):
            raise ValueError(f"accounts have {', '.join(taken)} already")
        return value


class CustomersSettings(DeclaredSettings):
    """That section, and the world's customers."""

    customers: dict[str, CustomerSettings] = {}


def notice_days(text: str | None) -> int:
    """Whole days of a notice period."""
    return parse_duration(text) // DAY if text else 0


def open_account(call: Call, account: Account) -> None:
    """A seat for everybody who works here."""
    if account.kind in ("person", "agent"):
        records.add_user(call, account)


def prepare(call: Call, settings: JsonObject) -> None:
    """Fill the register as it is on the calendar's first day."""
    wanted = CustomersSettings.model_validate(settings)
    for name in wanted.inboxes:
        records.add_inbox(call, name)
    for name, kind in wanted.attributes.items():
        choices = kind if isinstance(kind, list) else []
        records.add_attribute(call, name, "choice" if isinstance(kind, list) else kind, choices)
    mistakes: list[Mistake] = []
    for short, customer in wanted.customers.items():
        made = _add(call, short, customer)
        mistakes += _set_values(call, made, customer)
    if mistakes:
        raise AuthoringError(mistakes)


def _set_values(call: Call, account: Row, customer: CustomerSettings) -> Iterator[Mistake]:
    for name, value in customer.attributes.items():
        place = f"{account.text('short')}.attributes.{name}"
        attribute = lookups.attribute_called(call.rows, name)
        if attribute is None:
            known = near(name, [row.text("name") for row in lookups.attributes(call.rows)])
            yield Mistake("customers.yaml", 0, f"{place}: apps.customers.attributes has no {name!r}{known}")
            continue
        text = records.normal(attribute, str(value))
        if text is None:
            yield Mistake("customers.yaml", 0, f"{place}: expected {records.expected(attribute)}, found {value!r}")
            continue
        records.set_value(call, account, attribute, text, who="")


def _add(call: Call, short: str, customer: CustomerSettings) -> Row:
    made = records.add_account(
        call,
        short,
        customer.name,
        plan=customer.plan,
        sites=customer.sites,
        region=customer.region,
        owner=customer.owner or "",
        health=customer.health,
    )
    listed = {contact.email.lower(): contact for contact in customer.contacts}
    usual = ContactSettings(name=customer.contact, email=customer.email, may=["contract", "data", "settings"])
    first = listed.pop(customer.email.lower(), usual)
    for contact, person in ((first, short), *((each, each.short or "") for each in listed.values())):
        records.add_contact(
            call,
            made,
            contact.name,
            contact.email,
            role=contact.role,
            may=[what for what in contact.may if what != "none"],
            person=person,
            is_primary=contact is first,
        )
    if customer.contract is not None:
        records.make_contract(call, made, customer.contract.terms_of, who="")
    for text in customer.notes:
        records.add_note(call, text, who=customer.owner or "", account=made)
    records.set_tags(call, made, add=customer.tags, remove=[])
    return made
