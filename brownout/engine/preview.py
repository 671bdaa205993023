"""The company at any moment of its calendar, looked at through its apps as one of its people.

History is run, not stored: without an agent, to the moment asked for, from the first day or the last task's start before it, which are
in the package. What is shown for a time is therefore what a session that did nothing would have come to.
"""

import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from brownout.background.kept_days import KeptDays
from brownout.core.apps import OutsideWork
from brownout.core.errors import StoreError
from brownout.core.faults import Fault, Request
from brownout.core.instants import DAY, Instant
from brownout.core.seeds import Stream
from brownout.core.trajectory import Event
from brownout.core.values import Json, JsonObject
from brownout.engine.acting_call import ActingCall
from brownout.engine.company_assembly import company
from brownout.engine.kept_moments import FIRST_DAY, MomentChanges, Moments
from brownout.engine.session_state import State, load_state, save_state
from brownout.engine.shared_state import SharedState
from brownout.engine.throwaway_company import Trial
from brownout.store import Base, Pool, StoreRows, StoreSession, write_world_above

__all__ = ["LivedHistory", "Preview"]

_KEPT = 40
"""Snapshots kept."""
_NEAR = 4 * DAY
"""How far before the moment that is wanted a snapshot a day is kept; it is where somebody will look next."""
_APART = 20
"""Parts of the calendar, each at least a day, at whose ends snapshots are kept before that, and moments on disk."""
_HOT = 4
"""Positions above a stand that are worked on without being swapped."""


@dataclass(frozen=True, slots=True)
class _Snapshot:
    at: Instant
    stand: Instant
    store: StoreSession
    state: State


class LivedHistory:
    """A company's history as far as it was lived through, and what happens in it. Its previews share it.

    Attributes:
        events: what happens from the first day to the end of the calendar, in order; of a package that does not say, what has
            happened up to the furthest moment that was looked at.
    """

    def __init__(self, shared: SharedState, kept: Path | None = None, *, keeps: bool = True) -> None:
        """Begin with the first day.

        Args:
            kept: a folder for moments that the next process can begin at, of this package and this code alone; None keeps none.
            keeps: moments are put there; else another process does, and only what it has put there is used.

        Raises:
            StoreError: the package has no first day.
        """
        self.shared = shared
        self._keeps = keeps
        package = shared.package
        said = package.events()
        self.events: list[Event] = said or []
        # one that does not say what happens before a task's start is lived through from the first day
        self._starts = {task.start: name for name, task in package.tasks.items()} if said is not None else {}
        self._own = {FIRST_DAY: package.origin, **({min(self._starts): package.base} if self._starts else {})}
        self._pools: dict[Instant, Pool] = {FIRST_DAY: Pool(Base(package.origin), hot=_HOT)}
        store = self._pools[FIRST_DAY].open()
        state = load_state(store.rows)
        if state is None:
            self.close()
            raise StoreError(f"{package.origin} has no starting state; build the world again")
        self._snapshots = [_Snapshot(state.now, FIRST_DAY, store, state.copy())]
        first, last = package.manifest.calendar
        apart = max(DAY, (last - first) // _APART)
        self._moments = Moments(kept, apart=apart, own=self._own) if kept is not None and said is not None else None
        if self._moments is not None:
            if keeps:
                self._moments.sweep()
            if isinstance(shared.days, KeptDays):
                shared.days.look_in(self._moments.day, self._moments.keep_day if keeps else None)

    def before(self, at: Instant) -> _Snapshot:
        """The last snapshot that is not after that moment, else the first."""
        self._fetch(at)
        return max((each for each in self._snapshots if each.at <= at), key=_moment, default=self._snapshots[0])

    def wants(self, at: Instant, towards: Instant) -> bool:
        """Whether a snapshot at a moment is worth its while, on the way to another."""
        if towards - at > _NEAR and not self._keeps:
            return False
        return all(abs(each.at - at) >= DAY for each in self._snapshots)

    def keep(self, snapshot: _Snapshot) -> _Snapshot:
        """Keep one more; where there are too many, every other one goes, so that all of the calendar stays in reach.

        Returns:
            The same moment, above a stand of its own where it was worth one: whoever goes on from there has less to carry.
        """
        if self._moments is not None and self._keeps:
            snapshot = self._kept(snapshot, self._moments)
        self._snapshots.append(snapshot)
        if len(self._snapshots) > _KEPT:
            self._snapshots.sort(key=_moment)
            for thinned in self._snapshots[1:-1:2]:
                thinned.store.close()
            self._snapshots = [*self._snapshots[:-1:2], self._snapshots[-1]]
        return snapshot

    def _kept(self, snapshot: _Snapshot, moments: Moments) -> _Snapshot:
        """Put a moment on disk where that is worth its while."""
        changes = MomentChanges(snapshot.store.changeset(), snapshot.store.ids)
        base = self._pools[snapshot.stand].base
        size = base.path.stat().st_size + len(changes.changeset)
        is_stand = moments.has_room(size, len(changes.changeset)) and moments.keep_stand(
            snapshot.at, lambda path: write_world_above(base, changes.changeset, path)
        )
        if is_stand:
            snapshot.store.close()
            changes = MomentChanges(b"", changes.ids)
            snapshot = self._opened(snapshot.at, snapshot.at, changes)
        if is_stand or moments.wants(snapshot.at, snapshot.stand, len(changes.changeset)):
            moments.keep(snapshot.at, snapshot.stand, changes)
        return snapshot

    def _fetch(self, at: Instant) -> None:
        """Open the moment of the package or of the folder that is nearest before another, where nothing in memory is nearer."""
        nearest = max(each.at for each in self._snapshots if each.at <= at or each is self._snapshots[0])
        start = max((one for one in self._starts if nearest < one <= at), default=None)
        if start is not None:
            changes = MomentChanges(self.shared.package.start(self._starts[start]) or b"", {})
            self._snapshots.append(self._opened(start, min(self._starts), changes))
            nearest = start
        if self._moments is None:
            return
        if at - nearest >= DAY:
            self._moments.look()
        found = max((one for one in self._moments.kept if nearest < one.at <= at), key=lambda one: one.at, default=None)
        if found is None:
            return
        with suppress(OSError, ValueError, zlib.error, StoreError):
            self._snapshots.append(self._opened(found.at, found.stand, found.changes()))
            self._moments.use()

    def _opened(self, at: Instant, stand: Instant, changes: MomentChanges) -> _Snapshot:
        """A moment of the package or of the folder.

        Raises:
            StoreError: it is no moment of this company.
        """
        if stand not in self._pools:
            path = self._own.get(stand)
            if path is None:
                assert self._moments is not None
                path = self._moments.stand(stand)
            self._pools[stand] = Pool(Base(path), hot=_HOT)
        store = self._pools[stand].open()
        try:
            store.load(changes.changeset, changes.ids)
            state = load_state(store.rows)
            if state is None or state.now != at:
                raise StoreError(f"there is no moment {at} above {stand}")
        except StoreError:
            store.close()
            raise
        return _Snapshot(at, stand, store, state.copy())

    def note(self, event: Event) -> None:
        """Remember what happened where it is not known yet; whoever lives through it again says nothing new."""
        if event.seq == len(self.events):
            self.events.append(event)

    def close(self) -> None:
        """Give everything back."""
        for pool in self._pools.values():
            pool.close()
            pool.base.close()


def _moment(snapshot: _Snapshot) -> Instant:
    return snapshot.at


class Preview:
    """A company that can be moved to any moment. It has one position at a time; use one for each viewer."""

    def __init__(self, history: LivedHistory, near: Instant | None = None) -> None:
        """Begin with the calendar, or as `near` to a moment as is possible without living through anything."""
        self._history = history
        self._setting = history.shared.setting
        first, last = self._calendar = history.shared.package.manifest.calendar
        nearest = history.before(first if near is None else min(near, last))
        self._begin(nearest)
        self._simulation.advance(max(nearest.at, first))

    def _begin(self, snapshot: _Snapshot) -> None:
        """Go on from a snapshot."""
        shared, store = self._history.shared, snapshot.store.fork()
        self._store, self._stand = store, snapshot.stand
        self._simulation = company(
            shared.setting,
            lambda: store.rows,
            snapshot.state.copy(),
            self._history.note,
            plan=shared.plan,
            days=shared.days,
            proves=lambda service, commit, test: shared.proofs.proves(lambda: store.rows, service, commit, test),
        )

    @property
    def events(self) -> list[Event]:
        """What happens over the calendar, in order, also after the moment shown; see `LivedHistory.events`."""
        return self._history.events

    @property
    def now(self) -> Instant:
        """The moment that is shown."""
        return self._simulation.state.now

    @property
    def rows(self) -> StoreRows:
        """The world's tables at that moment; valid until the next move."""
        return self._store.rows

    def go(self, at: Instant, *, is_enough: Callable[[], bool] = lambda: False) -> None:
        """Show the company at that moment; one outside the calendar is brought to its nearest end.

        Args:
            is_enough: is asked after each day that was lived through; the preview stays there when it says so.
        """
        first, last = self._calendar
        at = min(max(at, first), last)
        self.near(at)
        while self.now < at:
            self._simulation.advance(min(at, self.now + DAY))
            if self._history.wants(self.now, at):
                self._keep()
            if is_enough():
                return

    def _keep(self) -> None:
        kept = self._history.keep(self._snapshot())
        if kept.stand != self._stand:
            self._store.close()
            self._begin(kept)

    def near(self, at: Instant) -> None:
        """Come as near to that moment, and not beyond it, as is possible without living through anything."""
        nearest = self._history.before(at)
        if at < self.now or nearest.at > self.now:
            self._store.close()
            self._begin(nearest)
            self._simulation.advance(max(nearest.at, self._calendar[0]))

    def _snapshot(self) -> _Snapshot:
        state = self._simulation.state
        save_state(self._store.rows, state)
        return _Snapshot(state.now, self._stand, self._store.fork(), state.copy())

    def ask(self, operation: str, arguments: JsonObject, person: str) -> Json:
        """The answer of an app's reading operation as that person would get it; outages are not applied.

        Raises:
            KeyError: no such operation or person.
            VendorError: the app refuses.
            ValueError: it is not a reading operation, or the arguments do not fit.
        """
        found = self._setting.operations[operation]
        if found.writes:
            raise ValueError(f"{operation} writes; a preview only reads")
        account = self._setting.people[person].account
        try:
            given = found.arguments.model_validate(arguments)
        except ValidationError as error:
            raise ValueError(str(error)) from error
        rows = self._store.rows
        call = ActingCall(self._setting, rows, account, self.now, self._simulation.view)
        with suppress(_ReadingUndone), rows.savepoint():
            answer = found.run(call, **given.__dict__)
            raise _ReadingUndone
        assert not isinstance(answer, OutsideWork), operation
        return answer

    def trial(self) -> Trial:
        """A copy of the company at the moment shown, to do things in; whoever asks for it closes it."""
        snapshot = self._snapshot()
        return Trial(self._history.shared, snapshot.store, snapshot.state)

    def fault_for(self, operation: str, person: str, *, draw: int, in_minute: int = 0) -> Fault | None:
        """What the outages that hold at the moment shown do to a request; nothing is asked, and nothing counted.

        Args:
            draw: another number, another draw of chance: `errors` hits some of them.
            in_minute: how many requests the app has had in this minute.
        """
        found = self._setting.operations[operation]
        request = Request(found.app, found.name, person, found.writes, self.now, in_minute)
        vendor = self._setting.apps[found.app].vendor
        active = self._simulation.state.active
        return self._history.shared.plan.decide(request, active, vendor, Stream("preview", operation, draw))

    def active_outages(self) -> dict[str, Instant]:
        """The outages that hold at the moment shown, with their beginnings."""
        return dict(self._simulation.state.active)

    def close(self) -> None:
        """Look no more; what was lived through stays with the history."""
        self._store.close()


class _ReadingUndone(Exception):
    """Takes back what a reading operation wrote (a conversation opened to be read)."""
