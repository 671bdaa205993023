"""Who sends letters and notifications of everyday life: accounts outside, and the tracker's own."""

from collections.abc import Iterator
from functools import cache

from brownout.background.life import Letter
from brownout.core.calls import Account
from generators.data_files import data_path, read_data
from worlds.spec import WorldSpec
from worlds.spec.apps import app_for, installed_apps

__all__ = ["everyday_senders", "read_letters", "tracker_sender"]


@cache
def read_letters() -> tuple[Letter, ...]:
    """The shipped senders with what they write."""
    return read_data(data_path("packs", "machines", "letters.yaml"), tuple[Letter, ...])


def tracker_sender(spec: WorldSpec) -> str:
    """The account that mails about tickets come from; empty where there is no tracker."""
    tracker = app_for("opens", spec.world.apps)
    return f"{tracker}-mail" if tracker else ""


def everyday_senders(spec: WorldSpec) -> Iterator[Account]:
    """Their accounts."""
    zone, domain = spec.world.clock.zone, spec.world.company.domain
    if not app_for("mails", spec.world.apps):
        return
    for letter in read_letters():
        yield Account(letter.short, letter.name, letter.email, "outsider", "", zone)
    if tracker := tracker_sender(spec):
        title = next(installed_apps([app_for("opens", spec.world.apps)])).title
        yield Account(tracker, title, f"{tracker}@{domain}", "system", "", zone)
