"""The company at any moment of its calendar, looked at through its apps as one of its people.

History is run, not stored: from the first day, without an agent, to the moment asked for. What is shown for a
time is therefore what a session that did nothing would have come to.
"""

from contextlib import suppress
from dataclasses import dataclass

from pydantic import ValidationError

from brownout.core.apps import Outside
from brownout.core.errors import StoreError
from brownout.core.instants import DAY, Instant
from brownout.core.trajectory import Event
from brownout.core.values import Json, JsonObject
from brownout.engine.company import company
from brownout.engine.context import ActingCall
from brownout.engine.simulation import Simulation
from brownout.engine.stage import Stage
from brownout.engine.state import State, load_state, save_state
from brownout.store import Base, Pool, Rows, StoreSession

__all__ = ["Preview"]

_KEPT = 40
"""Snapshots kept, about one for each day of the calendar that was passed."""


@dataclass(frozen=True, slots=True)
class _Snapshot:
    at: Instant
    store: StoreSession
    state: State
    events: int


class Preview:
    """A company that can be moved to any moment. It has one position at a time; use one for each viewer.

    Attributes:
        events: what has happened up to the furthest moment that was looked at, in order.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._base = Base(stage.package.origin)
        self._pool = Pool(self._base, hot=3)
        self._store = self._pool.open()
        state = load_state(self._store.rows)
        if state is None:
            raise StoreError(f"{stage.package.origin} has no starting state; build the world again")
        self.events: list[Event] = []
        self._simulation = self._live(self._store, state)
        self._simulation.advance(stage.package.manifest.calendar[0])
        self._snapshots: list[_Snapshot] = [self._snapshot()]

    def _live(self, store: StoreSession, state: State) -> Simulation:
        proofs = self._stage.proofs
        return company(
            self._stage.setting,
            lambda: store.rows,
            state,
            self._note,
            plan=self._stage.plan,
            proves=lambda service, commit, test: proofs.proves(lambda: store.rows, service, commit, test),
        )

    def _note(self, event: Event) -> None:
        if event.seq == len(self.events):
            self.events.append(event)

    @property
    def now(self) -> Instant:
        """The moment that is shown."""
        return self._simulation.state.now

    @property
    def rows(self) -> Rows:
        """The world's tables at that moment; valid until the next move."""
        return self._store.rows

    def go(self, at: Instant) -> None:
        """Show the company at that moment; one outside the calendar is brought to its nearest end."""
        first, last = self._stage.package.manifest.calendar
        at = min(max(at, first), last)
        if at < self.now:
            found = max((s for s in self._snapshots if s.at <= at), key=lambda s: s.at)
            self._store.close()
            self._store = found.store.fork()
            self._simulation = self._live(self._store, found.state.copy())
        while self.now < at:
            nearest = max(s.at for s in self._snapshots)
            step = min(at, max(self.now, nearest) + DAY)
            self._simulation.advance(step)
            if step - nearest >= DAY:
                self._keep(self._snapshot())

    def _keep(self, snapshot: _Snapshot) -> None:
        """Keep one more; where there are too many, every other one goes, so that all of the calendar stays in reach."""
        self._snapshots.append(snapshot)
        if len(self._snapshots) > _KEPT:
            for thinned in self._snapshots[1:-1:2]:
                thinned.store.close()
            self._snapshots = [*self._snapshots[:-1:2], self._snapshots[-1]]

    def _snapshot(self) -> _Snapshot:
        state = self._simulation.state
        save_state(self._store.rows, state)
        return _Snapshot(state.now, self._store.fork(), state.copy(), len(self.events))

    def ask(self, operation: str, arguments: JsonObject, person: str) -> Json:
        """The answer of an app's reading operation as that person would get it; outages are not applied.

        Raises:
            KeyError: no such operation or person.
            VendorError: the app refuses.
            ValueError: it is not a reading operation, or the arguments do not fit.
        """
        found = self._stage.setting.operations[operation]
        if found.writes:
            raise ValueError(f"{operation} writes; a preview only reads")
        account = self._stage.setting.people[person].account
        try:
            given = found.arguments.model_validate(arguments)
        except ValidationError as error:
            raise ValueError(str(error)) from error
        rows = self._store.rows
        call = ActingCall(self._stage.setting, rows, account, self.now, self._simulation.view)
        with suppress(_Undone), rows.savepoint():
            answer = found.run(call, **given.__dict__)
            raise _Undone
        assert not isinstance(answer, Outside), operation
        return answer

    def active_outages(self) -> dict[str, Instant]:
        """The outages that hold at the moment shown, with their beginnings."""
        return dict(self._simulation.state.active)

    def close(self) -> None:
        """Give everything back."""
        self._pool.close()
        self._base.close()


class _Undone(Exception):
    """Takes back what a reading operation wrote (a conversation opened to be read)."""
