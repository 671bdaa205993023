"""A company running on rows: the clock, the schedule, dispatch. A session is one of these with an agent in it;
a build is one without.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from types import TracebackType
from typing import Final, Protocol, TypeAlias

from pydantic import BaseModel

from brownout.core.app_roles import RunsServices, TakesIn
from brownout.core.apps import App, Intent, Operation, OutsideWork, Refusal, Systems, Utterance, VendorError
from brownout.core.arguments import read_arguments
from brownout.core.blocking_steps import BlockingSteps
from brownout.core.calls import Account, Effect
from brownout.core.errors import BeyondLimits, is_environments
from brownout.core.faults import Fault, Request
from brownout.core.instants import MINUTE, SECOND, Duration, Instant, clock_text
from brownout.core.seeds import Stream
from brownout.core.trajectory import DefectEvent, Event, EventSink
from brownout.core.values import Json, JsonObject, canonical, digest_of
from brownout.engine.acting_call import ActingCall, Attention
from brownout.engine.app_errors import blamed
from brownout.engine.defect_events import defect_of
from brownout.engine.outages import FaultPlan
from brownout.engine.schedule import BACKGROUND, Due, Schedule
from brownout.engine.scheduled_intents import intent_document
from brownout.engine.session_state import State
from brownout.engine.simulation_setting import Profile, Setting
from brownout.store import StoreRows

__all__ = ["REFUSAL", "BesideSchedule", "CallAnswer", "Handler", "Simulation"]

REFUSAL: Final = SECOND
"""World time that it takes to be told that a request cannot be read; nobody works on it."""

Handler: TypeAlias = "Callable[[Simulation, Due], None]"


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What a request came to, before it is told to anyone.

    Attributes:
        said: what the first of the effects say to others, one for each; of the rest nobody has asked yet.
    """

    is_error: bool
    value: Json
    effects: tuple[Effect, ...] = ()
    fault: str = ""
    cost: Duration = 0
    status: int = 200
    said: tuple[Utterance | None, ...] = ()


class BesideSchedule(Protocol):
    """What goes on beside the schedule."""

    def go_on(self, until: Instant) -> bool:
        """Carry out what comes next up to a moment, whatever the schedule holds; False where nothing does."""
        ...

    def settle(self) -> None:
        """Write what was not written yet, for somebody who looks at the rows otherwise than through the simulation."""
        ...


@dataclass(slots=True)
class Simulation:
    """The running company.

    Attributes:
        rows: the tables, taken anew at each use because a session may have been swapped.
        seed: of this session; the world's own is in the setting.
        handlers: what each kind of schedule entry does.
        view: the services, as apps may see them.
        past: the tables as they were when an outage began; `keep_past` is called when one begins that needs it.
        everyday: what goes on beside the schedule; None where nothing does.
        hear: what a coworker does about something meant for them.
        changed: called when how services are set up may have changed.
        deployed: called when somebody's deploy was carried out.
        proves: whether a commit of a service's repository passes a hidden test.
        requester: who gave the agent its task; empty where there is none.
        prompt: what they asked for.
        contains: an agent is in it, who must not be able to break it: what our code fails at is noted and the company
            goes on. A build stops.
        defects: what our code failed at.
    """

    setting: Setting
    rows: Callable[[], StoreRows]
    state: State
    plan: FaultPlan
    emit: EventSink
    handlers: Mapping[str, Handler]
    view: Systems
    past: Callable[[str], StoreRows]
    keep_past: Callable[[str], None]
    hear: "Callable[[Simulation, Attention], None]"
    changed: "Callable[[Simulation], None]"
    deployed: "Callable[[Simulation, Intent], None]"
    proves: Callable[[str, str, str], bool]
    seed: int = 0
    requester: str = ""
    prompt: str = ""
    contains: bool = False
    defects: list[DefectEvent] = field(default_factory=list)
    everyday: BesideSchedule | None = None
    schedule: Schedule = field(init=False)

    def __post_init__(self) -> None:
        self.schedule = Schedule(self.rows, self.state)

    # -- time ---------------------------------------------------------------------------------------------

    def advance(self, until: Instant, *, stop: Callable[[], bool] | None = None) -> None:
        """Let the company live until that moment, or until `stop` says so after something happened."""
        while True:
            due = self.schedule.peek()
            is_due = due is not None and due.at <= until
            before = until if due is None or not is_due else due.at - (due.priority <= BACKGROUND)
            if self.everyday is None or not self.everyday.go_on(before):
                if due is None or not is_due:
                    break
                self.state.now = max(self.state.now, due.at)
                self.schedule.take(due)
                with self.contained(f"{due.kind} {due.key}"):
                    self.handlers[due.kind](self, due)
            if stop is not None and stop():
                return
        self.state.now = max(self.state.now, until)

    def settle(self) -> None:
        """Write what has happened and is not in the rows yet."""
        if self.everyday is not None:
            self.everyday.settle()

    # -- requests -----------------------------------------------------------------------------------------

    def fault_for(self, app: App, operation: str, person: str, *, writes: bool, key: str) -> Fault | None:
        """What the outages that hold now do to a request; `key` makes chance repeatable."""
        if not self.state.active:
            return None
        fault = self._decided(app, operation, person, writes, key)
        self.state.minutes[app.name] = (self.state.now // MINUTE, self._counted(app.name) + 1)
        return fault

    def _decided(self, app: App, operation: str, person: str, writes: bool, key: str) -> Fault | None:
        """What the outages that hold now do to a request that is not counted."""
        request = Request(app.name, operation, person, writes, self.state.now, self._counted(app.name))
        return self.plan.decide(request, self.state.active, app.vendor, self.stream("fault", key))

    def _counted(self, app: str) -> int:
        """How many requests the app has had in this minute."""
        minute = self.state.now // MINUTE
        last, count = self.state.minutes.get(app, (minute, 0))
        return count if last == minute else 0

    def request(
        self, operation: Operation, arguments: JsonObject, actor: Account, *, given: BaseModel | str | None = None
    ) -> BlockingSteps[CallAnswer]:
        """Ask an app for something on somebody's behalf. This is the only way to the apps' operations.

        A generator: it yields work to be done outside the store and is sent what that returned.

        Args:
            given: the arguments as they were read already, None where they were not.
        """
        app = self.setting.apps[operation.app]
        self.state.requests += 1
        if given is None:
            given = read_arguments(operation.arguments, operation.schema, arguments)
        if isinstance(given, str):
            return replace(_refused(app.invalid(given)), cost=REFUSAL)
        fault = self.fault_for(app, operation.name, actor.person, writes=operation.writes, key=str(self.state.requests))
        if fault is not None:
            if fault.delay:
                self.advance(self.state.now + fault.delay)
            if fault.refusal is not None:
                return _refused(app.refuse(fault.refusal), fault.outage)
        return (yield from self._run(app, operation, given, actor, fault))

    def _run(
        self, app: App, operation: Operation, given: BaseModel, actor: Account, fault: Fault | None
    ) -> BlockingSteps[CallAnswer]:
        """Do what was asked, as far as an outage lets it.

        What only the environment can fail at is raised (`is_environments`); another exception is a mistake of the
        operation's, is noted as one, and the agent sees a vendor in trouble.
        """
        outage = fault.outage if fault else ""
        is_stale = fault is not None and fault.stale_as_of is not None
        rows = self.past(outage) if is_stale else self.rows()
        call = ActingCall(self.setting, rows, actor, self.state.now, self.view, outages=self._decided)
        try:
            rows.harmless, rows.addition = operation.harmless, operation.addition
            with rows.savepoint():
                value = operation.run(call, **given.__dict__)
            if isinstance(value, OutsideWork):
                rows.harmless = rows.addition = False
                done = yield value.work
                call.rows = rows = self.rows()
                rows.harmless, rows.addition = operation.harmless, operation.addition
                with rows.savepoint():
                    value = value.finish(call, done)
        except VendorError as error:
            return _refused(error, outage, () if is_stale else self.settle_effects(rows))
        except BeyondLimits as error:
            return _refused(app.invalid(str(error)), outage, () if is_stale else self.settle_effects(rows))
        except Exception as error:
            self.note_defect(operation.name, blamed(app.name, operation.name, error))
            return _refused(app.refuse(Refusal("unavailable")), outage, () if is_stale else self.settle_effects(rows))
        finally:
            rows.harmless = rows.addition = False
        cost = operation.cost + call.taking
        if is_stale:
            rows.take_effects()
            return CallAnswer(False, value, (), outage, cost)
        effects = self.settle_effects(rows)
        held_until = fault.held_until if fault else None
        said: list[Utterance | None] = []
        with self.contained(f"what follows from {operation.name}"):
            self.after(app, effects)
            effects += self.spread(app, actor, effects, held_until=held_until, noted=said)
            self.conclude(call, held_until=held_until)
        if fault is not None and fault.loses_answer:
            lost = app.refuse(Refusal("timeout"))
            return CallAnswer(True, lost.content, effects, outage, cost, lost.status, tuple(said))
        return CallAnswer(False, value, effects, outage, cost, said=tuple(said))

    def after(self, app: App, effects: tuple[Effect, ...]) -> None:
        """Let what was written to the app that runs the services, or to one that keeps alerts, have its consequences."""
        if effects and (app.role(RunsServices) is not None or "alert" in app.intents):
            self.changed(self)

    def spread(
        self,
        app: App,
        actor: Account,
        effects: tuple[Effect, ...],
        *,
        held_until: Instant | None,
        noted: list[Utterance | None] | None = None,
    ) -> tuple[Effect, ...]:
        """Let other apps take in what was said in this one, now or when an outage lets it through; what they wrote.

        Args:
            noted: gets what each effect says, as far as that was asked.
        """
        listening = [other for other in self.setting.listening if other is not app]
        written: tuple[Effect, ...] = ()
        for effect in effects if listening else ():
            said = app.utterance(self.rows(), effect)
            if noted is not None:
                noted.append(said)
            if said is None:
                continue
            for other in listening:
                if held_until is None:
                    written += self.take_in(other, actor, said)
                else:
                    payload: JsonObject = {**asdict(said), "to": [*sorted(said.to)], "app": other.name}
                    payload["who"] = actor.person
                    self.schedule.push(held_until, "taken_in", f"taken_in/{other.name}/{said.path}", payload)
        return written

    def take_in(self, app: App, actor: Account, said: Utterance) -> tuple[Effect, ...]:
        """Let an app take in what somebody said in another one."""
        role = app.role(TakesIn)
        assert role is not None
        if not role.heeds(actor, said):
            return ()
        call = self.acting(actor)
        with call.rows.harmlessly(), call.rows.savepoint():
            role.said(call, said)
        effects = self.settle_effects(call.rows)
        self.conclude(call)
        return effects

    def settle_effects(self, rows: StoreRows) -> tuple[Effect, ...]:
        """Take what was written since the last time and add it to the running digest."""
        effects = rows.take_effects()
        if effects:
            self.state.chain = digest_of(self.state.chain, canonical([_document(effect) for effect in effects]))
        return effects

    def acting(self, actor: Account) -> ActingCall:
        """An account about to act, now."""
        return ActingCall(self.setting, self.rows(), actor, self.state.now, self.view, outages=self._decided)

    # -- people -------------------------------------------------------------------------------------------

    def person(self, name: str) -> Profile:
        """Somebody in the world.

        Raises:
            KeyError: nobody is called that.
        """
        return self.setting.people[name]

    def conclude(self, call: ActingCall, *, held_until: Instant | None = None) -> None:
        """What follows from something that was done: those it is meant for hear of it, consequences are scheduled."""
        people: dict[tuple[str, str], list[str]] = {}
        for meant in call.attention:
            people.setdefault((meant.kind, meant.text), []).append(meant.person)
        meant_for = (replace(meant, crowd=tuple(people[meant.kind, meant.text])) for meant in call.attention)
        self.deliver(meant_for, held_until=held_until)
        for intent, after in call.following:
            self.schedule.push(self.state.now + after, "intent", intent.key, intent_document(intent))

    def deliver(self, attention: Iterable[Attention], *, held_until: Instant | None = None) -> None:
        """Bring what is meant for somebody to them, now or when an outage lets it through."""
        for meant in attention:
            if held_until is not None:
                payload: JsonObject = {"person": meant.person, "kind": meant.kind, "path": meant.path}
                payload |= {"sender": meant.sender, "text": meant.text, "crowd": [*meant.crowd]}
                self.schedule.push(held_until, "deliver", f"deliver/{meant.path}", payload)
                continue
            self.hear(self, meant)

    # -- mistakes of ours ---------------------------------------------------------------------------------

    def contained(self, where: str) -> "Contained":
        """A block whose mistakes are noted and end only it, where an agent is in the company."""
        return Contained(self, where)

    def note_defect(self, where: str, error: Exception) -> None:
        """Note a mistake of ours.

        Raises:
            Exception: the error itself, where nobody is to be shielded from it or the environment failed.
        """
        if not self.contains or is_environments(error):
            error.add_note(f"{where}, on {clock_text(self.state.now, self.setting.zone)}")
            raise error
        self.defects.append(defect_of(error, where, self.state.now, self.state.events))
        self.log(lambda seq: self.defects[-1])

    # -- draws and log ------------------------------------------------------------------------------------

    def stream(self, *path: str | int) -> Stream:
        """The random stream of this world, this session and this path."""
        return Stream(self.setting.seed, self.seed, *path)

    def log(self, make: Callable[[int], Event]) -> None:
        """Append an event; it is given its number."""
        number = self.state.events
        self.state.events += 1
        self.emit(make(number))


class Contained:
    """A block whose mistakes a simulation notes; a generator for it would cost three times as much, several times a call."""

    __slots__ = ("_simulation", "_where")

    def __init__(self, simulation: Simulation, where: str) -> None:
        self._simulation, self._where = simulation, where

    def __enter__(self) -> None:
        """Nothing has to be done before."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        if not isinstance(error, Exception):
            return False
        self._simulation.note_defect(self._where, error)
        return True


def _document(effect: Effect) -> dict[str, object]:
    """The effect by its fields; `dataclasses.asdict` would copy the rows, ten times as slow."""
    return {
        "kind": effect.kind,
        "table": effect.table,
        "key": effect.key,
        "before": effect.before,
        "after": effect.after,
        "harmless": effect.harmless,
        "addition": effect.addition,
    }


def _refused(error: VendorError, fault: str = "", effects: tuple[Effect, ...] = ()) -> CallAnswer:
    content: JsonObject = dict(error.content)
    if error.headers:
        content["headers"] = dict(error.headers)
    return CallAnswer(True, content, effects, fault, status=error.status)
