"""Everyday life goes on beside the schedule: items that nothing disturbs are written as they are, others are lived.

The source's whole state is a cursor. An item is the act of its author: refused while an outage holds it, dropped where what
it goes on with or names never came about.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from brownout.background.days import Cursor, Days, Item
from brownout.core.apps import App, Intent, VendorError
from brownout.core.instants import Instant
from brownout.core.roles import HoldsCustomers, WritesMany
from brownout.core.rows import Rows
from brownout.core.trajectory import WorldEvent
from brownout.engine.context import ActingCall
from brownout.engine.simulation import Simulation

__all__ = ["go_on"]

_KEY = re.compile(r"\[\[(?:(\w+):)?([^\[\]:]*/[^\[\]:]*)(?::(\d+))?\]\]")
"""Keys are paths: a heading of TOML that somebody pastes, `[[tool.mypy.overrides]]`, is none."""


def go_on(simulation: Simulation, days: Days, until: Instant) -> bool:
    """Carry out what everyday life has next up to a moment: an item, or all of them where nothing disturbs them.

    Returns:
        Whether there was any.
    """
    cursor = Cursor(*simulation.state.everyday) if simulation.state.everyday else None
    if simulation.contains or simulation.state.active:
        item = days.after(cursor, until)
        if item is None:
            return False
        _take(simulation, item)
        with simulation.contained(item.intent.key):
            _live(simulation, item)
        return True
    items = [*days.between(cursor, until)]
    for _, alike in groupby(items, key=lambda item: _writer(simulation, item) is not None):
        stretch = [*alike]
        if _writer(simulation, stretch[0]) is not None:
            _take(simulation, stretch[-1])
            _write(simulation, stretch)
            continue
        for item in stretch:
            _take(simulation, item)
            _live(simulation, item)
    return bool(items)


def _take(simulation: Simulation, item: Item) -> None:
    simulation.state.now = max(simulation.state.now, item.at)
    simulation.state.everyday = (item.at, item.order)


def _writer(simulation: Simulation, item: Item) -> WritesMany | None:
    """Who writes such an item together with others; None where it can only be lived."""
    app = simulation.setting.apps.get(item.intent.via) if not item.is_heard else None
    return app.role(WritesMany) if app is not None else None


def _write(simulation: Simulation, items: Sequence[Item]) -> None:
    """Write items that nothing disturbs: the same rows as if each had been lived at its moment.

    Each app is given a batch; what an item names of another app, or goes on with there, is written before the item is taken.
    """
    call = _call_at(simulation, items[0].at)
    batches = _Batches(simulation)
    recorded, call.rows.record = call.rows.record, False
    try:
        for item in items:
            named = all(batches.path(key) or call.bound(key) is not None for key in _named(item.intent))
            needs = (
                not item.needs or batches.path(item.needs, but=item.intent.via) or call.bound(item.needs) is not None
            )
            if named and needs:
                intent = _resolved(
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
            call.bind(item.intent.key, path)


class _Batches:
    """What waits to be written, by app, and the paths of what was."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
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
        role = self._simulation.setting.apps[app].role(WritesMany)
        assert role is not None
        made = role.write(partial(_call_at, self._simulation), deeds)
        for (_, intent), path in zip(deeds, made, strict=True):
            if self._in.pop(intent.key, ""):
                self.paths[intent.key] = path


def _call_at(simulation: Simulation, at: Instant) -> ActingCall:
    call = simulation.acting(simulation.person(next(iter(simulation.setting.people))).account)
    call.now = at
    return call


def _live(simulation: Simulation, item: Item) -> None:
    """Do an item as its author's act, as far as the outages that hold now let it."""
    intent = item.intent
    app = simulation.setting.apps.get(intent.via)
    if app is None or intent.kind not in app.intents:
        return
    call = simulation.acting(simulation.person(intent.who).account)
    if any(call.bound(key) is None for key in _needed(item)):
        return
    intent = _resolved(intent, call.bound, call.rows, simulation.setting.apps)
    fault = simulation.fault_for(app, f"{app.name}_{intent.kind}", intent.who, writes=True, key=intent.key)
    if fault is not None and (fault.refusal is not None or fault.loses_answer):
        return
    try:
        with call.rows.savepoint():
            path = app.intents[intent.kind](call, intent)
    except (VendorError, LookupError):
        return
    assert isinstance(path, str), intent.key
    if item.is_named:
        call.bind(intent.key, path)
    _tell(simulation, app, call, item, path, held_until=fault.held_until if fault else None)


def _needed(item: Item) -> list[str]:
    """The keys without which there is nothing to do: of what it goes on with, and of what its texts name."""
    return [item.needs, *_named(item.intent)] if item.needs else _named(item.intent)


def _named(intent: Intent) -> list[str]:
    """The keys that an intent's texts name."""
    text = f"{intent.subject} {intent.text}"
    return [found[2] for found in _KEY.finditer(text)] if "[[" in text else []


def _resolved(intent: Intent, bound: Callable[[str], str | None], rows: Rows, apps: Mapping[str, App]) -> Intent:
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


def _tell(
    simulation: Simulation, app: App, call: ActingCall, item: Item, path: str, *, held_until: Instant | None
) -> None:
    """Note it, and let the agent know where the product would; coworkers answer nothing of it, and nobody heeds machines."""
    effects = simulation.settle_effects(call.rows)
    people = simulation.setting.people
    is_silent = people[item.intent.who].account.kind != "person" and not item.is_heard
    if not is_silent:
        simulation.spread(app, call.actor, effects, held_until=held_until)
    if simulation.contains:
        intent, at = item.intent, simulation.state.now
        simulation.log(
            lambda seq: WorldEvent(
                seq=seq,
                at=at,
                key=intent.key,
                who=intent.who,
                act=intent.kind,
                app=app.name,
                outcome="done",
                path=path,
                facts=(),
                effects=(),
                state=simulation.state.chain,
            )
        )
    meant = [one for one in call.attention if people[one.person].account.kind == "agent" and not is_silent]
    simulation.deliver(meant, held_until=held_until)
