"""Customers: the register's accounts and the support inbox's conversations, read through HubSpot's own operations."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Final

from brownout.core.instants import local
from brownout.core.values import JsonObject
from studio.company.company_view import PersonView, ViewRefused
from studio.company.pane_content import (
    Block,
    Card,
    Link,
    PreviewQuestion,
    PreviewReading,
    ShownChange,
    ShownField,
    ShownLine,
    ShownLines,
    ShownName,
    ShownPlace,
    ShownTag,
    SurfaceName,
    TimelineEntry,
    Tone,
)
from studio.company.vendor_json import flag, instant, items, number, part, text

__all__ = ["Customers"]

_MOST = 100
_SOON_DAYS = 90
_CONVERSATION: Final = "conversation/"
_GROUPS: Mapping[str, str] = {"accounts": "Accounts", "inbox": "Support inbox"}
_PLACES: Mapping[str, tuple[str, str]] = {
    "accounts": ("All accounts", ""),
    "accounts/own": ("Looked after by them", "owner:me"),
    "accounts/watch": ("To be watched", "health:at-risk OR health:watch"),
    "accounts/ending": ("Contract ends soon", "renewal>={today} renewal<={soon}"),
    "inbox": ("All conversations", ""),
    "inbox/new": ("New and open", "status:new OR status:open"),
    "inbox/own": ("Assigned to them", "assignee:me -status:solved -status:closed"),
    "inbox/nobody": ("Assigned to nobody", "assignee:none -status:solved -status:closed"),
    "inbox/pending": ("Waiting for them", "status:pending"),
    "inbox/solved": ("Solved", "status:solved OR status:closed"),
}
"""What is looked at: its label, and the register's query that finds it."""
_HEALTH: Mapping[str, Tone] = {"good": "green", "watch": "orange", "at-risk": "red"}
_STATUS: Mapping[str, Tone] = {
    "new": "violet",
    "open": "blue",
    "pending": "orange",
    "snoozed": "gray",
    "solved": "green",
}
_PRIORITY: Mapping[str, Tone] = {"urgent": "red", "high": "orange"}
_MAY: Mapping[str, str] = {"contract": "decides the contract", "data": "decides about data"}


class Customers:
    """The register. Items are accounts by short name, and conversations as `conversation/12`."""

    name: SurfaceName = "customers"
    app = "customers"

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """Accounts by how they stand, then the conversations of the support inbox by what is to be done."""
        del eyes
        return [ShownPlace(place, label, _GROUPS[place.partition("/")[0]]) for place, (label, _) in _PLACES.items()]

    def lines(self, eyes: PersonView, asked: PreviewQuestion) -> ShownLines:
        """Accounts by name, or conversations, the latest first; a search is in the register's own language."""
        place = asked.place if asked.place in _PLACES else "accounts"
        today = _today(eyes)
        query = _PLACES[place][1].format(today=today, soon=today + timedelta(days=_SOON_DAYS))
        words = f"({query}) {asked.q}" if query and asked.q else query or asked.q
        most = min(asked.most, _MOST)
        if place.startswith("inbox"):
            page = eyes.ask("customers_list_conversations", query=words, limit=most, after=asked.cursor)
            return ShownLines(tuple(_conversation_line(eyes, one) for one in items(page, "results")), _next(page))
        page = eyes.ask("customers_search_accounts", query=words, limit=most, after=asked.cursor)
        return ShownLines(tuple(_account_line(eyes, one) for one in items(page, "results")), _next(page))

    def names(self, eyes: PersonView) -> list[ShownName]:
        """The names of its accounts."""
        return [
            ShownName("title", text(one, "name"), "customers", item=text(one, "short_name")) for one in _accounts(eyes)
        ]

    def reading(self, eyes: PersonView, item: str) -> PreviewReading:
        """An account with all that is known of it, or a conversation with all that was said."""
        if item.startswith(_CONVERSATION):
            return _conversation(eyes, item.removeprefix(_CONVERSATION))
        return _account(eyes, item)


def _places(kind: str) -> tuple[str, ...]:
    """All places of a kind, the one that has everything first."""
    return tuple(place for place in _PLACES if place.partition("/")[0] == kind)


def _accounts(eyes: PersonView) -> Iterator[JsonObject]:
    after = ""
    while True:
        page = eyes.ask("customers_search_accounts", limit=_MOST, after=after)
        yield from items(page, "results")
        after = _next(page)
        if not after:
            return


def _next(page: JsonObject) -> str:
    return text(page, "paging", "next", "after")


# -- accounts -----------------------------------------------------------------------------------------------


def _account_line(eyes: PersonView, account: JsonObject) -> ShownLine:
    sites = number(account, "sites")
    until = _day(text(account, "renewal"))
    plan = [text(account, "plan"), f"{sites} site{'s' if sites != 1 else ''}"]
    return ShownLine(
        id=text(account, "short_name"),
        at=0,
        who=text(account, "name"),
        title=", ".join(filter(None, plan)),
        text=eyes.viewing.name_of(text(account, "owner")),
        side=f"until {until}" if until else "",
        path=f"customers:{text(account, 'short_name')}",
        tags=(_health(account),),
    )


def _account(eyes: PersonView, item: str) -> PreviewReading:
    try:
        account = eyes.ask("customers_get_account", account=item)
    except ViewRefused as error:
        raise ViewRefused(f"Account {item} not found") from error
    short = text(account, "short_name")
    contacts = tuple(_contact(contact) for contact in items(account, "contacts"))
    versions = items(eyes.ask("customers_list_contract_versions", account=short), "results")
    notes = items(eyes.ask("customers_list_notes", account=short, limit=_MOST), "results")
    changes = items(eyes.ask("customers_list_account_changes", account=short, limit=_MOST), "results")
    talks = items(eyes.ask("customers_list_conversations", query=f"account:{short}", limit=_MOST), "results")
    held = eyes.ask("customers_get_contract", account=short) if versions else {}
    blocks = [Block(title="Contacts and what they may decide", cards=contacts)]
    if versions:
        cards = tuple(_version(eyes, version, number(held, "version")) for version in versions)
        blocks.append(Block(title="Contract", cards=cards))
    if notes:
        blocks.append(Block(title="Notes", entries=tuple(_note(eyes, note) for note in notes)))
    if talks:
        blocks.append(Block(title="Conversations", links=tuple(_talk(talk) for talk in talks)))
    if changes:
        blocks.append(Block(title="History", changes=tuple(_change(eyes, change) for change in changes)))
    return PreviewReading(
        id=short,
        kicker=f"Account · {short}",
        title=text(account, "name"),
        path=f"customers:{short}",
        tags=(_health(account), *(ShownTag(tag) for tag in _list(account, "tags"))),
        fields=tuple(ShownField(name, value) for name, value in _facts(eyes, account) if value),
        blocks=tuple(blocks),
        places=_places("accounts"),
    )


def _facts(eyes: PersonView, account: JsonObject) -> Iterator[tuple[str, str]]:
    today = _today(eyes)
    yield "Looked after by", eyes.viewing.name_of(text(account, "owner")) or "nobody"
    yield "Plan", text(account, "plan")
    yield "Sites", text(account, "sites")
    yield "Region", text(account, "region").upper()
    yield "Price a month", _money(account) if number(account, "monthly_cents") else ""
    yield "Contract until", _ahead(text(account, "renewal"), today)
    yield "Notice by", _ahead(text(account, "notice_by"), today)
    attributes = part(account, "attributes")
    for name in attributes:
        yield name.replace("_", " ").capitalize(), text(attributes, name)
    yield "Open conversations", text(account, "open_conversations")


def _contact(contact: JsonObject) -> Card:
    may = _list(contact, "may_decide")
    tags = [ShownTag(_MAY.get(what, f"decides {what}"), "blue") for what in may] or [ShownTag("decides nothing")]
    primary = (ShownTag("first contact", "violet"),) if flag(contact, "is_primary") else ()
    return Card(
        title=text(contact, "name"), about=text(contact, "role"), note=text(contact, "email"), tags=(*primary, *tags)
    )


def _version(eyes: PersonView, version: JsonObject, held: int) -> Card:
    which = number(version, "version")
    until, notice = _day(text(version, "until")), _day(text(version, "notice_by"))
    term = f"{_day(text(version, 'start'))} to {until}" if until else f"from {_day(text(version, 'start'))}, open-ended"
    days = number(version, "notice_days")
    made = _day(text(version, "at")[:10])
    by = eyes.viewing.name_of(text(version, "by"))
    fields = [
        ShownField("Term", term),
        ShownField("Price a month", _money(version)),
        ShownField("Notice", f"{days} days, by {notice}" if notice else f"{days} days"),
    ]
    return Card(
        title=f"Version {which}",
        tags=(ShownTag("holds", "green") if which == held else ShownTag("replaced"),),
        fields=tuple(fields),
        text=text(version, "terms"),
        note=f"{by}, {made}: {text(version, 'note')}".removesuffix(": ") if by else text(version, "note"),
        icon="contract",
        is_past=which != held,
    )


def _note(eyes: PersonView, note: JsonObject) -> TimelineEntry:
    by = text(note, "by")
    return TimelineEntry(eyes.viewing.name_of(by) or "On file", instant(note, "at"), text(note, "text"))


def _change(eyes: PersonView, change: JsonObject) -> ShownChange:
    who = eyes.viewing.name_of(text(change, "by"))
    return ShownChange(instant(change, "at"), who, text(change, "field"), text(change, "from"), text(change, "to"))


def _health(account: JsonObject) -> ShownTag:
    health = text(account, "health")
    return ShownTag(health.replace("-", " "), _HEALTH.get(health, "gray"))


# -- conversations ------------------------------------------------------------------------------------------


def _conversation_line(eyes: PersonView, talk: JsonObject) -> ShownLine:
    assignee = eyes.viewing.name_of(text(talk, "assignee"))
    return ShownLine(
        id=f"{_CONVERSATION}{number(talk, 'id')}",
        at=instant(talk, "updated_at"),
        who=text(talk, "contact", "name") or text(talk, "contact", "email"),
        title=text(talk, "subject"),
        text=assignee,
        path=f"customers:conversation/{number(talk, 'id')}",
        tags=_standing(talk),
        is_unread=text(talk, "status") == "new",
    )


def _conversation(eyes: PersonView, item: str) -> PreviewReading:
    try:
        talk = eyes.ask("customers_get_conversation", conversation=int(item) if item.isdigit() else 0)
    except ViewRefused as error:
        raise ViewRefused(f"Conversation {item} not found") from error
    said = tuple(_message(message) for message in items(talk, "messages"))
    notes = tuple(_note(eyes, note) for note in items(talk, "notes"))
    account = text(talk, "account")
    blocks = [Block(entries=said)]
    if notes:
        blocks.append(Block(title="Notes that only the company sees", entries=notes))
    name = text(eyes.ask("customers_get_account", account=account), "name") if account else "not in the register"
    return PreviewReading(
        id=f"{_CONVERSATION}{item}",
        kicker=f"Conversation {item} · by {text(talk, 'channel')} · {len(said)} message{'s' if len(said) != 1 else ''}",
        title=text(talk, "subject") or "(no subject)",
        path=f"customers:conversation/{item}",
        tags=(*_standing(talk), *(ShownTag(tag) for tag in _list(talk, "tags"))),
        fields=(
            ShownField("Customer", name),
            ShownField("With", text(talk, "contact", "name") or text(talk, "contact", "email")),
            ShownField("Assigned to", eyes.viewing.name_of(text(talk, "assignee")) or "nobody"),
        ),
        blocks=tuple(blocks),
        places=_places("inbox"),
        written=instant(talk, "created_at"),
    )


def _message(message: JsonObject) -> TimelineEntry:
    is_ours = text(message, "direction") == "OUTGOING"
    return TimelineEntry(
        who=text(message, "sender", "name") or text(message, "sender", "email"),
        at=instant(message, "at"),
        text=text(message, "text"),
        about=text(message, "sender", "email"),
        tags=(ShownTag("our answer", "blue"),) if is_ours else (),
    )


def _talk(talk: JsonObject) -> Link:
    key = number(talk, "id")
    when = _day(text(talk, "updated_at")[:10])
    return Link(when, "customers", f"{_CONVERSATION}{key}", text(talk, "subject") or f"#{key}", "", _standing(talk))


def _standing(talk: JsonObject) -> tuple[ShownTag, ...]:
    status, priority = text(talk, "status"), text(talk, "priority")
    urgent = (ShownTag(priority, _PRIORITY[priority]),) if priority in _PRIORITY else ()
    return (*urgent, ShownTag(status, _STATUS.get(status, "gray")))


# -- words --------------------------------------------------------------------------------------------------


def _today(eyes: PersonView) -> date:
    return local(eyes.viewing.now, eyes.viewing.package.manifest.zone).date()


def _list(value: JsonObject, name: str) -> list[str]:
    found = value.get(name)
    return [str(one) for one in found] if isinstance(found, list) else []


def _money(value: JsonObject) -> str:
    """Cents as the units of whatever is paid in."""
    return f"{number(value, 'monthly_cents') / 100:,.2f}"


def _day(text_of_day: str) -> str:
    """`30 Apr 2026`, of `2026-04-30`."""
    if not text_of_day:
        return ""
    day = date.fromisoformat(text_of_day)
    return f"{day.day} {day:%b %Y}"


def _ahead(text_of_day: str, today: date) -> str:
    """A day, and how far it is from today."""
    if not text_of_day:
        return ""
    days = (date.fromisoformat(text_of_day) - today).days
    size = f"{abs(days)} day{'s' if abs(days) != 1 else ''}" if abs(days) <= _SOON_DAYS else f"{abs(days) // 30} months"
    return f"{_day(text_of_day)}, " + ("today" if days == 0 else f"in {size}" if days > 0 else f"{size} ago")
