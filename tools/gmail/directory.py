"""Who gets what is sent to an address: mailboxes, groups, and the addresses that nobody has."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.gmail import tables
from tools.gmail.addresses import Address, addresses_in, parse_addresses

__all__ = [
    "Deliveries",
    "Delivery",
    "Directory",
    "answered",
    "company_domain",
    "group_at",
    "group_named",
    "groups",
    "insiders",
    "lists",
    "mailbox_at",
    "mailbox_of",
    "members_of",
]

_mailbox, _group, _member = tables.mailbox, tables.group, tables.member

_OF = compile_query(select(_mailbox).where(_mailbox.c.person == bindparam("person")))
_AT = compile_query(select(_mailbox).where(_mailbox.c.email == bindparam("email")))
_INSIDERS = compile_query(select(_mailbox).where(_mailbox.c.is_outside == 0).order_by(_mailbox.c.id))
_OWN_DOMAIN = compile_query(
    select(_mailbox.c.id).where(_mailbox.c.domain == bindparam("domain"), _mailbox.c.is_outside == 0).limit(1)
)
_GROUP_AT = compile_query(select(_group).where(_group.c.email == bindparam("email")))
_GROUP_NAMED = compile_query(select(_group).where(_group.c.name == bindparam("name")))
_GROUPS = compile_query(select(_group).order_by(_group.c.id))
_MEMBERS = compile_query(
    select(_mailbox)
    .join(_member, _member.c.mailbox == _mailbox.c.id)
    .where(_member.c.group == bindparam("group"))
    .order_by(_mailbox.c.id)
)


@dataclass(frozen=True, slots=True)
class Delivery:
    """A mailbox that gets a message, and the group it came through, if it did not come directly."""

    mailbox: Row
    via: int | None = None


@dataclass(frozen=True, slots=True)
class Deliveries:
    """Where a message goes: mailboxes, each once, and addresses of the company's that do not exist."""

    to: tuple[Delivery, ...]
    unknown: tuple[Address, ...]


def mailbox_of(rows: Rows, person: str) -> Row | None:
    """The mailbox of somebody in the world, None for those who have no mail."""
    return rows.one(_OF, person=person)


def mailbox_at(rows: Rows, email: str) -> Row | None:
    """The mailbox of an address; `ida+lists@…` is `ida@…`."""
    found = rows.one(_AT, email=email.lower())
    local, at, domain = email.lower().rpartition("@")
    if found is None and "+" in local:
        found = rows.one(_AT, email=local.partition("+")[0] + at + domain)
    return found


def group_at(rows: Rows, email: str) -> Row | None:
    return rows.one(_GROUP_AT, email=email.lower())


def group_named(rows: Rows, name: str) -> Row | None:
    return rows.one(_GROUP_NAMED, name=name)


def groups(rows: Rows) -> list[Row]:
    """Every group, in the order they were made."""
    return rows.all(_GROUPS)


def members_of(rows: Rows, group: int) -> list[Row]:
    """The mailboxes that a group's mail goes to, in the order of their keys."""
    return rows.all(_MEMBERS, group=group)


def lists(rows: Rows) -> dict[str, tuple[str, ...]]:
    """Whom each group's mail goes to, by the group's name."""
    return {
        group.text("name"): tuple(one.text("person") for one in members_of(rows, group.number("id")))
        for group in groups(rows)
    }


def insiders(rows: Rows) -> list[Row]:
    """The company's own mailboxes, in the order they were made."""
    return rows.all(_INSIDERS)


def company_domain(rows: Rows) -> str:
    """The domain of the company's addresses, empty where nobody of it has mail."""
    found = rows.one(_INSIDERS)
    return found.text("domain") if found else ""


class Directory:
    """Who has which address, each looked up once; as long as nobody is given one or joins a group."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._at: dict[str, tuple[Row | None, Row | None]] = {}
        self._members: dict[int, list[Row]] = {}
        self._names: dict[str, str | None] = {}

    def with_name(self, address: Address) -> Address:
        """The address under the name its owner has, as it was written for those who are not in the directory."""
        if address.email not in self._names:
            known = self._rows.one(_AT, email=address.email)
            self._names[address.email] = known.text("name") if known else None
        name = self._names[address.email]
        return address if name is None else Address(address.email, name)

    def deliveries(self, addresses: Iterable[Address]) -> Deliveries:
        """Where a message to these addresses goes; who is addressed directly does not get it through a group too."""
        direct: dict[int, Delivery] = {}
        listed: dict[int, Delivery] = {}
        unknown: list[Address] = []
        for address in addresses:
            mailbox, group = self._found(address.email)
            if mailbox is not None:
                direct.setdefault(mailbox.number("id"), Delivery(mailbox))
            elif group is not None:
                for one in self._members_of(group.number("id")):
                    listed.setdefault(one.number("id"), Delivery(one, group.number("id")))
            elif self._rows.scalar(_OWN_DOMAIN, domain=address.domain) is not None:
                unknown.append(address)
        everyone = {**listed, **direct}
        return Deliveries(tuple(everyone[key] for key in sorted(everyone)), tuple(unknown))

    def _found(self, email: str) -> tuple[Row | None, Row | None]:
        if email not in self._at:
            self._at[email] = mailbox_at(self._rows, email), group_at(self._rows, email)
        return self._at[email]

    def _members_of(self, group: int) -> list[Row]:
        if group not in self._members:
            self._members[group] = members_of(self._rows, group)
        return self._members[group]


def answered(me: Row, message: Row, *, everyone: bool) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
    """To and cc of an answer to a message: its sender, or who it went to if I wrote it; with `everyone` all others too."""
    is_mine = message["author"] == me["id"]
    to = addresses_in(message.text("to"))
    first = to if is_mine else parse_addresses([message.text("sender")])
    if not everyone:
        return first, ()
    taken = {me.text("email"), *(address.email for address in first)}
    others = (*(() if is_mine else to), *addresses_in(message.text("cc")))
    return first, tuple(address for address in others if address.email not in taken)
