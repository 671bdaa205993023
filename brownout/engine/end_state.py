"""An episode that is over, as graders see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Thing
from brownout.core.calls import Account, Effect
from brownout.core.errors import GradingError
from brownout.core.grading import Act, Said, TruthFact
from brownout.core.instants import Instant
from brownout.engine.setting import Setting
from brownout.store import Rows, compile_query
from worlds.expressions import Anchor, ExpressionError, parse_moment
from worlds.package import Outage, TaskRecord
from worlds.package.engine_tables import binding, fact

__all__ = ["EpisodeEnd"]

_BINDING = compile_query(select(binding.c.path).where(binding.c.name == bindparam("name")))
_FACTS = compile_query(select(fact).order_by(fact.c.id))


@dataclass(frozen=True)
class EpisodeEnd:
    """The EndState of one session. It reads the session's rows; it cannot write them."""

    world: Setting
    task: TaskRecord
    rows: Rows
    outages: Mapping[str, Outage]
    end: Instant
    answer: str
    acts: tuple[Act, ...]
    said: tuple[Said, ...]

    @property
    def start(self) -> Instant:
        """When the task began."""
        return self.task.start

    @property
    def actor(self) -> Account:
        """Whom the agent played."""
        return self.world.people[self.task.actor].account

    @property
    def requester(self) -> str:
        """Who asked, by short name."""
        return self.task.requester

    @cached_property
    def facts(self) -> Mapping[str, TruthFact]:
        """Every fact of the world by name."""
        found = {}
        for row in self.rows.all(_FACTS):
            words = orjson.loads(row.text("words"))
            since, until = row["since_us"], row["until_us"]
            found[row.text("fact")] = TruthFact(
                name=row.text("fact"),
                slot=row.text("slot"),
                value=row.text("value"),
                since=since if isinstance(since, int) else None,
                until=until if isinstance(until, int) else None,
                says=tuple(words.get("says", ())),
                said=tuple(words.get("said", ())),
            )
        return found

    def find(self, app: str, pattern: str) -> list[Thing]:
        """The things of an app that a selector names, logical names included.

        Raises:
            GradingError: the world has no such app.
        """
        if app not in self.world.apps:
            raise GradingError(f"the rubric names an app that is not in this world: {app}")
        bound = self.rows.scalar(_BINDING, name=pattern)
        if isinstance(bound, str) and bound.startswith(f"{app}:"):
            pattern = bound.removeprefix(f"{app}:")
        return self.world.apps[app].find(self.rows, pattern)

    def path_of(self, effect: Effect) -> str:
        """The path of what an effect changed."""
        row = effect.after if effect.after is not None else effect.before
        app = self.world.tables.get(effect.table)
        assert row is not None
        return self.world.apps[app].path_of(self.rows, effect.table, row) if app else f"engine:{effect.table}"

    def changed_at(self, thing: Thing) -> Instant | None:
        """When the agent last changed the thing, None where it never did."""
        last = None
        for act in self.acts:
            if any((effect.table, effect.key) in thing.rows for effect in act.answer.effects):
                last = act.at
        return last

    def moment(self, text: str) -> Instant:
        """The instant of an author's time expression: `start + 45m`, `slack-down.until`, a date."""
        try:
            found = parse_moment(text, self.world.zone)
        except ExpressionError as error:
            raise GradingError(str(error)) from error
        if not isinstance(found, Anchor):
            return found
        if found.name == "start":
            return self.start + found.offset
        outage = self.outages.get(found.name)
        if outage is None or outage.start is None:
            raise GradingError(f"{text!r}: nothing called {found.name!r} has a time in this episode")
        return outage.start + (outage.lasts if found.edge == "until" else 0) + found.offset
