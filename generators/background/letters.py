"""Who sends letters and notifications of everyday life: accounts outside, and the tracker's own."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from brownout.background.life import Cards, Letter
from brownout.core.calls import Account
from brownout.core.roles import KeepsRepositories
from generators.data_files import data_path, read_data
from worlds.spec import WorldSpec
from worlds.spec.apps import app_for, app_with, installed_apps

__all__ = ["everyday_bots", "everyday_cards", "everyday_senders", "read_letters", "tracker_sender"]


@cache
def read_letters() -> tuple[Letter, ...]:
    """The shipped senders with what they write."""
    return read_data(data_path("packs", "machines", "letters.yaml"), tuple[Letter, ...])


@cache
def read_cards() -> Cards:
    """What machines say about the work of people."""
    return read_data(data_path("packs", "machines", "cards.yaml"), Cards)


def everyday_cards(spec: WorldSpec, rooms: frozenset[str]) -> Cards | None:
    """The same with the rooms that a company can have: those of no name of its own; None where machines are silent."""
    if "standup" not in everyday_bots(spec):
        return None
    cards = read_cards()
    free = {told: room for told, room in cards.rooms.items() if room.name not in rooms}
    return cards.model_copy(update={"rooms": free})


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
    for letter in read_letters():
        yield Account(letter.short, letter.name, letter.email, "outsider", "", zone)
    if tracker := tracker_sender(spec):
        title = next(installed_apps([app_for("opens", spec.world.apps)])).title
        yield Account(tracker, title, f"{tracker}@{domain}", "system", "", zone)
