"""Storyline kinds: templates of a storyline and its task, with the people, customers and days that they need.

A kind is a folder of generators/kinds, without code: `kind.yaml` says what it needs of a company, every `*.j2` beside it
becomes a file of the author's. docs/storylines.md says how one is written.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from jinja2 import FileSystemLoader
from pydantic import Field

from brownout.core.errors import UsageError
from brownout.core.seeds import Stream
from brownout.core.short_names import slug
from brownout.core.values import Json
from brownout.core.vocabulary import near_or_all
from generators.authoring.company import CastMember, Client, Company, in_words
from generators.data_files import data_path, pack_folder, read_data
from generators.jinja_templates import environment, quoted, rendered
from worlds.spec.field_types import Name, Spec

__all__ = ["Kind", "Story", "cast_stories", "fixed_name", "kind_names", "load_kind", "one_story", "render_story"]

_EARLIEST_TASK: Final = 40
"""Percent of the calendar that is over before the first task may begin."""
_NOT_ROUND: Final = 9
"""Minutes that what happens on a day may be later than its template says: nobody works by the quarter of an hour."""


class CastRole(Spec):
    """Somebody whom a kind needs."""

    of: list[str] = Field(min_length=1, description="Sorts of teams, the first that there is: `squad`, support ...")
    lead: bool = Field(default=False, description="The team's lead rather than a member.")


class Kind(Spec):
    """kind.yaml."""

    title: str = Field(description="What happens, one line.")
    follows: list[str] = Field(min_length=1, description="Public incidents of the kind, with where they are told.")
    days: int = Field(ge=1, description="Working days that pass before the task begins.")
    cast: dict[Name, CastRole] = Field(description="Who is needed, by a name for templates.")
    clients: list[Name] = Field(default=[], description="Customers that are needed, by a name for templates.")
    content: str = Field(default="", description="What of the trade's `content` it is about.")
    codebase: bool = Field(default=False, description="It needs the company's code base.")


@dataclass(frozen=True, slots=True)
class Story:
    """A kind with a company's people, days and content.

    Attributes:
        name: of the storyline and its task.
        start: when its task begins, in the company's zone.
        content: what of the trade it is about.
    """

    name: str
    kind_name: str
    kind: Kind
    start: datetime
    cast: Mapping[str, CastMember]
    clients: Mapping[str, Client]
    content: Mapping[str, Json] = field(default_factory=dict)

    @property
    def players(self) -> frozenset[str]:
        """Who may have something to say in it: the cast and their managers, by short name."""
        return frozenset(name for one in self.cast.values() for name in (one.short, one.manager))

    def days(self, company: Company) -> tuple[date, date]:
        """The first and last day on which something happens in it."""
        days = company.workdays
        last = days.index(self.start.date())
        return days[max(0, last - self.kind.days)], days[min(len(days) - 1, last + 1)]


def kind_names() -> list[str]:
    """The kinds that there are."""
    return sorted(path.parent.name for path in data_path("kinds").glob("*/kind.yaml"))


@cache
def load_kind(name: str) -> Kind:
    """A kind by name.

    Args:
        name: one of ours; `./trial` is a folder of one's own.

    Raises:
        UsageError: there is none of that name.
        AuthoringError: mistakes in its kind.yaml.
    """
    path = pack_folder("kinds", name) / "kind.yaml"
    if not path.is_file():
        raise UsageError(f"there is no storyline kind {name!r}{near_or_all(name, kind_names())}")
    return read_data(path, Kind)


def cast_stories(company: Company) -> list[Story]:
    """The storylines of a company: those asked for, and as many more as there are to be tasks, each with its people.

    Raises:
        UsageError: the trade has nothing that a kind is about, or the calendar is too short for one.
    """
    wanted = _wanted(company)
    starts = _starts(company, [load_kind(name) for name in wanted])
    taken: dict[str, int] = {}
    stories: list[Story] = []
    for kind_name, start in zip(wanted, starts, strict=True):
        taken[kind_name] = taken.get(kind_name, 0) + 1
        own = Path(kind_name).name
        name = own if taken[kind_name] == 1 else f"{own}-{taken[kind_name]}"
        stories.append(_cast(company, name, kind_name, start, stories))
    return stories


def one_story(company: Company, name: str, kind_name: str, busy: Collection[date]) -> Story:
    """One storyline more, on a day that is not busy.

    Raises:
        UsageError: the calendar has no day for it.
    """
    kind = load_kind(kind_name)
    free = [day for day in company.workdays[kind.days : -2] if day not in busy]
    if not free:
        raise UsageError(
            f"{kind.title!r} needs {kind.days} working days before its task, and a day on which no other begins"
        )
    stream = Stream(company.seed, "start", name)
    start = _in_the_morning(stream.choice(free[len(free) // 2 :]), stream)
    return _cast(company, name, kind_name, start, [])


def _wanted(company: Company) -> list[str]:
    """The kinds to be told: those asked for, then whichever was told least, each as often as there is something for it.

    Raises:
        UsageError: there are not so many different storylines in the trade.
    """
    wanted = list(company.request.storylines)
    most = {name: _most(company, load_kind(name)) for name in dict.fromkeys([*kind_names(), *wanted])}
    for name in dict.fromkeys(wanted):
        if load_kind(name).codebase and not company.programmers:
            raise UsageError(f"{name!r} needs three engineers in {company.zone}; ask for more people")
        if len(load_kind(name).cast) > len(_players(company)):
            raise UsageError(
                f"{name!r} needs {len(load_kind(name).cast)} people in {company.zone}; ask for more people"
            )
        if wanted.count(name) > most[name]:
            raise UsageError(f"the trade {company.trade.title!r} has enough for {most[name]} of the storyline {name!r}")
    stream = Stream(company.seed, "storylines")
    while len(wanted) < company.request.tasks:
        rest = [name for name in most if wanted.count(name) < most[name]]
        if not rest:
            raise UsageError(f"the trade {company.trade.title!r} has enough for {len(wanted)} tasks")
        fewest = min(wanted.count(name) for name in rest)
        wanted.append(stream.choice([name for name in rest if wanted.count(name) == fewest]))
    return wanted


def _most(company: Company, kind: Kind) -> int:
    """How often a kind can be told: once for each entry of the trade's content, once where it takes none; never with too few people."""
    if len(kind.cast) > len(_players(company)) or (kind.codebase and not company.programmers):
        return 0
    return len(company.trade.content.get(kind.content, ())) if kind.content else 1


def render_story(company: Company, story: Story, shared: Mapping[str, Any]) -> dict[str, str]:
    """A storyline's files, by their path in the author's folder.

    Args:
        shared: what all templates may use of the company's files: channels, projects.

    Raises:
        AuthoringError: a template does not come out, with file and line.
    """
    folder = pack_folder("kinds", story.kind_name)
    templates = environment(FileSystemLoader(folder))
    values = {**shared, **_values(company, story)}
    found = {}
    for path in sorted(folder.rglob("*.j2")):
        place = path.relative_to(folder).as_posix()
        target = _target(place.removesuffix(".j2"), story.name)
        found[target] = rendered(templates, place, f"{folder.name}/{place}", values)
    return {target: text for target, text in found.items() if text.strip()}


def fixed_name(path: str) -> str:
    """What a file of the code base is called beside its task: `tests/test_limits.py` is `tests-test_limits.py`."""
    return path.replace("/", "-")


def _target(place: str, name: str) -> str:
    """Where a template's text goes: `storyline.yaml` is storylines/NAME.yaml, `task/x` tasks/NAME/x."""
    top, _, rest = place.partition("/")
    if top == "task":
        return f"tasks/{name}/{rest}"
    if top == "documents":
        return f"documents/{name}-{rest}"
    return {"storyline.yaml": f"storylines/{name}.yaml", "prose.yaml": f"prose/{name}.yaml"}.get(place, place)


def _values(company: Company, story: Story) -> dict[str, Any]:
    """What a kind's templates may use."""

    def day(number: int) -> str:
        """The working day so many before (below 0) or after the task's, also outside the calendar: `2026-03-12`."""
        found = story.start.date()
        for _ in range(abs(number)):
            found += timedelta(days=1 if number > 0 else -1)
            while found.weekday() >= 5:
                found += timedelta(days=1 if number > 0 else -1)
        return found.isoformat()

    def at(number: int, clock: str, who: CastMember | None = None) -> str:
        """A moment of such a day in the world's zone, by the clock of whoever acts then; all of a day some minutes later."""
        zone = ZoneInfo(who.zone if who else company.zone)
        minutes = Stream(company.seed, "minutes", story.name, number).below(_NOT_ROUND)
        moment = datetime.fromisoformat(f"{day(number)}T{clock}").replace(tzinfo=zone) + timedelta(minutes=minutes)
        return moment.astimezone(ZoneInfo(company.zone)).strftime("%Y-%m-%d %H:%M")

    def shifted(moment: datetime, minutes: int) -> str:
        """A moment so many minutes later, as authors write it."""
        return (moment + timedelta(minutes=minutes)).strftime("%Y-%m-%d %H:%M")

    def weekday(number: int) -> str:
        """Which day of the week that is: `Tuesday`."""
        return date.fromisoformat(day(number)).strftime("%A")

    def pick(what: str, options: Sequence[Any]) -> Any:
        """One of several, the same each time for this storyline and this word."""
        return Stream(company.seed, "pick", company.name, story.name, what).choice(options)

    return {
        "name": story.name,
        "company": company,
        "nouns": company.trade.nouns,
        "agent": company.agent[1],
        "start": story.start.strftime("%Y-%m-%d %H:%M"),
        "content": story.content,
        "main_service": company.services[0].name,
        "other_service": company.services[1 % len(company.services)].name,
        "boss": lambda one: company.by_short.get(one.manager, company.people[0]),
        "slug": slug,
        "fixed_name": fixed_name,
        "day": day,
        "weekday": weekday,
        "shifted": shifted,
        "at": at,
        "pick": pick,
        "q": quoted,
        **story.cast,
        **story.clients,
    }


# -- people and days ----------------------------------------------------------------------------------------


def _starts(company: Company, kinds: Sequence[Kind]) -> list[datetime]:
    """When the tasks begin: working days of the later part of the calendar, one a day as long as there are enough."""
    days = company.workdays
    stream = Stream(company.seed, "starts")
    earliest = len(days) * _EARLIEST_TASK // 100
    found = []
    free = list(range(earliest, len(days) - 2))
    for number, kind in enumerate(kinds):
        possible = [day for day in free if day >= kind.days] or [*range(kind.days, len(days) - 2)]
        if not possible:
            raise UsageError(
                f"{company.request.days} days are too few: {kind.title!r} needs {kind.days} working days before its task"
            )
        share = len(possible) // len(kinds)
        day = possible[min(len(possible) - 1, len(possible) * number // len(kinds) + stream.below(max(1, share)))]
        free = [other for other in free if other != day]
        found.append(_in_the_morning(days[day], stream))
    return found


def _in_the_morning(day: date, stream: Stream) -> datetime:
    """A moment between nine and eleven, when tasks begin."""
    return datetime.combine(day, time(stream.between(9, 10), stream.below(12) * 5))


def _cast(company: Company, name: str, kind_name: str, start: datetime, before: Sequence[Story]) -> Story:
    kind = load_kind(kind_name)
    stream = Stream(company.seed, "cast", name)
    cast: dict[str, CastMember] = {}
    for role_name, role in kind.cast.items():
        cast[role_name] = _player(company, role, stream.child(role_name), [*cast.values()])
    used = [client for story in before for client in story.clients.values()]
    clients: dict[str, Client] = {}
    for client_name in kind.clients:
        free = [one for one in company.clients if one not in clients.values()]
        if not free:
            raise UsageError(
                f"{kind.title!r} needs {len(kind.clients)} customers with a contact who may decide nothing (may: none) and acts (as: NAME)"
            )
        clients[client_name] = stream.child(client_name).choice([one for one in free if one not in used] or free)
    return Story(name, kind_name, kind, start, cast, clients, _content(company, kind, kind_name, before, stream))


def _players(company: Company) -> list[CastMember]:
    """Who may be in a storyline: those in the company's zone who are there from the first day to the last."""
    return [one for one in company.people if one.zone == company.zone and one.is_here_all_along]


def _player(company: Company, role: CastRole, stream: Stream, taken: Sequence[CastMember]) -> CastMember:
    """Somebody for a role: of the sort of team that is asked for, in the company's zone, and nobody else already."""
    people = [one for one in _players(company) if one not in taken]
    for sort in role.of:
        team = [one for one in people if one.kind == sort]
        leads = [one for one in team if one.is_lead]
        chosen = (leads or team) if role.lead else ([one for one in team if not one.is_lead] or team)
        if chosen:
            return stream.choice(chosen)
    if not people:
        raise UsageError(
            f"a storyline of this kind needs {len(taken) + 1} people and more in {company.zone}, found {len(taken)}"
        )
    return stream.choice(people)


def _content(
    company: Company, kind: Kind, kind_name: str, before: Sequence[Story], stream: Stream
) -> Mapping[str, Json]:
    """What of the trade a storyline is about; another one of the same kind takes something else."""
    if not kind.content:
        return {}
    used = [story.content.get("key") for story in before if story.kind_name == kind_name]
    key = stream.choice([key for key in company.trade.content[kind.content] if key not in used])
    entry = dict(company.trade.content[kind.content][key])
    found = _worded(entry, lambda text: in_words(text, company.trade, company=company.name))
    assert isinstance(found, dict)
    return {"key": key, **found}


def _worded(value: Json, words: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return words(value)
    if isinstance(value, list):
        return [_worded(part, words) for part in value]
    if isinstance(value, dict):
        return {name: _worded(part, words) for name, part in value.items()}
    return value
