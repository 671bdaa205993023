"""Everyday life goes on beside the schedule: items that nothing disturbs are written as they are, others are lived.

The source's whole state is a cursor. An item is the act of its author: refused while an outage holds it, dropped where what
it goes on with or names never came about. With an agent in the company, what it could be told of is lived at its moment; of the rest only
that it happened is noted then, and it waits to be written until somebody looks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from brownout.background.timeline import Cursor, Item, Timeline
from brownout.core.app_roles import Foreseen, WritesMany
from brownout.core.apps import App, VendorError
from brownout.core.instants import Instant
from brownout.core.trajectory import WorldEvent
from brownout.core.values import digest_of
from brownout.engine.acting_call import ActingCall
from brownout.engine.deferred_writes import Waiting
from brownout.engine.everyday_writing import needed, resolved, write, writer_of
from brownout.engine.simulation import Simulation
from brownout.store import StoreRows

__all__ = ["Everyday"]


@dataclass(frozen=True, slots=True)
class _Outlook:
    """What an item that waits will write, as far as its app foresees that."""

    foreseen: Foreseen | None


class Everyday:
    """The everyday life of one simulation."""

    def __init__(self, days: Timeline, simulation: Simulation) -> None:
        self._days = days
        self._simulation = simulation
        self._waiting = Waiting(simulation)
        self._not_before: Instant = 0
        self._bound: set[str] = set()
        self._writers: dict[str, WritesMany | None] = {}
        self._agents = frozenset(
            name for name, profile in simulation.setting.people.items() if profile.account.kind == "agent"
        )

    def go_on(self, until: Instant) -> bool:
        """Carry out what everyday life has next up to a moment: all of it, or up to the first item that somebody may notice.

        Returns:
            Whether there was any.
        """
        if until < self._not_before:
            return False
        simulation = self._simulation
        cursor = Cursor(*simulation.state.everyday) if simulation.state.everyday else None
        items, self._not_before = self._days.stretch(cursor, until)
        if not items:
            return False
        if simulation.contains or simulation.state.active:
            self._go_on_watched(items)
        else:
            self._go_on_alone(items)
        return True

    def settle(self) -> None:
        """Write what waits, for somebody who looks at the rows otherwise than through the simulation."""
        self._waiting.settle()

    def _go_on_alone(self, items: Sequence[Item]) -> None:
        """Nobody could tell a difference: everything that can be is written together."""
        simulation = self._simulation
        for is_written, alike in groupby(items, key=lambda item: writer_of(simulation, item) is not None):
            stretch = [*alike]
            if is_written:
                _take(simulation, stretch[-1])
                write(simulation, stretch, {})
                continue
            for item in stretch:
                _take(simulation, item)
                _live(simulation, item)

    def _go_on_watched(self, items: Sequence[Item]) -> None:
        """Let items wait up to the first one that is to be lived, and live that."""
        simulation = self._simulation
        if simulation.state.active:
            self._waiting.settle()
        to_live = self._first_to_live(items)
        if to_live is not None:
            with simulation.contained(to_live.intent.key):
                _live(simulation, to_live)

    def _first_to_live(self, items: Sequence[Item]) -> Item | None:
        """Let items wait up to the first one that cannot; that one, None where all can."""
        simulation = self._simulation
        rows = simulation.rows()
        rows.late = None  # what is asked here is not about what waits
        not_before, self._not_before = self._not_before, 0
        try:
            with simulation.contained("everyday life"):
                for item in items:
                    _take(simulation, item)
                    if not self._wait(rows, item):
                        return item
                self._not_before = not_before
        finally:
            self._waiting.be_told(rows)
        return None

    def _wait(self, rows: StoreRows, item: Item) -> bool:
        """Let an item wait, or leave it out where what it names never came about; False where it is to be lived now."""
        simulation, intent = self._simulation, item.intent
        role = self._writer_of(item)
        if role is None or simulation.state.active:
            return False
        call = ActingCall(
            simulation.setting, rows, simulation.person(intent.who).account, simulation.state.now, simulation.view
        )
        if not all(self._is_known(call, key) for key in needed(item)):
            return True
        if intent.kind not in simulation.setting.apps[intent.via].intents:
            return True
        outlook = rows.remembered(("everyday", intent.key, call.now), lambda: self._outlook(role, call, item))
        if outlook is None:
            return False
        simulation.state.chain = digest_of(simulation.state.chain, intent.key)
        _note(simulation, item, "")
        self._waiting.add(rows, item, outlook.foreseen)
        return True

    def _outlook(self, role: WritesMany, call: ActingCall, item: Item) -> "_Outlook | None":
        """What an item will write if it waits; None where it may not."""
        if not _is_silent(self._simulation, item) and role.concerns(call, item.intent, self._agents):
            return None
        apart = self._waiting.apart(item.intent.via)
        foreseen = apart.foresee(call, item.intent) if apart is not None else None
        return None if apart is not None and foreseen is None else _Outlook(foreseen)

    def _writer_of(self, item: Item) -> WritesMany | None:
        """Who writes such an item later; None where it can only be lived."""
        if item.is_heard:
            return None
        via = item.intent.via
        if via not in self._writers:
            self._writers[via] = writer_of(self._simulation, item)
        return self._writers[via]

    def _is_known(self, call: ActingCall, key: str) -> bool:
        """Whether something was made under a key, or waits to be; what once had a name keeps it."""
        if key in self._waiting or key in self._bound:
            return True
        if call.bound(key) is None:
            return False
        self._bound.add(key)
        return True


def _take(simulation: Simulation, item: Item) -> None:
    simulation.state.now = max(simulation.state.now, item.at)
    simulation.state.everyday = (item.at, item.order)


def _live(simulation: Simulation, item: Item) -> None:
    """Do an item as its author's act, as far as the outages that hold now let it."""
    intent = item.intent
    app = simulation.setting.apps.get(intent.via)
    if app is None or intent.kind not in app.intents:
        return
    call = simulation.acting(simulation.person(intent.who).account)
    if any(call.bound(key) is None for key in needed(item)):
        return
    intent = resolved(intent, call.bound, call.rows, simulation.setting.apps)
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


def _is_silent(simulation: Simulation, item: Item) -> bool:
    """Whether nobody heeds it: a machine's, that no other product takes in."""
    return simulation.setting.people[item.intent.who].account.kind != "person" and not item.is_heard


def _note(simulation: Simulation, item: Item, path: str) -> None:
    intent, at = item.intent, simulation.state.now
    simulation.log(
        lambda seq: WorldEvent(
            seq=seq,
            at=at,
            key=intent.key,
            who=intent.who,
            act=intent.kind,
            app=intent.via,
            outcome="done",
            path=path,
            facts=(),
            effects=(),
            state=simulation.state.chain,
        )
    )


def _tell(
    simulation: Simulation, app: App, call: ActingCall, item: Item, path: str, *, held_until: Instant | None
) -> None:
    """Note it, and let the agent know where the product would; coworkers answer nothing of it, and nobody heeds machines."""
    effects = simulation.settle_effects(call.rows)
    people = simulation.setting.people
    is_silent = _is_silent(simulation, item)
    if not is_silent:
        simulation.spread(app, call.actor, effects, held_until=held_until)
    if simulation.contains:
        _note(simulation, item, path)
    meant = [one for one in call.attention if people[one.person].account.kind == "agent" and not is_silent]
    simulation.deliver(meant, held_until=held_until)
