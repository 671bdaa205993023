"""A company running on rows: the clock, the schedule, dispatch. A session is one of these with an agent in it;
a build is one without.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

from pydantic import ValidationError

from brownout.core.apps import App, Operation, VendorError
from brownout.core.calls import Account, Effect, Notice
from brownout.core.faults import Fault, Request
from brownout.core.instants import MINUTE, Duration, Instant
from brownout.core.seeds import Stream
from brownout.core.trajectory import Event, EventSink, NoticeEvent
from brownout.core.values import Json, JsonObject, canonical, digest_of
from brownout.engine.context import ActingCall, Attention
from brownout.engine.outages import FaultPlan
from brownout.engine.quiet import insert_quietly
from brownout.engine.schedule import Due, Schedule
from brownout.engine.setting import Profile, Setting
from brownout.engine.state import State
from brownout.store import Rows
from worlds.package.engine_tables import notice as notice_table

__all__ = ["Answer", "Handler", "Simulation"]

Handler: TypeAlias = "Callable[[Simulation, Due], None]"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request came to, before it is told to anyone."""

    is_error: bool
    value: Json
    effects: tuple[Effect, ...] = ()
    fault: str = ""
    cost: Duration = 0
    status: int = 200


@dataclass(slots=True)
class Simulation:
    """The running company.

    Attributes:
        rows: the tables, taken anew at each use because a session may have been swapped.
        seed: of this session; the world's own is in the setting.
        handlers: what each kind of schedule entry does.
    """

    setting: Setting
    rows: Callable[[], Rows]
    state: State
    plan: FaultPlan
    emit: EventSink
    handlers: Mapping[str, Handler]
    seed: int = 0
    schedule: Schedule = field(init=False)

    def __post_init__(self) -> None:
        self.schedule = Schedule(self.rows, self.state)

    # -- time ---------------------------------------------------------------------------------------------

    def advance(self, until: Instant, *, stop: Callable[[], bool] | None = None) -> None:
        """Let the company live until that moment, or until `stop` says so after something happened."""
        while (due := self.schedule.peek()) is not None and due.at <= until:
            self.state.now = max(self.state.now, due.at)
            self.schedule.take(due)
            self.handlers[due.kind](self, due)
            if stop is not None and stop():
                return
        self.state.now = max(self.state.now, until)

    # -- requests -----------------------------------------------------------------------------------------

    def fault_for(self, app: App, operation: str, person: str, *, writes: bool, key: str) -> Fault | None:
        """What the outages that hold now do to a request; `key` makes chance repeatable."""
        if not self.state.active:
            return None
        request = Request(app.name, operation, person, writes, self.state.now, self._count(app.name))
        return self.plan.decide(request, self.state.active, app.vendor, self.stream("fault", key))

    def _count(self, app: str) -> int:
        """How many requests the app has had in this minute, before this one."""
        minute = self.state.now // MINUTE
        last, count = self.state.minutes.get(app, (minute, 0))
        count = count if last == minute else 0
        self.state.minutes[app] = (minute, count + 1)
        return count

    def request(self, operation: Operation, arguments: JsonObject, actor: Account) -> Answer:
        """Ask an app for something on somebody's behalf. This is the one door to the apps' operations."""
        app = self.setting.apps[operation.app]
        self.state.requests += 1
        try:
            given = operation.arguments.model_validate(arguments)
        except ValidationError as error:
            return _refused(app.invalid(_explain(error)))
        fault = self.fault_for(app, operation.name, actor.person, writes=operation.writes, key=str(self.state.requests))
        if fault is not None and fault.refusal is not None:
            return _refused(app.refuse(fault.refusal), fault.outage)
        rows = self.rows()
        call = self.acting(actor)
        rows.harmless = operation.harmless
        try:
            with rows.savepoint():
                value = operation.run(call, **given.__dict__)
        except VendorError as error:
            return _refused(error, fault.outage if fault else "")
        finally:
            rows.harmless = False
        effects = self.settle_effects(rows)
        self.deliver(call.attention)
        return Answer(False, value, effects, fault.outage if fault else "", operation.cost)

    def settle_effects(self, rows: Rows) -> tuple[Effect, ...]:
        """Take what was written since the last time and add it to the running digest."""
        effects = rows.take_effects()
        if effects:
            self.state.chain = digest_of(self.state.chain, canonical([asdict(effect) for effect in effects]))
        return effects

    def acting(self, actor: Account) -> ActingCall:
        """An account about to act, now."""
        return ActingCall(self.setting, self.rows(), actor, self.state.now)

    # -- people -------------------------------------------------------------------------------------------

    def person(self, name: str) -> Profile:
        """Somebody in the world.

        Raises:
            KeyError: nobody is called that.
        """
        return self.setting.people[name]

    def deliver(self, attention: Iterable[Attention]) -> None:
        """Bring what is meant for somebody to them: the agent gets a notice."""
        for meant in attention:
            person = self.setting.people.get(meant.person)
            if person is None or person.account.kind != "agent":
                continue
            key = insert_quietly(
                self.rows(),
                notice_table,
                person=meant.person,
                at_us=self.state.now,
                app=meant.path.partition(":")[0],
                kind=meant.kind,
                path=meant.path,
                sender=meant.sender,
                text=meant.text,
            )
            notice = Notice(
                key,
                meant.person,
                self.state.now,
                meant.path.partition(":")[0],
                meant.kind,
                meant.path,
                meant.sender,
                meant.text,
            )
            self.log(lambda seq, notice=notice: NoticeEvent(seq=seq, at=self.state.now, notice=notice))  # type: ignore[misc]

    # -- draws and log ------------------------------------------------------------------------------------

    def stream(self, *path: str | int) -> Stream:
        """The random stream of this world, this session and this path."""
        return Stream(self.setting.seed, self.seed, *path)

    def log(self, make: Callable[[int], Event]) -> None:
        """Append an event; it is given its number."""
        number = self.state.events
        self.state.events += 1
        self.emit(make(number))


def _refused(error: VendorError, fault: str = "") -> Answer:
    content: JsonObject = dict(error.content)
    if error.headers:
        content["headers"] = dict(error.headers)
    return Answer(True, content, fault=fault, status=error.status)


def _explain(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "arguments"
    return f"{place}: {first['msg']}"
