"""Who outside writes in everyday life: senders of letters, the tracker, partners that the company deals with, customers."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

import orjson

from brownout.background.life_sources import Cards, Correspondent, Letter
from brownout.background.packs import MailManners
from brownout.core.app_roles import KeepsCalendars, KeepsRepositories
from brownout.core.calls import Account
from brownout.core.seeds import Stream
from generators.data_files import data_path, read_data
from worlds.spec import WorldSpec
from worlds.spec.apps import app_for, app_with, installed_apps

__all__ = [
    "calendar_sender",
    "everyday_bots",
    "everyday_cards",
    "everyday_outsiders",
    "everyday_senders",
    "named_by_storylines",
    "read_letters",
    "read_mail_manners",
    "tracker_sender",
]

_DEALT_WITH: Final = 11
"""So many of the partners a company has."""


@cache
def read_letters() -> tuple[Letter, ...]:
    """The shipped senders with what they write."""
    return read_data(data_path("packs", "machines", "letters.yaml"), tuple[Letter, ...])


@cache
def read_cards() -> Cards:
    """What machines say about the work of people."""
    return read_data(data_path("packs", "machines", "cards.yaml"), Cards)


def everyday_cards(spec: WorldSpec, rooms: frozenset[str]) -> Cards | None:
    """The same with the rooms that a company can have: those of no name of its own; None where machines are silent.

    Nobody is asked in the morning where no tickets are worked on, for nobody would answer.
    """
    if "standup" not in everyday_bots(spec):
        return None
    cards = read_cards()
    works = bool(spec.world.background.permille("work"))
    free = {told: room for told, room in cards.rooms.items() if room.name not in rooms and (works or told != "standup")}
    return cards.model_copy(update={"rooms": free})


@cache
def read_mail_manners() -> MailManners:
    """How mails begin and end."""
    return read_data(data_path("packs", "mail", "manners.yaml"), MailManners)


@cache
def _partners() -> tuple[Correspondent, ...]:
    return read_data(data_path("packs", "mail", "partners.yaml"), tuple[Correspondent, ...])


def calendar_sender(spec: WorldSpec) -> str:
    """The account that mails about meetings come from; empty where nobody keeps a calendar."""
    calendar = app_with(KeepsCalendars, spec.world.apps)
    return f"{calendar}-mail" if calendar else ""


def everyday_outsiders(spec: WorldSpec) -> Iterator[Correspondent]:
    """With whom a company exchanges mails: some of the partners, and the customers that no storyline, task or outage names."""
    stream = Stream(spec.world.generation.seed, "partners")
    drawn = {one.short for one in stream.shuffled(_partners())[:_DEALT_WITH]}
    yield from (one for one in _partners() if one.short in drawn)
    cast = _named(spec)
    for short, customer in spec.customers.items():
        people = [(short, customer.contact, customer.email, "")]
        people += [(one.short, one.name, one.email, one.role) for one in customer.contacts if one.short]
        if not cast & {customer.name.lower(), *(word.lower() for person in people for word in person[:3])}:
            for who, name, email, role in people:
                yield Correspondent(short=who, name=name, email=email, firm=customer.name, deals="customer", role=role)


def _named(spec: WorldSpec) -> frozenset[str]:
    """Names and addresses of customers that stand in storylines, tasks, outages or oracles, in lower case."""
    outages = orjson.dumps([part.model_dump(mode="json") for part in spec.outages.values()]).decode().lower()
    text = f"{_told(spec)} {outages}"
    return frozenset(
        word.lower()
        for short, customer in spec.customers.items()
        for word in (
            short, customer.name, customer.contact, customer.email,
            *(known for one in customer.contacts for known in (one.short or one.name, one.name, one.email)),
        )
        if _stands_in(orjson.dumps(word.lower()).decode()[1:-1], text)
    )  # fmt: skip


def named_by_storylines(spec: WorldSpec, words: Iterable[str]) -> frozenset[str]:
    """Those of the words that stand in storylines, tasks or oracles."""
    text = _told(spec)
    return frozenset(word for word in words if _stands_in(word.lower(), text))


def _told(spec: WorldSpec) -> str:
    """Storylines, tasks and oracles as one text, in lower case."""
    documents = [part.model_dump(mode="json") for part in (*spec.storylines.values(), *spec.tasks.values())]
    documents += [step.model_dump(mode="json") for steps in spec.oracles.values() for step in steps]
    return orjson.dumps(documents).decode().lower()


_GOES_ON: Final = re.compile(r"[\w-]")


def _stands_in(word: str, text: str) -> bool:
    """Whether a text has a word that goes on neither before nor behind; most are not there at all, which is told quickly."""
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not (_GOES_ON.fullmatch(text[max(place - 1, 0) : place]) or _GOES_ON.fullmatch(text[end : end + 1])):
            return True
        place = text.find(word, place + 1)
    return False


def tracker_sender(spec: WorldSpec) -> str:
    """The account that mails about tickets come from; empty where there is no tracker."""
    tracker = app_for("opens", spec.world.apps)
    return f"{tracker}-mail" if tracker else ""


def everyday_bots(spec: WorldSpec) -> dict[str, str]:
    """The accounts of machines that work beside people, by what they do; none where machines are silent."""
    if not spec.world.background.permille("machines"):
        return {}
    found: dict[str, str] = {}
    if keeper := app_with(KeepsRepositories, spec.world.apps):
        found |= {"pins": "pin-updates", "builds": "builds", "keeper": f"{keeper}-mail"}
    if app_for("opens", spec.world.apps):
        found["automation"] = "automation"
    if app_for("talks", spec.world.apps):
        found["standup"] = "standup"
        if spec.services:
            found["watch"] = "monitoring"
    return found


_SHOWN: Final = {"pins": "Pin updates", "builds": "Builds", "automation": "Automation", "standup": "Standup"}


def everyday_senders(spec: WorldSpec) -> Iterator[Account]:
    """Their accounts."""
    zone, domain = spec.world.clock.zone, spec.world.company.domain
    bots = everyday_bots(spec)
    for does, shown in _SHOWN.items():
        if does in bots:
            yield Account(bots[does], shown, f"{bots[does]}@{domain}", "system", "", zone)
    if not app_for("mails", spec.world.apps):
        return
    if "keeper" in bots:
        title = next(installed_apps([app_with(KeepsRepositories, spec.world.apps)])).title
        yield Account(bots["keeper"], title, f"{bots['keeper']}@{domain}", "system", "", zone)
    if spec.world.background.permille("people"):
        for one in _partners():
            yield Account(one.short, one.name, one.email, "outsider", f"{one.role}, {one.firm}", zone)
    if not spec.world.background.permille("machines"):
        return
    for letter in read_letters():
        yield Account(letter.short, letter.name, letter.email, "outsider", "", zone)
    if calendar := calendar_sender(spec):
        title = next(installed_apps([app_with(KeepsCalendars, spec.world.apps)])).title
        yield Account(calendar, title, f"{calendar}@{domain}", "system", "", zone)
    if tracker := tracker_sender(spec):
        title = next(installed_apps([app_for("opens", spec.world.apps)])).title
        yield Account(tracker, title, f"{tracker}@{domain}", "system", "", zone)
