"""Everyday life of one world as a value: who talks where, about what, with which words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, TypeVar

from brownout.background.life_sources import Cards, Colleague, Life, Project, Room, Support
from brownout.background.packs import MailThread, Pack, TicketCase
from brownout.core.app_roles import HasLists, HasProjects, HasRooms, HoldsCustomers, KeepsCalendars, KeepsRepositories
from brownout.core.rows import Rows
from brownout.engine.simulation_setting import Setting
from generators.authoring.trades import load_trade, trade_names
from generators.background.authored_talk import authored_talk
from generators.background.disciplines import Employed, area_of_room, callings
from generators.background.everyday_code import everyday_code
from generators.background.free_texts import free_part, free_script
from generators.background.noticed_outages import noticed_outages
from generators.background.outside_senders import (
    calendar_sender,
    everyday_bots,
    everyday_outsiders,
    read_letters,
    read_mail_manners,
    tracker_sender,
)
from generators.background.pack_files import (
    read_cases,
    read_dialogues,
    read_mail_files,
    read_mail_packs,
    read_mail_threads,
    read_outage_pack,
    read_packs,
    read_trade_dialogues,
    read_work_packs,
    taken_words,
)
from generators.data_files import data_path, read_data
from generators.measured_tables import measured_tables
from generators.planned_intents import Planned
from worlds.spec import WorldSpec
from worlds.spec.apps import app_for, app_with

__all__ = ["everyday_projects", "life_of"]

W = TypeVar("W", TicketCase, MailThread)

_WORD: Final = re.compile(r"[a-z]+")
_TELLING: Final = 5
"""Letters by which a team's name and a project's are told apart."""


def everyday_projects(spec: WorldSpec, setting: Setting, rows: Rows) -> tuple[tuple[Project, str], ...]:
    """For each team of two and more a project with its name, for tickets that no storyline tells of.

    Those of the author's projects keep their numbers: nothing is opened there that the author did not open.
    """
    tracker = app_for("opens", spec.world.apps)
    role = setting.apps[tracker].role(HasProjects) if tracker else None
    if role is None or not spec.world.background.permille("work"):
        return ()
    packs, authored, found = read_packs(), role.names(rows), list[tuple[Project, str]]()
    boards = {pack.area: pack.boards for pack in packs}
    everybodys = next((pack.boards for pack in packs if pack.is_for_all), {})
    teams: dict[str, list[Colleague]] = {}
    for person in _people(setting, packs):
        if person.team and person.leaves is None and person.joins is None:
            teams.setdefault(person.team, []).append(person)
    for team, people in teams.items():
        if len(people) < 2:
            continue
        names = tuple(person.name for person in people)
        lead = next((name for name in names if setting.people[name].manager not in names), names[0])
        areas = [person.area for person in people]
        area = max(areas, key=areas.count)
        own = {} if _has_name_of(team, authored.values()) else _keys_of(team)
        able = {
            **own,
            **boards.get(area, {}),
            **everybodys,
            **{f"{area[:1].upper()}Q{n}": f"Team {team}" for n in range(2, 100)},
        }
        taken = {*authored, *(project.key for project, _ in found)}
        key = next(one for one in able if not any(_alike(one, other) for other in taken))
        found.append((Project(key=key, lead=lead, people=names, area=area), able[key]))
    return tuple(found)


def _keys_of(team: str) -> dict[str, str]:
    """Keys that say a team's name, with the name of its project: `SALE` and `Sales team`."""
    letters = "".join(_WORD.findall(team.lower())).upper()
    name = f"{team.replace('-', ' ').capitalize()} team"
    return {key: name for key in (letters[:4], letters[:2] + letters[-2:], letters[:1] + letters[-3:]) if len(key) > 1}


def _has_name_of(team: str, names: Iterable[str]) -> bool:
    """Whether a project is called nearly as a team is: `booking` and `Bookings`."""
    words = _WORD.findall(team.lower())
    others = [other for name in names for other in _WORD.findall(name.lower())]
    return any(word[:_TELLING] == other[:_TELLING] for word in words for other in others)


def _alike(key: str, other: str) -> bool:
    """Whether two keys of projects would be taken for each other: one begins with the other, or they differ in one letter."""
    if key.startswith(other) or other.startswith(key):
        return True
    return len(key) == len(other) and sum(one != another for one, another in zip(key, other, strict=True)) < 2


def life_of(
    spec: WorldSpec,
    setting: Setting,
    rows: Rows,
    calendar: tuple[int, int],
    projects: tuple[Project, ...] = (),
    cards: Cards | None = None,
    story: Sequence[Planned] = (),
) -> Life:
    """The everyday life of a company that was set up; `rows` are its tables on the first day, `story` is what its author tells."""
    packs = read_packs()
    talks, opens, mails = (app_for(verb, spec.world.apps) for verb in ("talks", "opens", "mails"))
    role = setting.apps[talks].role(HasRooms) if talks else None
    tracker = setting.apps[opens].role(HasProjects) if opens else None
    people = tuple(_people(setting, packs))
    names = {person.name for person in people}
    rooms = tuple(_rooms(role.rooms(rows) if role else {}, people, cards, packs))
    taken = taken_words(spec)
    code = everyday_code(spec)
    coders = frozenset(name for base in code for name in base.reviewers)
    trade = spec.world.generation.trade
    unsaid = taken | _words_of_other_trades(trade)
    usual = {pack.area: pack.usual for pack in packs}
    volumes = {layer: spec.world.background.permille(layer) for layer in ("machines", "work", "people")}
    if role is None or len(people) < 2:
        volumes["people"] = 0
    noticed = tuple(noticed_outages(spec, setting.outages, setting.apps, people, coders)) if volumes["people"] else ()
    return Life(
        seed=setting.seed,
        zone=setting.zone,
        calendar=calendar,
        volumes=volumes,
        apps={
            "talks": talks,
            "opens": opens,
            "mails": mails,
            "keeps": app_with(KeepsRepositories, spec.world.apps),
            "meets": app_with(KeepsCalendars, spec.world.apps),
        },
        people=people,
        rooms=rooms,
        words={
            "service": tuple(spec.services),
            "customer": tuple(customer.name for customer in spec.customers.values()),
            "room": tuple(room.name for room in rooms),
        },
        manners=_manners(),
        taken=taken,
        packs=packs,
        dialogues={
            area: tuple(free for one in found if (free := free_script(one, unsaid)) is not None)
            for area, found in _dialogues(trade).items()
        },
        cases={
            area: tuple(_with_usual(one, usual.get(area, ())) for one in _of_trade(found, trade, taken, unsaid))
            for area, found in read_cases().items()
        }
        if projects
        else {},
        work=read_work_packs() if projects else (),
        projects=projects,
        letters=read_letters() if mails else (),
        inboxes=tuple(name for name, profile in setting.people.items() if profile.account.kind in ("person", "agent")),
        mail=read_mail_packs() if mails else (),
        mail_threads={
            side: tuple(_of_trade(found, trade, taken, unsaid)) for side, found in read_mail_threads().items()
        }
        if mails
        else {},
        mail_manners=read_mail_manners() if mails else None,
        files=read_mail_files() if mails else {},
        support=_support(setting, rows, rooms, names) if mails else None,
        outsiders=tuple(everyday_outsiders(spec)) if mails else (),
        company=spec.world.company.name,
        domain=spec.world.company.domain,
        calendar_mail=calendar_sender(spec) if mails else "",
        tracker=tracker_sender(spec) if mails and projects else "",
        ticket_page=f"https://{opens}.{spec.world.company.domain}/{tracker.page}" if tracker and tracker.page else "",
        tracker_title=setting.apps[opens].title if opens else "",
        code=code,
        outages=noticed,
        outage_texts=read_outage_pack() if noticed else None,
        bots=everyday_bots(spec),
        cards=cards,
        told=authored_talk(story, talks, names, setting.zone),
        tables=measured_tables(),
    )


def _rooms(
    listed: Mapping[str, tuple[str, tuple[str, ...]]],
    people: Sequence[Colleague],
    cards: Cards | None,
    packs: tuple[Pack, ...],
) -> Iterable[Room]:
    """Where everyday talk is held: rooms for the work of an area, and those of half of the company and more.

    What a few have a room of their own for, a customer or a hobby, is the author's to tell.
    """
    areas = {person.name: person.area for person in people}
    machines = {room.name for room in (cards.rooms.values() if cards else ())}
    for name, (purpose, everyone) in listed.items():
        readers = tuple(reader for reader in everyone if reader in areas)
        is_quiet = not {*_WORD.findall(f"{name} {purpose}".lower())}.isdisjoint(_manners()["quiet"])
        if len(readers) < 2 or name in machines or is_quiet:
            continue
        area = area_of_room(name, purpose, [areas[reader] for reader in readers], packs)
        if area or 2 * len(readers) >= len(areas):
            yield Room(name=name, members=readers, area=area)


def _dialogues(trade: str) -> Mapping[str, tuple[str, ...]]:
    """The conversations that are written whole by area, those of the company's own trade the last."""
    own = read_trade_dialogues(trade)
    return {area: (*found, *own.get(area, ())) for area, found in read_dialogues().items()}


def _of_trade(found: Iterable[W], trade: str, taken: frozenset[str], unsaid: frozenset[str]) -> Iterator[W]:
    """What companies of a trade have of tickets or mails written whole, with other numbers where those are stated.

    Args:
        taken: words of storylines' facts.
        unsaid: these, and those of other trades, which only what names the trade may say.
    """
    for one in found:
        free = free_part(one, taken if one.trades else unsaid) if not one.trades or trade in one.trades else None
        if free is not None:
            yield free


def _with_usual(case: TicketCase, usual: tuple[str, ...]) -> TicketCase:
    """A ticket that names nobody, for those who usually do the work of its area."""
    return case if case.by or not usual else case.model_copy(update={"by": usual})


def _words_of_other_trades(trade: str) -> frozenset[str]:
    """What is said in companies of other trades only; of a world that names no trade it is every trade's."""
    words = {name: frozenset(load_trade(name).own_words) for name in trade_names()}
    return frozenset().union(*(found for name, found in words.items() if name != trade)) - words.get(trade, frozenset())


def _support(setting: Setting, rows: Rows, rooms: tuple[Room, ...], names: set[str]) -> Support | None:
    """The first address whose mail the register of customers takes in, and which colleagues read."""
    lists: dict[str, tuple[str, ...]] = {}
    for app in setting.apps.values():
        if (role := app.role(HasLists)) is not None:
            lists |= role.lists(rows)
    for app in setting.apps.values():
        register = app.role(HoldsCustomers)
        for inbox in register.inboxes(rows) if register is not None else ():
            people = tuple(name for name in lists.get(inbox, ()) if name in names)
            if people:
                own = next((room for room in rooms if room.area == "support" and {*people} & {*room.members}), None)
                experts = tuple(name for name in own.members if name not in people) if own else ()
                return Support(inbox=inbox, people=people, app=app.name, room=own.name if own else "", experts=experts)
    return None


def _people(setting: Setting, packs: tuple[Pack, ...]) -> Iterable[Colleague]:
    known = callings(
        (Employed(name, one.account.role, one.team, one.manager) for name, one in setting.people.items()), packs
    )
    for name, profile in setting.people.items():
        if profile.account.kind == "person" and profile.hours is not None:
            yield Colleague(
                name=name,
                full=profile.account.name,
                zone=profile.account.zone,
                hours=profile.hours,
                away=profile.away,
                joins=profile.joins,
                leaves=profile.leaves,
                team=profile.team,
                role=profile.account.role,
                voice=profile.voice,
                area=known[name].area,
                does=known[name].disciplines,
                leads=known[name].leads,
            )


@cache
def _manners() -> Mapping[str, tuple[str, ...]]:
    return read_data(data_path("background", "manners.yaml"), dict[str, tuple[str, ...]])
