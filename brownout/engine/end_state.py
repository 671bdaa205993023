"""An episode that is over, as graders see it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import orjson
from sqlalchemy import bindparam, select

from brownout.core.app_roles import KeepsRepositories
from brownout.core.apps import Cell, Thing
from brownout.core.calls import Account, Effect
from brownout.core.entities import Entities
from brownout.core.errors import BrokenRubric, StoreError, StoreLost
from brownout.core.grading import CallRecord, Said, TruthFact
from brownout.core.instants import Instant, local
from brownout.core.rows import Row
from brownout.engine.commit_verdicts import harness_of
from brownout.engine.entities import entities_of
from brownout.engine.simulation_setting import Profile, Setting
from brownout.store import StoreRows, StoreSession, compile_query
from worlds.expressions import Anchor, ExpressionError, parse_moment
from worlds.package import Outage, TaskRecord
from worlds.package.engine_tables import binding, fact

__all__ = ["EpisodeEnd"]

_BINDING = compile_query(select(binding.c.path).where(binding.c.name == bindparam("name")))
_COMPLAINTS = compile_query(
    select(binding.c.name).where(binding.c.name.like(bindparam("like"))).order_by(binding.c.name)
)
_FACTS = compile_query(select(fact).order_by(fact.c.id))


@dataclass(frozen=True)
class EpisodeEnd:
    """The EndState of one session. It reads the session's rows; it cannot write them."""

    world: Setting
    task: TaskRecord
    end_rows: Callable[[], StoreRows]
    outages: Mapping[str, Outage]
    end: Instant
    answer: str
    acts: tuple[CallRecord, ...]
    said: tuple[Said, ...]
    start_rows: Callable[[], StoreRows]
    findings: Mapping[str, tuple[str, Instant]]
    fork: Callable[[], StoreSession]
    """A copy of the session's tables at the end, to be changed and closed."""

    @property
    def rows(self) -> StoreRows:
        """The session's tables at the end. Taken anew each time, for a session may be swapped while a model is asked."""
        return self.end_rows()

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

    @property
    def colleagues(self) -> Mapping[str, str]:
        """The full names of the people of the company, by short name."""
        people = self.world.people.items()
        return {name: person.account.name for name, person in people if person.account.kind == "person"}

    @cached_property
    def entities(self) -> Entities:
        """What the names in a text stand for at the end; the day is that on which the task began."""
        found = entities_of(self.world, self.rows, self.start)
        known = {fact.value: fact.called for fact in self.facts.values() if fact.kind == "part"}
        return replace(found, parts={**found.parts, **known})

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
                value=self._value(words.get("kind", ""), row.text("value"), since),
                since=since if isinstance(since, int) else None,
                until=until if isinstance(until, int) else None,
                again=again if isinstance(again := row["again_us"], int) else None,
                says=tuple(words.get("says", ())),
                about=tuple(words.get("about", ())),
                mentions=tuple(words.get("mentions", ())),
                kind=words.get("kind", ""),
                called=tuple(words.get("called", ())),
                within=words.get("within", 0),
                audience=self._audience(words["audience"]) if "audience" in words else None,
                rivals=tuple(words.get("rivals", ())),
            )
        return found

    def _value(self, kind: str, text: str, since: object) -> str:
        """A fact's value; that of `{time: since}` is the time at which it began to be so, and stays `since` where it never did."""
        if kind != "time" or text != "since" or not isinstance(since, int) or since > self.end:
            return text
        there = local(since, self.world.zone)
        return f"{there.hour:02}:{there.minute:02}"

    def _audience(self, names: list[str]) -> frozenset[str]:
        """People and channels by name, people by their mail address too."""
        people = [self.world.people[name].account for name in names if name in self.world.people]
        return frozenset(names) | {account.email for account in people if account.email}

    def find(self, app: str, pattern: str) -> list[Thing]:
        """The things of an app that a selector names, logical names included.

        Raises:
            BrokenRubric: the world has no such app.
        """
        if app not in self.world.apps:
            raise BrokenRubric(f"the rubric names an app that is not in this world: {app}")
        bound = self.bound(app, pattern)
        return self.world.apps[app].find(self.rows, bound.removeprefix(f"{app}:") or pattern)

    def bound(self, app: str, name: str) -> str:
        """The path of the thing of an app that an author's name is bound to; empty where it is none's."""
        found = self.rows.scalar(_BINDING, name=name)
        return found if isinstance(found, str) and found.startswith(f"{app}:") else ""

    def path_of(self, effect: Effect) -> str:
        """The path of what an effect changed."""
        row = effect.after if effect.after is not None else effect.before
        app = self.world.tables.get(effect.table)
        assert row is not None
        return self.world.apps[app].path_of(self.rows, effect.table, row) if app else f"engine:{effect.table}"

    def changed_at(self, thing: Thing, field: str = "") -> Instant | None:
        """When the agent last changed the thing, or that field of it; None where it never did."""
        last = None
        cells = thing.parts.get(field, thing.rows)
        for act in self.acts:
            if any(_touches(effect, cell) for effect in act.answer.effects for cell in cells):
                last = act.at
        return last

    def before(self, thing: Thing) -> Row | None:
        """The row of the thing as it was before the agent first changed it; None where the agent made it, or left it."""
        effects = (effect for act in self.acts for effect in act.answer.effects)
        return next((effect.before for effect in effects if (effect.table, effect.key) in thing.rows), None)

    def earlier(self) -> Iterator["EpisodeEnd"]:
        """The episode after each call that changed something, the last call first, then as it were without any of them."""
        copy = self.fork()
        try:
            with copy.pinned():
                copy.rows.record = False
                for number, act in reversed([*enumerate(self.acts, 1)]):
                    effects = [effect for effect in act.answer.effects if effect.table in self.world.tables]
                    if any(not effect.harmless for effect in effects):
                        self._put(copy.rows, {(each.table, each.key): each.after for each in effects})
                        yield replace(self, acts=self.acts[:number], end_rows=lambda: copy.rows)
                    self._put(copy.rows, {(each.table, each.key): each.before for each in reversed(effects)})
                yield replace(self, acts=(), end_rows=lambda: copy.rows)
        finally:
            copy.close()

    def _put(self, rows: StoreRows, wanted: Mapping[tuple[str, int], Row | None]) -> None:
        """Have rows be as they were; where somebody else's has taken the place of one since, theirs stays."""
        tables = {name: self.world.apps[self.world.tables[name]].tables.tables[name] for name, _ in wanted}
        for name, key in wanted:
            if rows.get(tables[name], key) is not None:
                rows.delete(tables[name], key)
        for (name, _), row in wanted.items():
            try:
                if row is not None:
                    rows.insert(tables[name], **row)
            except StoreLost:
                raise
            except StoreError:
                continue

    def is_final(self, act: CallRecord) -> bool:
        """Whether taking back what a call did does not undo it for others."""
        operation = self.world.operations.get(act.call.name)
        if operation is not None and operation.final:
            return True
        return any(said.call == act.call.call_id and self.outsiders(said.to) for said in self.said if said.call)

    def members(self, name: str) -> frozenset[str]:
        """The people that a phrase stands for.

        Raises:
            BrokenRubric: it means nobody in this world.
        """
        people = self.world.people.items()
        match name.split():
            case ["everyone" | "company"]:
                return frozenset(n for n, p in people if p.account.kind == "person")
            case ["customers"]:
                return frozenset(n for n, p in people if p.customer)
            case ["affected", "customers"]:
                paths = self.rows.all(_COMPLAINTS, like="customers/%")
                return frozenset(row.text("name").rpartition("/")[2] for row in paths)
            case ["team", team]:
                found = frozenset(n for n, p in people if p.team == team)
                if found:
                    return found
        raise BrokenRubric(f"the rubric names {name!r}, which means nobody in this world")

    def outsiders(self, readers: Iterable[str]) -> frozenset[str]:
        """Those of some readers who are outside the company.

        Whoever has an account is what that says; of other addresses those at none of the company's domains. Channels and
        groups are nobody.
        """
        found = (self._outsider(reader) for reader in readers)
        return frozenset(name for name in found if name)

    def _outsider(self, reader: str) -> str:
        profile = self.world.people.get(reader) or self._at.get(reader.lower())
        if profile is not None:
            return profile.account.person if profile.account.kind == "outsider" else ""
        domain = reader.rpartition("@")[2].lower() if "@" in reader[1:] else ""
        return reader.lower() if domain and domain not in self._domains else ""

    @cached_property
    def _at(self) -> Mapping[str, Profile]:
        """Everybody by mail address."""
        return {each.account.email.lower(): each for each in self.world.people.values() if each.account.email}

    @cached_property
    def _domains(self) -> frozenset[str]:
        """The domains at which the company's own people have their mail."""
        return frozenset(at.rpartition("@")[2] for at, each in self._at.items() if each.account.kind != "outsider")

    def repository(self, name: str, ref: str) -> Mapping[str, bytes]:
        """A repository's files at a ref; `start:main` is the branch as it was when the task began.

        Raises:
            BrokenRubric: the world has no such repository.
        """
        keeper = next(filter(None, (app.role(KeepsRepositories) for app in self.world.apps.values())), None)
        if keeper is None:
            raise BrokenRubric(f"the rubric names the repository {name}, but this world has none")
        at_start = ref.startswith("start:")
        rows = self.start_rows() if at_start else self.rows
        try:
            return keeper.files(rows, self.world.folder, name, ref.removeprefix("start:"))
        except LookupError as error:
            raise BrokenRubric(str(error)) from error

    def harness(self, name: str) -> Sequence[str]:
        """The files of a repository through which hidden tests enter its code."""
        return harness_of(self.world.folder, name)

    def hidden(self, name: str) -> Mapping[str, str]:
        """The hidden tests for a repository, file name -> source: the task's own and the repository's."""
        folders = (self.world.folder / "graders" / "hidden" / name, self.world.folder / "graders" / self.task.id / name)
        return {path.name: path.read_text("utf-8") for folder in folders for path in sorted(folder.glob("test_*.py"))}

    def moment(self, text: str) -> Instant:
        """The instant of an author's time expression: `start + 45m`, `slack-down.until`, a date."""
        try:
            found = parse_moment(text, self.world.zone)
        except ExpressionError as error:
            raise BrokenRubric(str(error)) from error
        if not isinstance(found, Anchor):
            return found
        if found.name == "start":
            return self.start + found.offset
        outage = self.outages.get(found.name)
        if outage is None or outage.start is None:
            raise BrokenRubric(f"{text!r}: nothing called {found.name!r} has a time in this episode")
        return outage.start + (outage.lasts if found.edge == "until" else 0) + found.offset


def _touches(effect: Effect, cell: Cell) -> bool:
    """Whether an effect made, changed or deleted a row, or made or changed that column of it."""
    if (effect.table, effect.key) != cell[:2]:
        return False
    if len(cell) == 2 or effect.before is None or effect.after is None:
        return True
    return effect.before.get(cell[2]) != effect.after.get(cell[2])
