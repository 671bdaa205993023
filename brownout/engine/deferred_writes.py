"""What everyday life has done and nobody has looked at yet: it is written when somebody does.

The company cannot tell. Before a table of an app is read or written, what waits for that app is written, with what it names of
others; so rows, keys and digests are what they would be had each item been written at its moment. An item may wait only where nobody is
told of it and its app writes it from its own tables alone (the role `WritesMany`). Where the app says that what is written in one place
is not seen in another (the role `WritesApart`), looking at one place writes nothing for others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.timeline import Item
from brownout.core.app_roles import Asked, Foreseen, Place, Sight, WritesApart
from brownout.core.apps import VendorError
from brownout.core.errors import is_environments
from brownout.engine.acting_call import BINDING
from brownout.engine.everyday_writing import needed, write
from brownout.engine.simulation import Simulation
from brownout.engine.simulation_setting import AppSight
from brownout.store import StoreRows
from worlds.package.engine_tables import binding

__all__ = ["Waiting"]

_NOWHERE: Final = frozenset[Place]()


@dataclass(slots=True)
class _Written:
    """Items that were written inside a savepoint, which may be undone.

    Attributes:
        depth: how many savepoints were open.
        ids: the largest keys before.
    """

    depth: int
    ids: Mapping[str, int]
    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class _Unseen:
    """Where that waits which an app writes apart: the places, and the keys that its rows will have."""

    places: set[Place] = field(default_factory=set)
    rows: set[int] = field(default_factory=set)


class Waiting:
    """The items of one simulation that wait to be written, in their order."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._items: list[Item] = []
        self._apps: set[str] = set()
        self._names: dict[str, str] = {}
        self._keys: dict[str, int] = {}
        self._row_keys: dict[str, int] = {}
        self._apart: dict[str, WritesApart | None] = {}
        self._unseen: dict[str, _Unseen] = {}
        self._not_apart: set[str] = set()
        self._undoable: list[_Written] = []
        self._passed: set[str] = set()
        self._passed_by: frozenset[Place] = _NOWHERE

    def __contains__(self, key: str) -> bool:
        """Whether something that others need waits under that key."""
        return key in self._names

    def apart(self, app: str) -> WritesApart | None:
        """How an app writes what is done in one place apart from what is done in others; None where it does not."""
        if app not in self._apart:
            self._apart[app] = self._simulation.setting.apps[app].role(WritesApart)
        return self._apart[app]

    def add(self, rows: StoreRows, item: Item, foreseen: Foreseen | None) -> None:
        """Let an item wait; its name and its row have their places among all others from now on. `be_told` comes after the last one.

        Args:
            foreseen: what it will write, None where its app does not write apart.
        """
        app = item.intent.via
        self._items.append(item)
        if app not in self._apps:
            self._apps.add(app)
            self._see_anew()
        apart = self.apart(app)
        if foreseen is None or apart is None or foreseen.places is None:
            self._not_apart.add(app)
            self._see_anew()
        else:
            self._unseen_of(app).places.update(foreseen.places)
            if not self._passed_by.isdisjoint(foreseen.places):
                self._see_anew()
        if foreseen is not None and foreseen.takes_key and apart is not None and apart.keys is not None:
            key = self._row_keys[item.intent.key] = rows.reserve(apart.keys.table)
            self._unseen_of(app).rows.add(key)
        if item.is_named:
            self._names[item.intent.key] = item.intent.via
            self._keys[item.intent.key] = rows.reserve(binding)

    def settle(self) -> None:
        """Write everything that waits."""
        if self._items:
            self._write(self._apps)

    def touched(self, what: str, given: Asked = ()) -> None:
        """Somebody is about to read or write tables: write what waits for their apps."""
        if not self._items or what in self._passed or what == binding.name:
            return
        setting = self._simulation.setting
        if what == BINDING.sql and isinstance(given, Mapping):
            app = self._names.get(str(given["name"]))
            if app is not None:
                self._write({app})
            return
        always: frozenset[Place] | None = _NOWHERE
        for one in setting.sights(what):
            if one.app not in self._apps:
                continue
            sight = one.sight if one.app not in self._not_apart else None
            if sight is None or self._is_seen(one, sight, given):
                self._write(setting.apps_in(what))
                return
            always = always | sight.places if always is not None and sight.besides is None else None
        if binding.name in setting.apps_in(what):
            self.settle()
        elif always is not None:
            self._passed.add(what)
            self._passed_by |= always

    def _is_seen(self, one: AppSight, sight: Sight, given: Asked) -> bool:
        """Whether somebody who touches an app's tables so would miss what waits."""
        unseen = self._unseen_of(one.app)
        if not unseen.places.isdisjoint(sight.places) or (
            one.takes_keys and isinstance(given, int) and given in unseen.rows
        ):
            return True
        places = sight.besides(given) if sight.besides is not None else _NOWHERE
        return places is None or not unseen.places.isdisjoint(places)

    def _see_anew(self) -> None:
        """Something waits that statements may see which have seen nothing of what waited so far."""
        self._passed.clear()
        self._passed_by = _NOWHERE

    def _unseen_of(self, app: str) -> _Unseen:
        found = self._unseen.get(app)
        if found is None:
            found = self._unseen[app] = _Unseen()
        return found

    def left(self, depth: int, *, undone: bool) -> None:
        """A savepoint was left: what was written in it is written again where it was undone, under the same keys."""
        if not self._undoable:
            return
        inside = [one for one in self._undoable if one.depth > depth]
        if undone and inside:
            self._undoable = [one for one in self._undoable if one.depth <= depth]
            rows = self._simulation.rows()
            for one in inside:
                after, rows.ids = rows.ids, dict(one.ids)
                self._carry_out(rows, one.items)
                rows.ids = _larger(after, rows.ids)
        for one in inside if not undone else ():
            one.depth = depth
        if depth == 0:
            self._undoable.clear()
        self.be_told(self._simulation.rows())

    def _write(self, apps: Iterable[str]) -> None:
        """Write what waits for some apps, and for those whose things it names."""
        apps = self._with_named(apps)
        items = [item for item in self._items if item.intent.via in apps]
        self._items = [item for item in self._items if item.intent.via not in apps]
        self._apps -= apps
        self._not_apart -= apps
        for app in apps:
            self._unseen.pop(app, None)
        for item in items:
            self._names.pop(item.intent.key, None)
        rows = self._simulation.rows()
        self._carry_out(rows, items)
        self.be_told(rows)

    def _with_named(self, apps: Iterable[str]) -> set[str]:
        """The apps, with those that have waiting what items for them name."""
        found, before = {*apps}, -1
        while before != len(found):
            before = len(found)
            for item in self._items:
                if item.intent.via in found:
                    found.update(self._names[key] for key in needed(item) if key in self._names)
        return found

    def _carry_out(self, rows: StoreRows, items: Sequence[Item]) -> None:
        """Write items together; one by one where one of them cannot be, without which the others come about."""
        rows.late = None
        if rows.depth:
            self._undoable.append(_Written(rows.depth, dict(rows.ids), items))
        ids = dict(rows.ids)
        try:
            with rows.savepoint():
                write(self._simulation, items, self._keys, self._row_keys)
        except Exception as error:
            if is_environments(error):
                raise
            rows.ids = ids
            for item in items:
                self._carry_out_alone(rows, item)

    def _carry_out_alone(self, rows: StoreRows, item: Item) -> None:
        ids = dict(rows.ids)
        try:
            with self._simulation.contained(item.intent.key), rows.savepoint():
                write(self._simulation, [item], self._keys, self._row_keys)
        except (VendorError, LookupError):
            rows.ids = ids

    def be_told(self, rows: StoreRows) -> None:
        """Be asked before tables are touched, as long as something waits."""
        rows.late = self if self._items or self._undoable else None


def _larger(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """The larger of two keys for each table."""
    return {table: max(one.get(table, 0), other.get(table, 0)) for table in {**one, **other}}
