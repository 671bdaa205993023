"""The names of a running company, for whoever reads what was said in it."""

from brownout.core.entities import Entities, EntityReference
from brownout.core.instants import Instant, local
from brownout.core.rows import Rows
from brownout.engine.simulation_setting import Setting

__all__ = ["entities_of"]


def entities_of(setting: Setting, rows: Rows, now: Instant) -> Entities:
    """What the names in a text stand for at that moment."""
    accounts = {name: person.account for name, person in setting.people.items()}
    people = {
        name: tuple(filter(None, (account.name, account.email)))
        for name, account in accounts.items()
        if account.kind == "person"
        or (account.kind == "outsider" and account.role)  # a sender of newsletters is nobody
    }
    outsiders = frozenset(name for name, account in accounts.items() if account.kind == "outsider")
    needs = (need for service in setting.services.values() for need in service.needs.values())
    parts = [*setting.services, *(part for need in needs for part in (need.on, *need.can_be))]

    def references(text: str) -> list[EntityReference]:
        return [
            each for app in setting.apps.values() if app.references is not None for each in app.references(rows, text)
        ]

    today = local(now, setting.zone).date()
    return Entities(people, dict.fromkeys(parts, ()), references, today, setting.zone, outsiders)
