"""A drawn company as the text of its author's folder: every file by its path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Final

from jinja2 import FileSystemLoader

from brownout.core.errors import UsageError
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject
from generators.authoring.codebase import code_of
from generators.authoring.company import (
    Client,
    Company,
    in_words,
    outage_target,
    products_in_use,
    purpose_of,
    reads_of,
)
from generators.authoring.storyline_kinds import Story, fixed_name, render_story
from generators.authoring.trades import trade_folder
from generators.data_files import data_path
from generators.jinja_templates import environment, rendered

__all__ = ["author_files", "teams_in_use", "with_absences"]

_WHO_IS_WHO: Final = "who-is-who"
_PAGES_BEFORE: Final = 40
"""Days before the calendar in which the pages of a house were written."""
_SHORT_TEAMS: Final = {
    "it": "IT",
    "support": "SUP",
    "platform": "PLAT",
    "finance": "FIN",
    "people": "HR",
    "product": "PROD",
}
_VENDOR_AT: Final = (4, 15)
_PRODUCT_AT: Final = (26, 34)
"""Minutes after a task's start at which something breaks. The solutions of the kinds are done after 20 at most: who knows
what to do is not held up by a product that is away, who has to look around is."""
_IN_CHANNELS: Final = frozenset({"squad", "support", "platform", "success", "product", "it"})
"""Sorts of teams whose channels an agent reads."""


@dataclass(frozen=True, slots=True)
class _Channel:
    name: str
    purpose: str
    members: list[str]


@dataclass(frozen=True, slots=True)
class _Project:
    name: str
    lead: str
    first: int


def author_files(company: Company, stories: Sequence[Story]) -> dict[str, str]:
    """Every file of the author's folder, by its path.

    Raises:
        UsageError: an outage is asked of something that is not there.
        AuthoringError: a template of a kind does not come out.
    """
    company = with_absences(company, stories)
    channels, projects = _channels(company), _projects(company)
    shared = teams_in_use(company)
    found: dict[str, str] = {}
    code = code_of(company, stories)
    if code is not None:
        repository, base = code
        found |= {f"repos/{repository}/{path}": text for path, text in base.files.items()}
        active = next(bug for bug in base.bugs.values() if bug.is_active)
        squad = next(one.squad for one in company.services if one.repo == repository)
        shared |= {
            "squad": squad,
            "repository": repository,
            "repo": f"{company.domain.partition('.')[0]}/{repository}",
            "bug": active,
            "base": base,
        }
    for story in stories:
        for target, text in render_story(company, story, shared).items():
            found[target] = found.get(target, "") + text
        if code is not None and story.kind.codebase:
            found |= {f"tasks/{story.name}/fixed/{fixed_name(path)}": text for path, text in active.fixed.items()}
    templates = environment(FileSystemLoader(data_path("authoring", "templates")))
    pages = _pages(company)
    values: dict[str, Any] = {
        "company": company,
        "world": company.request.name,
        "nouns": company.trade.nouns,
        "agent": company.agent[1],
        "stories": stories,
        "channels": channels,
        "projects": projects,
        "repositories": {code[0]: {"protected": ["main"], "require_approvals": 1}} if code else {},
        "incident_members": [*_shorts(company, "squad", "platform", "support", "leadership"), company.agent[0]],
        "rotas": _rotas(company),
        "reads": reads_of,
        "complaints": _complaints(company),
        "outages": _outages(company, stories),
        "pages": pages,
        "meetings": _meetings(company),
    }
    for name, target in (
        ("world.yaml", "world.yaml"),
        ("people.yaml", "people.yaml"),
        ("customers.yaml", "customers.yaml"),
        ("systems.yaml", "systems.yaml"),
        ("prose-systems.yaml", "prose/systems.yaml"),
        ("outages.yaml", "outages.yaml"),
        ("house.yaml", "storylines/house.yaml"),
        ("who-is-who.md", f"documents/{_WHO_IS_WHO}.md"),
    ):
        found[target] = templates.get_template(f"{name}.j2").render(values) + found.get(target, "")
    documents = environment(FileSystemLoader(trade_folder(company.request.trade) / "documents"))
    for page in pages[1:]:
        place = f"{page['file']}.j2"
        shown = f"{Path(company.request.trade).name}/documents/{place}"
        found[f"documents/{page['file']}"] = rendered(documents, place, shown, values)
    return found


def teams_in_use(company: Company) -> dict[str, Any]:
    """What templates of kinds ask of a company's teams: where they talk, and where their tickets are."""
    channels = {team: channel.name for team, channel in _channels(company).items()}
    keys = {team: key for key, team in _keys(company).items()}
    first = next(iter(keys.values()), "")
    return {
        "channel": _by_kind(company, channels, "#general"),
        "project": _by_kind(company, keys, first),
        "team_channel": lambda team: channels.get(team, "#general"),
        "team_project": lambda team: keys.get(team, first),
    }


def with_absences(company: Company, stories: Sequence[Story]) -> Company:
    """The company with everybody's days off; whoever a story needs, and their managers, are there while it is told."""
    days = company.workdays
    people = []
    for one in company.people:
        stream = Stream(company.seed, "away", one.short)
        busy = [story.days(company) for story in stories if one.short in story.players]
        away: list[tuple[date, date]] = []
        for number in range(stream.weighted([0, 1, 2], [45, 40, 15])):
            length = stream.child(number).weighted([1, 2, 5, 10], [45, 15, 30, 10])
            begin = stream.child(number, "day").below(len(days))
            first, last = days[begin], days[min(len(days) - 1, begin + length - 1)]
            overlaps = [*busy, *away]
            if not any(first <= until and since <= last for since, until in overlaps):
                away.append((first, last))
        stretches = tuple(sorted((first, last + timedelta(days=1)) for first, last in away))
        people.append(replace(one, away=stretches))
    return replace(company, people=tuple(people))


# -- teams --------------------------------------------------------------------------------------------------


def _shorts(company: Company, *kinds: str) -> list[str]:
    return [one.short for one in company.people if one.kind in kinds]


def _channels(company: Company) -> dict[str, _Channel]:
    """A channel for each team, by the team."""
    found = {}
    for team, members in company.teams.items():
        kind = members[0].kind
        guests = [one.short for one in company.people if kind == "support" and one.kind in ("success", "product")]
        listed = [*(one.short for one in members), *guests]
        if kind in _IN_CHANNELS:
            listed.append(company.agent[0])
        found[team] = _Channel(f"#{team}", purpose_of(company, team, kind), listed)
    return found


def _keys(company: Company) -> dict[str, str]:
    """The tracker's projects: their keys, and whose they are."""
    found: dict[str, str] = {}
    for team, members in company.teams.items():
        kind = members[0].kind
        if kind == "squad" or kind in _SHORT_TEAMS:
            wanted = _SHORT_TEAMS.get(kind) or team.replace("-", "")[:4].upper()
            key = next(key for key in (wanted, *(f"{wanted}{number}" for number in range(2, 99))) if key not in found)
            found[key] = team
    return found


def _projects(company: Company) -> dict[str, _Project]:
    found = {}
    for key, team in _keys(company).items():
        stream = Stream(company.seed, "project", team)
        found[key] = _Project(
            team.upper() if len(team) == 2 else team.capitalize(),
            company.teams[team][0].short,
            stream.between(100, 900),
        )
    return found


def _by_kind(company: Company, teams: Mapping[str, str], otherwise: str) -> Any:
    """A function of a sort of team: what the first team of that sort has."""

    def found(kind: str) -> str:
        for team, members in company.teams.items():
            if team in teams and members[0].kind == kind:
                return teams[team]
        return otherwise

    return found


# -- systems ------------------------------------------------------------------------------------------------


def _rotas(company: Company) -> list[dict[str, Any]]:
    """A rota for each squad with three people and more, over its services."""
    found = []
    for squad in company.squads:
        covers = [one.name for one in company.services if one.squad == squad]
        rotation = [one.short for one in company.teams[squad] if one.zone == company.zone and not one.contractor]
        if covers and rotation:
            found.append({"name": squad, "covers": covers, "rotation": rotation[:5]})
    return found


def _complaints(company: Company) -> dict[str, dict[str, str]]:
    """Who writes what when a service is in trouble: every mail belongs to one customer."""
    clients = Stream(company.seed, "complaints").shuffled(company.clients)
    found: dict[str, dict[str, str]] = {}
    number = 0
    for service in company.services:
        mails = company.trade.complaints.get(service.name, [])
        for text in mails[: max(0, len(clients) - number)]:
            client: Client = clients[number]
            number += 1
            written = in_words(text, company.trade, contact=client.contact, company=company.name)
            found.setdefault(service.name, {})[client.short] = written
    return found


def _outages(company: Company, stories: Sequence[Story]) -> dict[str, JsonObject]:
    """What breaks, and when: the first ones while an agent is at a task, one a task, the others on days without one."""
    products = products_in_use()
    met = [story.start for story in stories if not story.kind.codebase]
    busy = {story.start.date() for story in stories}
    days = [day for day in company.workdays[3:] if day not in busy and day + timedelta(days=-1) not in busy]
    if len(company.request.outages) > len(met) and not days:
        raise UsageError(f"{company.request.days} days have no day left on which something could break")
    found: dict[str, JsonObject] = {}
    for number, word in enumerate(company.request.outages):
        stream = Stream(company.seed, "outage", number, word)
        target = outage_target(company, word, products)
        low, _, high = str(target.pop("for")).partition("..")
        lasts = stream.between(int(low.rstrip("m")), int((high or low).rstrip("m")))
        is_product = target["on"] in products
        if number < len(met):
            begins = met[number] + timedelta(minutes=stream.between(*(_PRODUCT_AT if is_product else _VENDOR_AT)))
        else:
            hour, minute = (12, stream.between(2, 14)) if is_product else (stream.between(9, 16), stream.below(60))
            begins = datetime.combine(stream.choice(days), time(hour, minute))
        name = word if word not in found else f"{word}-{number + 1}"
        found[f"{name}-out"] = {
            "on": str(target.pop("on")),
            "from": begins.strftime("%Y-%m-%d %H:%M"),
            "for": f"{min(lasts, 45) if is_product else lasts}m",
            **{word: str(value) for word, value in target.items()},
        }
    return found


# -- the house ----------------------------------------------------------------------------------------------


def _pages(company: Company) -> list[dict[str, Any]]:
    """Who is who, and the trade's pages, each written by somebody of its team, some weeks before the calendar."""
    own: JsonObject = {"title": "Who is who", "space": "OPS", "file": f"{_WHO_IS_WHO}.md", "team": "people"}
    found = []
    for number, page in enumerate([own, *(page.model_dump() for page in company.trade.pages)]):
        stream = Stream(company.seed, "page", number)
        writer = company.of_kind(str(page["team"]), "leadership")
        day = company.first - timedelta(days=stream.between(3, _PAGES_BEFORE))
        day -= timedelta(days=max(0, day.weekday() - 4))
        found.append(
            {
                "name": f"page-{str(page['file']).removesuffix('.md')}",
                "title": in_words(str(page["title"]), company.trade, company=company.name),
                "space": page["space"],
                "file": page["file"],
                "who": stream.choice(writer).short,
                "at": f"{day} {stream.between(9, 16):02}:{stream.below(60):02}",
            }
        )
    return found


def _meetings(company: Company) -> list[dict[str, Any]]:
    """What stands in everybody's calendar: stand-ups, team weeklies, one-to-ones, the all-hands."""
    found = []
    for team, members in company.teams.items():
        stream = Stream(company.seed, "meeting", team)
        guests = [one.short for one in members[1:]]
        if not guests:
            continue
        is_daily = members[0].kind in ("squad", "platform", "support")
        day = company.first if is_daily else company.first + timedelta(days=stream.below(5))
        found.append(
            {
                "name": f"cal-{team}",
                "at": f"{day} {9 + stream.below(3):02}:{stream.choice(['00', '15', '30', '45'])}",
                "who": members[0].short,
                "guests": guests,
                "title": f"{team.capitalize()} {'stand-up' if is_daily else 'weekly'}",
                "lasts": "15m" if is_daily else "45m",
                "repeats": "weekdays" if is_daily else "weekly",
                "room": "",
            }
        )
    head = company.people[0]
    everyone = [one.short for one in company.people[1:] if one.zone == company.zone]
    friday = company.first + timedelta(days=4)
    found.append(
        {
            "name": "cal-all-hands",
            "at": f"{friday} 16:00",
            "who": head.short,
            "guests": everyone,
            "title": "All hands",
            "lasts": "30m",
            "repeats": "every 2 weeks",
            "room": "Big room",
        }
    )
    return found
