"""One storyline more for a world that exists: its people and customers are cast in a kind, as for a new company."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from brownout.core.errors import UsageError
from brownout.core.seeds import Stream
from generators.authoring.author_files import teams_in_use
from generators.authoring.company import CastMember, Client, Company, CustomerDesk, Running
from generators.authoring.storyline_kinds import kind_names, load_kind, one_story, render_story
from generators.authoring.teams import kind_of_team
from generators.authoring.trades import ServicePack, Trade, load_trade, trade_names
from generators.authoring.world_request import WorldRequest
from worlds.spec import Person, WorldSpec
from worlds.spec.company import Away

__all__ = ["storyline_files"]


def storyline_files(spec: WorldSpec, kind: str, *, trade: str = "", name: str = "") -> dict[str, str]:
    """The files of a storyline of a kind, by their path in the author's folder; a world's own files get what is added to them.

    Args:
        trade: whose words it takes; without it those that the world was written in.
        name: of the storyline; the kind's without it.

    Raises:
        UsageError: there is no such kind or trade, the world's calendar is too short, or nobody is there for a role.
    """
    found = load_kind(kind)
    trade = trade or spec.world.generation.trade
    if not trade:
        raise UsageError(
            f"expected --trade, for {spec.world.world} does not say whose words it takes: {', '.join(trade_names())}"
        )
    own = Path(kind).name
    if found.codebase:
        others = ", ".join(one for one in kind_names() if not load_kind(one).codebase)
        raise UsageError(
            f"{kind!r} needs a code base whose history has its change, and {spec.world.world} has its own or none: "
            f"`brownout new world DIR --trade {trade} --storylines {own}` writes a company with both; "
            f"kinds that need none: {others}"
        )
    taken = {*spec.storylines, *spec.tasks}
    name = name or next(one for one in (own, *(f"{own}-{number}" for number in range(2, 100))) if one not in taken)
    if name in taken:
        raise UsageError(f"{spec.world.world} has {name!r} already; give the new one another name")
    company = _company(spec, load_trade(trade))
    busy = {date.fromisoformat(task.start[:10]) for task in spec.tasks.values() if task.start[:4].isdigit()}
    story = one_story(company, name, kind, busy)
    return render_story(company, story, teams_in_use(company))


def _company(spec: WorldSpec, trade: Trade) -> Company:
    """A world's company as kinds see one."""
    clock = spec.world.clock
    first, until = date.fromisoformat(clock.start[:10]), date.fromisoformat(clock.until[:10])
    people = tuple(_colleague(spec, short, person) for short, person in spec.people.items())
    actor = next((task.actor for task in spec.tasks.values()), None)
    agent = (actor.person, actor.name or actor.person.capitalize()) if actor else ("robin", "Robin")
    services = tuple(
        Running(
            short,
            ServicePack.model_validate({"squad": one.team or "all", "says": one.says, "requests": 1, "ok": ["ok"]}),
            one.team,
            one.on_call or "",
            one.version,
            one.repo,
        )
        for short, one in spec.services.items()
    )
    return Company(
        request=WorldRequest(name=spec.world.world, zones=(clock.zone,), seed=spec.world.generation.seed),
        trade=trade,
        name=spec.world.company.name,
        domain=spec.world.company.domain,
        does=spec.world.company.does,
        first=first,
        until=until,
        agent=agent,
        people=people,
        clients=tuple(_clients(spec).values()),
        services=services,
        squads=tuple(dict.fromkeys(one.team for one in people if one.kind == "squad")),
    )


def _colleague(spec: WorldSpec, short: str, person: Person) -> CastMember:
    reports = [one for one in spec.people.values() if one.manager == short and one.team == person.team]
    return CastMember(
        short=short,
        name=person.name,
        role=person.role,
        team=person.team,
        kind=kind_of_team(person.team, person.role),
        zone=person.zone or spec.world.clock.zone,
        hours=person.hours,
        voice=person.voice,
        story=person.story,
        is_lead=bool(reports) or not person.manager,
        manager=person.manager or "",
        away=tuple(_stretch(one) for one in person.away),
        joins=_day(person.joins),
        leaves=_day(person.leaves),
    )


def _stretch(one: str | Away) -> tuple[date, date]:
    """Days off as dates: the first, and the day after the last."""
    since, until = (one, one) if isinstance(one, str) else (one.start, one.until)
    return date.fromisoformat(since[:10]), date.fromisoformat(until[:10])


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text[:10]) if text else None


def _clients(spec: WorldSpec) -> Mapping[str, Client]:
    """The customers at whom somebody writes who may decide nothing."""
    found = {}
    for short, one in spec.customers.items():
        desk = next((contact for contact in one.contacts if contact.short and "none" in contact.may), None)
        if desk is None or desk.short is None:
            continue
        stream = Stream(spec.world.generation.seed, "client", short)
        found[short] = Client(
            short=short,
            name=one.name,
            contact=one.contact,
            email=one.email,
            role="",
            voice=one.voice,
            plan=one.plan,
            sites=one.sites,
            city="",
            region=one.region,
            owner=one.owner or stream.choice([*spec.people]),
            health=one.health,
            since=date.min,
            until=None,
            monthly=0,
            notes=(),
            tags=tuple(one.tags),
            desk=CustomerDesk(desk.short, desk.name, desk.email, desk.role),
        )
    return found
