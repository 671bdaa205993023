"""A coworker reviews what they were asked to: they wait for the checks, then approve or ask for changes."""

from brownout.core.apps import Intent, Thing
from brownout.core.instants import MINUTE
from brownout.core.values import JsonObject
from brownout.engine.acting_call import Attention
from brownout.engine.carrying_intents import carry
from brownout.engine.coworkers.replies import phrase
from brownout.engine.schedule import Due
from brownout.engine.simulation import Simulation

__all__ = ["review_due"]

_PATIENCE = 6
"""How often they look whether the checks have come, ten minutes apart."""


def review_due(simulation: Simulation, due: Due, meant: Attention) -> None:
    """Look at the pull that a review was requested for, and say what they think of it."""
    app, _, pattern = meant.path.partition(":")
    pull = _found(simulation, app, pattern)
    if pull is None or pull.fields.get("state") != "open":
        return
    looked = int(str(due.payload.get("looked", 0)))
    checks = str(pull.fields.get("checks", "none"))
    if checks in ("none", "pending", "") and looked < _PATIENCE:
        again: JsonObject = {**due.payload, "looked": looked + 1}
        simulation.schedule.push(simulation.state.now + 10 * MINUTE, "answer", due.key, again)
        return
    is_good = checks in ("success", "neutral")
    key = f"{due.key}/{pull.fields.get('head_sha', looked)}"
    person = simulation.person(meant.person)
    carry(
        simulation,
        Intent(
            kind="approve" if is_good else "review",
            key=key,
            who=meant.person,
            via=app,
            text=phrase(simulation, person, "review_ok" if is_good else "review_no", simulation.stream("review", key)),
            thing=meant.path,
            details={} if is_good else {"state": "changes"},
        ),
    )


def _found(simulation: Simulation, app: str, pattern: str) -> Thing | None:
    things = simulation.setting.apps[app].find(simulation.rows(), pattern) if app in simulation.setting.apps else []
    return things[0] if things else None
