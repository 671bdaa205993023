"""How every service is, from what it needs, how it is set up, and what is broken.

Computed anew whenever an outage begins or ends or a service is set up differently; a change becomes a row, so
that the past can be read back. Figures are integers.
"""

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import bindparam, select

from brownout.core.app_roles import RunsServices, ServiceState
from brownout.core.apps import Health, HealthState
from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.core.trajectory import OutageEvent
from brownout.engine.simulation import Simulation
from brownout.engine.simulation_setting import Setting
from brownout.engine.unrecorded_writes import insert_quietly
from brownout.store import StoreRows, compile_query
from worlds.package.engine_tables import health as table
from worlds.spec import Behaviour, Service
from worlds.systems import is_as_bad, parse_effect, parse_need_state, parse_until

__all__ = ["health_at", "history", "recompute", "service_states"]

_USUAL_LATENCY = 80
_NEARLY_ALL = 90
"""A service is as bad as what so many percent of its requests need."""
_LATEST = compile_query(
    select(table)
    .where(table.c.service == bindparam("service"), table.c.at_us <= bindparam("at"))
    .order_by(table.c.at_us.desc(), table.c.id.desc())
    .limit(1)
)
_BETWEEN = compile_query(
    select(table)
    .where(
        table.c.service == bindparam("service"), table.c.at_us > bindparam("since"), table.c.at_us <= bindparam("until")
    )
    .order_by(table.c.at_us, table.c.id)
)
_STATES: dict[str, HealthState] = {"ok": "ok", "slow": "slow", "errors": "errors", "down": "down"}


def health_at(rows: StoreRows, service: str, at: Instant) -> Health:
    """How a service or a vendor's part was at a moment; what never broke is fine."""
    row = rows.one(_LATEST, service=service, at=at)
    return _health(row) if row else Health(service, 0, "ok", 0, _USUAL_LATENCY, 100)


def history(rows: StoreRows, service: str, since: Instant, until: Instant) -> list[Health]:
    """How it was from `since` on, each change until `until`."""
    return [
        health_at(rows, service, since),
        *(_health(r) for r in rows.all(_BETWEEN, service=service, since=since, until=until)),
    ]


def service_states(setting: Setting, rows: StoreRows) -> Mapping[str, ServiceState]:
    """How every service is set up, as the app that runs them says; as the author wrote where no app does."""
    for app in setting.apps.values():
        if role := app.role(RunsServices):
            return role.states(rows)
    return {
        name: ServiceState(name, {need: n.on for need, n in spec.needs.items()}, dict(spec.flags), spec.version, "")
        for name, spec in setting.services.items()
    }


def recompute(simulation: Simulation) -> list[Health]:
    """Bring every service's health up to date; the changes, vendors' parts first."""
    if not simulation.setting.services and not simulation.state.active:
        return []
    rows, now = simulation.rows(), simulation.state.now
    states = service_states(simulation.setting, rows)
    found: dict[str, Health] = {}
    for part in _parts(simulation, states):
        found[part] = _vendor(simulation, part)
    for name in _in_order(states):
        spec = simulation.setting.services.get(name)
        if spec is not None:
            found[name] = _service(simulation, states[name], spec, found)
    changed = []
    for name, new in found.items():
        old = health_at(rows, name, now)
        if replace(old, since=0) != replace(new, since=0):
            _write(simulation, rows, new)
            changed.append(new)
    return changed


def _parts(simulation: Simulation, states: Mapping[str, ServiceState]) -> list[str]:
    """The vendors' parts that services hang on or that an outage names."""
    needed = {target for state in states.values() for target in state.needs.values()}
    could = {o for s in simulation.setting.services.values() for n in s.needs.values() for o in (n.on, *n.can_be)}
    broken = {outage.target for outage in simulation.plan.outages.values()}
    return sorted((needed | could | broken) - set(states))


def _vendor(simulation: Simulation, part: str) -> Health:
    """A vendor's part is as bad as the outages on it, or on what it is a part of."""
    found = Health(part, simulation.state.now, "ok", 0, _USUAL_LATENCY, 100)
    for name, since in simulation.state.active.items():
        target = simulation.plan.outages[name].target
        if part == target or part.startswith(f"{target}/"):
            found = _worse(found, _broken(found, simulation.plan.health(name, since), name))
    return found


def _broken(found: Health, figures: Mapping[str, int], cause: str) -> Health:
    errors, latency = figures.get("error_percent", 0), figures.get("latency_ms", 0)
    share = figures.get("slow_percent", 100)
    state: HealthState = "down" if figures.get("down") else "errors" if errors >= 5 else "slow" if latency else "ok"
    slower = _USUAL_LATENCY + latency * share // 100
    return replace(found, state=state, error_percent=errors, latency_ms=slower, cause=cause if state != "ok" else "")


def _worse(one: Health, other: Health) -> Health:
    return other if is_as_bad(other.state, one.state) else one


def _service(simulation: Simulation, state: ServiceState, spec: Service, found: Mapping[str, Health]) -> Health:
    now = simulation.state.now
    health = Health(state.name, now, "ok", 0, _USUAL_LATENCY, 100)
    needs = {need: found.get(target) for need, target in state.needs.items()}
    for need, target in needs.items():
        if target is not None:
            share = spec.needs[need].share if need in spec.needs else 100
            health = _worse(health, _through(health, target, need, share))
    for need in sorted(state.lost):
        health = replace(health, state="down", error_percent=100, cause=need)
    for name, since in simulation.state.active.items():
        if simulation.plan.outages[name].target == state.name:
            health = _worse(health, _broken(health, simulation.plan.health(name, since), name))
    for name, behaviour in spec.behaves.items():
        if _acts(simulation, state, name, behaviour, needs):
            health = _with_behaviour(health, behaviour, name)
    return health


def _through(health: Health, need: Health, name: str, share: int) -> Health:
    """What a service feels of something that a share of its requests needs: where that is slow, some of them time out."""
    if need.state == "ok":
        return health
    latency = max(health.latency_ms, need.latency_ms * share // 100 + _USUAL_LATENCY)
    timeouts = min(60, (need.latency_ms - _USUAL_LATENCY) * 4 // 1000) if need.state == "slow" else 0
    errors = max(health.error_percent, need.error_percent * share // 100, timeouts * share // 100)
    at_least = need.state if share >= _NEARLY_ALL else "ok"
    return replace(
        health, state=_state(errors, latency, at_least), error_percent=errors, latency_ms=latency, cause=name
    )


def _state(errors: int, latency: int, at_least: HealthState = "ok") -> HealthState:
    if at_least == "down" or errors >= 90:
        return "down"
    if errors >= 5:
        return "errors"
    return "slow" if latency > 1000 else "ok"


def _acts(
    simulation: Simulation, state: ServiceState, name: str, behaviour: Behaviour, needs: Mapping[str, Health | None]
) -> bool:
    """Whether a behaviour acts now; one that has begun with `once` goes on until it is ended."""
    key = f"{state.name}/{name}"
    latched = simulation.state.latched
    wanted = parse_need_state(behaviour.during or behaviour.once)
    need = needs.get(wanted.need)
    is_met = need is not None and is_as_bad(need.state, wanted.state)
    if not is_met and key not in latched:
        return False
    if _is_ended(simulation, state, behaviour):
        latched.pop(key, None)
        return False
    if behaviour.once and is_met:
        latched.setdefault(key, simulation.state.now)
    return is_met or key in latched


def _is_ended(simulation: Simulation, state: ServiceState, behaviour: Behaviour) -> bool:
    until = parse_until(behaviour.until)
    match until.kind:
        case "flag":
            return state.flags.get(until.name, False) == (until.value == "on")
        case "version":
            return state.version == until.value
        case "passes":
            return simulation.proves(state.name, state.commit, until.name)
        case "never":
            return False


def _with_behaviour(health: Health, behaviour: Behaviour, name: str) -> Health:
    effect = parse_effect(behaviour.multiplies)
    if effect.kind == "errors":
        errors = max(health.error_percent, effect.amount)
        return replace(
            health, state=_worst(health.state, _state(errors, health.latency_ms)), error_percent=errors, cause=name
        )
    load = health.load_percent * effect.amount // 100
    latency = health.latency_ms * min(8, max(1, load // 100))
    errors = min(100, health.error_percent + max(0, load - 200) // 10)
    state = _worst(health.state, _state(errors, latency))
    return replace(health, state=state, error_percent=errors, latency_ms=latency, load_percent=load, cause=name)


def _worst(one: HealthState, other: HealthState) -> HealthState:
    return other if is_as_bad(other, one) else one


def _in_order(states: Mapping[str, ServiceState]) -> list[str]:
    """The services, each after those it needs."""
    done: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in done or name in path or name not in states:
            return
        for target in states[name].needs.values():
            visit(target, (*path, name))
        done.append(name)

    for name in sorted(states):
        visit(name, ())
    return done


def _write(simulation: Simulation, rows: StoreRows, new: Health) -> None:
    insert_quietly(
        rows,
        table,
        service=new.service,
        at_us=new.since,
        state=new.state,
        error_percent=new.error_percent,
        latency_ms=new.latency_ms,
        load_percent=new.load_percent,
        cause=new.cause,
    )
    simulation.log(
        lambda seq: OutageEvent(
            seq=seq, at=new.since, name=new.cause or "recovered", target=new.service, edge=new.state
        )
    )


def _health(row: Row) -> Health:
    return Health(
        row.text("service"), row.number("at_us"), _STATES[row.text("state")], row.number("error_percent"),
        row.number("latency_ms"), row.number("load_percent"), row.text("cause"),
    )  # fmt: skip
