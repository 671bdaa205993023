"""Puts a running company together: what each kind of schedule entry does."""

from collections.abc import Callable, Mapping

from brownout.core.trajectory import EventSink, OutageEvent
from brownout.engine.outages import FaultPlan
from brownout.engine.people import carry_due
from brownout.engine.schedule import EDGE, Due
from brownout.engine.setting import Setting
from brownout.engine.simulation import Handler, Simulation
from brownout.engine.state import State
from brownout.store import Rows

__all__ = ["company"]


def company(
    setting: Setting, rows: Callable[[], Rows], state: State, emit: EventSink, *, plan: FaultPlan, seed: int = 0
) -> Simulation:
    """A simulation whose schedule knows what to do."""
    return Simulation(setting=setting, rows=rows, state=state, plan=plan, emit=emit, handlers=_HANDLERS, seed=seed)


def _turn_outage(simulation: Simulation, due: Due) -> None:
    """An outage begins, and its end is put on the schedule; or it ends."""
    name, edge = str(due.payload["name"]), str(due.payload["edge"])
    outage = simulation.plan.outages[name]
    now = simulation.state.now
    if edge == "began":
        simulation.state.active[name] = now
        ended = {"name": name, "edge": "ended"}
        simulation.schedule.push(now + outage.lasts, "outage", f"outage/{name}", ended, priority=EDGE)  # type: ignore[arg-type]
    else:
        simulation.state.active.pop(name, None)
    simulation.log(lambda seq: OutageEvent(seq=seq, at=now, name=name, target=outage.target, edge=edge))


_HANDLERS: Mapping[str, Handler] = {"intent": carry_due, "outage": _turn_outage}
