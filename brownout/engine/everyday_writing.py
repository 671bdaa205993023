"""Writes items of everyday life that nothing disturbs: many at once, with the rows that they would have left if lived."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from brownout.background.timeline import Item
from brownout.core.app_roles import HoldsCustomers, WritesApart, WritesMany
from brownout.core.apps import App, Intent
from brownout.core.instants import Instant
from brownout.core.rows import Rows
from brownout.engine.acting_call import ActingCall
from brownout.engine.simulation import Simulation

__all__ = ["named", "needed", "resolved", "write", "writer_of"]

_KEY = re.compile(r"\[\[(?:(\w+):)?([^\[\]:]*/[^\[\]:]*)(?::(\d+))?\]\]")
"""Keys are paths: a heading of TOML that somebody pastes, `[[tool.mypy.overrides]]`, is none."""


def writer_of(simulation: Simulation, item: Item) -> WritesMany | None:
    """Who writes such an item together with others; None where it can only be lived."""
    app = simulation.setting.apps.get(item.intent.via) if not item.is_heard else None
    return app.role(WritesMany) if app is not None else None


def write(
    simulation: Simulation, items: Sequence[Item], keys: Mapping[str, int], row_keys: Mapping[str, int] | None = None
) -> None:
    """Write items that nothing disturbs: the same rows as if each had been lived at its moment.

    Each app is given a batch; what an item names of another app, or goes on with there, is written before the item is taken.

    Args:
        keys: those reserved for the names of items, by the item's key; others come after all names that there are.
        row_keys: those of the rows that items add, where they were taken when these fell due; None where none were.
    """
    call = _call_at(simulation, items[0].at)
    batches = _Batches(simulation, row_keys)
    recorded, call.rows.record = call.rows.record, False
    try:
        for item in items:
            has_named = all(batches.path(key) or call.bound(key) is not None for key in named(item.intent))
            has_needed = (
                not item.needs or batches.path(item.needs, but=item.intent.via) or call.bound(item.needs) is not None
            )
            if has_named and has_needed:
                intent = resolved(
                    item.intent,
                    lambda key: batches.path(key) or call.bound(key),
                    call.rows,
                    simulation.setting.apps,
                )
                batches.add(item, intent)
        batches.close()
    finally:
        call.rows.record = recorded
    for item in items:
        if item.is_named and (path := batches.paths.get(item.intent.key)):
            call.bind(item.intent.key, path, key=keys.get(item.intent.key))


class _Batches:
    """What waits to be written, by app, and the paths of what was."""

    def __init__(self, simulation: Simulation, row_keys: Mapping[str, int] | None) -> None:
        self._simulation = simulation
        self._row_keys = row_keys
        self._waiting: dict[str, list[tuple[Instant, Intent]]] = {}
        self._in: dict[str, str] = {}
        self.paths: dict[str, str] = {}

    def add(self, item: Item, intent: Intent) -> None:
        """Take an item; the thing that it is about goes by its path once it has one."""
        thing = self.paths.get(intent.thing, intent.thing)
        self._waiting.setdefault(intent.via, []).append((item.at, replace(intent, thing=thing)))
        if item.is_named:
            self._in[intent.key] = intent.via

    def path(self, key: str, *, but: str = "") -> str:
        """What something is called that was made under a key; empty where nothing was, or may not be yet.

        Args:
            but: the app whose own batch need not be written for it: there it is enough that the thing will be.
        """
        app = self._in.get(key, "")
        if app and app == but:
            return key
        if app:
            self._flush(app)
        return self.paths.get(key, "")

    def close(self) -> None:
        """Write everything that waits."""
        for app in [*self._waiting]:
            self._flush(app)

    def _flush(self, app: str) -> None:
        deeds = self._waiting.pop(app, [])
        if not deeds:
            return
        made = self._written(self._simulation.setting.apps[app], deeds)
        for (_, intent), path in zip(deeds, made, strict=True):
            if self._in.pop(intent.key, ""):
                self.paths[intent.key] = path

    def _written(self, app: App, deeds: Sequence[tuple[Instant, Intent]]) -> Sequence[str]:
        apart = app.role(WritesApart)
        if apart is not None and apart.keys is not None and self._row_keys is not None:
            return apart.keys.write(partial(_call_at, self._simulation), deeds, self._row_keys)
        role = app.role(WritesMany)
        assert role is not None
        return role.write(partial(_call_at, self._simulation), deeds)


def _call_at(simulation: Simulation, at: Instant) -> ActingCall:
    call = simulation.acting(simulation.person(next(iter(simulation.setting.people))).account)
    call.now = at
    return call


def needed(item: Item) -> list[str]:
    """The keys without which there is nothing to do: of what it goes on with, and of what its texts name."""
    return [item.needs, *named(item.intent)] if item.needs else named(item.intent)


def named(intent: Intent) -> list[str]:
    """The keys that an intent's texts name."""
    if "[[" not in intent.text and "[[" not in intent.subject:
        return []
    return [*_keys_in(intent.subject, intent.text)]


@lru_cache(maxsize=2048)
def _keys_in(*texts: str) -> tuple[str, ...]:
    """The keys that texts name: every session that lives through an hour asks the same of them, and mails are long."""
    return tuple(found[2] for text in texts for found in _KEY.finditer(text))


def resolved(intent: Intent, bound: Callable[[str], str | None], rows: Rows, apps: Mapping[str, App]) -> Intent:
    """An intent whose `[[key]]`s are what was made under those keys, as its product calls it: `[[work/7/ida.0/0]]`, BOX-41.

    `[[key:7]]` is the first seven characters of it: how a commit is called in a sentence. `[[app:key]]` is what the register of
    customers of that name made of it: conversation 12.
    """
    details = {name: value for name, value in intent.details.items() if isinstance(value, str) and "[[" in value}
    if "[[" not in intent.text and "[[" not in intent.subject and not details:
        return intent

    def name(found: re.Match[str]) -> str:
        path = bound(found[2]) or found[2]
        if found[1]:
            register = apps[found[1]].role(HoldsCustomers)
            return (register.conversation(rows, path) if register else "") or "their mail"
        whole = path.rpartition("/")[2]
        return whole[: int(found[3])] if found[3] else whole

    return replace(
        intent,
        subject=_KEY.sub(name, intent.subject),
        text=_KEY.sub(name, intent.text),
        details={**intent.details, **{word: _KEY.sub(name, str(value)) for word, value in details.items()}},
    )
