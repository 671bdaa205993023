"""Builds a package: the company is set up, then simply lives up to the first task's start.

History is a session without an agent: past and future come from the same schedule, through the same dispatch,
so that what was projected before a start and what happens after it cannot differ in kind.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import MetaData

from brownout.background.days import Days
from brownout.background.kept_days import days_between, packed
from brownout.background.life_sources import Cards, Project
from brownout.core.app_roles import HasProjects, HasRooms, HoldsCustomers, KeepsRepositories, RunsServices, WritesMany
from brownout.core.apps import App, Call
from brownout.core.calls import Account
from brownout.core.errors import AuthoringError, BrokenApp, BrownoutError, Mistake
from brownout.core.instants import DAY, HOUR, MINUTE, Instant, from_datetime, local
from brownout.core.plugins import Kind, is_built_in, plugin_stamp
from brownout.core.seeds import Stream
from brownout.core.trajectory import Event, EventSink, WorldEvent, dump_event
from brownout.core.values import Json, JsonObject, digest_of
from brownout.engine.app_errors import blamed, blaming, line_of
from brownout.engine.carrying_intents import learn
from brownout.engine.company_assembly import company
from brownout.engine.outages import FaultPlan
from brownout.engine.schedule import EDGE, STORY
from brownout.engine.scheduled_intents import intent_document
from brownout.engine.session_state import State, load_state, save_state
from brownout.engine.simulation import Simulation
from brownout.engine.simulation_setting import Setting, load_app, read_people
from brownout.engine.systems.triggers import set_trigger
from brownout.store import Base, Pool, StoreRows, WorkingCopy, create_world, row_digest
from generators.accounts import write_accounts
from generators.background import everyday_bots, everyday_cards, everyday_projects, life_of, write_code
from generators.commit_history import CommitHistory
from generators.fact_rows import write_facts
from generators.failed_intents import undone_mistakes
from generators.hidden_test_verdicts import known_verdicts
from generators.planned_intents import Planned
from generators.repositories import RepositoryPlan, plan_repositories
from generators.run_time_phrases import Phrases, phrases_of
from generators.storyline_intents import in_order, plan_sections, plan_story, plan_triggered
from generators.task_findings import recorded_findings, resolved_findings
from generators.ticket_closing import plan_tickets
from generators.timetable import Timetable
from generators.truth_file import write_truth
from generators.world_check import checked
from worlds.expressions import ExpressionError, parse_condition, parse_duration, parse_moment
from worlds.hidden_test_harness import read_harness
from worlds.package import (
    FORMAT,
    Manifest,
    Outage,
    Package,
    PackageWriter,
    TaskRecord,
    ToolSchema,
    engine_tables,
    open_package,
)
from worlds.spec import Service, Task, WorldSpec
from worlds.spec.apps import app_for

__all__ = ["Progress", "build_world"]

Progress: TypeAlias = Callable[[str, float], None]
"""Is told the stage that a build is in, and how much of it is done, from 0 to 1: `("past", 0.25)`."""


_ESTABLISHED = 270 * DAY
"""How long before the first thing that happens a company was set up whose author does not say when."""


@dataclass(frozen=True, slots=True)
class _Plan:
    spec: WorldSpec
    seed: int
    apps: Mapping[str, App]
    times: Timetable
    story: list[Planned]
    outages: tuple[Outage, ...]
    phrases: Phrases
    code_bases: Sequence[CommitHistory]
    repositories: RepositoryPlan


def build_world(spec: WorldSpec, *, seed: int | None = None, out: Path, progress: Progress | None = None) -> Package:
    """The package of a spec, written to `out`; an older package there is replaced when the new one is whole.

    Args:
        seed: of the world; None takes the author's.
        progress: is told the stages `text`, `past` (up to the first task's start), `future` and `package`.

    Raises:
        AuthoringError: the spec has mistakes that only show when it is put together.
        PackageError: the package cannot be written.
    """
    tell = progress or _tell_nobody
    tell("text", 0.0)
    plan = _plan(spec if seed is None else spec.seeded(seed))
    with PackageWriter(out) as writer:
        plan = _with_repositories(plan, writer)
        events = _write_world(plan, writer, tell)
        tell("package", 0.0)
        _write_parts(plan, writer)
        write_truth(writer.folder / "truth.sqlite", plan.spec, plan.times, events)
        manifest = _manifest(plan, writer, events)
        package = open_package(writer.finish(manifest))
    tell("package", 1.0)
    return package


def _tell_nobody(stage: str, done: float) -> None:
    """Nobody watches."""


def _telling(tell: Progress, stage: str, simulation: Simulation, since: Instant, until: Instant) -> Callable[[], bool]:
    """What a simulation asks after each event: says how far it is between two moments, and never stops it."""

    def told() -> bool:
        tell(stage, min(max((simulation.state.now - since) / max(until - since, 1), 0.0), 1.0))
        return False

    return told


def _plan(spec: WorldSpec) -> _Plan:
    found = checked(spec)
    times = found.times
    apps = {name: load_app(name) for name in spec.world.apps}
    return _Plan(
        spec,
        spec.world.generation.seed,
        apps,
        times,
        sorted([*plan_story(spec, times), *plan_sections(spec, apps, times)], key=in_order),
        _outages(spec, times),
        phrases_of(spec),
        found.code_bases,
        RepositoryPlan({}, [], {}, {}, {}),
    )


def _with_repositories(plan: _Plan, writer: PackageWriter) -> _Plan:
    """The plan with the code bases in it; what is older than the calendar is written as git repositories."""
    found = plan_repositories(plan.spec, writer.folder, plan.code_bases)
    made, digests = write_code(plan.spec, writer.folder)
    if made:
        repositories = found.settings.get("repositories", {})
        assert isinstance(repositories, dict)
        bots = everyday_bots(plan.spec)
        settings: JsonObject = {
            "repositories": {**repositories, **made},
            "bots": [bots[does] for does in ("pins", "builds") if does in bots],
        }
        found = replace(found, settings=settings, digests={**found.digests, **digests})
    writer.digests.update(found.digests)
    tickets = plan_tickets(plan.spec, plan.times, found.landings)
    story = sorted([*plan.story, *found.intents, *tickets], key=in_order)
    return replace(plan, story=story, repositories=found)


def _outages(spec: WorldSpec, times: Timetable) -> tuple[Outage, ...]:
    return tuple(
        Outage(
            name=name,
            target=outage.on,
            mode=outage.mode,
            start=times.moments.get(name),
            lasts=outage.lasts,
            when=outage.when,
            announced=_announced(outage.announced),
            operations=outage.operations,
            people=outage.people,
            settings=outage.settings,
        )
        for name, outage in spec.outages.items()
    )


def _announced(text: str) -> int | None:
    if text == "never":
        return None
    return 0 if text == "at once" else parse_duration(text.removesuffix(" late"))


# -- the company and its past -------------------------------------------------------------------------------


def _write_world(plan: _Plan, writer: PackageWriter, tell: Progress) -> list[Event]:
    """Write world.sqlite as it is at the first task's start, and a changeset for each later one."""
    events: list[Event] = []
    first = min(plan.times.starts.values(), default=plan.times.calendar[1])
    tables: list[MetaData] = [engine_tables.metadata, *(app.tables for app in plan.apps.values())]
    with create_world(writer.folder / "origin.sqlite", tables) as origin:
        simulation, made = _found(plan, writer.folder, origin.rows, lambda event: None, None)
        save_state(origin.rows, simulation.state)
        days = _days(plan, simulation, made, writer)
    path = writer.folder / "world.sqlite"
    with create_world(path, tables) as world:
        simulation, _ = _found(plan, writer.folder, world.rows, events.append, days)
        if days is not None:
            world.index_at_the_end(
                [str(name) for app in plan.apps.values() if app.role(WritesMany) for name in app.tables.tables]
            )
        tell("past", 0.0)
        simulation.advance(first - 1, stop=_telling(tell, "past", simulation, plan.times.calendar[0], first))
        simulation.state.now = first
        world.rows.execute("DELETE FROM engine_schedule WHERE at_us < ?", (first,))
        save_state(world.rows, simulation.state)
    writer.digests["world.sqlite"] = row_digest(path)
    later = _write_starts(plan, writer, simulation.setting, days, first, tell)
    mistakes = undone_mistakes(plan.spec, [*events, *later])
    if mistakes:
        raise AuthoringError(mistakes)
    writer.write_bytes("events.jsonl", b"".join(_line(event) for event in [*events, *later]))
    return events


def _line(event: Event) -> bytes:
    """An event as a package has it: without the rows that it wrote, which the world has."""
    return dump_event(replace(event, effects=()) if isinstance(event, WorldEvent) else event) + b"\n"


@dataclass(frozen=True, slots=True)
class _Furniture:
    """What was made for everyday life: projects for its tickets, and what machines say, with the rooms that they say it in."""

    projects: tuple[Project, ...]
    cards: Cards | None


def _days(plan: _Plan, simulation: Simulation, made: _Furniture, writer: PackageWriter) -> Days | None:
    """The everyday life of the company that was set up, written down; None where its author wants none."""
    if plan.spec.world.background.is_silent:
        return None
    life = life_of(
        plan.spec, simulation.setting, simulation.rows(), plan.times.calendar, made.projects, made.cards, plan.story
    )
    writer.write_json("life.json", life.model_dump(mode="json", by_alias=True))
    return Days(life)


def _found(
    plan: _Plan, folder: Path, rows: StoreRows, emit: EventSink, days: Days | None
) -> tuple[Simulation, _Furniture]:
    """The company on the first day of its calendar, with everything still to come on its schedule.

    Returns:
        Also what was made for everyday life.
    """
    accounts = write_accounts(rows, plan.spec)
    write_facts(rows, plan.spec, plan.times, plan.repositories.titles)
    state = State(now=min([plan.times.calendar[0], *(planned.at for planned in plan.story)]))
    simulation = company(
        _setting(plan, rows, folder), lambda: rows, state, emit, plan=FaultPlan(plan.outages), days=days
    )
    _open_company(plan, simulation, accounts)
    made = _Furniture(_make_projects(plan, simulation), _make_rooms(plan, simulation))
    _schedule(plan, simulation)
    rows.record = True
    return simulation, made


def _make_projects(plan: _Plan, simulation: Simulation) -> tuple[Project, ...]:
    found = everyday_projects(plan.spec, simulation.setting, simulation.rows())
    tracker = app_for("opens", plan.apps)
    for project, name in found:
        role = plan.apps[tracker].role(HasProjects)
        assert role is not None
        role.add(simulation.acting(simulation.person(project.lead).account), project.key, name, project.lead)
    return tuple(project for project, _ in found)


def _make_rooms(plan: _Plan, simulation: Simulation) -> Cards | None:
    talks = app_for("talks", plan.apps)
    role = plan.apps[talks].role(HasRooms) if talks else None
    if role is None or role.add is None:
        return None
    cards = everyday_cards(plan.spec, frozenset(role.rooms(simulation.rows())))
    if cards is not None:
        call = simulation.acting(simulation.person(next(iter(simulation.setting.people))).account)
        for room in cards.rooms.values():
            role.add(call, room.name, room.purpose)
    return cards


def _setting(plan: _Plan, rows: StoreRows, folder: Path) -> Setting:
    clock = plan.spec.world.clock
    return Setting(
        world=plan.spec.world.world,
        folder=folder,
        seed=plan.seed,
        zone=clock.zone,
        turn_cost=clock.turn_cost,
        apps=plan.apps,
        people=read_people(rows),
        outages=plan.outages,
        services=plan.spec.services,
        phrases={name: {kind: tuple(texts) for kind, texts in kinds.items()} for name, kinds in plan.phrases.items()},
    )


def _open_company(plan: _Plan, simulation: Simulation, accounts: list[Account]) -> None:
    """Everybody's accounts, then each app's own furniture (channels, projects)."""
    system = Account("brownout", "Brownout", "", "system")
    for name, app in plan.apps.items():
        call = simulation.acting(system)
        call.now = _set_up(plan, name, simulation.state.now)
        for account in accounts:
            with blaming(name, f"open_account for {account.person}"):
                app.open_account(call, account)
        _prepare(plan.spec, app, call, _settings(plan, name, app))


def _prepare(spec: WorldSpec, app: App, call: Call, settings: JsonObject) -> None:
    """The app's own furniture. What its section has that the app cannot read is the author's mistake, with its line."""
    try:
        app.prepare(call, settings)
    except BrokenApp as error:
        raise blamed(app.name, "prepare", error) from error
    except BrownoutError:
        raise
    except Exception as error:
        why = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        place = "" if is_built_in("apps", app.name) else line_of(app.name, error)
        why = f"{why} ({place})" if place else why
        line = spec.line("world.yaml", "apps", app.name)
        message = f"apps.{app.name}: {app.name} cannot be set up from this: {why}"
        raise AuthoringError([Mistake("world.yaml", line, message)]) from error


def _set_up(plan: _Plan, app: str, first: Instant) -> Instant:
    """When the company began with an app: on a working day, before anything happened there."""
    zone = plan.spec.world.clock.zone
    since = plan.spec.world.company.since
    founded = parse_moment(since, zone) if since else first - _ESTABLISHED
    stream = Stream(plan.seed, "set up", app)
    day = local((founded if isinstance(founded, int) else first) + stream.below(12) * DAY, zone)
    while day.weekday() >= 5:
        day += timedelta(days=1)
    at = from_datetime(day.replace(hour=9, minute=0, second=0, microsecond=0)) + stream.below(8 * HOUR)
    return min(at, first)


def _settings(plan: _Plan, name: str, app: App) -> JsonObject:
    """What the author set for an app; the one that runs the services is also given them."""
    settings = dict(plan.spec.world.apps[name])
    if app.role(KeepsRepositories):
        settings = dict(plan.repositories.settings)
    if app.role(HoldsCustomers):
        customers = plan.spec.customers.items()
        settings["customers"] = {name: customer.model_dump(mode="json", by_alias=True) for name, customer in customers}
    if app.role(RunsServices):
        settings["services"] = {
            service: {
                "says": spec.says,
                "team": spec.team,
                "on_call": spec.on_call or "",
                "repo": spec.repo,
                "version": spec.version,
                "released": _released(plan, spec),
                "commit": plan.repositories.heads.get(spec.repo, ""),
                "needs": {need: {"is": n.on, "can_be": [*n.can_be]} for need, n in spec.needs.items()},
                "flags": dict(spec.flags),
            }
            for service, spec in plan.spec.services.items()
        }
        settings["teams"] = _teams(plan.spec, settings.get("teams"))
        broken = {outage.target for outage in plan.outages} - set(plan.spec.services)
        settings["vendors"] = [*sorted({*broken, *(app.vendor for app in plan.apps.values())})]
    return settings


def _teams(spec: WorldSpec, further: Json) -> JsonObject:
    """Who is of each team: those of people.yaml, and those that the author makes beside them."""
    teams: dict[str, list[Json]] = {}
    for name, person in spec.people.items():
        if person.team:
            teams.setdefault(person.team, []).append(name)
    return {**teams, **(further if isinstance(further, dict) else {})}


def _released(plan: _Plan, service: Service) -> Instant:
    """When what runs on the first day was released: on the day that its version names, else some days before."""
    zone, first = plan.spec.world.clock.zone, plan.times.calendar[0]
    stream = Stream(plan.seed, "released", service.repo, service.version)
    landed = plan.repositories.landed.get(service.repo)
    named = re.match(r"(\d{4})\.(\d{1,2})\.(\d{1,2})\b", service.version)
    if landed is not None:
        return landed + stream.between(4 * MINUTE, 11 * MINUTE)
    try:
        day = parse_moment("{}-{:0>2}-{:0>2} 10:00".format(*named.groups()) if named else "", zone)
    except ExpressionError:
        return first - stream.between(2 * DAY, 20 * DAY)
    assert isinstance(day, int)
    return min(day + stream.below(7 * HOUR), first)


def _schedule(plan: _Plan, simulation: Simulation) -> None:
    for planned in plan.story:
        document = intent_document(planned.intent)
        simulation.schedule.push(planned.at, "intent", planned.intent.key, document, priority=STORY)
    for outage in plan.outages:
        if outage.start is not None:
            payload: JsonObject = {"name": outage.name, "edge": "began"}
            simulation.schedule.push(outage.start, "outage", f"outage/{outage.name}", payload, priority=EDGE)
    _set_triggers(plan, simulation)
    for line, story in plan.spec.storylines.items():
        for name, beat in story.beats.items():
            for fact in (*beat.makes, *beat.learns):
                path = f"story/{line}/{name}"
                if beat.when:
                    lesson: JsonObject = {"person": beat.who, "fact": fact, "path": path}
                    set_trigger(simulation.rows(), parse_condition(beat.when), "learn", f"{path}/{fact}", lesson)
                else:
                    learn(simulation.rows(), beat.who, fact, plan.times.moments[name], path)


def _set_triggers(plan: _Plan, simulation: Simulation) -> None:
    """Beats, facts and outages that wait for something to come true."""
    for when, planned in plan_triggered(plan.spec):
        for each in planned:
            document = intent_document(each.intent)
            set_trigger(simulation.rows(), parse_condition(when), "intent", each.intent.key, document, after=each.at)
    for turn in plan.times.turns:
        edge: JsonObject = {"fact": turn.fact, "edge": turn.edge}
        key = f"fact/{turn.fact}/{turn.edge}"
        set_trigger(simulation.rows(), parse_condition(turn.when), "fact", key, edge, after=turn.after)
    for outage in plan.outages:
        if outage.when:
            payload: JsonObject = {"name": outage.name, "edge": "began"}
            set_trigger(simulation.rows(), parse_condition(outage.when), "outage", f"outage/{outage.name}", payload)


def _write_starts(
    plan: _Plan, writer: PackageWriter, setting: Setting, days: Days | None, first: Instant, tell: Progress
) -> list[Event]:
    """Each later start is what the company becomes by living on from the first.

    It goes on to the calendar's end, so that what it will deploy, and cannot do, without an agent is known beforehand.

    Returns:
        What happened from the first start to the calendar's end.
    """
    events: list[Event] = []
    later = sorted((at, name) for name, at in plan.times.starts.items() if at > first)
    path = writer.folder / "world.sqlite"
    with closing(Base(path, writer.digests["world.sqlite"])) as base, WorkingCopy(base, writer.folder) as copy:
        state = load_state(copy.rows)
        assert state is not None
        state = state.copy()
        simulation = company(setting, lambda: copy.rows, state, events.append, plan=FaultPlan(plan.outages), days=days)
        told = _telling(tell, "future", simulation, first, plan.times.calendar[1])

        def lived() -> bool:
            copy.commit(at_once=False)
            return told()

        for name in (name for name, at in plan.times.starts.items() if at == first):
            _keep_days(plan, writer, days, name)
        for at, name in later:
            simulation.advance(at - 1, stop=lived)
            _keep_days(plan, writer, days, name)
            state.now = at
            copy.rows.take_effects()
            save_state(copy.rows, state)
            changeset = copy.changeset()
            writer.write_bytes(f"starts/{name}.changeset", changeset)
            writer.digests[f"starts/{name}.changeset/rows"] = copy.digest(changeset)
        copy.forget_base()
        simulation.advance(plan.times.calendar[1], stop=lived)
        writer.write_json("verdicts.json", known_verdicts(plan.spec, plan.times, copy.rows))
    return events


def _keep_days(plan: _Plan, writer: PackageWriter, days: Days | None, task: str) -> None:
    """Write down the days on which a task is played, as long as they are at hand."""
    if days is None:
        return
    limits, start = plan.spec.tasks[task].limits, plan.times.starts[task]
    for day in days_between(start, start + limits.sim + limits.settle, plan.spec.world.clock.zone):
        if f"days/{day}.jsonl" not in writer.digests:
            writer.write_bytes(f"days/{day}.jsonl", packed(days.on(day)))


# -- the other files ----------------------------------------------------------------------------------------


def _write_parts(plan: _Plan, writer: PackageWriter) -> None:
    spec = plan.spec
    for name, app in plan.apps.items():
        tools = [
            ToolSchema(name=o.name, description=o.description, input_schema=o.schema)
            for _, o in sorted(app.operations.items())
        ]
        writer.write_tools(name, tools)
    writer.write_json("settings.json", dict(spec.world.apps))
    writer.write_json("services.json", {name: s.model_dump(by_alias=True) for name, s in spec.services.items()})
    writer.write_json("phrases.json", plan.phrases)
    for path in sorted((spec.root / "repos").glob("*/hidden/test_*.py")):
        writer.write_bytes(f"graders/hidden/{path.parent.parent.name}/{path.name}", path.read_bytes())
    for path in sorted((spec.root / "repos").glob("*/hidden/harness.yaml")):
        writer.write_json(f"graders/hidden/{path.parent.parent.name}/harness.json", read_harness(path))
    for path in sorted((spec.root / "tasks").glob("*/hidden/*/test_*.py")):
        owner, repository = path.parts[-4], path.parts[-2]
        writer.write_bytes(f"graders/{owner}/{repository}/{path.name}", path.read_bytes())
    writer.write_json("outages.json", [outage.model_dump() for outage in plan.outages])
    writer.write_tasks([_task(plan, name, task) for name, task in spec.tasks.items()])
    for name, task in spec.tasks.items():
        rubric = task.rubric.model_copy(update={"findings": resolved_findings(spec, task)})
        writer.write_json(f"graders/{name}.json", rubric.model_dump())
        _write_judged(spec, name, writer)
        writer.write_json(f"oracle/{name}.json", [step.model_dump() for step in spec.oracles[name]])
        for kind, cases in spec.cases[name].items():
            for case, script in cases.items():
                writer.write_json(f"cases/{name}/{kind}/{case}.json", [stood.step.model_dump() for stood in script])


def _write_judged(spec: WorldSpec, task: str, writer: PackageWriter) -> None:
    """What a judge said of the task's texts when it was written."""
    path = spec.root / "tasks" / task / "judged.jsonl"
    if path.is_file():
        writer.write_bytes(f"graders/{task}.judged.jsonl", path.read_bytes())


def _task(plan: _Plan, name: str, task: Task) -> TaskRecord:
    apps = list(plan.apps) if task.actor.apps == "all" else list(task.actor.apps)
    return TaskRecord(
        id=name,
        title=task.title,
        hard_because=task.hard_because,
        prompt=task.prompt.strip(),
        start=plan.times.starts[name],
        actor=task.actor.person,
        requester=task.requester.person,
        requester_replies=task.requester.replies,
        apps=apps,
        limit_sim=task.limits.sim,
        limit_calls=task.limits.calls,
        settle=task.limits.settle,
        oracle_calls=len(plan.spec.oracles[name]),
        findings=recorded_findings(plan.spec, task),
        tools=list(task.tools),
    )


def _manifest(plan: _Plan, writer: PackageWriter, events: list[Event]) -> Manifest:
    spec = plan.spec
    content = [f"{name}={digest}" for name, digest in sorted(writer.digests.items()) if not name.endswith(".changeset")]
    first = min(plan.times.starts.values(), default=plan.times.calendar[1])
    return Manifest(
        format=FORMAT,
        world=spec.world.world,
        title=spec.world.title,
        company=spec.world.company.name,
        seed=plan.seed,
        digest=digest_of(str(FORMAT), spec.world.world, str(plan.seed), *content),
        digests={**writer.digests, "spec": spec.digest},
        counts=_counts(writer.folder / "world.sqlite", plan, events),
        zone=spec.world.clock.zone,
        calendar=plan.times.calendar,
        start=first,
        turn_cost=spec.world.clock.turn_cost,
        flagship=spec.world.flagship,
        apps=list(plan.apps),
        plugins=_plugins(plan),
    )


def _plugins(plan: _Plan) -> dict[str, str]:
    """Version and state of each stranger's plug-in that shaped the content, by kind and name."""
    used: list[tuple[Kind, str]] = [("apps", name) for name in plan.apps]
    used += [("faults", mode) for mode in dict.fromkeys(outage.mode for outage in plan.outages)]
    stamps = {f"{kind}/{name}": plugin_stamp(kind, name).partition("==")[2] for kind, name in used}
    return {name: stamp for name, stamp in stamps.items() if stamp}


def _counts(path: Path, plan: _Plan, events: list[Event]) -> dict[str, int]:
    with closing(Base(path)) as base:
        pool = Pool(base, hot=1)
        store = pool.open()
        counts = {
            str(table): int(str(store.rows.execute(f'SELECT count(*) FROM "{table}"')[0][0]))
            for app in plan.apps.values()
            for table in sorted(app.tables.tables)
        }
        pool.close()
    return {**counts, "people": len(plan.spec.people), "events": len(events), "tasks": len(plan.spec.tasks)}
