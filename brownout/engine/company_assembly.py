"""Puts a running company together: what each kind of schedule entry does, and who listens to what."""

from collections.abc import Callable, Mapping

from brownout.background.timeline import Timeline
from brownout.core.apps import Utterance
from brownout.core.trajectory import EventSink, OutageEvent
from brownout.engine.carrying_intents import carry_due, learn_due
from brownout.engine.coworkers.customers import customer_due
from brownout.engine.coworkers.timed_answers import answer_due, deliver_due, hear, open_due
from brownout.engine.everyday import Everyday
from brownout.engine.outages import FaultPlan
from brownout.engine.schedule import EDGE, Due
from brownout.engine.session_state import State
from brownout.engine.simulation import Handler, Simulation
from brownout.engine.simulation_setting import Setting
from brownout.engine.systems.metrics import SystemsView
from brownout.engine.systems.triggers import fire_if_held, turn_fact
from brownout.engine.systems.trouble_notices import (
    check_alert,
    check_customers,
    complain,
    notice_changes,
    post_deploy,
    schedule_announcements,
)
from brownout.engine.tables_before_outage import NoPast, Past
from brownout.store import StoreRows

__all__ = ["company"]


def company(
    setting: Setting,
    rows: Callable[[], StoreRows],
    state: State,
    emit: EventSink,
    *,
    plan: FaultPlan,
    days: Timeline | None = None,
    seed: int = 0,
    past: Past | None = None,
    proves: Callable[[str, str, str], bool] | None = None,
    requester: str = "",
    prompt: str = "",
    contains: bool = False,
) -> Simulation:
    """A simulation whose schedule knows what to do; one with an agent in it contains what our code fails at.

    Args:
        days: the company's everyday life, None where it has none beside its storylines.
    """
    past = past or NoPast(rows)
    simulation = Simulation(
        setting=setting,
        rows=rows,
        state=state,
        plan=plan,
        emit=emit,
        handlers=_HANDLERS,
        view=SystemsView(setting, rows, lambda: state.now),
        past=past.read,
        keep_past=past.keep,
        hear=hear,
        changed=notice_changes,
        deployed=post_deploy,
        proves=proves or (lambda service, commit, test: False),
        seed=seed,
        requester=requester,
        prompt=prompt,
        contains=contains,
    )
    if days is not None:
        simulation.everyday = Everyday(days, simulation)
    return simulation


def _turn_outage(simulation: Simulation, due: Due) -> None:
    """An outage begins, and its end is put on the schedule; or it ends."""
    name, edge = str(due.payload["name"]), str(due.payload["edge"])
    outage = simulation.plan.outages[name]
    now = simulation.state.now
    if edge == "began":
        if outage.mode == "stale_reads":
            simulation.keep_past(name)
        simulation.state.active[name] = now
        ended = {"name": name, "edge": "ended"}
        simulation.schedule.push(now + outage.lasts, "outage", f"outage/{name}", ended, priority=EDGE)  # type: ignore[arg-type]
        schedule_announcements(simulation, outage, now)
    else:
        simulation.state.active.pop(name, None)
    simulation.log(lambda seq: OutageEvent(seq=seq, at=now, name=name, target=outage.target, edge=edge))
    notice_changes(simulation)


def _take_in(simulation: Simulation, due: Due) -> None:
    """What an outage held back reaches the app that takes it in."""
    given = dict(due.payload)
    app, who, to = str(given.pop("app")), str(given.pop("who")), given.pop("to")
    assert isinstance(to, list)
    said = Utterance(to=frozenset(map(str, to)), **{name: str(value) for name, value in given.items()})
    simulation.take_in(simulation.setting.apps[app], simulation.person(who).account, said)


_HANDLERS: Mapping[str, Handler] = {
    "intent": carry_due,
    "outage": _turn_outage,
    "alert": check_alert,
    "customers": check_customers,
    "complaint": complain,
    "answer": answer_due,
    "customer": customer_due,
    "deliver": deliver_due,
    "open": open_due,
    "learn": learn_due,
    "taken_in": _take_in,
    "trigger": fire_if_held,
    "fact": turn_fact,
}
