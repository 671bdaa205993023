"""A company as drawn for an author: who works there, for whom, with what. Plain values; nothing is written yet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from itertools import islice
from typing import Final

from brownout.core.errors import UsageError
from brownout.core.seeds import Stream
from brownout.core.short_names import slug, spelt
from brownout.core.vocabulary import near_or_all
from generators.authoring.names import full_name, new_name, place_of, short_names
from generators.authoring.teams import Post, Teams, load_teams
from generators.authoring.trades import ServicePack, Trade
from generators.authoring.world_request import WorldRequest

__all__ = [
    "CastMember",
    "Client",
    "Company",
    "CustomerDesk",
    "Running",
    "draw_company",
    "in_words",
    "outage_target",
    "products_in_use",
    "purpose_of",
    "reads_of",
]

_VOICES: Final = {"plain": 30, "dry": 12, "warm": 20, "terse": 14, "formal": 10, "chatty": 14}
_HOURS: Final = {"09:00-17:30": 40, "08:30-17:00": 18, "09:30-18:00": 20, "08:00-16:30": 10, "10:00-18:30": 12}
_FIRST_MONDAY: Final = date(2026, 1, 5)
_NAMESAKES: Final = 25
"""People of whom one has somebody else's given name."""
_ENGINEERS_A_SQUAD: Final = 5


@dataclass(frozen=True, slots=True)
class CastMember:
    """Somebody who works at the company.

    Attributes:
        kind: what sort of team theirs is: `squad` for every team of engineers, else its name.
        away: days off, first and last of each stretch.
        contractor: they are here for a time, and belong to somebody else's payroll.
    """

    short: str
    name: str
    role: str
    team: str
    kind: str
    zone: str
    hours: str
    voice: str
    story: str
    is_lead: bool = False
    manager: str = ""
    away: tuple[tuple[date, date], ...] = ()
    contractor: bool = False
    joins: date | None = None
    leaves: date | None = None

    @property
    def is_here_all_along(self) -> bool:
        """Whether they are there on every working day of the calendar."""
        return not (self.contractor or self.away or self.joins or self.leaves)

    @property
    def first(self) -> str:
        """The given name."""
        return self.name.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Client:
    """A customer of the company."""

    short: str
    name: str
    contact: str
    email: str
    role: str
    voice: str
    plan: str
    sites: int
    city: str
    region: str
    owner: str
    health: str
    since: date
    until: date | None
    monthly: int
    notes: tuple[str, ...]
    tags: tuple[str, ...]
    desk: "CustomerDesk"

    @property
    def first(self) -> str:
        """The contact's given name."""
        return self.contact.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class CustomerDesk:
    """Somebody at a customer who writes and may decide nothing."""

    short: str
    name: str
    email: str
    role: str

    @property
    def first(self) -> str:
        """The given name."""
        return self.name.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Running:
    """A service that runs, who looks after it, and which code base it comes from."""

    name: str
    pack: ServicePack
    squad: str
    on_call: str
    version: str
    repo: str = ""


@dataclass(frozen=True)
class Company:
    """A company and its calendar.

    Attributes:
        first: the calendar's first day, a Monday.
        until: its last day, excluded.
        agent: short name and name of whom agents of tasks play.
    """

    request: WorldRequest
    trade: Trade
    name: str
    domain: str
    does: str
    first: date
    until: date
    agent: tuple[str, str]
    people: tuple[CastMember, ...]
    clients: tuple[Client, ...]
    services: tuple[Running, ...]
    squads: tuple[str, ...]

    @property
    def zone(self) -> str:
        """The company's own time zone."""
        return self.request.zones[0]

    @property
    def seed(self) -> int:
        """Of everything that was drawn."""
        return self.request.seed

    @cached_property
    def by_short(self) -> Mapping[str, CastMember]:
        """Everybody by short name."""
        return {one.short: one for one in self.people}

    @cached_property
    def teams(self) -> Mapping[str, list[CastMember]]:
        """Everybody by team, the lead first."""
        found: dict[str, list[CastMember]] = {}
        for one in sorted(self.people, key=lambda one: not one.is_lead):
            found.setdefault(one.team, []).append(one)
        return found

    @cached_property
    def workdays(self) -> list[date]:
        """Mondays to Fridays of the calendar."""
        days = (self.first + timedelta(days=number) for number in range((self.until - self.first).days))
        return [day for day in days if day.weekday() < 5]

    @cached_property
    def programmers(self) -> list[CastMember]:
        """Who writes and reviews the code base, in the company's zone, its squad and its lead first; none where fewer than three."""
        squad = next((one.squad for one in self.services if one.name == self.trade.codebase.service), "")
        people = (*self.of_kind("squad"), *self.of_kind("platform"), *self.of_kind("leadership"))
        here = [one for one in dict.fromkeys(people) if one.zone == self.zone and not one.contractor]
        return sorted(here, key=lambda one: (one.team != squad, not one.is_lead)) if len(here) >= 3 else []

    def of_kind(self, *kinds: str) -> list[CastMember]:
        """Those in the first of these sorts of teams in which there is anybody, leads first."""
        for kind in kinds:
            found = [one for one in self.people if one.kind == kind and not one.contractor]
            if found:
                return sorted(found, key=lambda one: not one.is_lead)
        return [self.people[0]]


def draw_company(request: WorldRequest, trade: Trade) -> Company:
    """The company that is asked for; the same request draws the same one."""
    stream = Stream(request.seed, "company")
    first = _FIRST_MONDAY + timedelta(weeks=stream.below(30))
    drawn = stream.choice(trade.brands)
    brand = request.company or drawn
    engineers = request.people * load_teams().then["squad"] // 100
    squads = tuple(trade.squads[: max(1, min(len(trade.squads), engineers // _ENGINEERS_A_SQUAD))])
    people = _people(request, trade, squads, first)
    agent = next(
        name for name in ("Robin", "Ember", "Quinn", "Sage") if slug(name) not in {one.short for one in people}
    )
    services = _services(request, trade, squads, people)
    return Company(
        request=request,
        trade=trade,
        name=brand,
        domain=f"{spelt(brand) or request.name}.test",
        does=stream.choice(trade.does),
        first=first,
        until=first + timedelta(days=request.days),
        agent=(slug(agent), agent),
        people=people,
        clients=_clients(request, trade, people, first, brand),
        services=services,
        squads=squads,
    )


def in_words(template: str, trade: Trade, **values: str) -> str:
    """A text of a pack with its nouns and values: `{accounts}`, `{Accounts}`, `{person}`; other braces stay."""
    nouns = trade.nouns
    words = dict(values)
    for name, (one, many) in (
        ("item", nouns.item),
        ("account", nouns.account),
        ("person", nouns.person),
        ("worker", nouns.worker),
    ):
        words |= {name: one, f"{name}s": many, name.title(): one.capitalize(), f"{name}s".title(): many.capitalize()}
    for name, value in words.items():
        template = template.replace("{" + name + "}", value)
    return template


# -- people -------------------------------------------------------------------------------------------------


def _people(request: WorldRequest, trade: Trade, squads: Sequence[str], first: date) -> tuple[CastMember, ...]:
    teams = load_teams()
    posts = _posts(teams, request, squads)
    zones = [_zone(request, number) for number in range(len(posts))]
    taken: set[str] = set()
    names = [new_name(Stream(request.seed, "name", number), place_of(zone), taken) for number, zone in enumerate(zones)]
    for number in range(_NAMESAKES // 2, len(names), _NAMESAKES):
        other = Stream(request.seed, "namesake", number).below(number)
        namesake = replace(names[number], given=names[other].given)
        names[number] = names[number] if str(namesake) in taken else namesake
        taken.add(str(names[number]))
    shorts = short_names(names, {"brownout", *teams.then, *squads})
    stories = Stream(request.seed, "stories").shuffled(teams.stories)
    people = []
    for number, ((team, post), zone, name, short) in enumerate(zip(posts, zones, names, shorts, strict=True)):
        stream = Stream(request.seed, "person", number)
        contractor = number >= 14 and not post.lead and post.team in ("squad", "design", "data") and stream.chance(12)
        people.append(
            CastMember(
                short=short,
                name=str(name),
                role=f"{_role(trade, teams, team, post, stream)}{', contractor' if contractor else ''}",
                team=team,
                kind=post.team,
                zone=zone,
                hours=stream.weighted([*_HOURS], [*_HOURS.values()]),
                voice=stream.weighted([*_VOICES], [*_VOICES.values()]),
                story=stories[number] if number < len(stories) else "",
                is_lead=post.lead,
                contractor=contractor,
            )
        )
    return tuple(_managed(people))


def _posts(teams: Teams, request: WorldRequest, squads: Sequence[str]) -> list[tuple[str, Post]]:
    """The team and post of everybody: first those that every company has, then as the teams grow."""
    posts = list(teams.first[: request.people])
    count = {kind: sum(post.team == kind for post in posts) for kind in teams.then}
    while len(posts) < request.people:
        kind = max(teams.then, key=lambda kind: (teams.then[kind] / (count[kind] + 1), kind))
        is_lead = kind != "leadership" and count[kind] == 0
        posts.append(Post(team=kind, role="", lead=is_lead))
        count[kind] += 1
    placed, engineers = [], 0
    for post in posts:
        team = post.team
        if team == "squad":
            team, is_first = squads[engineers % len(squads)], engineers < len(squads)
            post = post.model_copy(update={"lead": is_first, "role": teams.leads["squad"] if is_first else post.role})
            engineers += 1
        placed.append((team, post))
    return placed


def _zone(request: WorldRequest, number: int) -> str:
    """Where somebody works: of three people two in the company's own zone."""
    if len(request.zones) == 1 or number < 4 or Stream(request.seed, "zone", number).chance(66):
        return request.zones[0]
    return Stream(request.seed, "which zone", number).choice(request.zones[1:])


def _role(trade: Trade, teams: Teams, team: str, post: Post, stream: Stream) -> str:
    if post.role and (post.lead or post.team not in teams.leads):
        return post.role
    if post.lead:
        return teams.leads.get(post.team, teams.roles[post.team][0])
    return stream.choice(trade.roles.get(team) or teams.roles[post.team])


def _managed(people: Sequence[CastMember]) -> Iterable[CastMember]:
    """Everybody with a manager: their team's lead, and theirs the technical or the other head."""
    head = people[0]
    technical = next((one for one in people if one.role == "CTO"), head)
    leads = {one.team: one for one in reversed(people) if one.is_lead}
    for one in people:
        above = (
            technical if one.kind in ("squad", "platform", "data", "it", "design") and one is not technical else head
        )
        manager = above if one.is_lead or one.team not in leads or leads[one.team] is one else leads[one.team]
        yield replace(one, manager="" if one is head else manager.short)


# -- customers ----------------------------------------------------------------------------------------------


def _clients(
    request: WorldRequest, trade: Trade, people: Sequence[CastMember], first: date, brand: str
) -> tuple[Client, ...]:
    owners = [one.short for one in people if one.kind == "success"] or [people[0].short]
    found: list[Client] = []
    taken = {slug(brand), *(one.short for one in people)}
    names = {one.name for one in people}
    untold = [*trade.customers.notes]
    for number in range(request.customers):
        client = _client(Stream(request.seed, "customer", number), request, trade, owners, first, taken, names, untold)
        taken.add(client.short)
        found.append(client)
    return tuple(found)


def _client(
    stream: Stream,
    request: WorldRequest,
    trade: Trade,
    owners: Sequence[str],
    first: date,
    taken: set[str],
    names: set[str],
    untold: list[str],
) -> Client:
    """A customer; what is noted of it is taken from what was noted of no other."""
    pack, zone = trade.customers, stream.choice(request.zones)
    place = place_of(zone)
    contact, city = new_name(stream.child("contact"), place, names), stream.choice(place.cities)
    desk = new_name(stream.child("desk"), place, names)
    called = (
        stream.choice(pack.names).format(family=owner.family, given=owner.given, city=city)
        for owner in (full_name(stream.child("owner", attempt), place) for attempt in range(1_000))
    )
    name = next(name for name in called if slug(name) not in taken)
    plan = stream.choice([*pack.plans])
    low, _, high = pack.sites.get(plan, "1").partition("..")
    sites = stream.between(int(low), int(high or low))
    since = first - timedelta(days=stream.between(60, 1_400))
    years = (first - since).days // 365 + 1
    note = stream.shuffled(untold)[: stream.below(3)]
    for text in note:
        untold.remove(text)
    weekday = stream.choice(["Monday", "Tuesday", "Wednesday", "Sunday"])
    return Client(
        short=slug(name),
        name=name,
        contact=str(contact),
        email=f"{slug(contact.given)}@{slug(name)}.test",
        role=stream.choice(pack.contacts),
        voice=stream.weighted([*_VOICES], [*_VOICES.values()]),
        plan=plan,
        sites=sites,
        city=city,
        region=zone.partition("/")[0].lower(),
        owner=stream.choice(owners),
        health=stream.weighted(["good", "watch", "at-risk"], [80, 15, 5]),
        since=since,
        until=since + timedelta(days=365 * years - 1) if stream.chance(60) else None,
        monthly=pack.plans[plan] * sites,
        notes=tuple(text.format(contact=str(contact), weekday=weekday, city=city) for text in note),
        tags=tuple(sorted(stream.shuffled(pack.tags)[: stream.between(1, 2)])),
        desk=CustomerDesk(
            f"{slug(name)}-desk", str(desk), f"{slug(desk.given)}.{slug(desk.family)}@{slug(name)}.test", pack.desk
        ),
    )


# -- systems ------------------------------------------------------------------------------------------------


def _services(
    request: WorldRequest, trade: Trade, squads: Sequence[str], people: Sequence[CastMember]
) -> tuple[Running, ...]:
    wanted = request.services if request.services is not None else max(3, min(len(trade.services), request.people // 6))
    if wanted > len(trade.services):
        raise UsageError(f"expected at most {len(trade.services)} services, {trade.title} has no more; found {wanted}")
    chosen: list[str] = []
    for name in [trade.codebase.service, *_broken(request, trade)]:
        _with_needs(trade, name, chosen)
    if request.services is not None and len(chosen) > wanted:
        raise UsageError(f"what shall break is needed by {', '.join(chosen)}; expected at least {len(chosen)} services")
    for name in trade.services:
        if len(chosen) < wanted:
            _with_needs(trade, name, chosen)
    platform = [one.short for one in people if one.kind == "platform"] or [people[1].short]
    found = []
    for name in [name for name in trade.services if name in chosen]:
        pack = trade.services[name]
        squad = pack.squad if pack.squad in squads else squads[trade.squads.index(pack.squad) % len(squads)]
        stream = Stream(request.seed, "service", name)
        team = [one.short for one in people if one.team == squad and not one.contractor] or platform
        version = f"2025.{stream.between(9, 12)}.{stream.between(1, 28)}-{stream.between(1, 3)}"
        repo = name if name == trade.codebase.service else ""
        found.append(Running(name, pack, squad, stream.choice(team), version, repo))
    return tuple(found)


def _broken(request: WorldRequest, trade: Trade) -> Iterator[str]:
    """For each outage that is asked for, the service that breaks, or the first that feels it."""
    for word in request.outages:
        target = str(trade.outages[word]["on"]) if word in trade.outages else word
        feels = (
            name for name, one in trade.services.items() if target in {name, *(need.on for need in one.needs.values())}
        )
        yield from islice(feels, 1)


def _with_needs(trade: Trade, name: str, chosen: list[str]) -> None:
    """A service, and before it what it cannot be without."""
    if name in chosen:
        return
    chosen.append(name)
    for need in trade.services[name].needs.values():
        if need.on in trade.services:
            _with_needs(trade, need.on, chosen)


def outage_target(company: Company, word: str, products: Sequence[str]) -> dict[str, object]:
    """What an outage's short name stands for: a vendor of the trade, a product in use, a service.

    Raises:
        UsageError: it is none of them.
    """
    vendors = company.trade.outages
    services = [one.name for one in company.services]
    if word in vendors:
        return dict(vendors[word])
    if word in (*products, *services):
        return {"on": word, "mode": "down", "for": "25m..75m", "announced": "10m late"}
    known = [*vendors, *products, *services]
    raise UsageError(f"there is nothing called {word!r} that could break{near_or_all(word, known)}")


def purpose_of(company: Company, team: str, kind: str) -> str:
    """What a team's channel is for, in the trade's words."""
    says = next((one.pack.says for one in company.services if one.squad == team), "what we build.")
    return in_words(load_teams().purposes[kind], company.trade, team=team.capitalize(), says=says)


def reads_of(one: CastMember) -> list[str]:
    """The apps somebody watches, first choice first."""
    reads = load_teams().reads
    return reads.get(one.kind) or reads["else"]


def products_in_use() -> list[str]:
    """The products that a written company works with and that may break."""
    return load_teams().products
